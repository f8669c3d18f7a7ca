"""What much memory costs: questions on a large workspace with few events and no history, and again with many of both.

usage: python -m benchmarks.load [--files N] [--events N] [--commits N] [--questions N]

Makes a workspace of N Python files in a folder of its own and indexes it. Asks; then records the events, makes a git
history of the given length in the same folder, reads it, and asks other questions of the same kinds. Also measures how
fast events are acknowledged: one by one, from many threads, many at once; and how large their file is under retention.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from contextls.engine import Engine
from contextls.memory.events import EventLog, Retention
from contextls.model import AssembleRequest, NewEvent
from contextls.settings import Settings
from contextls.store.locations import locate
from contextls.workspace.state_folders import HOME_VARIABLE

TARGET_RATIO = 1.5
FEW = 50
THREADS = 32
AT_ONCE = 1_000
DAY_MS = 86_400_000
NOUNS = ("invoice", "cart", "order", "customer", "parcel", "payment", "refund", "coupon", "stock", "supplier", "price",
         "receipt", "account", "session", "token", "ledger", "report", "budget", "forecast", "region", "route", "driver",
         "depot")  # fmt: skip
VERBS = ("load", "save", "check", "merge", "split", "count", "format", "parse", "send", "receive", "cancel", "renew",
         "archive", "restore", "compare")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sample:
    """How long the questions of one state of the memory took, in ms."""

    name: str
    times: tuple[float, ...]
    steps: dict[str, float]

    @property
    def p50(self) -> float:
        """Half of the questions took no longer."""
        return statistics.median(self.times)

    @property
    def p95(self) -> float:
        """19 of 20 questions took no longer."""
        return statistics.quantiles(self.times, n=20)[-1]


def path_of(number: int) -> str:
    """The path of one file; a folder holds some fifty."""
    noun = NOUNS[number % len(NOUNS)]
    return f"{noun}/part_{number // 1_000}/{VERBS[number % len(VERBS)]}_{noun}_{number}.py"


def source_of(number: int, version: int = 0) -> str:
    """A small module that uses another one."""
    noun, verb = NOUNS[number % len(NOUNS)], VERBS[number % len(VERBS)]
    other = number * 7 // 8
    module = path_of(other).removesuffix(".py").replace("/", ".")
    return (
        f'"""How to {verb} the {noun} number {number}."""\n\n'
        f"from {module} import {verb}_{NOUNS[other % len(NOUNS)]}\n\n\n"
        f"class {noun.title()}{number}:\n"
        f'    """A {noun} that can be {verb}ed, version {version}."""\n\n'
        f"    def {verb}(self, amount: int) -> int:\n        return amount * {number + version}\n\n\n"
        f"def {verb}_{noun}_{number}(items: list[int]) -> int:\n"
        f'    """{verb.title()} every {noun} in turn."""\n'
        f"    return sum({noun.title()}{number}().{verb}(item) for item in items)\n"
    )


def make_workspace(root: Path, files: int) -> None:
    """Write the files."""
    for number in range(files):
        path = root / path_of(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source_of(number), encoding="utf-8")


def make_history(root: Path, files: int, commits: int, chance: random.Random) -> None:
    """A git history in which neighbours change together; the last commit holds what lies on the disk."""
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    with subprocess.Popen(
        ["git", "-C", root, "fast-import", "--quiet", "--done"], stdin=subprocess.PIPE
    ) as process:
        stream = process.stdin
        if stream is None:
            raise OSError("git fast-import takes no input")
        for text in _commits(files, commits, chance):
            stream.write(text.encode())
        stream.write(b"done\n")
    if process.returncode:
        raise OSError(f"git fast-import ended with {process.returncode}")
    subprocess.run(["git", "-C", root, "reset", "-q"], check=True)


def _commits(files: int, commits: int, chance: random.Random) -> Iterator[str]:
    start = int(time.time()) - commits * 600
    for number in range(commits + 1):
        first, last = number == 0, number == commits
        near = chance.randrange(files)
        whole = range(files) if first or last else ()
        changed = whole or {near, (near + 1) % files, chance.randrange(files)}
        subject = f"{chance.choice(VERBS).title()} the {chance.choice(NOUNS)} number {near}"
        yield (
            f"commit refs/heads/main\ncommitter Person {number % 40} <p{number % 40}@example.org> "
            f"{start + number * 600} +0000\ndata {len(subject)}\n{subject}\n"
        )
        for each in changed:
            text = source_of(each, 0 if first or last else number)
            yield f"M 100644 inline {path_of(each)}\ndata {len(text.encode())}\n{text}\n"


def make_events(files: int, count: int, chance: random.Random) -> Iterator[NewEvent]:
    """Sittings of 200 events over the last 80 days: files read, edited and written, tests run, failing and passing."""
    now = int(time.time() * 1000)
    for number in range(count):
        when = now - (count - number) * 80 * DAY_MS // count
        session = f"sitting-{number // 200}"
        near = (number // 20 * 37 + chance.randrange(4)) % files
        path = path_of(near)
        if number % 10 == 7:
            failed = chance.random() < 0.4
            output = f"FAILED tests/test_{near}.py::test_{near} - assert 1 == 2\n" * (8 if failed else 0)
            content = {
                "command": f"pytest -q tests/test_{near % 50}.py",
                "exitCode": int(failed),
                "stdout": output,
            }
            yield NewEvent("shell_exec", content, timestamp=when, session_id=session)
        elif number % 10 == 8:
            content = {"message": f"KeyError: {NOUNS[near % len(NOUNS)]}", "path": path, "line": 9}
            yield NewEvent("error", content, timestamp=when, session_id=session)
        else:
            kind = ("file_read", "file_edit", "file_write")[number % 3]
            yield NewEvent(kind, {"path": path}, timestamp=when, session_id=session)


def ask(engine: Engine, name: str, files: int, count: int, chance: random.Random) -> Sample:
    """Ask so many questions, each once, so that no answer comes from a cache."""
    times: list[float] = []
    steps: dict[str, list[float]] = {}
    for number in range(count + 5):
        about = chance.randrange(files)
        noun, verb = NOUNS[about % len(NOUNS)], VERBS[about % len(VERBS)]
        query = (
            f"how do we {verb} a {noun}?",
            f"fix the failing test of {verb}_{noun}_{about}",
            f"why does {path_of(about)} raise KeyError?",
            f"what did I change around {noun.title()}{about}?",
        )[number % 4]
        started = time.perf_counter()
        context = engine.assemble(AssembleRequest(f"{query} ({name} {number})", max_tokens=4_000))
        if number >= 5:
            times.append((time.perf_counter() - started) * 1000)
            for step, ms in context.report.step_ms.items():
                steps.setdefault(step, []).append(ms)
    return Sample(name, tuple(times), {step: statistics.median(all_ms) for step, all_ms in steps.items()})


def rates(folder: Path, events: Sequence[NewEvent]) -> dict[str, float]:
    """Events acknowledged per second: one by one, from many threads, and many at once."""
    folder.mkdir()

    def timed(name: str, work: Callable[[EventLog], int]) -> float:
        log = EventLog(folder / f"{name}.sqlite")
        started = time.perf_counter()
        count = work(log)
        seconds = time.perf_counter() - started
        log.close()
        return count / seconds

    def one_by_one(log: EventLog) -> int:
        for event in events[:2_000]:
            log.append(event)
        return len(events[:2_000])

    def threads(log: EventLog) -> int:
        with ThreadPoolExecutor(THREADS) as pool:
            return sum(1 for _ in pool.map(log.append, events[:20_000]))

    def together(log: EventLog) -> int:
        for first in range(0, len(events), AT_ONCE):
            log.append_many(events[first : first + AT_ONCE])
        return len(events)

    return {
        "one writer, one by one": timed("one", one_by_one),
        f"{THREADS} threads, one by one": timed("threads", threads),
        f"{AT_ONCE:,} at a time": timed("together", together),
    }


def bounded(folder: Path, events: Sequence[NewEvent], limits: Retention) -> tuple[float, float, int]:
    """The file's size in MB before and after retention, with its log, and how many events are left."""
    path = folder / "bounded.sqlite"
    log = EventLog(path)
    for first in range(0, len(events), AT_ONCE):
        log.append_many(events[first : first + AT_ONCE])
    log.close()
    before = _megabytes(path)
    log = EventLog(path, limits)
    deadline = time.monotonic() + 60
    while any(thread.name.startswith("contextls-retention") for thread in threading.enumerate()):
        if path.stat().st_size <= limits.size or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    left = log.count()
    log.close()
    return before, _megabytes(path), left


