"""Small real workspaces and what tests ask of an engine on them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from contextls.engine import Engine
from contextls.memory.knowledge.base import Knowledge
from contextls.settings import Settings
from contextls.store.locations import Locations, locate

NOW = 1_800_000_000_000  # ms; what tests of time call now
SHOP: Mapping[str, str] = {
    "shop/cart.py": (
        "from shop.prices import discounted\n\n\n"
        "class Cart:\n"
        '    """What a customer is about to buy."""\n\n'
        "    def __init__(self):\n        self.items = []\n\n"
        "    def add(self, item, quantity=1):\n        self.items.append((item, quantity))\n\n"
        "    def total(self):\n        return sum(discounted(item.price) * n for item, n in self.items)\n"
    ),
    "shop/prices.py": (
        '"""Prices and discounts."""\n\n\n'
        "def discounted(price, percent=10):\n"
        '    """The price after the seasonal discount."""\n'
        "    return price - price * percent / 100\n"
    ),
    "shop/mail.py": (
        "def send_receipt(address, lines):\n"
        '    """Mail the receipt of an order to the customer."""\n'
        "    body = '\\n'.join(lines)\n    return deliver(address, 'Your receipt', body)\n"
    ),
    "web/router.ts": (
        "export function registerRoute(path: string, handler: Handler): void {\n"
        "  routes.set(normalisePath(path), handler);\n}\n"
    ),
    "README.md": "# Shop\n\nA small shop.\n\n## Returns\n\nGoods may be returned within thirty days.\n",
}
ONE_WORKER = Settings(workers=1)


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below ``root`` and return it."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def age(root: Path, seconds: float = 3600) -> None:
    """Make every file look as if it had been written long ago."""
    then = time.time() - seconds
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink():
            os.utime(path, (then, then))


@contextlib.contextmanager
def opened(root: Path, settings: Settings = ONE_WORKER, *, index: bool = True) -> Iterator[Engine]:
    """An engine on ``root``, indexed, closed at the end."""
    engine = Engine.open(root, settings)
    try:
        if index:
            engine.index()
        yield engine
    finally:
        engine.close()


def knowledge_of(engine: Engine, now: int = NOW) -> Knowledge:
    """The entities and relations of a workspace at ``now``, in ms."""
    engine.status()
    memories = engine._memories
    return memories.knowledge.at(memories.content.memory.snapshot, now)


def found(engine: Engine, query: str) -> list[str]:
    """The paths that a search finds, best first, each once."""
    return list(dict.fromkeys(hit.path for hit in engine.search(query, 50).hits))


def texts(engine: Engine, path: str) -> str:
    """Everything that searching can show of one file."""
    words = path.rsplit("/", 1)[-1].split(".")[0]
    return "".join(hit.text for hit in engine.search(f"{words} {path}", 500).hits if hit.path == path)


def locations(root: Path) -> Locations:
    """Where the state and cache of ``root`` lie."""
    return locate(root.resolve())


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python process that runs ``code`` with ``arguments`` in ``sys.argv``."""
    return subprocess.Popen(  # the code is a constant of the test
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
