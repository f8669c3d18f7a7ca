"""Files that change into something else, behind their time stamps, or thousands at once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..memory.workspaces import write
from ..models.endpoints import Endpoint, embedding_at, wait_until_asked
from ..protocol.wire import Wire, WireError
from ..repositories import git

SECONDS = 60.0
WATCHED_BY_CLIENT = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


def word_of(name: str) -> str:
    """A word that only this file holds."""
    return f"Zebra{name.partition('.')[0].title()}Marker"


def source_of(name: str) -> str:
    return f'def {word_of(name)}():\n    """The word of {name}."""\n    return 1\n'


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "inner.py").write_text("INNER = 1\n")


def to_empty_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def to_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def to_link_outside(path: Path) -> None:
    outside = path.parent.parent / "outside.py"
    outside.write_text("OUTSIDE = 1\n")
    path.unlink()
    path.symlink_to(outside)


def to_link_inside(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "kept.py")


def to_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "nothing.py")


CHANGES: dict[str, Callable[[Path], None]] = {
    "folder.py": to_folder,
    "empty.py": to_empty_folder,
    "fifo.py": to_fifo,
    "outside.py": to_link_outside,
    "inside.py": to_link_inside,
    "dangling.py": to_dangling_link,
}
FORMER_FOLDER = "package.py"
NAMES = (*CHANGES, f"{FORMER_FOLDER}/module.py", f"linked/{'target.py'}")


def build(root: Path) -> Path:
    return write(root, {name: source_of(Path(name).name) for name in (*NAMES, "kept.py")})


def change_all(root: Path) -> list[Path]:
    """Put something else in the place of each file; what a client would report."""
    for name, change in CHANGES.items():
        change(root / name)
    (root / FORMER_FOLDER / "module.py").unlink()
    (root / FORMER_FOLDER).rmdir()
    (root / FORMER_FOLDER).write_text("FORMER_FOLDER = 1\n")
    (root / "linked" / "target.py").unlink()
    (root / "linked").rmdir()
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "target.py").write_text(source_of("target.py"))
    (root / "linked").symlink_to(elsewhere)
    return [*(root / name for name in CHANGES), root / FORMER_FOLDER, root / "linked"]


def still_there(ask: Callable[[str], str]) -> list[str]:
    """The changed files of which an answer still shows the text."""
    return [name for name in NAMES if f"def {word_of(Path(name).name)}" in ask(word_of(Path(name).name))]


def wait_until_gone(ask: Callable[[str], str]) -> list[str]:
    deadline = time.monotonic() + SECONDS
    while (left := still_there(ask)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def cli(root: Path, *arguments: str) -> str:
    """The command run in the folder, as a user does."""
    command = [sys.executable, "-m", "contextls.cli.main", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=120).stdout


@pytest.fixture
def start() -> Iterator[Callable[[], Wire]]:
    started: list[Wire] = []

    def _start() -> Wire:
        started.append(Wire())
        return started[-1]

    yield _start
    for wire in started:
        wire.kill()


Start = Callable[[], Wire]


def prompt(wire: Wire) -> Callable[[str], str]:
    def ask(query: str) -> str:
        hits = wire.request("context/search", {"query": query})["hits"]
        return str(wire.assemble(query)["content"]) + "\n".join(hit["text"] for hit in hits)

    return ask


def test_what_took_a_files_place_is_seen_by_the_servers_own_watcher(start: Start, tmp_path: Path) -> None:
    root = build(tmp_path / "work")
    wire = start()
    wire.initialize(root)
    wire.ready()
    assert still_there(prompt(wire)) == list(NAMES)
    wire.wait_for_log("watching")
    change_all(root)
    assert wait_until_gone(prompt(wire)) == []


def test_what_took_a_files_place_is_seen_by_a_clients_watcher(start: Start, tmp_path: Path) -> None:
    root = build(tmp_path / "work")
    wire = start()
    wire.initialize(root, capabilities=WATCHED_BY_CLIENT)
    wire.ready()
    assert still_there(prompt(wire)) == list(NAMES)
    changed = change_all(root)
    changes = [{"uri": path.as_uri(), "type": 2} for path in changed]
    wire.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert wait_until_gone(prompt(wire)) == []


def test_what_took_a_files_place_is_seen_at_the_next_start(start: Start, tmp_path: Path) -> None:
    root = build(tmp_path / "work")
    for_all = ("search", "--json", "--limit", "50", " ".join(word_of(Path(name).name) for name in NAMES))
    shown = cli(root, *for_all)
    assert still_there(lambda _word: shown) == list(NAMES)
    change_all(root)
    shown = cli(root, *for_all)
    assert still_there(lambda _word: shown) == []
    wire = start()
    wire.initialize(root)
    wire.ready()
    assert still_there(prompt(wire)) == []


# -- changes behind the time stamps


def keep_time(path: Path, text: str) -> None:
    """Write other text of the same size, and put the old time back."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def changed_line(wire: Wire) -> str:
    context = wire.assemble("review my uncommitted changes", strategy="review")
    return "\n".join(each["content"] for each in context["components"] if each["type"] == "recent")


