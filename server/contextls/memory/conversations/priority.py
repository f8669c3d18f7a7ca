"""What gives way first when a prompt is too large: injected memory, then old turns; three things never do."""

from __future__ import annotations

from msgspec import Struct

from contextls.errors import ContextLimitError

PROACTIVE_SHARE = 0.6
REACTIVE_SHARE = 0.4


class Load(Struct, frozen=True):
    """The tokens of each part of a prompt. ``recent`` is the part of ``history`` that always stays."""

    system: int
    memory: int
    history: int
    recent: int
    current: int

    @property
    def total(self) -> int:
        """All of them together."""
        return self.system + self.memory + self.history + self.current


class Relief(Struct, frozen=True):
    """The tokens for each part. ``history`` is the target of a compaction, ``None`` when there is no need for one."""

    memory: int
    history: int | None = None


def relieve(load: Load, available: int, share: float = PROACTIVE_SHARE) -> Relief:
    """Say what has to give way for a prompt to fit into ``available`` tokens.

    Memory is reduced first, down to nothing; then the history is compacted so that the whole takes ``share`` of what is
    available. System, current message and the newest turns are never cut: when they alone do not fit, that is a
    ``ContextLimitError`` with its numbers.
    """
    if load.total <= available:
        return Relief(load.memory)
    fixed = load.system + load.recent + load.current
    if fixed > available:
        raise ContextLimitError(
            f"what is never cut takes {fixed:,} tokens and {available:,} are available: system {load.system:,}, "
            f"newest turns {load.recent:,}, current message {load.current:,}; shorten one of them, keep fewer turns, or "
            "choose a model with a larger context",
            fixed,
            available,
        )
    without_memory = load.total - load.memory
    if without_memory <= available:
        return Relief(available - without_memory)
    return Relief(0, max(load.recent, int(available * share) - load.system - load.current))
