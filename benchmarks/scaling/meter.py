"""What a command and all processes that it starts take: seconds, and memory of all of them together at its peak."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

PAUSE = 0.1  # seconds between two looks
_FIELD = re.compile(r"^(Pss|Pss_Anon): +(\d+) kB$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a command took. ``stopped`` says which limit ended it (``time`` or ``memory``) or that it ``failed``.

    ``peak_mb`` counts what processes share once (the sum of their proportional set sizes), ``anonymous_mb`` only what is
    no file; both are of the moment when the former was largest.
    """

    seconds: float
    peak_mb: float
    anonymous_mb: float
    output: str
    stopped: str | None = None


def measure(
    command: Sequence[str], environment: Mapping[str, str], max_seconds: float, max_mb: float, folder: Path
) -> Taken:
    """Run ``command`` in ``folder`` and look at it and what it starts until it ends or passes a limit."""
    started = time.perf_counter()
    errors = folder / "errors.txt"
    with errors.open("wb") as told:
        process = subprocess.Popen(
            [*command],
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=told,
            start_new_session=True,
        )
    output: list[bytes] = []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read() if process.stdout else b""))
    reader.start()
    peak, anonymous, stopped = 0.0, 0.0, None
    while process.poll() is None:
        now, of_it = _memory_of(process.pid)
        if now > peak:
            peak, anonymous = now, of_it
        passed = time.perf_counter() - started
        stopped = "time" if passed > max_seconds else "memory" if now > max_mb else None
        if stopped:
            os.killpg(process.pid, signal.SIGKILL)
            break
        time.sleep(PAUSE)
    process.wait()
    seconds = time.perf_counter() - started
    reader.join()
    if process.returncode and not stopped:
        stopped = "failed"
        print(
            f"{' '.join(command)}: exit status {process.returncode}\n{errors.read_text(errors='replace')[-2000:]}"
        )
    return Taken(seconds, peak, anonymous, b"".join(output).decode(errors="replace"), stopped)


def _memory_of(pid: int) -> tuple[float, float]:
    """Megabytes of a process and all below it: what is shared counted once, and of that what is no file."""
    total = anonymous = 0
    try:
        family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0, 0.0
    for one in family:
        try:
            fields = dict(_FIELD.findall(Path(f"/proc/{one.pid}/smaps_rollup").read_text(encoding="ascii")))
        except OSError:
            continue  # it has ended
        total += int(fields.get("Pss", 0))
        anonymous += int(fields.get("Pss_Anon", 0))
    return total * 1024 / 1e6, anonymous * 1024 / 1e6
