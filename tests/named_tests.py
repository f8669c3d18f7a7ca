"""The tests that docs/seeds.md names, and whether a run of whole folders ran all of them that lie there.

The check belongs to the run itself: each of the two runs of ``make tests`` looks after its own folders. A run of single
files or of selected tests is not checked, nor is one that ended early.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
# What leaves tests out by intention.
_SELECTING = (
    "keyword",
    "markexpr",
    "deselect",
    "lf",
    "failedfirst",
    "stepwise",
    "collectonly",
    "ignore_glob",
)


def read_named(document: str) -> list[tuple[str, str]]:
    """Module and name of every test that a document names, each once."""
    return sorted(set(_TEST.findall(document)))


def find_left_out(
    named: Collection[tuple[str, str]], ran: Collection[str], folders: Sequence[str], ignored: Sequence[str]
) -> list[str]:
    """Those of the tests ``named`` below ``folders``, and not below ``ignored``, of which no case is in ``ran``."""
    functions = {nodeid.partition("[")[0] for nodeid in ran}
    expected = (
        f"{path}::{name}"
        for path, name in named
        if any(map(Path(path).is_relative_to, folders)) and not any(map(Path(path).is_relative_to, ignored))
    )
    return sorted(test for test in expected if test not in functions)


class NamedTests:
    """Notes what ran, in all processes of a run, and fails the run where a named test did not."""

    def __init__(self, config: pytest.Config) -> None:
        """Register it with the process that hears of all the others."""
        self._config = config
        self._ran: set[str] = set()
        self._left_out: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a case that was called, however it ended; one that was skipped was not, as far as anybody knows."""
        if report.when == "call" and not report.skipped:
            self._ran.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fail a run of whole folders in which a named test is missing."""
        document = self._config.rootpath / "docs" / "seeds.md"
        if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or not document.exists():
            return
        if session.shouldstop or session.shouldfail or not self._is_of_folders():
            return
        named = read_named(document.read_text("utf-8"))
        folders = [self._relative(given) for given in self._config.args]
        ignored = [self._relative(str(given)) for given in self._config.getoption("ignore") or ()]
        self._left_out = find_left_out(named, self._ran, folders, ignored)
        if self._left_out:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name what is missing."""
        if self._left_out:
            terminalreporter.section("named in docs/seeds.md and not run", red=True)
            for test in self._left_out:
                terminalreporter.line(test)

    def _is_of_folders(self) -> bool:
        if any(self._config.getoption(name, None) for name in _SELECTING):
            return False
        return all((self._config.invocation_params.dir / given).is_dir() for given in self._config.args)

    def _relative(self, given: str) -> str:
        place = (self._config.invocation_params.dir / given).resolve()
        root = self._config.rootpath.resolve()
        return place.relative_to(root).as_posix() if place.is_relative_to(root) else given
