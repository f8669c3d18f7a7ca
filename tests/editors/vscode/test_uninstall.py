"""What the script leaves that VS Code runs once the extension is uninstalled, whatever its record has been made to say."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from .installed import EXTENSION, installed

MAX_SECONDS = 30.0
ENVIRONMENT = "server-0.1.0-0123abcd"
MARK = {"madeBy": "contextls.contextls"}


@pytest.fixture(scope="module")
def script(vsix: Path) -> Path:
    assert vsix.exists()
    return EXTENSION / "dist" / "uninstall.js"


class Machine:
    """A person's home with an extension in it, a storage that the extension filled, and files of others."""

    def __init__(self, home: Path, script: Path) -> None:
        self.home = home
        self.extension = home / ".vscode" / "extensions" / "contextls.contextls-0.1.0"
        self.record = self.extension / ".installed.json"
        (self.extension / "dist").mkdir(parents=True)
        self.script = Path(shutil.copy(script, self.extension / "dist"))
        self.storage = self.make_storage(home / ".config" / "Code")
        self.precious = home / "precious"
        self.precious.mkdir()
        (self.precious / "thesis.txt").write_text("years of work")

    def make_storage(self, editor: Path) -> Path:
        """The extension's storage in an editor's folder, with one environment."""
        storage = editor / "User" / "globalStorage" / "contextls.contextls"
        make_environment(storage / ENVIRONMENT)
        return storage

    def remember(self, *storages: Path | str) -> None:
        self.record.write_text(json.dumps({"storages": [*map(str, storages)]}))

    def uninstall(self, argument: str = "--type=extension-post-uninstall") -> None:
        """As VS Code does it: another process deletes. With ``--delete`` as that other process is called."""
        subprocess.run(
            [installed().node, self.script, argument],
            env={"HOME": str(self.home), "PATH": os.environ["PATH"]},
            cwd="/",
            check=True,
            timeout=MAX_SECONDS,
        )


def make_environment(path: Path) -> Path:
    package = path / "lib" / "python3.13" / "site-packages" / "contextls"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (path / "contextls-environment.json").write_text(json.dumps(MARK))
    return path


def wait_until_gone(path: Path) -> None:
    deadline = time.monotonic() + MAX_SECONDS
    while path.exists():
        assert time.monotonic() < deadline, f"still there: {[*path.rglob('*')]}"
        time.sleep(0.05)


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def machine(tmp_path: Path, script: Path) -> Machine:
    return Machine(tmp_path.resolve() / "home", script)


def test_what_was_set_up_goes_in_every_editor_that_shares_the_extension_and_all_else_stays(
    machine: Machine,
) -> None:
    portable = machine.make_storage(machine.home / "portable" / "data")
    (portable / "set-up.lock").write_text("1")
    (machine.storage / "notes.json").write_text("{}")
    other = machine.storage.parent / "other.extension"
    other.mkdir()
    memory = machine.home / ".local" / "state" / "contextls" / "shop-0123" / "events.sqlite"
    memory.parent.mkdir(parents=True)
    memory.write_text("what happened")
    (machine.storage / ENVIRONMENT / "lib64").symlink_to("lib")
    (machine.storage / ENVIRONMENT / "out").symlink_to(machine.precious)
    machine.remember(machine.storage, machine.home / "gone", portable)
    machine.uninstall()
    wait_until_gone(portable)
    assert everything(machine.storage) == ["notes.json"]
    assert other.exists()
    assert memory.exists()
    assert everything(machine.precious) == ["thesis.txt"]


def _linked_storage(machine: Machine) -> Path:
    """The storage is a link to a folder that looks like one."""
    make_environment(machine.precious / ENVIRONMENT)
    link = machine.home / "a" / "globalStorage" / "contextls.contextls"
    link.parent.mkdir(parents=True)
    link.symlink_to(machine.precious)
    return link


def _linked_parent(machine: Machine) -> Path:
    """A folder above the storage is a link."""
    real = machine.precious / "globalStorage" / "contextls.contextls"
    make_environment(real / ENVIRONMENT)
    link = machine.home / "a"
    link.symlink_to(machine.precious)
    return link / "globalStorage" / "contextls.contextls"


