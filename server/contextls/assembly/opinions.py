"""What people said about pieces of earlier prompts, as a gentle push on the same pieces now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from contextls.assembly.items import Item
from contextls.memory.feedback import Tally, factor
from contextls.model import Section

# Patterns count feedback in their own numbers; tasks, pins and the user's own text are not up for judgement.
_NOT_WEIGHED = frozenset({Section.TASK, Section.WORKING_SET, Section.PATTERN, Section.CUSTOM})


def weighed(items: Sequence[Item], tallies: Mapping[str, Tally]) -> list[Item]:
    """``items`` with the relevance of those that were called helpful or unhelpful raised or lowered; it stays in 0..1."""
    if not tallies:
        return list(items)
    return [
        item
        if item.section in _NOT_WEIGHED
        else replace(item, relevance=min(1.0, item.relevance * factor(item.source, tallies)))
        for item in items
    ]
