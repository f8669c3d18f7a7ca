"""The first prompt after a large folder is opened for the first time, and how much of the final one it has.

usage: python -m benchmarks.first_answer FOLDER... [--after SECONDS] [--full SECONDS]

Each question of ``own/first_answer.json`` that is about a folder of that name gets a server of its own without any state,
which is asked so many seconds after its start over LSP, as an editor does. Printed are the seconds from the start of the
server to its answer, whether a file that answers the question is in the prompt, and how many files were indexed by then.
With ``--full`` the same is asked again once everything is indexed, for which each folder has so many seconds: what of the
files of the final prompt was in the first.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.protocol.wire import Wire

from contextls.workspace.state_folders import HOME_VARIABLE

QUESTIONS = Path(__file__).with_name("own") / "first_answer.json"
BUDGET = 4000


@dataclass(frozen=True)
class Question:
    """What is asked of which folder, and the files one of which answers it."""

    folder: str
    query: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class First:
    """A first answer: after how many seconds it came, and what was in it."""

    question: Question
    seconds: float
    files: tuple[str, ...]
    indexed: str

    @property
    def is_useful(self) -> bool:
        """Whether a file that answers is in the prompt."""
        return any(path in self.question.files for path in self.files)


def main() -> None:
    """Ask, and print a row for each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--after", type=float, default=1.0, help="seconds from the start to the question")
    parser.add_argument("--full", type=float, default=0.0, help="seconds that the whole index may take")
    asked = parser.parse_args()
    for folder in asked.folders:
        questions = [one for one in read_questions() if folder.name.startswith(one.folder)]
        firsts = [ask_first(folder, one, asked.after) for one in questions]
        finals = ask_when_indexed(folder, questions, asked.full) if asked.full else [()] * len(firsts)
        for first, final in zip(firsts, finals, strict=True):
            print(_row(folder, first, final), flush=True)


def read_questions() -> list[Question]:
    """All questions."""
    rows = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    return [Question(row["folder"], row["query"], tuple(row["files"])) for row in rows]


def ask_first(folder: Path, question: Question, after: float) -> First:
    """Ask a server that has never seen the folder."""
    with server(folder) as (wire, started):
        time.sleep(max(0.0, started + after - time.monotonic()))
        context = wire.assemble(question.query, maxTokens=BUDGET)
        seconds = time.monotonic() - started
        extent = context["report"]["indexExtent"]
        indexed = f"{extent['indexed']:,} of {extent['found']:,}" if extent else "all"
        return First(question, seconds, _files(context), indexed)


def ask_when_indexed(folder: Path, questions: Sequence[Question], seconds: float) -> list[tuple[str, ...]]:
    """The files of each final prompt."""
    with server(folder) as (wire, _):
        wire.ready(seconds=seconds)
        return [_files(wire.assemble(one.query, maxTokens=BUDGET)) for one in questions]


@contextmanager
def server(folder: Path) -> Iterator[tuple[Wire, float]]:
    """A server that opens ``folder``, without any state, and when it was started."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        started = time.monotonic()
        wire = Wire(env={HOME_VARIABLE: home})
        try:
            wire.initialize(folder)
            yield wire, started
        finally:
            wire.kill()


def _files(context: dict[str, Any]) -> tuple[str, ...]:
    places = [one["path"] for one in context["components"] if one["path"]]
    return tuple(dict.fromkeys(places))


def _row(folder: Path, first: First, final: Sequence[str]) -> str:
    useful = "useful" if first.is_useful else "USELESS"
    same = f", {len(set(first.files) & set(final))} of {len(final)} final files" if final else ""
    return f"{folder.name}: {first.seconds:5.1f} s, {useful}, {first.indexed} indexed{same}: {first.question.query}"


if __name__ == "__main__":
    main()
