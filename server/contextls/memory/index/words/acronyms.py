"""Terms that a question writes out and code has by their initials: "content security policy" for ``csp``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.words.known_words import KnownWords
from contextls.memory.index.words.question_words import Token, WordForm
from contextls.text.word_set import word_set

# What says when or how is no word of a term: "limits apply now" is no LAN.
_ADVERBS = word_set(
    "again already always ever here instead just never now often once only soon still then there too yet"
)
# The number of words that initials stand for: two words share theirs with too many others, and few people write out six.
MIN_WORDS, MAX_WORDS = 3, 5


def find_acronyms(text: str, tokens: Sequence[Token], words: KnownWords) -> Iterator[str]:
    """The initials of words that stand side by side in ``text``, where names of the workspace have them.

    Some place in the workspace has to hold the initials and each of the words: chance makes words of any three letters.
    """
    said = {token.folded for token in tokens}
    for term in find_terms(text, tokens, MIN_WORDS):
        initials = "".join(token.folded[0] for token in term)
        is_whole = term[-1].folded not in STOP_WORDS
        if is_whole and initials not in said and _is_written_out(initials, term, words):
            yield initials


def find_terms(text: str, tokens: Sequence[Token], least: int) -> Iterator[Sequence[Token]]:
    """The words side by side in ``text``, at ``least`` so many, that may be one term; the shorter of two first."""
    for first in range(len(tokens)):
        for end in range(first + least, min(first + MAX_WORDS, len(tokens)) + 1):
            term = tokens[first:end]
            if not _is_term(text, term):
                break
            yield term


def _is_term(text: str, term: Sequence[Token]) -> bool:
    """Whether ``term`` begins with a word of its own, and nothing but one blank or hyphen parts its words."""
    return (
        term[0].folded not in STOP_WORDS
        and term[-1].folded not in _ADVERBS
        and all(token.form is WordForm.PROSE and token.word.isascii() for token in term)
        and all(text[one.end : other.start] in (" ", "-") for one, other in pairwise(term))
    )


def _is_written_out(initials: str, term: Sequence[Token], words: KnownWords) -> bool:
    if not (words.are_telling(initials) and words.are_named(initials)):
        return False
    telling = (token.folded for token in term if token.folded not in STOP_WORDS)
    return words.stand_in_one_place([initials, *telling])
