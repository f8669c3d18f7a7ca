"""How much of what an answer needs is in the prompt, line by line, and how much else.

usage: python -m benchmarks.lines QUESTIONS CHECKOUTS [--folds FILE] [--words FILE [--plain]] [--budget N]
                                  [--by kind|repo|confidence] [--run FILE] [--cursor] [--worked]

QUESTIONS is a folder of JSON files {"repo", "questions": [{"id", "kind", "question", "gold": [{"path", "start", "end",
"line", "must"}]}]}: pieces worth showing, 1-based and inclusive, with the text of their key lines. CHECKOUTS holds one
work tree per repository. With ``--folds`` (written by tools/train_usefulness.py) each repository is asked with weights
that were learned without it. ``--words`` (a JSON object of lists, by question) sends other words with each question,
``--plain`` of these only words in lower case, no names. ``--run`` keeps the answers, one JSON a line. ``--cursor`` asks each
in an editor, somewhere; ``--worked`` after three sittings of work: neither has to do with any question.

coverage   share of the pieces that must be shown whose key line is shown
noise      share of the tokens of pieces that show no line of anything worth showing
tokens     of the prompt; for questions of kind ``nothing``, which nothing answers, the only figure that counts
Means are over questions, so that each counts the same.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.in_use import sittings, some_place, written_files

from contextls.assembly.sources import content
from contextls.assembly.usefulness.model import UsefulnessModel
from contextls.engine import Engine
from contextls.model import AssembleRequest, Context
from contextls.wire import to_wire

_PLACE = re.compile(r"(?P<path>.+?)(?::\d+(?:-\d+)?)?(?:#.*)?", re.DOTALL)

# Where the next band of confidence begins.
_BANDS = (0.3, 0.5, 0.65, 0.8, 0.9, 0.95)


@dataclass(frozen=True)
class Score:
    """One prompt: ``coverage`` and ``noise`` are ``None`` where nothing has to be shown."""

    repository: str
    kind: str
    confidence: str
    coverage: float | None
    noise: float | None
    tokens: int
    ms: float


def main() -> None:
    """Read the command line, ask, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--words", type=Path)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--budget", type=int, default=4000)
    parser.add_argument("--by", choices=("kind", "repo", "confidence"), default="kind")
    parser.add_argument("--run", type=Path)
    parser.add_argument("--cursor", action="store_true")
    parser.add_argument("--worked", action="store_true")
    options = parser.parse_args()
    folds = json.loads(options.folds.read_text(encoding="utf-8")) if options.folds else {}
    words = json.loads(options.words.read_text(encoding="utf-8")) if options.words else {}
    if options.plain:
        words = {name: list(filter(_is_plain, given)) for name, given in words.items()}
    scores: list[Score] = []
    answers: list[str] = []
    for path in sorted(options.questions.glob("*.json")):
        known = json.loads(path.read_text(encoding="utf-8"))
        with weights_of(folds.get(known["repo"])):
            root = options.checkouts / known["repo"]
            asking = ask(known, root, options.budget, words, cursor=options.cursor, worked=options.worked)
            for question, context, ms in asking:
                scores.append(judge(known["repo"], question, context, root, ms))
                answers.append(json.dumps({**to_wire(context), "id": question["id"]}))
    if options.run:
        options.run.write_text("\n".join(answers) + "\n", encoding="utf-8")
    print(table(scores, options.by))


def weights_of(fold: Mapping[str, Any] | None) -> Any:  # noqa: ANN401 - a context manager
    """Weights learned without a repository, in the place of the package's own."""
    if fold is None:
        return nullcontext()
    return patch.object(content, "MODEL", UsefulnessModel(fold["weights"], fold["bias"]))


def ask(
    known: Mapping[str, Any],
    root: Path,
    budget: int,
    words: Mapping[str, Sequence[str]],
    *,
    cursor: bool = False,
    worked: bool = False,
) -> Iterator[tuple[Mapping[str, Any], Context, float]]:
    """Index ``root`` and ask each question; yields the question, its answer, and how long that took."""
    chance = random.Random(known["repo"])  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as home:
        os.environ["CONTEXTLS_HOME"] = home
        with closing(Engine.open(root)) as engine:
            engine.index()
            engine.read_history()
            files = written_files(engine, root) if cursor or worked else []
            for event in sittings(files, chance) if worked else ():
                engine.record(event)
            engine.prepare()
            for question in known["questions"]:
                other = tuple(words.get(question["id"], ()))
                place = some_place(root, files, chance) if cursor else None
                asked = AssembleRequest(question["question"], budget, position=place, other_words=other)
                started = time.perf_counter()
                context = engine.assemble(asked)
                yield question, context, (time.perf_counter() - started) * 1000


def judge(repository: str, question: Mapping[str, Any], context: Context, root: Path, ms: float) -> Score:
    """What a prompt shows of what its question needs."""
    shown: dict[str, set[str]] = defaultdict(set)
    pieces: list[tuple[int, str, set[str]]] = []
    for component in context.components:
        found = _PLACE.fullmatch(component.source)
        path = found["path"] if found else component.source
        lines = {line.strip() for line in component.content.splitlines() if line.strip()}
        shown[path] |= lines
        pieces.append((component.tokens, path, lines))
    gold = question["gold"]
    musts = [piece for piece in gold if piece.get("must", True)]
    useful = sum(
        tokens
        for tokens, path, lines in pieces
        if any(
            one["path"] == path and (_has(lines, one["line"]) or _lines_of(one, root) & lines) for one in gold
        )
    )
    total = sum(tokens for tokens, _, _ in pieces)
    covered = [_has(shown[one["path"]], one["line"]) for one in musts]
    return Score(
        repository,
        question["kind"],
        _band(context.confidence) if musts else "nothing to show",
        statistics.mean(covered) if covered else None,
        1 - useful / total if total and musts else None,
        context.token_count,
        ms,
    )


def table(scores: Sequence[Score], by: str) -> str:
    """The figures by kind of question, by repository or by how sure an answer is, and of all."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for one in scores:
        groups[one.repository if by == "repo" else getattr(one, by)].append(one)
    rows = [
        f"| {by} | questions | coverage | noise | tokens | p50 ms | p95 ms |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, members in [*sorted(groups.items()), ("all", list(scores))]:
        ms = sorted(one.ms for one in members)
        rows.append(
            f"| {name} | {len(members)} | {_mean([one.coverage for one in members])} | "
            f"{_mean([one.noise for one in members])} | {statistics.mean(one.tokens for one in members):,.0f} | "
            f"{statistics.median(ms):.0f} | {ms[int(0.95 * (len(ms) - 1))]:.0f} |"
        )
    return "\n".join(rows)


def _band(confidence: float) -> str:
    above = [each for each in _BANDS if confidence >= each]
    return f"from {above[-1]:.2f}" if above else f"below {_BANDS[0]:.2f}"


def _mean(values: Sequence[float | None]) -> str:
    told = [value for value in values if value is not None]
    return f"{statistics.mean(told):.3f}" if told else ""


def _is_plain(word: str) -> bool:
    return word.isalpha() and word.islower()


def _has(lines: set[str], fragment: str) -> bool:
    return fragment in lines or any(fragment in line for line in lines)


def _lines_of(piece: Mapping[str, Any], root: Path) -> set[str]:
    file = root / piece["path"]
    if not file.is_file():
        return set()
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()[piece["start"] - 1 : piece["end"]]
    return {line.strip() for line in lines if len(line.strip()) > 2}


if __name__ == "__main__":
    main()
