"""Values that nobody expects, and JSON trees with some of their values replaced by such."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Json = Any
Slot = tuple[Any, Any]  # a container and the key or index in it

_LONG = 200_000
NUMBERS: tuple[Json, ...] = (
    0, -1, 1, 2, 17, 2**31 - 1, 2**31, -(2**31), 2**53, 2**53 + 1, 2**63, -(2**63), 2**64, 10**30, 10**400,
    0.0, -0.0, 0.5, 1e308, 5e-324, float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
TEXTS = (
    "", " ", "\n", "\0", "a\0b", "\ud800", "\udfff tail", "\ud83d\ude00", "\u202egnp.exe", "\u200b", "שלום עולם",
    "e\u0301" * 50,    "\x1b[31mred\x1b[0m", "\r\n\r\nContent-Length: 5\r\n\r\n", "%00", "%", "${HOME}", "$(id)",
    "'; DROP TABLE events;--",
    "(" * 2000, "[z-a]", "**/" * 40 + "a", "\\", "```\n# no heading\n```", "../../etc/passwd", "/dev/zero", "C:\\Windows\\x",
    "null", "true", "NaN", "a" * 4096, "\U0010ffff", "\ufeffbom", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "cart.py#Cart", "#", "-", "--help", "@all",
)  # fmt: skip
URIS = (
    "", "file:", "file://", "file:///", "file:///../../../etc/passwd", "file://host/share/a.py", "file://localhost/etc/passwd",
    "untitled:Untitled-1", "untitled:", "http://127.0.0.1:9/a.py", "vscode-remote://ssh/x", "file:///%00", "file:///%ff%fe",
    "file:///%2e%2e/%2e%2e/etc/passwd", "file:///a%", "file:///a%zz", "file:///dev/zero", "file:///proc/self/mem",
    "file:a.py",
    "file:///" + "a/" * 3000, "file://[::1", "file:///a\nb", "FILE:///etc/passwd", "git:/a.py?%7B%7D", "\ud800", "file:///\udcff.py",
    "javascript:alert(1)", "file:////double", "file:///C:/x.py", "file:///tmp/not-there/a.py",
)  # fmt: skip
PATHS = (
    "../..",
    "/etc/passwd",
    "shop/../../x",
    "./shop/cart.py",
    "shop//cart.py",
    "shop\\cart.py",
    "~",
    "shop/",
    ".",
    "nul",
    "a" * 300,
)
IGNORE_RULES = ("new/\n", "[z-a]\n", "", "*.ts\n", "**/" * 30 + "a\n", "!\n", "\\\n", "[\n")


def nested(depth: int, rng: random.Random) -> Json:
    """A list or an object, ``depth`` levels deep."""
    value: Json = 1
    for _ in range(depth):
        value = [value] if rng.random() < 0.5 else {"a": value}
    return value


def hostile(rng: random.Random) -> Json:
    """Any value at all."""
    makers: Sequence[Callable[[], Json]] = (
        lambda: None,
        lambda: rng.random() < 0.5,
        lambda: rng.choice(NUMBERS),
        lambda: rng.choice(TEXTS),
        lambda: rng.choice(TEXTS),
        lambda: rng.choice(URIS),
        lambda: rng.choice(PATHS),
        list,
        dict,
        lambda: [hostile(rng) for _ in range(rng.randrange(4))],
        lambda: {rng.choice(TEXTS): hostile(rng) for _ in range(rng.randrange(4))},
        lambda: {
            "jsonrpc": "2.0",
            "id": rng.choice((1, None, "x")),
            "method": rng.choice(("exit", "context/clear")),
        },
        lambda: {"jsonrpc": rng.choice(("2.0", 2, None)), "result": nested(3, rng)},
        lambda: nested(rng.choice((10, 40, 200)), rng),
        lambda: "x y(" * (_LONG // 4) if rng.random() < 0.03 else "x" * 5000,
    )
    return rng.choice(makers)()


def mutated(value: Json, rng: random.Random, times: int) -> Json:
    """A copy of ``value`` with ``times`` changes at places chosen by chance."""
    holder = {"params": copy.deepcopy(value)}
    for _ in range(times):
        slots = _slots(holder)
        if not slots:
            return hostile(rng)
        container, key = rng.choice(slots)
        _change(container, key, slots, rng)
    return holder.get("params")


def _slots(value: Json) -> list[Slot]:
    """Every place in a tree that holds a value."""
    found: list[Slot] = []
    waiting = [value]
    while waiting:
        container = waiting.pop()
        keys: Sequence[Any] = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            found.append((container, key))
            if isinstance(container[key], (dict, list)):
                waiting.append(container[key])
    return found[:2000]


def _change(container: Json, key: Any, slots: Sequence[Slot], rng: random.Random) -> None:  # noqa: ANN401 - key or index
    old = container[key]
    action = rng.randrange(8)
    if action == 0 and isinstance(container, dict):
        del container[key]
    elif action == 1 and isinstance(old, dict):
        old[rng.choice(TEXTS) or "extra"] = hostile(rng)
    elif action == 2:
        container[key] = [old]
    elif action == 3:
        other, place = rng.choice(slots)
        container[key] = copy.deepcopy(other[place])
    elif action == 4 and isinstance(old, str):
        container[key] = rng.choice(
            (old + rng.choice(TEXTS), rng.choice(URIS), rng.choice(PATHS), old[: len(old) // 2])
        )
    elif action == 5 and isinstance(old, (int, float)):
        container[key] = rng.choice(NUMBERS)
    else:
        container[key] = hostile(rng)


def shake_disk(root: Path, rng: random.Random) -> None:
    """Change something below ``root`` as other programs would, and as nobody should."""
    name = rng.choice(
        ("shop/cart.py", "shop/invoice.py", "new/a.py", "new/b.ts", "README.md", "bin.dat", "sub/deep/c.go")
    )
    path = root / name
    action = rng.randrange(9)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if action <= 3:
            path.write_text(
                f"def f{rng.randrange(99)}(cart):\n    return {rng.random()}\n" * rng.randrange(1, 20)
            )
        elif action == 4:
            path.write_bytes(rng.randbytes(rng.randrange(2000)))
        elif action == 5:
            path.unlink()
        elif action == 6:
            path.rename(path.with_name("moved.py"))
        elif action == 7:
            (root / ".context").mkdir(exist_ok=True)
            (root / ".context/working-set.yml").write_text(
                rng.choice(TEXTS).encode("utf-8", "replace").decode()
            )
        else:
            (root / ".contextlsignore").write_text(rng.choice(IGNORE_RULES))
    except OSError:
        pass  # a folder is where a file was wanted, or nothing is there: as it happens on disks
