"""What an attacker can put in a file's place: kinds of special and huge files, and the places where something reads them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from ..memory.workspaces import write
from ..repositories import git

SECONDS = 240.0  # for a command that takes two on a quiet machine; the attacks took for ever
WORK = 40.0  # seconds of processor time, which a busy machine does not change
MAX_MEMORY = (
    600_000_000  # bytes; an ordinary command takes 250 MB, and a file of 1 GB that was read more than this
)
QUESTION = "how is the invoice total computed?"
HUGE = 1 << 30


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended, what it said and the most memory that it and its children took together."""

    status: int
    output: str
    errors: str
    seconds: float
    memory: int
    work: float


def pipe(place: Path) -> None:
    os.mkfifo(place)


def zeros(place: Path) -> None:
    place.symlink_to("/dev/zero")


def noise(place: Path) -> None:
    place.symlink_to("/dev/urandom")


def terminal(place: Path) -> None:
    place.symlink_to("/dev/tty")


def unix_socket(place: Path) -> None:
    listening = socket.socket(socket.AF_UNIX)
    with chdir(place.parent):  # the name of a socket may have 107 bytes
        listening.bind(place.name)
    listening.close()


def folder(place: Path) -> None:
    place.mkdir()


def huge(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(HUGE)


def outside(place: Path) -> None:
    """A link to a file outside of the workspace, whose content is of no use as anything."""
    place.symlink_to("/etc/passwd")


def loop(place: Path) -> None:
    place.symlink_to(place.name)


def piped_link(place: Path) -> None:
    target = place.with_name(f"{place.name}.pipe")
    os.mkfifo(target)
    place.symlink_to(target.name)


KINDS: tuple[Callable[[Path], None], ...] = (
    pipe, zeros, noise, terminal, unix_socket, folder, huge, outside, loop, piped_link,
)  # fmt: skip


def put(kind: Callable[[Path], None], place: Path) -> None:
    """Put a special file in the place of whatever is there."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    kind(place)


def make_repository(root: Path) -> Path:
    """A workspace with a history that a rename and a subfolder are in."""
    files = {
        "shop/cart.py": 'def discount_for(total: float) -> float:\n    """The discount."""\n    return total * 0.05\n',
        "shop/invoice.py": (
            "from shop.cart import discount_for\n\n\ndef invoice_total(total: float) -> float:\n"
            '    """What the customer has to pay."""\n    return total - discount_for(total)\n'
        ),
        "README.md": "# Shop\n\nInvoices and carts.\n",
    }
    write(root, files)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "A shop")
    git(root, "mv", "shop/cart.py", "shop/basket.py")
    (root / "shop/basket.py").write_text(files["shop/cart.py"] + "\n# moved\n")
    git(root, "commit", "-qam", "Call it a basket")
    return root


def run(root: Path, *arguments: str, home: Path) -> Outcome:
    """Run the command inside of ``root``, as a user does, with state of its own; it is ended when it takes too long."""
    started = time.monotonic()
    process = subprocess.Popen(
        [str(Path(sys.executable).parent / "contextls"), *arguments],
        cwd=root,
        env={**os.environ, "CONTEXTLS_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    with usage(process.pid) as used:
        try:
            output, errors = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            errors += f"\nended after {SECONDS} s"
    return Outcome(process.returncode, output, errors, time.monotonic() - started, used.memory, used.work)


@dataclass
class Usage:
    """The most memory that a process and its children took together, unshared, and their processor time in seconds."""

    memory: int = 0
    work: float = 0.0

    def look(self, pid: int) -> None:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
        self.memory = max(self.memory, sum(map(_private, family)))
        self.work = max(self.work, sum(map(_work, family)))


@contextmanager
def usage(pid: int) -> Iterator[Usage]:
    """Watches a process, looking at it now and then."""
    used = Usage()
    stop = threading.Event()

    def watch() -> None:
        while not stop.wait(0.1):
            with suppress(psutil.Error):
                used.look(pid)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield used
    finally:
        stop.set()
        thread.join()


def _private(process: psutil.Process) -> int:
    try:
        info = process.memory_info()
    except psutil.Error:
        return 0
    return int(info.rss - info.shared)


def _work(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return times.user + times.system + times.children_user + times.children_system


def some(*short: Callable[[Path], None]) -> list[Any]:
    """All kinds as parameters of a test, those that are not named only in the long form."""
    return [
        pytest.param(kind, id=kind.__name__, marks=() if kind in short else pytest.mark.long)
        for kind in KINDS
    ]
