"""Settings with their namespace before them: people say ``task_acks_on_failure`` where code says ``acks_on_failure``."""

from __future__ import annotations

from collections.abc import Iterator

from contextls.memory.index.words.known_words import KnownWords
from contextls.memory.index.words.readings import NAMED, Readings
from contextls.regex import compile_late

# The rest of a name has at least MIN_PARTS parts, as shorter ones are too common, and is defined or in at most MAX_CHUNKS.
MIN_PARTS = 3
MAX_CHUNKS = 20
_SNAKE = compile_late(r"[^\W_]+(?:_+[^\W_]+)+")
_JOINT = compile_late(r"_+")


def read_tail(written: str, words: KnownWords, readings: Readings) -> str | None:
    """The edit for a name of which the workspace has the end alone; it is noted in ``readings``."""
    if not _SNAKE.fullmatch(written) or words.count_name("".join(words.parts(written))):
        return None
    tail = next((each for each in _tails(written, words) if _is_known(each, words)), None)
    if tail is None:
        return None
    folded = "".join(words.parts(tail))
    spelled = words.dictionary.write_out(folded, tail)
    read = tail if spelled == folded else spelled
    readings.note(written, [read], NAMED)
    return read


def _tails(name: str, words: KnownWords) -> Iterator[str]:
    """The ends of ``name``, the longest first."""
    for joint in _JOINT.finditer(name):
        tail = name[joint.end() :]
        if len(words.parts(tail)) >= MIN_PARTS:
            yield tail


def _is_known(name: str, words: KnownWords) -> bool:
    folded = "".join(words.parts(name))
    count = words.count_name(folded)
    return 0 < count <= MAX_CHUNKS or (count > 0 and words.dictionary.write_out(folded, name) != folded)
