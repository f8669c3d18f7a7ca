"""What the pool tests let workers do; importable by worker processes."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

from contextls.code.languages import default_languages
from contextls.code.model import ChunkLimits, ParsedFile
from contextls.code.parse import parse_file


def work(item: str) -> str:
    """Do what the item says."""
    if item == "hang":
        re.match("(a+)+b", "a" * 60)  # in C and without letting go of the interpreter, as a parser hangs
    if item == "wait":
        time.sleep(60)
    if item.startswith("until "):
        while not Path(item.removeprefix("until ")).exists():
            time.sleep(0.01)
    if item.startswith("killed"):
        _be_killed(item)
    if item == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    if item == "die":
        os._exit(7)
    if item == "raise":
        raise ValueError("bad item")
    if item == "print":
        print("noise", flush=True)  # noqa: T201 - that this goes nowhere is the test
        os.write(1, b"noise")
    if item == "pid":
        return f"{os.getpid()} {os.nice(0)}"
    return item.upper()


def _be_killed(item: str) -> None:
    """Die of the system's signal: each time, or where a path is named, ``once`` or once ``with locks``."""
    if " " in item:
        seen = Path(item.split()[-1])
        if seen.exists():
            return
        seen.touch()
    if "with locks" in item:
        _take_locks()
    os.kill(os.getpid(), signal.SIGKILL)


def _take_locks() -> None:
    """Take what a worker holds while it fetches a task or sends what came of one."""
    frame = sys._getframe()
    while "channel" not in frame.f_locals and frame.f_back is not None:
        frame = frame.f_back
    frame.f_locals["channel"].mutex.acquire()


def parse(item: tuple[str, str, ChunkLimits]) -> ParsedFile:
    """``parse_file`` of a (path, text, limits) triple."""
    path, text, limits = item
    return parse_file(path, text, limits)


def work_together(items: list[str]) -> list[str]:
    """As ``work``, for several items at once, each with the number of those beside it."""
    return [f"{work(item)} of {len(items)}" for item in items]


def count_languages_read(_: str) -> int:
    """How many sets of languages this process has read, or its fork server before it began."""
    return default_languages.cache_info().currsize


def list_grammars(_: str) -> list[str]:
    """The languages that this process can parse without compiling anything."""
    return sorted(default_languages()._grammars)


def list_modules(_: str) -> list[str]:
    """The modules of this process, in the order in which it or its fork server imported them."""
    return list(sys.modules)
