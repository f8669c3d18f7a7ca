"""How long it takes to read a long conversation, through the engine and through a real server process.

usage: python -m benchmarks.conversations [--nodes 2000] [--rounds 100]

On a workspace of its own: a conversation with so many nodes is imported and then read as messages again and again: as
it is; after one more node was appended, as every turn of a chat does; cut to fit a budget; as a prompt; and over the
wire. Prints milliseconds (wall, and CPU of the process that answers) as a Markdown table, and the share of the text that
stays a prefix from turn to turn.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from tests.protocol.wire import Wire

from contextls.engine import Engine
from contextls.model import AssembleRequest, Author, NewNode, Shape, TurnOptions, TurnRequest

TARGET_MS = 60
PREFIX_TURNS = 60
QUESTION = "how is the total computed?"
MODEL = "gpt-4.1"  # a window that the whole conversation fits into
# An answer with some code in it; a question is a sixth of it.
WORDS = "the total is wrong because the discount is taken from the price of one item and not from the sum of the order "


@dataclass(frozen=True, slots=True)
class Timing:
    """What one kind of reading took, in milliseconds."""

    name: str
    p50: float
    p95: float
    cpu_p95: float


def measure(
    name: str,
    work: Callable[[], object],
    rounds: int,
    before: Callable[[], object] = lambda: None,
    cpu_time: Callable[[], float] = time.process_time,
) -> Timing:
    """Run ``work`` once to warm up and then so many times, each after ``before``, which is not counted."""
    walls, cpus = [], []
    work()
    for _ in range(rounds):
        before()
        wall, cpu = time.perf_counter(), cpu_time()
        work()
        cpus.append((cpu_time() - cpu) * 1000)
        walls.append((time.perf_counter() - wall) * 1000)
    return Timing(
        name, float(np.percentile(walls, 50)), float(np.percentile(walls, 95)), float(np.percentile(cpus, 95))
    )


def messages(nodes: int) -> str:
    """A conversation of questions and answers as OpenAI-style messages."""
    said = [
        {"role": ("user", "assistant")[n % 2], "content": f"{n}: {WORDS * (1 if n % 2 == 0 else 6)}"}
        for n in range(nodes)
    ]
    return json.dumps(said)


def shared_prefix(texts: Sequence[str]) -> float:
    """The share of each text but the first that is what the one before it began with, on average."""
    shares = [
        next(
            (n for n, (a, b) in enumerate(zip(earlier, later, strict=False)) if a != b),
            min(len(earlier), len(later)),
        )
        / len(later)
        for earlier, later in pairwise(texts)
    ]
    return sum(shares) / len(shares)


def run(nodes: int, rounds: int, root: Path) -> list[Timing]:
    """All timings on a workspace at ``root``; the wire comes last, with the engine closed."""
    engine = Engine.open(root)
    timings = []
    started = time.perf_counter()
    chat = engine.conversations.import_chat(messages(nodes)).conversation.id
    took = (time.perf_counter() - started) * 1000
    timings.append(Timing(f"import {nodes:,} nodes, once", took, took, took))
    chats = engine.conversations

    def append() -> None:
        chats.append(chat, NewNode(Author.MODEL, WORDS))

    timings += [
        measure("history, nothing changed", lambda: chats.history(chat), rounds),
        measure("history after an append", lambda: chats.history(chat), rounds, append),
        measure(
            "history after an append, cut to 32,000 tokens",
            lambda: chats.history(chat, max_tokens=32_000),
            rounds,
            append,
        ),
        measure("path after an append", lambda: chats.path(chat), rounds, append),
        measure("append, synced to disk", append, rounds),
    ]
    turn = TurnRequest(
        AssembleRequest(QUESTION), TurnOptions(shape=Shape.MESSAGES, conversation_id=chat, model=MODEL)
    )
    timings.append(
        measure("prompt after an append (`messages`)", lambda: engine.assemble_turn(turn), rounds, append)
    )
    texts = []
    for number in range(PREFIX_TURNS):
        chats.append(chat, NewNode((Author.HUMAN, Author.MODEL)[number % 2], f"turn {number} {WORDS}"))
        shown = chats.history(chat).messages
        texts.append("\n".join(f"{each.role}: {each.content}" for each in shown))
    print(f"prefix kept over {PREFIX_TURNS} appended nodes: {shared_prefix(texts):.2%}\n")
    engine.close()
    return [*timings, *over_the_wire(root, chat, rounds)]


def over_the_wire(root: Path, chat: str, rounds: int) -> list[Timing]:
    """The same asked of a server process: what it takes a client until it has read the answer."""
    wire = Wire()
    whole = {"conversationId": chat}

    def append() -> None:
        wire.request("context/conversation/append", {**whole, "author": "model", "content": WORDS})

    def asked(name: str, method: str, params: dict[str, Any]) -> Timing:
        size = len(json.dumps(wire.request(method, params)))
        label = f"{name}, over the wire ({size / 1000:,.0f} kB)"
        return measure(
            label, lambda: wire.request(method, params), rounds, append, lambda: cpu_of(wire.process.pid)
        )

    try:
        wire.initialize(root)
        wire.ready()
        history = "context/conversation/history"
        return [
            asked("history after an append", history, whole),
            asked("cut to 32,000 tokens", history, {**whole, "maxTokens": 32_000}),
            asked(
                "prompt after an append",
                "context/assemble",
                {**whole, "shape": "messages", "query": QUESTION, "model": MODEL},
            ),
        ]
    finally:
        wire.kill()


def cpu_of(process: int) -> float:
    """The seconds of CPU that the threads of a process took (Linux)."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--nodes", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CONTEXTLS_HOME"] = f"{folder}/home"
        root = Path(folder) / "shop"
        root.mkdir()
        timings = run(given.nodes, given.rounds, root)
    print(f"load average {os.getloadavg()[0]:.1f}; target p95 ≤ {TARGET_MS} ms warm\n")
    print("| reading | p50 ms | p95 ms | CPU p95 ms |\n| --- | --- | --- | --- |")
    for each in timings:
        print(f"| {each.name} | {each.p50:.1f} | {each.p95:.1f} | {each.cpu_p95:.1f} |")


if __name__ == "__main__":
    main()
