"""A conversation of sixty turns on a real repository, through a real server, in the three shapes.

usage: python -m benchmarks.turns CHECKOUT [--turns 60] [--save FOLDER]

CHECKOUT is a clone with history; its newest commits are replayed as dialogue: the subject of a commit is a question, what
it changed is the answer. Between two questions a command is recorded and time passes. In messages a node of a question
holds what was sent, as clients keep it; in a document and in Markdown it holds the question. Prints for each shape how
much of a prompt is, byte for byte, the beginning of the one before, what the server predicted, and how long answers took.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.protocol.wire import Wire

MODEL = "gpt-4o"
PIECES = 2000
MAX_ANSWER_CHARS = 2_000
HEAD = (
    "| shape | tokens in the end | cached of a prompt, median | of the last | of what was stable, least | "
    "predicted, median | ms p50 / p95 |\n| --- | --- | --- | --- | --- | --- | --- |"
)


@dataclass(frozen=True)
class Turn:
    """A question and its answer."""

    question: str
    answer: str


@dataclass(frozen=True)
class Sent:
    """A prompt as its parts in the order in which a provider reads them, and how long it took to make."""

    parts: tuple[str, ...]
    ms: float
    answer: dict[str, Any]
    predicted: int = 0
    tokens: int = 0

    @property
    def stable(self) -> str:
        """All but the last part, which always moves."""
        return "\0".join(self.parts[:-1])

    @property
    def whole(self) -> str:
        """All of it."""
        return "\0".join(self.parts)


def replay(checkout: Path, turns: int) -> list[Turn]:
    """The newest commits of a clone as dialogue, oldest first."""
    log = _git(checkout, "log", f"-{turns}", "--no-merges", "--format=%H%x00%s%x00%b%x01")
    found = []
    for entry in filter(str.strip, log.split("\x01")):
        commit, subject, body = entry.strip().split("\0")
        stat = _git(checkout, "show", "--stat", "--format=", commit)
        found.append(Turn(f"How would you do this: {subject}?", f"{body}\n{stat}".strip()[:MAX_ANSWER_CHARS]))
    return found[::-1]


def converse(wire: Wire, dialogue: Sequence[Turn], shape: str) -> Iterator[Sent]:
    """Ask every question in one shape, with all that was said before."""
    chat = wire.request("context/conversation/create", {"title": shape})["id"]
    for number, turn in enumerate(dialogue):
        wire.request(
            "context/recordEvent",
            {"type": "shell_exec", "content": {"command": f"pytest -k {number}", "exitCode": number % 2}},
        )
        started = time.perf_counter()
        params: dict[str, Any] = {"shape": shape}
        if shape == "markdown":
            params |= {"maxTokens": PIECES}
        else:
            params |= {"conversationId": chat, "model": MODEL, "injection": {"maxTokens": PIECES}}
        answer = wire.assemble(turn.question, **params)
        ms = (time.perf_counter() - started) * 1000
        yield _sent(answer, ms)
        asked = answer["currentMessage"]["content"] if shape == "messages" else turn.question
        for author, content in (("human", asked), ("model", turn.answer)):
            node = {"author": author, "content": content}
            wire.request("context/conversation/append", {"conversationId": chat, **node})


def _sent(answer: dict[str, Any], ms: float) -> Sent:
    if answer.get("shape") != "messages":
        predicted = answer.get("cache", {}).get("cachedTokens", 0)
        return Sent((answer["content"],), ms, answer, predicted, answer["tokenCount"])
    messages = [f"{one['role']}: {one['content']}" for one in (*answer["history"], answer["currentMessage"])]
    used = answer["tokenBudget"]["used"]["total"]
    return Sent((answer["systemPrompt"], *messages), ms, answer, answer["cache"]["cachedTokens"], used)


def common(before: str, after: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = zip(before, after, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(before), len(after)))


def describe(shape: str, sent: Sequence[Sent]) -> str:
    """One row of the table."""
    of_whole = [common(a.whole, b.whole) / max(1, len(b.whole)) for a, b in pairwise(sent)]
    of_stable = [common(a.stable, b.whole) / len(a.stable) for a, b in pairwise(sent) if a.stable]
    predicted = [one.predicted / max(1, one.tokens) for one in sent[1:]]
    ms = sorted(one.ms for one in sent)
    stable = f"{min(of_stable):.1%}" if of_stable else "–"
    return (
        f"| {shape} | {sent[-1].tokens:,} | {statistics.median(of_whole):.1%} | {of_whole[-1]:.1%} | {stable} | "
        f"{statistics.median(predicted):.1%} | {statistics.median(ms):.0f} / {ms[int(len(ms) * 0.95)]:.0f} |"
    )


def save(folder: Path, shape: str, sent: Sequence[Sent]) -> None:
    """Write the answers of one shape, a file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(sent, 1):
        text = json.dumps(one.answer, indent=1, ensure_ascii=False)
        (folder / f"{shape}-{number}.json").write_text(text, encoding="utf-8")


def main() -> None:
    """Play the conversation in each shape."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--save", type=Path, help="write every answer into this folder, as JSON")
    asked = parser.parse_args()
    dialogue = replay(asked.checkout, asked.turns)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / asked.checkout.name
        shutil.copytree(asked.checkout, root, symlinks=True)
        wire = Wire(env={"CONTEXTLS_HOME": str(Path(folder) / "home")})
        wire.initialize(root, options={"trusted": True})
        wire.ready(seconds=300)
        load = os.getloadavg()[0]
        print(
            f"{len(dialogue)} turns on {root.name}, {PIECES:,} tokens of retrieved pieces, load {load:.1f}\n"
        )
        print(HEAD)
        for shape in ("markdown", "messages", "document"):
            sent = list(converse(wire, dialogue, shape))
            print(describe(shape, sent), flush=True)
            if asked.save:
                save(asked.save, shape, sent)
        wire.end()


def _git(checkout: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(checkout), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    main()
