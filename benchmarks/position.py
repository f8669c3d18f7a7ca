"""What the editor's position is worth: how much of the code that "this" is about is found with it and without.

usage: python -m benchmarks.position CHECKOUTS

``own/positions.json`` holds [{repo, path, line, query, wanted}, ...]; each of ``wanted`` is a file or ``file#name`` of a
definition in it. CHECKOUTS holds one tree per repository. Prints recall of what is wanted among the first five pieces
of code and in a prompt of 2,000 tokens, the tokens of a prompt of at most 4,000 and how much of it is of the wanted
files, and the time that a prompt takes.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.relevance import Span, content_spans

from contextls.engine import Engine
from contextls.memory.index.segments.outlines import Outline
from contextls.model import AssembleRequest, Context, EditorPosition, Section

CASES = Path(__file__).with_name("own") / "positions.json"
FIRST = 5
BUDGET = 2000
USUAL = 4000
ROOMY = 8000


@dataclass(frozen=True)
class Case:
    """A question asked at a place, and the code that it needs."""

    repo: str
    path: str
    line: int
    query: str
    wanted: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """Shares of what was wanted, the tokens of a usual prompt, the share that is of wanted files, and milliseconds."""

    first: float
    prompt: float
    tokens: int
    wanted: float
    ms: float


def load_cases() -> list[Case]:
    """The labelled cases."""
    return [Case(**{**raw, "wanted": tuple(raw["wanted"])}) for raw in json.loads(CASES.read_text())]


def holds(spans: Sequence[Span], wanted: str, outlines: Mapping[str, Outline]) -> bool:
    """Whether one of ``spans`` is of the wanted file, or shows where the wanted name is defined."""
    path, _, name = wanted.partition("#")
    lines = [(start, end) for shown, start, end in spans if shown == path]
    if not name:
        return bool(lines)
    starts = [each.start_line for each in outlines[path].definitions if each.name == name]
    return any(start <= line <= end for start, end in lines for line in starts)


def measure(engine: Engine, case: Case, position: EditorPosition | None) -> Found:
    """The figures of one case."""
    context = engine.assemble(AssembleRequest(case.query, BUDGET, position=position))
    usual, roomy = (
        engine.assemble(AssembleRequest(case.query, most, position=position)) for most in (USUAL, ROOMY)
    )
    outlines = engine._memories.content.memory.snapshot.outlines  # a benchmark may look inside
    first, prompt = (
        statistics.mean(holds(spans, item, outlines) for item in case.wanted)
        for spans in (_first(roomy), content_spans(context))
    )
    files = {item.partition("#")[0] for item in case.wanted}
    shown = sum(part.tokens for part in usual.components)
    wanted = sum(part.tokens for part in usual.components if part.path in files)
    return Found(first, prompt, usual.token_count, wanted / max(1, shown), context.metadata.assembly_time_ms)


def _first(context: Context) -> list[Span]:
    """The best pieces of code, best first: prompts are in reading order, components carry their scores."""
    spans = content_spans(context)
    scores = [part.relevance_score for part in context.components if part.type is Section.SEMANTIC]
    order = sorted(range(len(spans)), key=lambda at: -scores[at])
    return [spans[at] for at in order[:FIRST]]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--verbose", action="store_true", help="one line per case")
    arguments = parser.parse_args()
    cases: dict[str, list[Case]] = defaultdict(list)
    for case in load_cases():
        cases[case.repo].append(case)
    found: dict[str, list[Found]] = {"without the position": [], "with the position": []}
    for repo, asked in cases.items():
        root = arguments.checkouts / repo
        with tempfile.TemporaryDirectory() as home:
            os.environ["CONTEXTLS_HOME"] = home
            engine = Engine.open(root)
            try:
                engine.index()
                for case in asked:
                    place = EditorPosition(case.path, case.line, case.line)
                    without, with_place = (measure(engine, case, position) for position in (None, place))
                    found["without the position"].append(without)
                    found["with the position"].append(with_place)
                    if arguments.verbose:
                        print(f"{with_place.first:.2f} {with_place.prompt:.2f} {case.path} {case.query}")
            finally:
                engine.close()
    print(
        "| | recall in the first 5 | recall at 2,000 tokens | tokens of 4,000 | of wanted files | median ms |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    for name, rows in found.items():
        first, prompt, tokens, wanted = (
            statistics.mean(getattr(row, part) for row in rows)
            for part in ("first", "prompt", "tokens", "wanted")
        )
        ms = statistics.median(row.ms for row in rows)
        print(f"| {name} | {first:.3f} | {prompt:.3f} | {tokens:,.0f} | {wanted:.2f} | {ms:.1f} |")


if __name__ == "__main__":
    main()
