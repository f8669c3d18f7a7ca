"""Reads which languages of people a question names: one about the German texts wants those, and no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from contextls.regex import compile_late

# The codes of each, its name in English, and what its speakers call it; ``*`` stands for further letters.
_NAMES = """
ar: arabic; bg: bulgarian; ca: catalan català; cs: czech česk*; da: danish dansk; de: german deutsch*; el: greek;
es: spanish español* castellano; et: estonian; fa: persian farsi; fi: finnish suomi; fr: french français*; he iw: hebrew;
hi: hindi; hr: croatian hrvatsk*; hu: hungarian magyar; id in: indonesian; it: italian*; ja jp: japanese 日本語;
ko kr: korean 한국어; lt: lithuanian; lv: latvian; nb nn no: norwegian norsk; nl: dutch nederlands*; pl: polsk*;
pt: portuguese português; ro: romanian român*; ru: russian русск*; sk: slovak; sl: slovenian; sr: serbian srpsk*;
sv: swedish svensk*; th: thai; tr: turkish türkçe; uk: ukrainian україн*; vi: vietnamese; zh cn: chinese 中文
"""
# With a small letter it is a verb, and at the beginning of a sentence, too.
_POLISH = compile_late(r"(?<=[a-z,] )Polish\b|\bpolish (?:translations?|texts?|locale|messages?|language)\b")
_MAX_FURTHER_LETTERS = 9
_WORD = compile_late(r"\w+")


def named_languages(query: str) -> frozenset[str]:
    """The codes of the languages that ``query`` names; empty where it names none."""
    found = {code for word in _WORD.findall(query.lower()) for code in _codes_of(word)}
    return frozenset(found | ({"pl"} if _POLISH.search(query) else set()))


def _codes_of(word: str) -> Sequence[str]:
    whole, beginnings = _tables()
    if word in whole or not word.startswith(tuple(beginnings)):
        return whole.get(word, ())
    known = next(each for each in beginnings if word.startswith(each))
    return beginnings[known] if len(word) - len(known) <= _MAX_FURTHER_LETTERS else ()


@cache
def _tables() -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]:
    """The codes by names that are whole words, and by those with further letters."""
    whole: dict[str, Sequence[str]] = {}
    beginnings: dict[str, Sequence[str]] = {}
    for row in _NAMES.split(";"):
        codes, _, names = row.partition(":")
        for name in names.split():
            (beginnings if name.endswith("*") else whole)[name.rstrip("*")] = codes.split()
    return whole, beginnings
