"""Made-up secrets for the corpus: written as patterns, filled by a seeded generator, never stored as themselves.

``{b62:36}`` stands for 36 random letters and digits, ``«…»`` for what must not survive.
"""

from __future__ import annotations

import random
import re
import string
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "secret_formats"
ALPHABETS = {
    "b62": string.ascii_letters + string.digits,
    "let": string.ascii_letters,
    "low": string.ascii_lowercase,
    "num": string.digits,
    "hex": string.digits + "abcdef",
    "HEX": string.digits + "ABCDEF",
    "b36": string.ascii_lowercase + string.digits,
    "B36": string.ascii_uppercase + string.digits,
    "b32": string.ascii_uppercase + "234567",
    "b64": string.ascii_letters + string.digits + "+/",
    "url": string.ascii_letters + string.digits + "-_",
    "pw": string.ascii_letters + string.digits + "!#%^*-_+?",
}
_SPEC = re.compile(r"\{(uuid|[A-Za-z0-9]+:\d+)\}")
_SIGNS = str.maketrans({"⏎": "\n", "⇥": "\t", "␛": "\x1b", "␇": "\x07"})


@dataclass(frozen=True, slots=True)
class Sample:
    """A ``text`` and the ``secrets`` in it."""

    name: str
    text: str
    secrets: tuple[str, ...]

    def leaked(self, shown: str) -> list[str]:
        """The pieces of secrets that ``shown`` still holds."""
        pieces = [piece for secret in self.secrets for piece in re.split(r"[\s\x1b]|\\+n", secret)]
        return [piece for piece in pieces if len(piece) >= 6 and piece in shown]


def fill(template: str, seed: str) -> str:
    """The template with random characters in place of every pattern; the same seed gives the same text."""
    source = random.Random(zlib.crc32(f"{seed}{template}".encode()))  # noqa: S311 - made up, to be found
    return _SPEC.sub(lambda match: _characters(match.group(1), source), template).translate(_SIGNS)


def sample(template: str, seed: str = "") -> Sample:
    """What one line of the corpus stands for."""
    text = fill(template, seed)
    secrets = tuple(re.findall("«(.*?)»", text, re.DOTALL))
    return Sample(template, text.replace("«", "").replace("»", ""), secrets)


def corpus(family: str, seed: str = "") -> list[Sample]:
    """All samples of a family: one line of its file each."""
    lines = (FOLDER / f"{family}.txt").read_text("utf-8").splitlines()
    return [sample(line, seed) for line in lines if line and not line.startswith("# ")]


def families() -> Iterator[str]:
    """The names of all families."""
    return (path.stem for path in sorted(FOLDER.glob("*.txt")))


def _characters(spec: str, source: random.Random) -> str:
    if spec == "uuid":
        return "-".join(_drawn("hex", size, source) for size in (8, 4, 4, 4, 12))
    kind, size = spec.split(":")
    return _drawn(kind, int(size), source)


def _drawn(kind: str, size: int, source: random.Random) -> str:
    drawn = source.choices(ALPHABETS[kind], k=size)
    if kind == "pw":
        # As password generators do: some of every sort, and none at the ends that a reader would take for a quote.
        for place, sort in (
            (0, string.ascii_letters),
            (1, string.digits),
            (size // 2, "!#%^*"),
            (-1, string.ascii_uppercase),
        ):
            drawn[place] = source.choice(sort)
    return "".join(drawn)
