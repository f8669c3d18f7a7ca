"""Words written together that the workspace writes apart: "autosave" for ``auto_save`` and "auto-save"."""

from __future__ import annotations

from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.words.known_words import KnownWords

# A part of a word has so many letters at least, and a word in more chunks than these is one of the workspace.
_MIN_PART, _RARE = 3, 3


def split_compound(word: str, words: KnownWords) -> tuple[str, str] | None:
    """The two words that ``word``, in lower case, is made of where they stand side by side in the workspace.

    ``None`` where it is a word of the workspace itself.
    """
    if len(word) < 2 * _MIN_PART or not (word.isascii() and word.isalpha()) or words.count(word) > _RARE:
        return None
    pairs = [
        (word[:at], word[at:])
        for at in range(_MIN_PART, len(word) - _MIN_PART + 1)
        if not STOP_WORDS.intersection((word[:at], word[at:]))
    ]
    held = [pair for pair in pairs if all(map(words.hold, pair))]
    held.sort(key=lambda pair: -min(map(words.count, pair)))
    return next((pair for pair in held if words.stand_together(*pair)), None)
