"""Which failures are open: what failed, and nothing has put right or tried again since."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from contextls.memory.events.failures import STALE_MS, FailedRun, latest_failure, open_failures
from contextls.memory.events.sessions import PAUSE_MS
from contextls.model import Event, Outcome

NOW = 1_800_000_000_000
MINUTE = 60_000
Told = tuple[str, Mapping[str, Any]]


def ran(command: str, code: int = 0) -> Told:
    return "shell_exec", {"command": command, "exitCode": code}


def error(command: str, path: str, test: str = "", line: int = 3) -> Told:
    return "error", {
        "message": f"{path} is wrong",
        "path": path,
        "line": line,
        "test": test,
        "command": command,
    }


def edit(path: str, symbol: str = "f") -> Told:
    return "file_edit", {"path": path, "symbols": [symbol]}


def happened(*told: Told, gaps: Mapping[int, int] | None = None) -> list[Event]:
    """Events a minute apart, the last one now, each of another process; ``gaps`` are ms before those numbers."""
    times, at = [], 0
    for number in range(len(told)):
        at += (gaps or {}).get(number, MINUTE)
        times.append(at)
    return [
        Event(
            f"event-{number}",
            kind,
            f"process-{number}",
            NOW - at + times[number - 1],
            content,
            Outcome.FAILURE if kind == "error" or content.get("exitCode") else Outcome.SUCCESS,
        )
        for number, (kind, content) in enumerate(told, 1)
    ]


def numbers(failure: FailedRun | None) -> tuple[list[int], list[int]]:
    """The numbers of a failure's events and of the changes that belong to it."""
    if failure is None:
        return [], []
    events, changes = (
        [int(event.id.partition("-")[2]) for event in each] for each in (failure.events, failure.changes)
    )
    return sorted(events), sorted(changes)


def latest(*told: Told, **how: Any) -> tuple[list[int], list[int]]:  # noqa: ANN401
    return numbers(latest_failure(happened(*told, **how), NOW))


def test_an_edit_of_another_process_is_before_the_failure() -> None:
    told = (ran("pytest"), edit("a.py"), ran("pytest", 1), error("pytest", "test_a.py"))
    assert latest(*told) == ([3, 4], [2])


def test_a_rerun_supersedes_the_errors_of_the_run_before() -> None:
    told = (
        ran("pytest", 1),
        error("pytest", "test_a.py"),
        error("pytest", "test_b.py"),
        edit("a.py"),
        ran("pytest", 1),
        error("pytest", "test_b.py"),
    )
    assert latest(*told) == ([5, 6], [4])


def test_after_half_a_fix_what_broke_it_still_belongs_to_the_failure() -> None:
    told = (
        ran("pytest"),
        edit("a.py"),
        edit("b.py"),
        ran("pytest", 1),
        error("pytest", "test_a.py"),
        edit("a.py"),
        ran("pytest", 1),
        error("pytest", "test_b.py"),
        edit("b.py"),
    )
    assert latest(*told) == ([7, 8], [2, 3, 6, 9])


@pytest.mark.parametrize(
    "command",
    [
        ran("gti status", 127),
        ran("cd nowhere", 1),
        ran("ls nothing", 2),
        ran("grep -r word .", 1),
        ran("git diff --quiet", 1),
        ran("sudo ls /root", 2),
        ran("true"),
        ran("npm run dev", 130),
        ran("cd src && ls", 2),
        ran("Get-ChildItem nowhere", 1),
        ran(r"C:\Windows\System32\findstr.exe /s word *.py", 1),
        ran("gti status", 9009),
        ran("npm run dev", 0xC000013A),
        ran("npm run dev", -0x3FFFFEC6),
    ],
)
def test_a_typo_or_a_look_around_displaces_no_failure(command: Told) -> None:
    assert latest(ran("make test", 2), command) == ([1], [])
    assert latest(command) == ([], [])


