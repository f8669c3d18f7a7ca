"""The clauses of a question: one asks, and others may tell the circumstances.

"We get a 502 when the backend closes a connection, where are retries of a request decided?" is about retries.
"""

from __future__ import annotations

import re

from contextls.regex import compile_late

_BETWEEN = compile_late(r"[.;:!?]\s|,\s|\s[-–—]\s|\n")
_SENTENCE_END = compile_late(r"(?<=[.:;!?])\s+|\n")
_ASKS = compile_late(
    r"\s*(?:(?:and|but|so|then|now|also|or|in|at|from|by|to|for)\s+)*"
    r"(?:where|when|which|who|how|what|why|show|explain|find|is|are|does|do)\b",
    re.IGNORECASE,
)
# "When it reconnects, what happens with the cookies?"
_WHEN = compile_late(r"\s*when\b", re.IGNORECASE)
# What it stands for was said before.
PRONOUN = compile_late(r"\b(?:it|that|this|they|them|its|one)\b", re.IGNORECASE)
# A wish says what is wanted before it asks where: "rename the flag, which callers break?"
WISHES = compile_late(
    r"\b(?:i'd like|want|wish|add|allow|create|implement|introduce|need|should|support|write)\b",
    re.IGNORECASE,
)


def split_clauses(text: str) -> list[str]:
    """The clauses of a text that say anything, in order."""
    return [clause for clause in _BETWEEN.split(text) if clause.strip()]


def find_asking(text: str) -> tuple[str, ...]:
    """The clauses that ask by themselves; none where every clause asks, or what they ask is said in another."""
    clauses = split_clauses(text)
    asking = [clause for clause in clauses if _ASKS.match(clause)]
    asking = [clause for clause in asking if not _WHEN.match(clause)] or asking
    if len(asking) == len(clauses) or WISHES.search(text) or all(map(PRONOUN.search, asking)):
        return ()
    return tuple(asking)


def find_asking_sentences(text: str) -> str:
    """The sentences of ``text`` with the clauses that ask by themselves; all of it where none does."""
    asking = find_asking(text)
    sentences = [each for each in _SENTENCE_END.split(text) if any(clause in each for clause in asking)]
    return " ".join(sentences) or text


def is_told(text: str) -> bool:
    """Whether ``text`` tells something, as the message of a program does, instead of asking or wishing for it."""
    return not (text.rstrip().endswith("?") or _ASKS.match(text) or WISHES.match(text.lstrip()))
