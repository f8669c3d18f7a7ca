"""How well questions about large trees are answered: Linux, rails and Go, with the figures of ``benchmarks.lines``.

usage: python -m benchmarks.large_trees TREES [--only NAME] [--budget N] [--homes FOLDER] [--run FILE] [--write]

TREES holds the trees by the names below, or links to them. What is wanted of them stands in ``benchmarks/large`` as line
numbers, which hold for one version only; that the wanted lines are there is checked.

linux   apt-get install linux-source-6.1, unpack /usr/src/linux-source-6.1.tar.xz, and delete the last two rules of its
        .gitignore: Debian's, which ignore everything at the top
rails   git clone https://github.com/rails/rails, git checkout 2a2db1e8d6d104ee0611efcae7eb023af65cff34
go      apt-get install golang-1.19-src; the tree is /usr/share/go-1.19

Each question is asked twice: of the whole tree, and within the folders below its top (two deep for Go, whose top is src)
that hold what is wanted, as if these were a small repository. The difference is what size costs.

``--homes`` keeps the indexes, a folder each, for the next run. ``--run`` keeps the answers, one JSON a line. ``--write``
puts the table into docs/relevance.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.lines import Score, judge, table
from benchmarks.pages import replace_figures
from msgspec.structs import replace

from contextls.engine import Engine
from contextls.model import AssembleRequest, Context, Filters
from contextls.wire import to_wire

QUESTIONS = Path(__file__).with_name("large")
PAGE = Path(__file__).parents[1] / "docs" / "relevance.md"


class OtherVersionError(Exception):
    """The lines that are wanted are not where they should be in a tree."""


def main() -> None:
    """Read the command line, ask, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trees", type=Path)
    parser.add_argument("--only")
    parser.add_argument("--budget", type=int, default=4000)
    parser.add_argument("--homes", type=Path)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    scores: list[Score] = []
    within: list[Score] = []
    answers: list[str] = []
    for path in sorted(QUESTIONS.glob("*.json")):
        known = json.loads(path.read_text(encoding="utf-8"))
        name, root = known["repo"], (options.trees / known["repo"]).resolve()
        if options.only not in (None, name):
            continue
        if not root.is_dir():
            print(f"{name}: left out, {root} is not there (it is {known['origin']})")
            continue
        questions = read_questions(known, root)
        kept = options.homes / name if options.homes else None
        for question, context, ms, narrow in ask(questions, root, options.budget, kept):
            scores.append(judge(name, question, context, root, ms))
            answers.append(json.dumps({**to_wire(context), "id": question["id"]}))
            if narrow is not None:
                within.append(judge(name, question, narrow, root, 0))
    if options.run:
        options.run.write_text("\n".join(answers) + "\n", encoding="utf-8")
    figures = compare(scores, within)
    print(f"{figures}\n\n{table(scores, 'kind')}")
    if options.write:
        replace_figures(PAGE, "large trees", figures)


def compare(scores: Sequence[Score], within: Sequence[Score]) -> str:
    """The figures of each tree, of the whole of it and within the folders that answer."""
    head = ("tree", "questions", "coverage", "within its folders", "noise", "within its folders", "tokens")
    rows = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    for name in (*sorted({one.repository for one in scores}), "all"):
        whole, narrow = (
            [one for one in many if name in ("all", one.repository)] for many in (scores, within)
        )
        figures = [_mean(many, what) for what in ("coverage", "noise") for many in (whole, narrow)]
        tokens = statistics.mean(one.tokens for one in whole)
        rows.append(f"| {name} | {len(whole)} | {' | '.join(figures)} | {tokens:,.0f} |")
    return "\n".join(rows)


def _mean(scores: Sequence[Score], name: str) -> str:
    values = [value for one in scores if (value := getattr(one, name)) is not None]
    return f"{statistics.mean(values):.3f}" if values else ""


def read_questions(known: Mapping[str, Any], root: Path) -> list[dict[str, Any]]:
    """The questions about one tree, with the text of each key line, as ``benchmarks.lines`` takes them.

    Raises ``OtherVersionError`` where the tree is not the one that they were written for.
    """

    @cache
    def lines_of(path: str) -> list[str]:
        file = root / path
        return file.read_text(encoding="utf-8", errors="replace").split("\n") if file.is_file() else []

    digest = hashlib.sha256()
    questions: list[dict[str, Any]] = []
    for question in known["questions"]:
        gold = []
        for piece in question["gold"]:
            lines = lines_of(piece["path"])
            if len(lines) < piece["end"]:
                raise OtherVersionError(f"{root / piece['path']}: no line {piece['end']}; {_expected(known)}")
            digest.update("\n".join(lines[piece["start"] - 1 : piece["end"]]).encode())
            gold.append({**piece, "line": lines[piece["key"] - 1].strip()})
        questions.append({**question, "gold": gold})
    if digest.hexdigest()[:16] != known["digest"]:
        raise OtherVersionError(f"{root}: the wanted lines say something else; {_expected(known)}")
    return questions


def _expected(known: Mapping[str, Any]) -> str:
    return f"the questions are about {known['origin']}"


def ask(
    questions: Sequence[Mapping[str, Any]], root: Path, budget: int, home: Path | None
) -> Iterator[tuple[Mapping[str, Any], Context, float, Context | None]]:
    """Index ``root`` in ``home``, if need be, and ask each question.

    Yields it, its answer, the milliseconds, and the answer within the folders of what is wanted, if anything is.
    """
    with tempfile.TemporaryDirectory() if home is None else nullcontext(home) as folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        os.environ["CONTEXTLS_HOME"] = str(folder)
        with closing(Engine.open(root)) as engine:
            engine.index()
            engine.prepare()
            for question in questions:
                request = AssembleRequest(question["question"], budget)
                started = time.perf_counter()
                context = engine.assemble(request)
                ms = (time.perf_counter() - started) * 1000
                folders = folders_of(question)
                narrow = (
                    engine.assemble(replace(request, filters=Filters(paths=folders))) if folders else None
                )
                yield question, context, ms, narrow


def folders_of(question: Mapping[str, Any]) -> tuple[str, ...]:
    """Patterns of the folders that hold what a question wants most."""
    found = set()
    for piece in question["gold"]:
        if piece["must"]:
            folders = piece["path"].split("/")[:-1]
            found.add("/".join(folders[: 2 if folders[0] == "src" else 1]))
    return tuple(f"/{folder}/**" for folder in sorted(found))


if __name__ == "__main__":
    main()
