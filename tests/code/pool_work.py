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
    if item.startswith("killed once ") and not (seen := Path(item.removeprefix("killed once "))).exists():
        seen.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if item == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
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


def list_modules(_: str) -> list[str]:
    """The modules of this process, in the order in which it or its fork server imported them."""
    return list(sys.modules)
