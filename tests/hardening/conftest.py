"""Attacks in a short form for every run and a long form for ``make hardening``, and the table of what came of them.

One module here is one kind of attack and one row of the table; the first line of its docstring is the row's title.
One test case is one attack, unless it says ``record_property("attacks", number)``.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from ..cli.conftest import contextls
from ..protocol.conftest import start
from .corpus import FOLDER, Corpus

__all__ = ["contextls", "start"]

_CORPUS = pytest.StashKey[Corpus]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hardening")
    group.addoption("--hardening", action="store_true", help="run long attacks too, and print the table")
    group.addoption("--corpus-table", metavar="FILE", help="write the table of attacks as Markdown to FILE")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave long attacks to ``make hardening``, and learn the titles of the rows."""
    corpus = config.stash.setdefault(_CORPUS, Corpus())
    asked_for = config.getoption("--hardening", default=False) or "long" in (config.option.markexpr or "")
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        ours = item.path.is_relative_to(FOLDER)
        if ours and isinstance(item, pytest.Function):
            corpus.add_case(_module(item.nodeid), item.module.__doc__)
        (left if ours and not asked_for and item.get_closest_marker("long") else kept).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count what came of a case."""
    report = yield
    if not report.skipped:
        corpus = item.config.stash.setdefault(_CORPUS, Corpus())
        corpus.add_outcome(
            _module(item.nodeid), report.when, report.outcome, report.duration, dict(report.user_properties)
        )
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table, and write it where a file is named."""
    table = config.stash.setdefault(_CORPUS, Corpus()).markdown()
    if config.getoption("--hardening", default=False):
        terminalreporter.section("corpus")
        terminalreporter.write_line(table)
    if file := config.getoption("--corpus-table", default=None):
        Path(file).write_text(table + "\n", encoding="utf-8")


def _module(nodeid: str) -> str:
    return nodeid.partition("::")[0]
