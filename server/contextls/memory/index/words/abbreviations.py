"""Short forms of words, and what they are short for: "pics" for ``image``, "single sign-on" for ``sso``.

A line of the table reads ``short forms = what they are short for``; the words of one term are joined by ``_``. A plural
needs no line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from contextls.memory.index.words.acronyms import find_terms
from contextls.memory.index.words.known_words import KnownWords
from contextls.memory.index.words.question_words import Token
from contextls.package_data import read_packaged

TABLE = Path(__file__).with_name("abbreviations.txt")
# A short form is read as a long one that is in at least MUCH_MORE times as many chunks, as code has short forms of its own;
# as several, where none is in MORE times as many chunks as another.
MUCH_MORE, MORE = 5, 2


def write_out(word: str, words: KnownWords) -> list[str]:
    """The long forms of ``word``, in lower case, that the workspace has much more often, the commonest first."""
    table = load_abbreviations()
    counts = {form: _count(form, words) for form in table.get(word) or table.get(word.removesuffix("s"), ())}
    most = max(counts.values(), default=0)
    if not most or most < MUCH_MORE * _count(word, words):
        return []
    usual = [form for form, count in counts.items() if count * MORE > most]
    return [form.replace("_", " ") for form in sorted(usual, key=counts.__getitem__, reverse=True)]


def find_short_forms(text: str, tokens: Sequence[Token], words: KnownWords) -> Iterator[str]:
    """The short forms of terms that ``text`` writes out, where the workspace has them in names."""
    said = {token.folded for token in tokens}
    for term in find_terms(text, tokens, 2):
        for short in load_short_forms().get("_".join(token.folded for token in term), ()):
            if short not in said and _count(short, words):
                yield short


def abbreviate(word: str, words: KnownWords) -> str:
    """The short form of ``word``, in lower case, that the workspace has much more often; "" where there is none."""
    table = load_short_forms()
    counts = {form: _count(form, words) for form in table.get(word) or table.get(word.removesuffix("s"), ())}
    usual = max(counts, key=counts.__getitem__, default="")
    return usual if usual and counts[usual] > MUCH_MORE * _count(word, words) else ""


@cache
def load_abbreviations() -> Mapping[str, Sequence[str]]:
    """The long forms of each short one. Raises ``OSError`` when the table is missing."""
    lines = (line.partition("=") for line in read_packaged(TABLE).splitlines() if not line.startswith("#"))
    return {short: tuple(forms.split()) for shorts, _, forms in lines for short in shorts.split()}


@cache
def load_short_forms() -> Mapping[str, Sequence[str]]:
    """The short forms of each word and term."""
    found: dict[str, list[str]] = {}
    for short, forms in load_abbreviations().items():
        for form in forms:
            found.setdefault(form, []).append(short)
    return found


def _count(form: str, words: KnownWords) -> int:
    """In about how many chunks a word stands, or a term of several as one name."""
    if form.isalpha():
        return words.count(form)
    name = "".join(form.split("_"))
    return words.count_name(name) or int("_" in form and words.stand_in_one_place(form.split("_")))
