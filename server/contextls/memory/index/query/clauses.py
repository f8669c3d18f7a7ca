"""The clauses of a question: one asks, and others may tell the circumstances.

"We get a 502 when the backend closes a connection, where are retries of a request decided?" is about retries.
"""

from __future__ import annotations

import re

from contextls.memory.index.terms import STOP_WORDS
from contextls.regex import compile_late

_WORD = compile_late(r"\w+")
_BETWEEN = compile_late(r"[.;:!?]\s|,\s|\s[-–—]\s|\n")
# What a colleague writes who asks one thing is shorter.
MAX_MESSAGE_CHARS = 1_200
MIN_TELLING = 2
# A wish for a change of the code: what is wanted stands in it, and not in the question next to it.
_CHANGES = compile_late(
    r"(?:(?:^|[.!?\n]|\bplease\b|\bshould\b|\b(?:want|like|need|have|going|try|trying)\s++(?:you\s++)?to\b)\s*+)"
    r"(?:please\s++)?(?:add|allow|change|create|extend|fix|implement|introduce|move|remove|rename|replace|support)\b",
    re.IGNORECASE,
)
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


def find_plain_question(text: str) -> tuple[str, ...]:
    """The sentences of a message that are its question, in order; none of a report and where it wishes for a change.

    A question says what it is about: "why is that?" and "what next?" leave it to another sentence.
    """
    if len(text) > MAX_MESSAGE_CHARS or _CHANGES.search(text):
        return ()
    sentences = _SENTENCE_END.split(text)
    return tuple(
        sentence
        for sentence in sentences
        if sentence.rstrip().endswith("?")
        and any(map(_ASKS.match, split_clauses(sentence)))
        and not PRONOUN.search(sentence)
        and len({*_WORD.findall(sentence.lower())} - STOP_WORDS) >= MIN_TELLING
    )


def is_told(text: str) -> bool:
    """Whether ``text`` tells something, as the message of a program does, instead of asking or wishing for it."""
    return not (text.rstrip().endswith("?") or _ASKS.match(text) or WISHES.match(text.lstrip()))
