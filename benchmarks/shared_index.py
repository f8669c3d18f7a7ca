"""What a clone saves by a shared index, and what it fetches for it, by size of the workspace.

usage: python -m benchmarks.shared_index ROOT [ROOT ...]

Each ROOT is copied and committed. A server of moto's in a process of its own is the bucket; it counts requests and bytes.
Builds, clones that take and clones that index by themselves run in fresh processes. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
from tests.repositories import git
from tests.shared_index.buckets import BUCKET, serve_bucket

from contextls.engine import Engine
from contextls.engine.sharing import build_shared
from contextls.model import AssembleRequest
from contextls.settings import Settings

QUESTION = "how is an incoming request routed to its handler?"
MB = 1_000_000


@dataclass(frozen=True)
class Traffic:
    """What went through the bucket's door."""

    requests: int
    fetched: int
    sent: int
    stored: int


class Bucket:
    """The bucket, from another process."""

    def __init__(self, pipe: Connection) -> None:
        """``pipe`` leads to the process that serves it."""
        self._pipe = pipe

    def environment(self) -> dict[str, str]:
        """The variables by which it is found."""
        self._pipe.send("environment")
        found: dict[str, str] = self._pipe.recv()
        return found

    def traffic(self) -> Traffic:
        """What went through since it was asked the last time."""
        self._pipe.send("traffic")
        return Traffic(*self._pipe.recv())


def serve(pipe: Connection) -> None:
    """Serve a bucket and answer what ``Bucket`` asks, until the pipe closes."""
    with serve_bucket() as door:
        while True:
            try:
                asked = pipe.recv()
            except EOFError:
                return
            if asked == "environment":
                pipe.send(door.environment())
            else:
                stored = sum(map(len, door.objects().values()))
                pipe.send((len(door.requests), door.bytes_out, door.bytes_in, stored))
                door.reset()


@contextmanager
def bucket() -> Iterator[Bucket]:
    """A bucket in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    try:
        yield Bucket(ours)
    finally:
        ours.close()
        process.join(10)


def build(root: str, uri: str) -> dict[str, float]:
    """Build the shared index of ``root``; run in a process of its own."""
    started = time.perf_counter()
    report = build_shared(root, Settings(index_uri=uri))
    return {"seconds": time.perf_counter() - started, "files": report.files, "analysed": report.analysed}


def answer(root: str, uri: str) -> dict[str, float]:
    """Index ``root`` and answer a question; run in a process of its own."""
    started, before = time.perf_counter(), cpu_seconds()
    engine = Engine.open(root, Settings(index_uri=uri, history_commits=0))
    try:
        report = engine.index()
        indexed = time.perf_counter() - started
        engine.assemble(AssembleRequest(QUESTION))
        seconds = time.perf_counter() - started
        status = engine.status()
        cpu = cpu_seconds() - before
    finally:
        engine.close()
    return {
        "indexed": indexed,
        "seconds": seconds,
        "cpu": cpu,
        "taken": report.taken,
        "analysed": status.analyzed,
        "chunks": report.chunks,
    }


def cpu_seconds() -> float:
    """CPU time of this process and of its workers so far."""
    ours = psutil.Process()
    times = [process.cpu_times() for process in (ours, *ours.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def in_new_process(function: str, *arguments: str) -> dict[str, float]:
    """Run one of the functions above with a home of its own."""
    home = tempfile.mkdtemp(prefix="contextls-benchmark-")
    code = f"import json; from benchmarks.shared_index import {function} as f; print(json.dumps(f(*{arguments!r})))"
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "CONTEXTLS_HOME": home},
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
    finally:
        shutil.rmtree(home, ignore_errors=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(root: Path, work: Path, shared: Bucket) -> list[str]:
    """One line of the table for ``root``."""
    origin, clone = work / f"{root.name}-origin", work / root.name
    shutil.copytree(root, origin, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    git(origin, "init", "-q")
    git(origin, "add", "--all")
    git(origin, "commit", "-qm", "all")
    git(work, "clone", "-q", str(origin), str(clone))
    size = sum(
        path.stat().st_size for path in origin.rglob("*") if path.is_file() and ".git" not in path.parts
    )
    uri = f"s3://{BUCKET}/{root.name}"
    before = shared.traffic()
    built = in_new_process("build", str(origin), uri)
    building = shared.traffic()
    took = in_new_process("answer", str(clone), uri)
    taking = shared.traffic()
    alone = in_new_process("answer", str(clone), "")
    (next(origin.rglob("*.md"), origin / "README.md")).write_text("# Changed\n\nBy one commit.\n")
    git(origin, "commit", "-qam", "one more")
    again = in_new_process("build", str(origin), uri)
    delta = shared.traffic()
    assert took["analysed"] == 0, took  # noqa: S101 - what the table is about
    return [
        f"{root.name}: {built['files']:,.0f} files, {size / MB:,.1f} MB",
        f"{took['chunks']:,.0f}",
        f"{built['seconds']:.1f} s; {(building.stored - before.stored) / MB:,.1f} MB",
        f"{again['seconds']:.1f} s; {again['analysed']:,.0f} file, {delta.sent / MB:,.2f} MB",
        f"{taking.fetched / MB:,.1f} MB in {taking.requests:,}",
        f"{took['seconds']:.1f} s ({took['cpu']:.1f} s)",
        f"{alone['seconds']:.1f} s ({alone['cpu']:.1f} s)",
    ]


def main() -> None:
    """Measure each workspace that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", nargs="+", type=Path)
    roots = parser.parse_args().roots
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    titles = (
        "workspace", "chunks", "first build; stored", "build of the next commit; sent", "a fresh clone fetches, requests",
        "its first answer (CPU)", "first answer without (CPU)",
    )  # fmt: skip
    print(f"| {' | '.join(titles)} |\n|{' --- |' * len(titles)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="contextls-benchmark-") as work, bucket() as shared:
        os.environ.update(shared.environment())
        for root in roots:
            print(f"| {' | '.join(measure(root.resolve(), Path(work), shared))} |", flush=True)


if __name__ == "__main__":
    main()