def until(check: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SECONDS
    while not check():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def test_a_change_of_the_same_size_and_time_shows(start: Start, tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    path = root / "price.py"
    path.write_text("def price():\n    return 1111\n")
    past = time.time_ns() - 3_600_000_000_000
    os.utime(path, ns=(past, past))
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    wire = start()
    wire.initialize(root)
    wire.ready()
    wire.wait_for_log("watching")
    for value in ("2222", "3333", "4444"):
        keep_time(path, f"def price():\n    return {value}\n")
        assert until(lambda value=value: f"+    return {value}" in changed_line(wire)), value  # type: ignore[misc]
        assert until(lambda value=value: value in prompt(wire)("price")), value  # type: ignore[misc]
    wire.kill()
    # Nobody watches: the command has the stamps alone to go by.
    keep_time(path, "def price():\n    return 5555\n")
    assert "5555" in cli(root, "search", "--json", "price")
    assert "+    return 5555" in cli(root, "assemble", "review my uncommitted changes")


# -- thousands of files at once


def checkout_between(root: Path, count: int) -> None:
    for branch in ("old", "new"):
        if branch == "old":
            root.mkdir()
            git(root, "init", "-q", "-b", "old")
        else:
            git(root, "checkout", "-qb", "new")
        for number in range(count):
            folder = root / f"part{number % 20}"
            folder.mkdir(exist_ok=True)
            text = f"def needle_{number}():\n    return 'the_{branch}_branch'\n"
            (folder / f"module{number}.py").write_text(text)
        git(root, "add", "-A")
        git(root, "commit", "-qm", branch)
    git(root, "checkout", "-q", "old")


def watch_a_checkout(wire: Wire, root: Path, seconds: float) -> list[bool]:
    """Check out the other branch and ask on; whether each answer that showed old text claimed to be complete."""
    claims: list[bool] = []
    git(root, "checkout", "-q", "new")
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = wire.request("context/search", {"query": "needle the_old_branch", "limit": 50})
        old = any("the_old_branch" in hit["text"] for hit in found["hits"])
        if old:
            claims.append(found["indexComplete"])
        elif found["indexComplete"]:
            return claims
        time.sleep(0.02)
    raise AssertionError("the new branch never showed as a whole")


@pytest.mark.parametrize("count", [300, pytest.param(4_000, marks=pytest.mark.long)])
def test_no_answer_with_text_from_before_a_checkout_claims_to_be_complete(
    start: Start, tmp_path: Path, count: int
) -> None:
    root = tmp_path / "work"
    checkout_between(root, count)
    wire = start()
    wire.initialize(root)
    wire.ready(seconds=300)
    assert until(lambda: wire.request("context/search", {"query": "needle"})["indexComplete"])
    wire.wait_for_log("watching")
    assert True not in watch_a_checkout(wire, root, 300)


def test_an_index_from_before_is_not_complete_until_it_was_looked_at(start: Start, tmp_path: Path) -> None:
    root = tmp_path / "work"
    checkout_between(root, 100)
    cli(root, "index")
    git(root, "checkout", "-q", "new")
    wire = start()
    wire.initialize(root)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = wire.request("context/search", {"query": "needle the_old_branch", "limit": 50})
        old = any("the_old_branch" in hit["text"] for hit in found["hits"])
        assert not (old and found["indexComplete"])
        if found["indexComplete"]:
            return
    raise AssertionError("never complete")


# -- the first question


def small(root: Path, count: int) -> Path:
    root.mkdir()
    for number in range(count):
        (root / f"module{number}.py").write_text(f"def needle_{number}():\n    return {number}\n")
    return root


def test_the_first_question_waits_for_a_small_index(start: Start, tmp_path: Path) -> None:
    wire = start()
    wire.initialize(small(tmp_path / "work", 5))
    first, second = (
        wire.send("context/assemble", {"query": "needle_3"}),
        wire.send("context/search", {"query": "needle_3"}),
    )
    context, found = wire.answer(first), wire.answer(second)
    # A machine that is busy may need more than the bound: then the answer has to say so.
    told = any("was not built within" in warning for warning in context["report"]["warnings"])
    assert context["report"]["indexComplete"] or told
    assert "needle_3" in context["content"] or told
    assert found["hits"] or not found["indexComplete"]


def test_the_wait_is_bounded_and_told_and_cancelled(start: Start, tmp_path: Path, endpoint: Endpoint) -> None:
    wire = start()
    endpoint.gate.clear()
    wire.initialize(small(tmp_path / "work", 5), options=embedding_at(endpoint))
    cancelled = wire.send("context/search", {"query": "needle_3"})
    wire.notify("$/cancelRequest", {"id": cancelled})
    with pytest.raises(WireError) as caught:
        wire.answer(cancelled, 10)
    assert caught.value.code == -32800
    asked = wire.send("context/assemble", {"query": "needle_3"})
    assert until(lambda: "needle_3" in endpoint.texts)  # it waits no longer, and is answered
    endpoint.gate.set()
    report = wire.answer(asked)["report"]
    assert any("was not built within 2 s" in warning for warning in report["warnings"])
    assert report["indexComplete"] is False


def test_nobody_waits_for_a_large_index_in_vain(start: Start, tmp_path: Path, endpoint: Endpoint) -> None:
    wire = start()
    endpoint.gate.clear()
    wire.initialize(small(tmp_path / "work", 900), options=embedding_at(endpoint))
    wait_until_asked(endpoint)
    asked = wire.send("context/search", {"query": "needle_3"})
    time.sleep(1)
    endpoint.gate.set()
    assert wire.answer(asked)["indexComplete"] is False
