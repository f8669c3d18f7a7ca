"""Programs are found, and modules imported, from nowhere that a workspace can write to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from contextls import isolation
from contextls.isolation import child_environment, distrust, find_program, search_path

SERVER = Path(isolation.__file__).parents[1]


@pytest.fixture(autouse=True)
def nothing_distrusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_distrusted", {})


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(0o755)
    return path


def look_in(monkeypatch: pytest.MonkeyPatch, *folders: Path | str) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))


def test_relative_and_empty_entries_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "here" / "git")
    program(tmp_path / "here" / "bin" / "git")
    safe = program(tmp_path / "safe" / "git")
    monkeypatch.chdir(tmp_path / "here")
    look_in(monkeypatch, ".", "", "bin", "../here", safe.parent)
    assert find_program("git") == str(safe)
    assert search_path() == str(safe.parent)
    look_in(monkeypatch, ".", "")
    assert find_program("git") is None


def test_a_workspace_has_no_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "workspace"
    program(root / "node_modules" / ".bin" / "git")
    safe = program(tmp_path / "safe" / "git")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "git").symlink_to(root / "node_modules" / ".bin" / "git")
    (tmp_path / "linked").symlink_to(root / "node_modules" / ".bin")
    (root / "out").mkdir()
    (root / "out" / "git").symlink_to(safe)
    folders = [
        root / "node_modules" / ".bin",
        tmp_path / "links",
        tmp_path / "linked",
        root / "out",
        safe.parent,
    ]
    look_in(monkeypatch, *folders)
    assert find_program("git", root) == str(safe)
    assert find_program("git") == str(folders[0] / "git")
    distrust(root)
    assert find_program("git") == str(safe)
    assert search_path() == os.pathsep.join(map(str, (tmp_path / "links", safe.parent)))


def test_what_is_no_program_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "git").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "git").write_text("", "utf-8")
    look_in(monkeypatch, tmp_path / "a", tmp_path / "b", tmp_path / "missing")
    assert find_program("git") is None


@pytest.mark.parametrize("opened", [".", "..", "/"])
def test_the_home_folder_as_a_workspace_keeps_the_users_programs(
    opened: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    own = program(tmp_path / ".local" / "bin" / "git")
    look_in(monkeypatch, own.parent)
    distrust(tmp_path / opened)
    assert find_program("git", tmp_path / opened) == str(own)


def test_a_user_without_a_home_has_programs_too(tmp_path: Path) -> None:
    safe = program(tmp_path / "safe" / "git")
    code = (
        "import os, pwd; from pathlib import Path\n"
        "def nobody(uid): raise KeyError(uid)\n"
        "pwd.getpwuid = nobody; del os.environ['HOME']\n"
        f"import sys; sys.path.append({str(SERVER)!r})\n"
        "from contextls import isolation; isolation.isolate(); isolation.distrust('/')\n"
        "print(isolation.find_program('git', Path('/work')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PATH": str(safe.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == str(safe), done.stderr


def test_a_child_gets_no_variable_of_python_and_no_relative_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    look_in(monkeypatch, ".", "/usr/bin")
    for name in ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("LD_LIBRARY_PATH", ":/usr/lib:lib")
    found = child_environment()
    assert not [name for name in found if name.startswith("PYTHON")]
    assert (found["PATH"], found["LD_LIBRARY_PATH"]) == ("/usr/bin", "/usr/lib")


def import_path(folder: Path, *entries: Path | str, root: Path | None = None) -> list[str]:
    """The import path of a process of ours that runs in ``folder`` with these entries in ``PYTHONPATH``."""
    code = (
        f"import sys; sys.path.append({str(SERVER)!r})\n"
        "from contextls import isolation; isolation.isolate()\n"
        f"isolation.distrust({str(root or folder)!r})\n"
        "print(*sys.path, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, entries))},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_what_variables_name_in_the_workspace_leaves_the_import_path(tmp_path: Path) -> None:
    here, elsewhere, root = (tmp_path / name for name in ("here", "elsewhere", "root"))
    for folder in (here / "src", elsewhere / "lib", root / "src"):
        folder.mkdir(parents=True)
    path = import_path(
        here, ".", "", "src", "../elsewhere", here, here / "src", tmp_path, elsewhere / "lib", root / "src"
    )
    assert [entry for entry in path if entry.startswith(str(tmp_path))] == [
        str(elsewhere / "lib"),
        str(root / "src"),
    ]
    path = import_path(here, elsewhere / "lib", root / "src", root=root)
    assert [entry for entry in path if entry.startswith(str(tmp_path))] == [str(elsewhere / "lib")]
    assert str(SERVER) in path
    assert all(map(os.path.isabs, path))


def test_modules_that_a_variable_names_replace_none_of_ours(tmp_path: Path) -> None:
    foreign, root = tmp_path / "for another Python", tmp_path / "root"
    for folder in (foreign, root):
        folder.mkdir()
    for name in ("numpy", "yaml", "msgspec", "json", "secrets"):
        (foreign / f"{name}.py").write_text("raise ImportError('built for another Python')\n")
    (root / "fines.py").write_text("def fine_of(loan):\n    return loan.days_late * 20\n")
    done = subprocess.run(
        [sys.executable, "-m", "contextls", "assemble", "how is the fine worked out?", str(root)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(foreign), "CONTEXTLS_HOME": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "days_late" in done.stdout, done.stderr
    assert import_path(root, foreign)[-1] == str(foreign)


def test_an_installation_inside_the_workspace_stays_importable() -> None:
    path = import_path(SERVER, SERVER)
    assert str(SERVER) in path


def test_the_users_own_command_gets_the_users_own_variables() -> None:
    code = (
        "from contextls import isolation; isolation.isolate()\n"
        "print(isolation.users_environment()['PATH'], isolation.users_environment()['PYTHONPATH'])"
    )
    path = f".{os.pathsep}/usr/bin"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PATH": path, "PYTHONPATH": str(SERVER)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == f"{path} {SERVER}"


def test_arithmetic_takes_one_core_of_ours_and_none_from_the_users_command() -> None:
    code = (
        "import os; from contextls import isolation; isolation.isolate()\n"
        "import numpy; numpy.ones((900, 900)) @ numpy.ones((900, 900))\n"
        "print(len(os.listdir('/proc/self/task')), isolation.users_environment().get('OPENBLAS_NUM_THREADS'))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "1 None"
