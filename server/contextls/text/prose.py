"""Shortens prose: it keeps the sentences whose words recur most in the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from contextls.regex import compile_late
from contextls.text.largest_fit import find_largest_fit
from contextls.text.tokens import Tokenizer

# A sign within a word, as in an address, a version or the name of a file, ends no sentence.
_WITHIN = r"[.!?](?![.!?\"')\]]{0,8}(?:\s|$))"
_SENTENCE = compile_late(rf"(?>(?:[^.!?\n]|{_WITHIN}){{1,2000}})[.!?]*[\"')\]]*\s*|[.!?\s]+")
_WORD = compile_late(r"[^\W\d_]{4,40}")
# Headings and first sentences of paragraphs say what the rest is about.
OPENING_BONUS = 1.5
MAX_SENTENCES = 4000


def is_prose(text: str) -> bool:
    """Whether ``text`` is mostly sentences: words, few signs of code, ends of sentences."""
    sample = text[:20_000]
    letters = sum(character.isalpha() or character.isspace() for character in sample)
    return len(re.findall(r"\w[.!?](?=\s|$)", sample)) >= 3 and letters > 0.85 * len(sample)


def extract_sentences(text: str, max_tokens: int, tokenizer: Tokenizer) -> str:
    """Sentences of ``text`` in their order, in at most ``max_tokens``, ``…`` where some are missing; empty if none fits.

    A sentence is worth the mean frequency of its words in the whole text (Luhn, 1958), more at a paragraph's beginning.
    """
    sentences = [found.group() for found in _SENTENCE.finditer(text)][:MAX_SENTENCES]
    frequency = Counter(word.lower() for word in _WORD.findall(text))
    ranked = sorted(range(len(sentences)), key=lambda number: (-_worth(sentences, number, frequency), number))
    kept = find_largest_fit(
        len(ranked), lambda size: tokenizer.count(_join_kept(sentences, ranked[:size])) <= max_tokens
    )
    return _join_kept(sentences, ranked[:kept]) if kept else ""


def _worth(sentences: Sequence[str], number: int, frequency: Counter[str]) -> float:
    words = _WORD.findall(sentences[number])
    if not words:
        return 0.0
    mean = sum(frequency[word.lower()] for word in words) / len(words)
    opens = number == 0 or sentences[number - 1].endswith("\n")
    return mean * OPENING_BONUS if opens else mean


def _join_kept(sentences: Sequence[str], kept: Sequence[int]) -> str:
    parts: list[str] = []
    before = -1
    for number in sorted(kept):
        if number > before + 1:
            parts.append("… ")
        parts.append(sentences[number])
        before = number
    if before < len(sentences) - 1:
        parts.append("…")
    return "".join(parts)
