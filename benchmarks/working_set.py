"""What a working set costs a question: 200 pinned entries on a workspace of 3,000 files, through a real server.

usage: python -m benchmarks.working_set [--files 3000] [--pins 200] [--questions 120] [--budget 4000]

The workspace is generated: modules in 60 packages, each with a class and functions that call those of others. Of the entries
six in ten are files; the others are patterns, folders, symbols and lines. Every question is asked once, so that no answer
comes from the cache. Prints milliseconds at the client, p50 and p95, and the median of each step: without pins, with them,
and with them where a file was saved before each question, so that what is remembered of the index is worked out again.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.protocol.wire import Wire

PACKAGES = 60
TARGET_MS = 60
WORDS = """
    order price stock parcel refund ledger invoice customer basket voucher carrier route pallet return
    shelf supplier quote margin currency export import batch audit session token profile avatar filter
""".split()  # noqa: SIM905 - easier to read


def write_workspace(root: Path, files: int) -> list[str]:
    """Write so many modules below ``root``; their paths."""
    chance = random.Random(3)  # noqa: S311 - a sample
    paths = []
    for number in range(files):
        first, second = chance.sample(WORDS, 2)
        package = f"pkg{number % PACKAGES:02}"
        path = f"src/{package}/{first}_{second}_{number}.py"
        other = f"pkg{chance.randrange(PACKAGES):02}"
        body = "".join(
            f"    def {verb}_{noun}_{number}(self, {noun}):\n"
            f'        """{verb.title()} the {noun} of a {first} with its {second}."""\n'
            f"        return self.{first} + {noun}.{second} * {chance.randrange(100)}\n\n"
            for verb, noun in zip(
                chance.sample(["load", "check", "book", "count", "merge"], 4),
                chance.sample(WORDS, 4),
                strict=True,
            )
        )
        text = f"from src.{other} import {second}\n\n\nclass {first.title()}{second.title()}{number}:\n{body}"
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def entries(paths: Sequence[str], number: int) -> Iterator[str]:
    """The pinned entries, most of them files."""
    chance = random.Random(4)  # noqa: S311 - a sample
    for place, path in enumerate(chance.sample(list(paths), number)):
        folder, _, name = path.rpartition("/")
        kinds = {
            6: f"{folder}/{name[:3]}*{place}?.py",
            7: f"{folder}/" if place < 20 else f"src/**/{name.split('_')[0]}_*_{place}*.py",
            8: f"{path}:5-12",
            9: f"{path}#{''.join(part.title() for part in name.split('_')[:2])}{name.split('_')[2][:-3]}",
        }
        target = kinds.get(place % 10, path)
        yield f"  - {{path: '{target}', priority: {chance.randrange(20, 100) / 100}}}\n"


def questions(number: int, salt: str) -> list[str]:
    """So many questions, no two of which are the same."""
    chance = random.Random(salt)  # noqa: S311 - a sample
    return [
        f"how is the {' '.join(chance.sample(WORDS, 3))} of {salt} number {n} computed?"
        for n in range(number)
    ]


def measure(wire: Wire, asked: Sequence[str], budget: int, saved: Sequence[Path] = ()) -> None:
    """Ask everything, with one of ``saved`` written before each question, and print what it took."""
    times: list[float] = []
    steps: dict[str, list[float]] = {}
    pinned = []
    for number, query in enumerate(asked):
        if saved:
            file = saved[number]
            file.write_text(f"{file.read_text('utf-8')}\n# saved {number}\n", encoding="utf-8")
            wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 2}]})
            time.sleep(0.3)  # the save is searchable by then
        started = time.perf_counter()
        context = wire.assemble(query, maxTokens=budget)
        times.append((time.perf_counter() - started) * 1000)
        for name, ms in context["report"]["stepMs"].items():
            steps.setdefault(name, []).append(ms)
        pinned.append(context["report"]["sectionTokens"]["working_set"])
    cuts = statistics.quantiles(times, n=20)
    medians = sorted(((statistics.median(values), name) for name, values in steps.items()), reverse=True)
    told = ", ".join(f"{name} {ms:.1f}" for ms, name in medians if ms >= 0.3)
    print(f"p50 {statistics.median(times):.1f} ms, p95 {cuts[18]:.1f} ms (target {TARGET_MS}); ", end="")
    print(f"{statistics.median(pinned):,.0f} tokens of pins; steps: {told}")


def main() -> None:
    """Measure without pins, then with them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    for name, usual in (("files", 3_000), ("pins", 200), ("questions", 120), ("budget", 4_000)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "work"
        paths = write_workspace(root, given.files)
        os.environ["CONTEXTLS_HOME"] = str(Path(place) / "home")
        wire = Wire()
        try:
            wire.initialize(root)
            wire.ready(seconds=600)
            for query in questions(10, "warm"):
                wire.assemble(query)
            print(f"{given.files:,} files, nothing pinned: ", end="", flush=True)
            measure(wire, questions(given.questions, "bare"), given.budget)
            manifest = root / ".context" / "working-set.yml"
            manifest.parent.mkdir()
            manifest.write_text("files:\n" + "".join(entries(paths, given.pins)), encoding="utf-8")
            for query in questions(10, "again"):
                context = wire.assemble(query)
            for warning in context["report"]["warnings"][:3]:
                print(f"  warning: {warning}")
            print(f"{given.files:,} files, {given.pins} pinned entries: ", end="", flush=True)
            measure(wire, questions(given.questions, "pinned"), given.budget)
            print("the same, each after a save: ", end="", flush=True)
            files = [root / path for path in paths[: given.questions // 2]]
            measure(wire, questions(len(files), "saved"), given.budget, files)
            wire.end()
        finally:
            wire.kill()


if __name__ == "__main__":
    main()
