"""The question to a source of another package, and the pieces that it offers for a prompt."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class PieceQuestion(Struct, frozen=True):
    """A question as a source of another package sees it.

    ``root`` is the folder of the workspace; ``path`` is the file in front, relative to it, if one is known.
    """

    root: Path
    query: str
    path: str | None = None


class Piece(Struct, frozen=True):
    """One thing that may enter a prompt: one line that names it, and its text.

    ``relevance`` (0 to 1) is how likely it is of use for the question; the likeliest of all packages come first. ``why``
    says in a short phrase what made it a piece. ``path`` is the file of the workspace that it speaks of, if it does of one:
    where that is ignored or excluded, the piece stays out.
    """

    title: str
    text: str
    relevance: float = 0.5
    why: str = ""
    path: str | None = None


class PackageSource(Struct, frozen=True):
    """A source that an installed package offers. ``problem`` says why it cannot be asked, if it cannot."""

    name: str
    package: str
    problem: str = ""
