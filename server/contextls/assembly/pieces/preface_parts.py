"""The preface of a tagged prompt as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from contextls.model import LayerItem, Role

RULES_ON_REQUEST = "rules on request"
_CHECKSUM_DIGITS = 12


class RulesBlock(Struct, frozen=True):
    """A rules file as it stands in a prompt: as ``system`` text, or as ``developer`` text where it is for some files.

    Without ``path``: the list of those that a model asks for itself.
    """

    role: Role
    path: str
    text: str

    @property
    def name(self) -> str:
        """The name of the file in the report."""
        return self.path or RULES_ON_REQUEST


@dataclass(frozen=True, slots=True)
class Preface:
    """The part of a tagged prompt before its pieces. Plain data: two that are equal give the same bytes.

    ``root`` is the name of the workspace's folder; ``working_set`` is the manifest's path and checksum, if there is one.
    ``omitted`` and ``warnings`` are for the report; ``paths`` are the files that it was read for.
    """

    root: str
    trusted: bool
    rules: tuple[RulesBlock, ...] = ()
    working_set: tuple[str, str] | None = None
    hints: tuple[str, ...] = ()
    session: str = ""
    conversation: str = ""
    omitted: tuple[LayerItem, ...] = ()
    warnings: tuple[str, ...] = ()
    paths: tuple[str, ...] = field(default=(), compare=False)


NO_PREFACE = Preface(root="", trusted=False)


def checksum(raw: bytes) -> str:
    """The first digits of the SHA-256."""
    return sha256(raw).hexdigest()[:_CHECKSUM_DIGITS]
