"""Whether the files that a fix changed come first for the report of the bug.

usage: python -m benchmarks.bug_reports CASES CHECKOUTS

CASES is a JSON file with a list of {"repo": "owner/name", "issue": number, "text", "files"}: a report as a user pastes it,
and the source files that its fix changed. CHECKOUTS holds one work tree for each, ``name-number``, as it was before the fix;
cases without one are left out. Files count in the order of their first hit (search) or piece (prompt of 4,000 tokens).

first 1, 3, 5   share of the reports of which a changed file is among the first so many files
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from contextls.engine import Engine
from contextls.model import AssembleRequest

HITS, BUDGET = 50, 4000
FIRST = (1, 3, 5)


def main() -> None:
    """Read the command line, ask, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", type=Path)
    parser.add_argument("checkouts", type=Path)
    options = parser.parse_args()
    ranks: dict[str, list[int]] = {"search": [], "prompt": []}
    for case in json.loads(options.cases.read_text(encoding="utf-8")):
        root = options.checkouts / f"{case['repo'].rpartition('/')[2]}-{case['issue']}"
        if root.is_dir():
            for name, paths in ask(case["text"], root).items():
                ranks[name].append(rank_of(case["files"], paths))
    print(table(ranks))


def ask(text: str, root: Path) -> dict[str, list[str]]:
    """The files that a search and a prompt give for ``text``, best first."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["CONTEXTLS_HOME"] = home
        with closing(Engine.open(root)) as engine:
            engine.index()
            context = engine.assemble(AssembleRequest(text, BUDGET))
            return {
                "search": _distinct(hit.path for hit in engine.search(text, HITS).hits),
                "prompt": _distinct(piece.path for piece in context.components if piece.path),
            }


def rank_of(wanted: Sequence[str], paths: Sequence[str]) -> int:
    """The place of the first of ``wanted`` in ``paths``, from 1; 0 where none is there."""
    return next((place for place, path in enumerate(paths, 1) if path in wanted), 0)


def table(ranks: Mapping[str, Sequence[int]]) -> str:
    """The shares, a row each for search and prompt."""
    rows = [
        f"| | reports | {' | '.join(f'first {count}' for count in FIRST)} |",
        f"| --- | --- |{' --- |' * len(FIRST)}",
    ]
    for name, places in ranks.items():
        shares = [sum(0 < place <= count for place in places) / max(1, len(places)) for count in FIRST]
        rows.append(f"| {name} | {len(places)} | {' | '.join(f'{share:.3f}' for share in shares)} |")
    return "\n".join(rows)


def _distinct(paths: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(paths))


if __name__ == "__main__":
    main()
