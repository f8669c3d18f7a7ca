"""A conversation as it is read: messages in the order in which a model sees them, and what stayed out.

These are the only types that assembly needs to know. They hold text and counts, nothing of the wire.
"""

from __future__ import annotations

from msgspec import Struct

from contextls.model import ShownMessage


class Excluded(Struct, frozen=True):
    """A node of the path that no message shows, and why."""

    node: str
    reason: str


class History(Struct, frozen=True):
    """A path through a conversation as messages, oldest first.

    ``system`` is the system context of agent and tree, in this order; ``instructions`` are those of single generations,
    to be put after it. ``summary_of`` names the nodes that the first message sums up, if it is a summary.
    Every ``tokens`` was counted by ``tokenizer``.
    """

    messages: tuple[ShownMessage, ...]
    instructions: tuple[str, ...] = ()
    system: str = ""
    excluded: tuple[Excluded, ...] = ()
    summary_of: tuple[str, ...] = ()
    tokenizer: str = "o200k_base"
    system_tokens: int = 0

    @property
    def tokens(self) -> int:
        """The tokens of all messages, without the system context."""
        return sum(message.tokens for message in self.messages)


class TruncatedHistory(Struct, frozen=True):
    """The part of a history that fits.

    ``dropped`` are the nodes that went; ``marker`` says so where they stood, "" when none did, and is part of ``messages``
    already. ``shortened`` says that the text of a message itself was cut.
    """

    messages: tuple[ShownMessage, ...]
    dropped: tuple[str, ...] = ()
    marker: str = ""
    shortened: bool = False

    @property
    def is_truncated(self) -> bool:
        """Whether anything is missing."""
        return bool(self.dropped) or self.shortened
