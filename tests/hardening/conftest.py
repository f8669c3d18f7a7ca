"""Attacks in a short form for every run and a long form for ``make hardening``, and the table of what came of them.

One module here is one kind of attack and one row of the table; the first line of its docstring is the row's title.
One test case is one attack, unless it says ``record_property("attacks", number)``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ..cli.conftest import contextls, inline
from ..protocol.conftest import start
from .corpus import FOLDER, Corpus

__all__ = ["contextls", "inline", "start"]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hardening")
    group.addoption("--hardening", action="store_true", help="run long attacks too, and print the table")
    group.addoption("--corpus-table", metavar="FILE", help="write the table of attacks as Markdown to FILE")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave long attacks to ``make hardening``."""
    asked_for = config.getoption("--hardening", default=False) or "long" in (config.option.markexpr or "")
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        ours = item.path.is_relative_to(FOLDER)
        (left if ours and not asked_for and item.get_closest_marker("long") else kept).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


class CorpusReport:
    """Counts what came of each case, in whichever process it ran."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._corpus = Corpus()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one phase of one case."""
        module = self._config.rootpath / report.nodeid.partition("::")[0]
        if module.parent == FOLDER and not report.skipped:
            self._corpus.add_outcome(
                module, report.when, report.outcome, report.duration, dict(report.user_properties)
            )

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table, and write it where a file is named."""
        table = self._corpus.markdown()
        if self._config.getoption("--hardening", default=False):
            terminalreporter.section("corpus")
            terminalreporter.write_line(table)
        if file := self._config.getoption("--corpus-table", default=None):
            Path(file).write_text(table + "\n", encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Count where the reports of all processes arrive."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(CorpusReport(config))
