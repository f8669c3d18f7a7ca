"""Work that nobody waits for, messages of 100 MB, thousands of questions at once."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from ..protocol.wire import Wire, WireError

# What is promised is a tenth of a second, on a machine that does nothing else.
PROMPTLY = 2.0
QUIET_SECONDS = 3.0
BLINK_SECONDS = 0.02  # between two words


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("stalls")
    for number in range(60):
        body = "".join(
            f"def part_{number}_{each}(value):\n    return value + {each}\n\n" for each in range(20)
        )
        (root / f"module{number}.py").write_text(body)
    return root


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Wire]:
    wire = Wire()
    wire.initialize(root)
    wire.ready()
    wire.request("context/countTokens", {"text": "warm"})
    wire.assemble("part_3_4")
    yield wire
    status = wire.end()
    wire.kill()
    assert status == 0


def cpu_seconds(wire: Wire) -> float:
    """Of the server and the processes that it started."""
    process = psutil.Process(wire.process.pid)
    total = 0.0
    for each in (process, *process.children(recursive=True)):
        try:
            times = each.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


def seconds_for_a_word(wire: Wire) -> float:
    started = time.monotonic()
    assert wire.request("context/countTokens", {"text": "word"})["total"] == 1
    assert wire.request("context/archetypes")["archetypes"]
    return (time.monotonic() - started) / 2


def prose(size: int) -> str:
    line = "The office weighs every parcel that a customer sends, and a clerk writes down what it costs number {}. "
    return "".join(line.format(number) for number in range(size // 100))


def log(size: int) -> str:
    line = "2026-01-01 10:00:{:02} INFO worker {} took {} ms for a job\n"
    return "".join(line.format(n % 60, n, n * 7) for n in range(size // 60))


def outcome(wire: Wire, msg_id: object, seconds: float = 120) -> int:
    """0 for an answer, else the code of the error."""
    try:
        wire.answer(msg_id, seconds)
    except WireError as error:
        return error.code
    return 0


HEAVY: dict[str, tuple[str, dict[str, Any]]] = {
    "a long log": ("context/compress", {"text": log(9_000_000), "maxTokens": 3_000}),
    "long prose": ("context/compress", {"text": prose(9_000_000), "maxTokens": 3_000}),
    "nested templates": ("context/compress", {"text": "A<" * 20_000, "maxTokens": 100, "language": "cpp"}),
    "much to count": ("context/countTokens", {"texts": [prose(400_000)] * 70}),
    "a long question": ("context/assemble", {"query": log(4_000_000), "maxTokens": 100_000}),
}


@pytest.mark.parametrize("name", HEAVY)
def test_cancelled_work_ends_and_holds_up_nobody(server: Wire, name: str) -> None:
    method, params = HEAVY[name]
    asked = server.send(method, params)
    seconds_for_a_word(server)  # what came before has been read by now
    slowest = max(seconds_for_a_word(server) for _ in range(5))
    server.notify("$/cancelRequest", {"id": asked})
    assert outcome(server, asked, 20) in (0, -32800, -32602)  # 0: it was quick after all
    time.sleep(1)  # a step of C code, such as one pattern over the whole text, is not interrupted
    deadline = time.monotonic() + 30
    while True:
        before = cpu_seconds(server)
        time.sleep(QUIET_SECONDS)
        used = cpu_seconds(server) - before
        if used < QUIET_SECONDS / 4 or time.monotonic() > deadline:
            break
    assert used < QUIET_SECONDS / 4, "the server goes on working"
    assert slowest < PROMPTLY


def test_a_word_is_counted_while_thousands_of_questions_wait(server: Wire) -> None:
    ids = [
        server.send("context/assemble", {"query": f"how does part_{n % 60}_{n % 20} work? {n}"})
        for n in range(2_000)
    ]
    assert seconds_for_a_word(server) < 10  # behind 2,000 messages in the pipe
    slowest = max(seconds_for_a_word(server) for _ in range(10))
    outcomes = Counter(outcome(server, each) for each in ids)
    assert outcomes.keys() <= {0, -32803}
    assert outcomes[0] >= 100
    assert slowest < PROMPTLY
    assert server.assemble("part_3_4")["content"]


def ticking(wire: Wire, until: Callable[[], object]) -> float:
    """Count a word again and again as long as ``until`` takes; how long the slowest took, the first excepted.

    That one waits in the pipe behind the message.
    """
    took: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(BLINK_SECONDS):
            took.append(seconds_for_a_word(wire))

    watcher = threading.Thread(target=tick)
    watcher.start()
    try:
        until()
    finally:
        done.set()
        watcher.join(120)
    return max(took[1:], default=0.0)


def message(msg_id: str, params: dict[str, Any]) -> bytes:
    whole = {"jsonrpc": "2.0", "id": msg_id, "method": "context/countTokens", "params": params}
    return json.dumps(whole).encode()


def test_others_are_answered_while_a_hundred_megabytes_are_passed_over(server: Wire) -> None:
    server.raw(message("huge", {"text": "word " * 20_000_000}))
    codes: list[int] = []
    assert ticking(server, lambda: codes.append(outcome(server, "huge"))) < PROMPTLY
    assert codes == [-32600]


def test_others_are_answered_while_thirty_megabytes_are_read(server: Wire) -> None:
    server.raw(message("large", {"text": "word\n" * 5_200_000}))
    codes: list[int] = []
    assert ticking(server, lambda: codes.append(outcome(server, "large"))) < PROMPTLY
    assert codes == [0]


def test_a_message_of_millions_of_values_is_refused(server: Wire) -> None:
    seen = len(server.received)
    server.raw(message("many", {"texts": [], "more": [[1, 2, 3]] * 2_000_000}))

    def refused(each: dict[str, Any]) -> bool:
        return each.get("id") is None and each.get("error", {}).get("code") == -32700

    assert ticking(server, lambda: server.wait(refused, 60, after=seen)) < PROMPTLY


def test_a_refused_question_can_be_asked_again(server: Wire) -> None:
    ask: Callable[[int], int] = lambda n: server.send("context/search", {"query": f"part {n}"})  # noqa: E731
    ids = [ask(n) for n in range(1_000)]
    assert {outcome(server, each) for each in ids} <= {0, -32803}
    assert server.request("context/search", {"query": "part_3_4"})["hits"]
