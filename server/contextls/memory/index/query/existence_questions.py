"""Questions whether there is something, in other languages than English.

Word by word they become no "is there": "Gibt es", "existe-t-il", "¿hay". Who asks so may be told that there is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from contextls.regex import compile_late

# "Wann gibt es … zurück?" asks when something returns it.
_PARTED = r"(?![^.?!]{0,40}\b(?:zurück|zurueck|aus|weiter|frei|ab)\b)"
_PATTERNS: Mapping[str, str] = {
    "German": rf"\bgibt(?:['’]s|\s+es)\b{_PARTED}",
    "French": r"\b(?:existe-t-(?:il|elle)|existent-(?:ils|elles)|y\s+a-t-il|est-ce\s+qu['’]il\s+y\s+a)\b",
    "Spanish": r"¿\s*(?:hay|existen?)\b|^\s*(?:hay|existen?)\b(?=[^?\n]{1,200}\?)",
    "Portuguese": r"^\W{0,5}(?:há|existem?)\b(?=[^?\n]{1,200}\?)",
    "Italian": r"^\W{0,5}(?:c['’]è|ci\s+sono|esist(?:e|ono))\b(?=[^?\n]{1,200}\?)",
    "Russian": r"^\W{0,5}(?:(?:есть|имеется|имеются)(?:\s+ли)?|существу[ею]т(?:\s+ли)?)\b",
    "Chinese": r"有没有|是否(?:有|存在|支持)|有[^\n]{1,20}吗",
    "Japanese": r"[はが](?:あります|ありません|存在します)か",
}
_UNSPACED = ("Chinese", "Japanese")
_EXISTENCE = {language: compile_late(pattern, re.IGNORECASE) for language, pattern in _PATTERNS.items()}


def find_existence(question: str, language: str) -> tuple[int, int] | None:
    """The place where ``question``, plainly in this ``language``, says "is there"; ``None`` where it does not.

    In a language without spaces that is an empty place: its words are told apart later.
    """
    pattern = _EXISTENCE.get(language)
    found = pattern.search(question) if pattern else None
    if found is None:
        return None
    return (0, 0) if language in _UNSPACED else found.span()
