"""Links out of the workspace, in circles, and to devices."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from contextls.agents.table import AGENTS

from ..cli.conftest import Run, write_workspace
from ..protocol.wire import Wire, WireError

WORD = "OUTSIDE_WORD_QUOKKA"
OUTSIDE = f"def {WORD.lower()}():\n    return '{WORD}'\n"

LINKS: Mapping[str, str] = {
    "file.py": "{outside}/code.py",
    "relative.py": "../outside/code.py",
    "folder": "{outside}",
    "up": "..",
    "self": "self",
    "round/a": "b",
    "round/b": "a",
    "here": ".",
    "nested/deeper": "../nested",
    "root": "/",
    "zero.py": "/dev/zero",
    "stdin.py": "/dev/stdin",
    "environment.py": "/proc/self/environ",
    "memory.py": "/proc/self/mem",
    "gone.py": "{outside}/not-there.py",
    "through.py": "folder/code.py",
    "README.txt": "{outside}/code.py",
    "package.json": "{outside}/package.json",
    "pyproject.toml": "{outside}/pyproject.toml",
    ".context/working-set.yml": "{outside}/working-set.yml",
    "long": "./././././././././././././././././././././././././././././././././././././././file.py",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with all these links, and a folder beside it that they lead to."""
    folder = tmp_path_factory.mktemp("links")
    outside = folder / "outside"
    outside.mkdir()
    (outside / "code.py").write_text(OUTSIDE)
    (outside / "package.json").write_text(f'{{"name": "{WORD}", "dependencies": {{"{WORD.lower()}": "1"}}}}')
    (outside / "pyproject.toml").write_text(f'[project]\nname = "{WORD}"\n')
    (outside / "working-set.yml").write_text(f"files:\n  - path: {WORD}.py\n")
    root = write_workspace(folder / "workspace")
    for name, target in LINKS.items():
        link = root / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target.format(outside=outside))
    return root


@pytest.fixture(scope="module")
def said(place: Path, contextls: Run) -> Mapping[str, str]:
    """What each command said in that folder."""
    commands: tuple[tuple[str, ...], ...] = (
        ("index",),
        ("search", WORD),
        ("assemble", f"what does {WORD.lower()} do in file.py?"),
        ("entities",),
        ("pack", ".", "app", "*.py", "--diffs"),
    )
    return {
        command[0]: (done := contextls(*command, cwd=place)).stdout + done.stderr.replace(command[-1], "")
        for command in commands
    }


@pytest.mark.parametrize("command", ["index", "search", "assemble", "entities", "pack"])
def test_what_lies_outside_is_never_said(said: Mapping[str, str], command: str) -> None:
    assert WORD not in said[command].replace(f"what does {WORD.lower()}", "")
    assert "Traceback" not in said[command]


def test_what_lies_outside_is_never_stored(said: Mapping[str, str], contextls_home: Path) -> None:
    assert said
    for path in contextls_home.rglob("*"):
        if path.is_file():
            assert WORD.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("name", [name for name in LINKS if name != ".context/working-set.yml"])
def test_a_link_can_be_named_in_requests(server_there: Wire, name: str) -> None:
    """It is refused or shows nothing of what it leads to, and nothing hangs."""
    uri = f"{server_there.root.as_uri()}/{name}"
    code: int | None
    for method, params in (
        ("context/fileStatus", {"textDocument": {"uri": uri}}),
        ("context/workingSet/pin", {"path": name}),
        (
            "context/workingSet/update",
            {"updates": [{"action": "add_to_working_set", "path": name, "why": "mail"}]},
        ),
        ("context/assemble", {"query": "mail", "textDocument": {"uri": uri}}),
    ):
        try:
            answer = server_there.request(method, params, seconds=30)
        except WireError as error:
            answer = error.message
            code = error.code
        else:
            code = None
        assert code in (None, -32602, -32803), answer
        assert WORD not in str(answer)


@pytest.fixture(scope="module")
def server_there(place: Path) -> object:
    wire = Wire()
    (place / ".context/working-set.yml").unlink()
    wire.initialize(place)
    wire.ready()
    yield wire
    assert wire.end() == 0
    wire.kill()


@pytest.mark.parametrize("agent", AGENTS)
def test_hooks_are_written_through_no_link(agent: str, contextls: Run, tmp_path: Path) -> None:
    """An agent's own folder, and its file, in a workspace that wants to be written somewhere else."""
    outside = tmp_path / "outside"
    for name, parts in (("folder", 1), ("file", None)):
        root, target = tmp_path / name, outside / name
        target.mkdir(parents=True)
        link = root.joinpath(*Path(AGENTS[agent].project_file).parts[:parts])
        link.parent.mkdir(parents=True)
        link.symlink_to(target if parts else target / "settings.json")
        done = contextls("hook", agent, "--install", "--yes", "--root", ".", cwd=root)
        assert done.returncode == 2
        assert str(link) in done.stderr
        assert list(target.iterdir()) == []