@pytest.mark.parametrize(
    "command",
    [
        ran("npm test", 127),
        ran("npm.cmd test", 9009),
        ran("./release.sh", 1),
        ran("cd app && pytest", 1),
        ran("sudo make install", 2),
    ],
)
def test_work_that_fails_is_a_failure(command: Told) -> None:
    assert latest(ran("make test", 2), command) == ([2], [])


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("pytest -q", "pytest"),
        ("pytest tests/test_a.py", "python -m pytest -q tests/test_a.py"),
        ("pytest tests/test_a.py::test_one", "uv run pytest tests/test_a.py"),
        ("CI=1 pytest tests/test_a.py", "pytest -x"),
        ("pytest -k one", "pytest"),
        ("go test -run TestOne ./...", "go test ./..."),
        ("make -j 4 test", "make test"),
        ("go test ./cart", "go test ./..."),
        ("cargo test francs", "cargo test"),
        ("npx vitest run cart", "npx vitest run"),
        ("phpunit --filter testOne", "phpunit"),
        (r".venv\Scripts\pytest.exe tests\test_a.py", "pytest tests/test_a.py"),
        (r"py -m pytest tests\test_a.py::test_one", r".venv\Scripts\Pytest tests"),
        (r".\gradlew.bat test", "./gradlew test"),
    ],
)
def test_a_pass_of_the_same_or_of_more_puts_it_right(failed: str, passed: str) -> None:
    assert latest(
        ran(failed, 1), error(failed, "tests/test_a.py", "tests/test_a.py::test_one"), ran(passed)
    ) == (
        [],
        [],
    )


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("make test", "make"),
        ("npm run test", "npm run lint"),
        ("pytest tests/test_a.py", "pytest tests/test_b.py"),
        ("pytest", "pytest -k other"),
        ("phpunit", "phpunit --filter testOther"),
        ("npx mocha", "npx mocha --grep other"),
        ("ctest", "ctest -R other"),
        ("cargo test", "cargo test -p other"),
        ("make lint", "make test"),
        ("pytest", "ruff check"),
    ],
)
def test_a_pass_of_something_else_leaves_it(failed: str, passed: str) -> None:
    assert latest(ran(failed, 1), error(failed, "tests/test_a.py"), ran(passed)) == ([1, 2], [])


def test_a_pass_of_one_test_puts_right_its_error_alone() -> None:
    told = (
        ran("pytest", 1),
        error("pytest", "tests/test_a.py", "tests/test_a.py::test_one"),
        error("pytest", "tests/test_b.py", "test_two"),
        ran("pytest tests/test_a.py::test_one"),
    )
    assert latest(*told) == ([1, 3], [])
    assert latest(*told, ran("pytest tests/test_b.py")) == ([], [])


def test_several_failures_are_open_at_once_the_newest_first() -> None:
    events = happened(ran("make lint", 1), edit("a.py"), ran("pytest", 1), error("pytest", "test_a.py"))
    assert [numbers(each)[0] for each in open_failures(events, NOW)] == [[3, 4], [1]]


def test_an_error_without_a_run_is_a_failure() -> None:
    assert latest(("error", {"message": "boom", "path": "a.py", "line": 2})) == ([1], [])


def test_a_failure_of_the_day_before_is_none() -> None:
    events = happened(ran("pytest", 1))
    assert latest_failure(events, NOW + STALE_MS) is not None
    assert latest_failure(events, NOW + STALE_MS + 1) is None


def test_changes_before_the_sitting_are_not_blamed_unless_it_passed_before_them() -> None:
    pause = {2: PAUSE_MS + 1}
    assert latest(edit("old.py"), edit("older.py"), edit("a.py"), ran("pytest", 1), gaps=pause) == ([4], [3])
    assert latest(ran("pytest"), edit("b.py"), edit("a.py"), ran("pytest", 1), gaps=pause) == ([4], [2, 3])


@pytest.mark.parametrize("piece", ["'", '"\\', '"\\""', "$(", "`", "a;", "<<x\n", "2>", "\\\n", '>"', "( "])
def test_a_line_of_any_signs_is_read_in_no_time(piece: str) -> None:
    line = f"{piece * 4_000}z"
    began = time.monotonic()
    assert latest(ran(line, 1), ran(line)) == ([], [])
    assert time.monotonic() - began < 0.5