def _linked_environment(machine: Machine) -> Path:
    storage = machine.home / "a" / "globalStorage" / "contextls.contextls"
    storage.mkdir(parents=True)
    (machine.precious / "contextls-environment.json").write_text(json.dumps(MARK))
    (storage / ENVIRONMENT).symlink_to(machine.precious)
    return storage


def _unmarked(machine: Machine) -> Path:
    storage = machine.precious / "globalStorage" / "contextls.contextls"
    (storage / ENVIRONMENT).mkdir(parents=True)
    (storage / ENVIRONMENT / "work.txt").write_text("mine")
    return storage


def _foreign_mark(machine: Machine) -> Path:
    storage = _unmarked(machine)
    (storage / ENVIRONMENT / "contextls-environment.json").write_text('{"madeBy": "somebody.else"}')
    return storage


def _linked_mark(machine: Machine) -> Path:
    storage = _unmarked(machine)
    real = machine.home / "mark.json"
    real.write_text(json.dumps(MARK))
    (storage / ENVIRONMENT / "contextls-environment.json").symlink_to(real)
    return storage


def _waiting_mark(machine: Machine) -> Path:
    storage = _unmarked(machine)
    os.mkfifo(storage / ENVIRONMENT / "contextls-environment.json")
    return storage


def _other_name(machine: Machine) -> Path:
    make_environment(machine.precious / ENVIRONMENT)
    return machine.precious


def _other_environment_name(machine: Machine) -> Path:
    storage = machine.precious / "globalStorage" / "contextls.contextls"
    make_environment(storage / "server-of-mine")
    return storage


def _through_dots(machine: Machine) -> str:
    make_environment(machine.precious / "globalStorage" / "contextls.contextls" / ENVIRONMENT)
    return f"{machine.home}/.config/../precious/globalStorage/contextls.contextls"


HOSTILE: dict[str, Callable[[Machine], Path | str]] = {
    "the root": lambda _: "/",
    "home": lambda machine: machine.home,
    "nothing": lambda _: "",
    "a relative path": lambda _: "globalStorage/contextls.contextls",
    "a folder of another name": _other_name,
    "a path with dots": _through_dots,
    "a link": _linked_storage,
    "a folder below a link": _linked_parent,
    "a folder with a linked environment": _linked_environment,
    "an environment of another name": _other_environment_name,
    "an environment without a mark": _unmarked,
    "an environment with another's mark": _foreign_mark,
    "an environment whose mark is a link": _linked_mark,
    "an environment whose mark is a pipe": _waiting_mark,
}


@pytest.mark.parametrize("named", HOSTILE)
def test_a_record_that_names_something_else_deletes_nothing_but_what_is_ours(
    machine: Machine, named: str
) -> None:
    hostile = HOSTILE[named](machine)
    before = everything(machine.precious)
    machine.remember(hostile, machine.storage)
    machine.uninstall("--delete")
    assert not machine.storage.exists(), "what is named behind it goes all the same"
    assert everything(machine.precious) == before
    assert machine.script.exists()


@pytest.mark.parametrize(
    "kind", ["none", "no JSON", "no list", "numbers", "a folder", "a pipe", "huge", "a link"]
)
def test_a_record_that_cannot_be_read_deletes_nothing(machine: Machine, kind: str) -> None:
    record = machine.record
    text = json.dumps({"storages": [str(machine.storage)]})
    if kind == "a folder":
        record.mkdir()
    elif kind == "a pipe":
        os.mkfifo(record)
    elif kind == "a link":
        (machine.home / "record.json").write_text(text)
        record.symlink_to(machine.home / "record.json")
    elif kind != "none":
        odd = {"no JSON": "storages", "no list": '{"storages": 1}', "numbers": '{"storages": [1, null]}'}
        record.write_text(odd.get(kind, text + " " * 100_000))
    machine.uninstall("--delete")
    assert (machine.storage / ENVIRONMENT / "contextls-environment.json").exists()
