"""A workspace as people have it open: a cursor somewhere, and three sittings of work behind them.

Which places and what work follows from the name of the repository alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from contextls.code.languages import default_languages
from contextls.engine import Engine
from contextls.memory.index.priors import FileKind, file_kind
from contextls.model import EditorPosition, NewEvent

FILES_WORKED_ON = 40
STEPS, STEPS_OF_A_SITTING = 240, 80
STEP_MS = 3 * 60_000
_ASIDE = ("git status", "ls -la", "git diff", "git commit -m wip", "npm install")


def written_files(engine: Engine, root: Path) -> list[str]:
    """The files of code and tests of a workspace, in order."""
    languages, kinds = default_languages(), (FileKind.SOURCE, FileKind.TEST)
    files = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    return sorted(
        path
        for path in files
        if file_kind(path) in kinds
        and languages.language_of(path) != "text"
        and not path.startswith(".git/")
        and engine.accepts(path)
    )


def some_place(root: Path, files: Sequence[str], chance: random.Random) -> EditorPosition:
    """A cursor on any line of any file."""
    path = chance.choice(files)
    line = chance.randrange((root / path).read_text("utf-8", "replace").count("\n") + 1) + 1
    return EditorPosition(path, line, line)


def sittings(files: Sequence[str], chance: random.Random) -> Iterator[NewEvent]:
    """Twelve hours in three sittings: files read and edited, a test run after some, of which two in five fail."""
    now = int(time.time() * 1000)
    worked_on = chance.sample(files, min(FILES_WORKED_ON, len(files)))
    tests = [path for path in files if file_kind(path) is FileKind.TEST] or list(files)
    for number in range(STEPS):
        moment = now - (STEPS - number) * STEP_MS
        path = worked_on[(number // 12 * 7 + chance.randrange(3)) % len(worked_on)]
        for kind, content in _step(number, path, tests, chance):
            yield NewEvent(
                kind, content, timestamp=moment, session_id=f"sitting-{number // STEPS_OF_A_SITTING}"
            )


def _step(
    number: int, path: str, tests: Sequence[str], chance: random.Random
) -> Iterator[tuple[str, dict[str, object]]]:
    match number % 12:
        case 8:
            test, failed = chance.choice(tests), chance.random() < 0.4
            printed = f"FAILED {test}::test_{number} - assert 1 == 2\n" if failed else "12 passed\n"
            yield (
                "shell_exec",
                {"command": f"make test {test}", "exitCode": int(failed), "stdout": printed},
            )
        case 9:
            yield "shell_exec", {"command": chance.choice(_ASIDE), "exitCode": 0, "stdout": "ok\n"}
        case 10:
            yield "error", {"message": "KeyError: name", "path": path, "line": 9}
        case _:
            yield ("file_read", "file_edit", "file_write")[number % 3], {"path": path}
