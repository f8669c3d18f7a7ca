"""Tells whether a quoted value of several words is a secret: neither a sentence, the label of a form nor code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from contextls.package_data import read_packaged
from contextls.regex import compile_late
from contextls.text.secrets.names import Strength, name_lists, name_words
from contextls.text.secrets.randomness import is_random, is_scrambled, is_words
from contextls.text.secrets.values import is_literal, is_reference
from contextls.toml_text import parse_toml

# "two words" has no more.
_MIN_LETTERS = 8
_MIN_MIXED_CHARS = 4
# "Nikon50" is the word of a passphrase, "user1" that of a sentence.
_MIN_NUMBERED_CHARS = 6
_MIN_STRONG_CHARS = 8
# At least this many capitalised words are a passphrase; one or two are the label of a field.
_MIN_TITLE_WORDS = 3

_PUNCTUATION = ".,;:!?\"'"
_SENTENCE = compile_late(r"[.?:]$|[,;] ")
# Brackets, options of a command.
_CODE = compile_late(r"-{1,2}[A-Za-z]|.*[(){}\[\]<>|\\]")
_SYMBOL = compile_late(r"[!#%^*@~$+?]")
# Terms that hold a digit: WPA2, v12, 2FA, 12px.
_TECHNICAL = compile_late(r"[A-Z]{1,5}\d{1,4}|[a-z]{1,2}\d{1,4}|\d+[A-Za-z]{1,3}|(?i:wpa)\d.*")
_PLAIN = compile_late(r"[a-z]{2,}|[A-Z][a-z]+|\d+")


class _WordLists(Struct, frozen=True):
    """The words of ``phrases.toml``, which says what each list is for."""

    sentence: frozenset[str]
    form: frozenset[str]
    dialog: frozenset[str]


def is_passphrase(value: str, name: str, strength: Strength, *, plain: bool) -> bool:
    """Whether a value with blanks is the secret that ``name``, of this strength, says it is.

    A word of mixed characters tells a secret from a text that people read. Where nothing but a value can stand, which
    ``plain`` says, plain words that neither a sentence nor a form would have are one too.
    """
    words = value.split()
    if strength < Strength.TOKEN or not is_literal(value) or any(map(_is_code, words)):
        return False
    # What the name says itself is no secret: "360messengerKey": "Key of 360messenger".
    said = name.lower()
    mixed = [word for word in words if _is_mixed(word) and word.strip(_PUNCTUATION).lower() not in said]
    if any(map(_is_strong, mixed)):
        return True
    if strength == Strength.TOKEN:
        return 2 * sum(map(len, mixed)) >= sum(map(len, words)) and not _is_sentence(value, words)
    if mixed:
        return not _is_sentence(value, words)
    return plain and _are_thought_up(words, name)


def _is_code(word: str) -> bool:
    return not any(map(str.isalnum, word)) or bool(_CODE.match(word)) or is_reference(word)


def _is_mixed(word: str) -> bool:
    """Whether letters, digits and signs change within the word as in none that people read."""
    core = word.strip(_PUNCTUATION)
    if (
        len(core) < _MIN_MIXED_CHARS
        or not core.isascii()
        or _TECHNICAL.fullmatch(core)
        or not is_literal(core)
    ):
        return False
    digits = any(map(str.isdigit, core))
    if core.isalnum():
        letters = any(map(str.isalpha, core))
        return letters and digits and (not is_words(core) or len(core) >= _MIN_NUMBERED_CHARS)
    return len(_SYMBOL.findall(core)) >= (1 if digits else 2)


def _is_strong(word: str) -> bool:
    """Whether a mixed word would be a password if it stood alone, even in a sentence."""
    return len(word) >= _MIN_STRONG_CHARS and (
        is_scrambled(word, least=_MIN_STRONG_CHARS)
        or is_random(word)
        or (bool(_SYMBOL.search(word[:-1])) and any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
    )


def _is_sentence(value: str, words: Sequence[str]) -> bool:
    """Whether a text with a mixed word in it is one that people read: they write of secrets, versions and users."""
    lists = _word_lists()
    bare = [word.strip(_PUNCTUATION).lower() for word in words]
    return (
        bool(_SENTENCE.search(value))
        or bare[0] in lists.form
        or any(word in lists.sentence or word.startswith(name_lists().called) for word in bare)
    )


def _are_thought_up(words: Sequence[str], name: str) -> bool:
    """Whether plain words are those of a passphrase."""
    named = name_words(name)
    lists = _word_lists()
    # "pass" is a verb more often than a name.
    if named == ["pass"] or not lists.dialog.isdisjoint(named) or not all(map(_PLAIN.fullmatch, words)):
        return False
    titled = sum(map(str.istitle, words))
    if sum(map(len, words)) < _MIN_LETTERS or 0 < titled < max(_MIN_TITLE_WORDS, len(words)):
        return False
    known = lists.sentence | lists.form | set(named)
    return not any(word.lower() in known or word.lower().startswith(name_lists().called) for word in words)


@cache
def _word_lists() -> _WordLists:
    lists = parse_toml(read_packaged(Path(__file__).with_name("phrases.toml")))
    return _WordLists(
        frozenset(lists["sentence"]),
        frozenset(lists["form"]),
        frozenset(lists["dialog"]),
    )