def _megabytes(path: Path) -> float:
    return sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*")) / 1e6


def main() -> None:
    """Print the figures as a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--commits", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="contextls-load-"))
    os.environ[HOME_VARIABLE] = str(folder / "home")
    try:
        report(folder, given.files, given.events, given.commits, given.questions)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def report(folder: Path, files: int, count: int, commits: int, questions: int) -> None:
    """Measure everything below ``folder`` and print it."""
    chance = random.Random(0)  # noqa: S311 - made-up work, no secrets
    root = folder / "workspace"
    root.mkdir()
    make_workspace(root, files)
    events = list(make_events(files, count, chance))
    settings = Settings(event_max_count=2 * count, event_max_bytes=0)
    engine = Engine.open(root, settings)
    started = time.monotonic()
    indexed = engine.index()
    print(f"indexed {indexed.files:,} files in {time.monotonic() - started:.0f} s", flush=True)
    engine.record_many(events[-FEW:])
    engine.prepare()
    small = ask(engine, "small", files, questions, chance)
    engine.close()

    log = EventLog(locate(root).events_database)
    for first in range(0, count, AT_ONCE):
        log.append_many(events[first : first + AT_ONCE])
    log.close()
    make_history(root, files, commits, chance)
    engine = Engine.open(root, settings)
    started = time.monotonic()
    known = len(engine._memories.history.catch_up())
    print(f"read {known:,} commits in {time.monotonic() - started:.0f} s", flush=True)
    started = time.monotonic()
    engine.prepare()
    print(f"prepared in {time.monotonic() - started:.1f} s", flush=True)
    large = ask(engine, "large", files, questions, chance)
    engine.close()

    print(f"\n| questions | few events, no history | {count:,} events, {commits:,} commits | ratio |")
    print("| --- | --- | --- | --- |")
    print(f"| p50, ms | {small.p50:.1f} | {large.p50:.1f} | {large.p50 / small.p50:.2f} |")
    ratio = large.p95 / small.p95
    print(f"| p95, ms | {small.p95:.1f} | {large.p95:.1f} | {ratio:.2f} (target ≤ {TARGET_RATIO}) |")
    for step in large.steps:
        print(f"| {step}, median ms | {small.steps.get(step, 0.0):.1f} | {large.steps[step]:.1f} | |")
    print("\n| events acknowledged per second | |\n| --- | --- |")
    for name, rate in rates(folder / "rates", events).items():
        print(f"| {name} | {rate:,.0f} |")
    limits = Retention(0, 0, 8_000_000)
    before, after, left = bounded(folder, events, limits)
    print(
        f"\nretention to {limits.size / 1e6:.0f} MB: {before:.1f} MB before, {after:.1f} MB after, {left:,} events left"
    )


if __name__ == "__main__":
    main()
