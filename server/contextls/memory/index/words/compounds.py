"""Words written together that the workspace writes apart: "autosave" for ``auto_save`` and "auto-save"."""

from __future__ import annotations

from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.words.known_words import KnownWords

# A part of a word has so many letters at least. A word in more chunks than these is one of the workspace; one in fewer may
# still stand apart in more places than together.
_MIN_PART, _RARE, _FEW = 3, 3, 30


def split_compound(word: str, words: KnownWords) -> tuple[str, str] | None:
    """The two words that ``word``, in lower case, is made of where they stand side by side in the workspace.

    ``None`` where it is a word of the workspace itself: written together in more places than apart.
    """
    if len(word) < 2 * _MIN_PART or not (word.isascii() and word.isalpha()) or words.count(word) > _FEW:
        return None
    pairs = [
        (word[:at], word[at:])
        for at in range(_MIN_PART, len(word) - _MIN_PART + 1)
        if not STOP_WORDS.intersection((word[:at], word[at:]))
    ]
    held = [pair for pair in pairs if all(map(words.hold, pair))]
    held.sort(key=lambda pair: -min(map(words.count, pair)))
    count = words.count(word)
    if count <= _RARE:
        return next((pair for pair in held if words.stand_together(*pair)), None)
    return next((pair for pair in held if words.count_in_names(*pair) > count), None)
