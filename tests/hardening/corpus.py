"""The table of the corpus: for each kind of attack how many were tried, and how many were survived."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FOLDER = Path(__file__).parent
TRIED = "attacks"  # what a test that makes several attacks records: record_property("attacks", 2000)


@dataclass
class Row:
    """One kind of attack: a module of this folder."""

    title: str
    tried: int = 0
    survived: int = 0
    seconds: float = 0.0


class Corpus:
    """What came of the attacks of one run."""

    def __init__(self) -> None:
        self._rows: dict[Path, Row] = {}

    def add_outcome(
        self, module: Path, phase: str | None, outcome: str, seconds: float, properties: Mapping[str, object]
    ) -> None:
        """Count one phase of one case of the test file ``module``.

        A case is tried when it was called, and when its preparation failed; it is survived when its call passed.
        A clean-up that fails takes that back: a process that does not end was not survived.
        """
        row = self._rows.setdefault(module, Row(row_title(module)))
        row.seconds += seconds
        given = properties.get(TRIED, 1)
        attacks = given if isinstance(given, int) else 1
        if phase == "call":
            row.tried += attacks
            row.survived += attacks if outcome == "passed" else 0
        elif outcome == "failed" and phase == "setup":
            row.tried += attacks
        elif outcome == "failed":
            row.survived = max(0, row.survived - attacks)

    def rows(self) -> list[Row]:
        """All rows with something tried, by title."""
        return sorted((row for row in self._rows.values() if row.tried), key=lambda row: row.title)

    def markdown(self) -> str:
        """The table, with a last line for all."""
        rows = self.rows()
        every = Row(
            "**all**",
            sum(row.tried for row in rows),
            sum(row.survived for row in rows),
            sum(row.seconds for row in rows),
        )
        return "\n".join(_table([*rows, every]))


def row_title(module: Path) -> str:
    """The first line of a module's docstring, without its full stop; the module's name where it has none."""
    docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0].rstrip(".") or module.stem


def _table(rows: Iterable[Row]) -> Iterable[str]:
    yield "| attacked | tried | survived | seconds |"
    yield "| --- | ---: | ---: | ---: |"
    for row in rows:
        yield f"| {row.title} | {row.tried:,} | {row.survived:,} | {row.seconds:.0f} |"
