"""Applicable patterns: habits that concern the files or words in question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import pattern_line
from contextls.assembly.signals import Signals
from contextls.memory.patterns import Pattern
from contextls.model import Section

FILES_LOOKED_AT = 8


def pattern_items(
    patterns: Sequence[Pattern], signals: Signals, content: Sequence[Item], accepts: Callable[[str], bool]
) -> list[Item]:
    """Items for the patterns that speak of a file in question or of a word of it."""
    files = set(list(dict.fromkeys(path for item in content for path in item.paths))[:FILES_LOOKED_AT])
    keywords = set(signals.keywords)
    return [
        Item(
            section=Section.PATTERN,
            source=pattern.id,
            text=pattern_line(pattern),
            relevance=pattern.confidence,
            salience=pattern.confidence,
            paths=pattern.files,
        )
        for pattern in patterns
        if (files & set(pattern.files) or keywords & {word.lower() for word in pattern.words})
        and all(accepts(path) for path in pattern.files)
    ]
