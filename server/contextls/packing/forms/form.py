"""The base of the forms of a pack: they write blocks, which are counted one by one and put one after the other.

A block begins with a sign that is neither blank nor a slash and ends with a line end. Tokenizers of the ``o200k`` and
``cl100k`` families never join tokens over such a border, so that the tokens of a document are exactly those of its blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from contextls.model import Detail, UnpackedFile


class PackFigures(Struct, frozen=True):
    """The figures at the head of a pack: files by ``detail``, and the tokens of all that is shown of them.

    Not what is ignored: that differs from checkout to checkout, and the same files give the same document.
    """

    details: Mapping[Detail, int]
    tokens: int
    tokenizer: str

    def sentence(self) -> str:
        """The same in words."""
        shown = {detail: self.details.get(detail, 0) for detail in Detail}
        total = sum(shown.values())
        how = [
            f"{shown[Detail.WHOLE]:,} whole" if shown[Detail.WHOLE] else "",
            f"{shown[Detail.SKELETON]:,} as skeletons, without the bodies of functions"
            if shown[Detail.SKELETON]
            else "",
            f"{shown[Detail.BEGINNING]:,} by the beginning alone" if shown[Detail.BEGINNING] else "",
            f"{shown[Detail.NAME]:,} by name only" if shown[Detail.NAME] else "",
        ]
        words = ", ".join(filter(None, how)) or "nothing to show"
        return f"{_count(total)}, {self.tokens:,} tokens ({self.tokenizer}): {words}."


class Form(Protocol):
    """Writes blocks; each is empty or as this module says."""

    def opening(self, part: int) -> str:
        """The beginning of a part, counted from 1."""

    def header(self, text: str) -> str:
        """What the user says before everything else."""

    def summary(self, facts: PackFigures) -> str:
        """The figures."""

    def tree(self, lines: Sequence[str]) -> str:
        """The files as a tree."""

    def left_out(self, files: Sequence[UnpackedFile]) -> str:
        """The files that cannot be shown, and why."""

    def file(self, path: str, text: str, detail: Detail, lines: str = "") -> str:
        """A file, or the ``lines`` (``12-80``) of it that ``text`` is; a beginning without them is that of a skeleton."""

    def section(self, title: str, text: str, language: str) -> str:
        """A section after the files."""

    def instructions(self, text: str) -> str:
        """The user's instructions, after everything else."""

    def last(self, block: str) -> str:
        """A block as it is written where none follows it but the closing."""

    def closing(self, *, more: bool) -> str:
        """The end of a part; ``more`` when another one follows."""


def _count(files: int) -> str:
    return "1 file" if files == 1 else f"{files:,} files"
