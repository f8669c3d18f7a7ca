"""Measure retrieval and write the figures into docs/relevance.md and README.md: one command for every published number.

usage: python -m benchmarks.publish ANNOTATIONS CHECKOUTS [--figures JSON] [--ablation TEXT]

The tables stand after HTML comments ``<!-- relevance: NAME -->`` and end at the next blank line. ``--figures`` takes the
JSON of an earlier ``benchmarks.relevance --prompts`` over both scopes, ``--ablation`` what ``benchmarks.ablation``
printed, instead of measuring again.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.ablation import tables

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "docs" / "relevance.md", ROOT / "README.md")
TABLE = re.compile(r"(<!-- relevance: (?P<name>[a-z]+) -->\n)\n?(?:(?!<!--).+\n)*")
PLAIN = {"ndcg": "NDCG@10", "recall": "recall@10", "mrr": "MRR@10", "hit1": "hit@1"}


def measured(annotations: Path, checkouts: Path) -> dict[str, Any]:
    """The figures of ``benchmarks.relevance`` in a process of its own, with prompts, over both scopes."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "figures.json"
        command = [sys.executable, "-m", "benchmarks.relevance", str(annotations), str(checkouts)]
        subprocess.run([*command, "--prompts", "--json", str(target)], check=True, cwd=ROOT)
        found: dict[str, Any] = json.loads(target.read_text())
        return found


def figures(found: Mapping[str, Any]) -> str:
    """The long table of docs/relevance.md."""
    scopes = [found["package"], found["whole"]]
    rows = [(name, [f"{scope[key]:.3f}" for scope in scopes]) for key, name in PLAIN.items()]
    rows += [
        (f"NDCG@10, {category}", [f"{scope['by_category'][category]:.3f}" for scope in scopes])
        for category in ("architecture", "semantic", "symbol")
    ]
    rows += [
        (
            f"wanted files in a prompt of {int(budget):,} tokens",
            [f"{scope['recall_in_prompt'][budget]:.3f}" for scope in scopes],
        )
        for budget in scopes[0]["recall_in_prompt"]
    ]
    return _table(["", "package", "whole"], [[name, *cells] for name, cells in rows])


def languages(found: Mapping[str, Any]) -> str:
    """NDCG@10 by language."""
    names = list(found["package"]["by_language"])
    rows = [
        [scope, *(f"{found[scope]['by_language'][name]:.2f}" for name in names)]
        for scope in ("package", "whole")
    ]
    return _table(["", *names], rows)


def short(found: Mapping[str, Any]) -> str:
    """The table of README.md."""
    scopes = [found["package"], found["whole"]]
    shares = [
        " / ".join(f"{scope['recall_in_prompt'][budget]:.1%}" for budget in ("2000", "4000"))
        for scope in scopes
    ]
    rows = [
        ["NDCG@10", *(f"{scope['ndcg']:.3f}" for scope in scopes)],
        ["wanted files in a prompt of 2,000 / 4,000 tokens", *shares],
    ]
    return _table(["", "package folder", "whole repository"], rows)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("annotations", type=Path)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--figures", type=Path)
    parser.add_argument("--ablation", type=Path)
    arguments = parser.parse_args()
    places = arguments.annotations, arguments.checkouts
    found = json.loads(arguments.figures.read_text()) if arguments.figures else measured(*places)
    parts, asked = (
        (arguments.ablation.read_text() if arguments.ablation else tables(*places)).strip().split("\n\n")
    )
    texts = {
        "figures": figures(found),
        "languages": languages(found),
        "short": short(found),
        "ablation": parts,
        "asked": asked,
    }
    for page in PAGES:
        text = TABLE.sub(
            lambda match: f"{match[1]}\n{texts[match['name']]}\n", page.read_text(encoding="utf-8")
        )
        page.write_text(text, encoding="utf-8")


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


if __name__ == "__main__":
    main()
