"""Words of a question with typing errors, and names with more before them than the workspace has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.words.abbreviations import abbreviate, write_out
from contextls.memory.index.words.compounds import split_compound
from contextls.memory.index.words.known_words import KnownWords
from contextls.memory.index.words.name_tails import read_tail
from contextls.memory.index.words.question_words import Token, WordForm
from contextls.memory.index.words.readings import NAMED, Readings
from contextls.memory.index.words.spelling import Spelling
from contextls.memory.index.words.spelling_variants import other_spelling
from contextls.memory.index.words.translation import TRANSLATED, translate_alone

# What a corrected word counts against one that the question holds itself, by the number of its slips.
_WEIGHTS = (1.0, 0.8, 0.6)
# The words that are looked at, and corrected: a longer text is a pasted log, without typing errors.
MAX_WORDS = 60
MAX_CORRECTED = 16
_MIN_FOREIGN_CHARS = 4


def correct(tokens: Sequence[Token], words: KnownWords, readings: Readings) -> Iterator[tuple[int, int, str]]:
    """The edits that correct a question, in order; each is noted in ``readings``."""
    english = any(token.folded in STOP_WORDS for token in tokens)
    corrected = 0
    for token in tokens[:MAX_WORDS]:
        if token.form is WordForm.FIXED or corrected == MAX_CORRECTED:
            continue
        read = None
        # "2FA" is no plain word, and yet no name of code.
        if token.form is WordForm.PROSE or not token.word.isalpha():
            read = (
                _respell(token.word, words, readings)
                or _write_out(token.word, words, readings)
                or _abbreviate(token.word, words, readings)
            )
        read = read or _read(token.word, words, readings, english=english)
        if read is not None:
            corrected += 1
            yield token.start, token.end, read


def _respell(written: str, words: KnownWords, readings: Readings) -> str | None:
    """A word as the workspace spells it more often; it may mean the word in the other spelling as well."""
    word = written.lower()
    other = other_spelling(word, words)
    if other is None:
        return None
    usual, seldom = sorted((word, other), key=words.count, reverse=True)
    if words.hold(seldom):
        readings.mention(seldom, NAMED)
    if usual == word:
        return None
    readings.note(written, [usual], _WEIGHTS[0])
    return _in_case(written, usual)


def _write_out(written: str, words: KnownWords, readings: Readings) -> str | None:
    """Read a short form as its long one; where there are several, it may be each."""
    read = write_out(written.lower(), words)
    if not read:
        return None
    readings.note(written, read, _WEIGHTS[0])
    readings.further += read[1:]
    return read[0]


def _abbreviate(written: str, words: KnownWords, readings: Readings) -> str | None:
    """Read a word that the workspace does not have as its short form; where it has both, that may be meant as well."""
    short = abbreviate(written.lower(), words)
    if not short:
        return None
    if words.hold(written.lower()):
        readings.mention(short, NAMED)
        return None
    readings.note(written, [short], _WEIGHTS[0])
    return short


def _read(written: str, words: KnownWords, readings: Readings, *, english: bool) -> str | None:
    parts = words.parts(written)
    pair = None if words.are_there(written.lower()) else split_compound(written.lower(), words)
    if pair:
        read = " ".join(pair)
        readings.note(written, [read], _WEIGHTS[0])
        return read
    unknown = [
        part for part in parts if part.isalpha() and not words.hold(part) and not words.are_spelled(part)
    ]
    if not unknown:
        return read_tail(written, words, readings)
    whole = "".join(parts)
    near = words.nearest(whole)
    if len(parts) > 1:
        defined = next(
            (each for each in near if words.dictionary.write_out(each.word, written) != each.word), None
        )
        if defined:
            return _take(written, [defined], words, readings)
        return read_tail(written, words, readings) or _read_parts(written, unknown, words, readings)
    foreign = translate_alone(whole) if len(whole) >= _MIN_FOREIGN_CHARS and not (english and near) else ()
    if foreign:
        spoken = [meaning.replace("_", " ") for meaning in foreign]
        readings.note(written, spoken, TRANSLATED)
        return " ".join(spoken)
    return _take(written, near, words, readings) if near else None


def _take(written: str, near: Sequence[Spelling], words: KnownWords, readings: Readings) -> str:
    """Write the likeliest; what is as near may be meant as well."""
    alike = [
        each
        for each in near
        if (each.slips == near[0].slips and each.word not in STOP_WORDS) or each is near[0]
    ]
    read = [words.dictionary.write_out(each.word, written) for each in alike]
    readings.note(written, read[:1] if near[0].word in STOP_WORDS else read, _WEIGHTS[near[0].slips])
    if near[0].word not in STOP_WORDS:
        readings.further += read[1:]
    return read[0]


def _read_parts(written: str, unknown: Sequence[str], words: KnownWords, readings: Readings) -> str | None:
    """A name of several parts with those corrected that are misspelt."""
    read, weight = written, 1.0
    for part in unknown:
        near = words.nearest(part)
        if near:
            weight = min(weight, _WEIGHTS[near[0].slips])
            read = _replace(part, near[0].word, read)
    if read == written:
        return None
    readings.note(written, [read], weight)
    return read


def _replace(part: str, by: str, name: str) -> str:
    return re.sub(
        re.escape(part), lambda found: _in_case(found.group(), by), name, count=1, flags=re.IGNORECASE
    )


def _in_case(model: str, word: str) -> str:
    if model.isupper():
        return word.upper()
    return word.capitalize() if model[0].isupper() else word
