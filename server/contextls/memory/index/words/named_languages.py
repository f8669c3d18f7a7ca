"""Reads which languages of people a question names: one about the German texts wants those, and no others."""

from __future__ import annotations

import re
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


def named_languages(query: str) -> frozenset[str]:
    """The codes of the languages that ``query`` names; empty where it names none."""
    found = {code for pattern, codes in _patterns() if pattern.search(query) for code in codes}
    return frozenset(found | ({"pl"} if _POLISH.search(query) else set()))


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    rows = (row.partition(":") for row in _NAMES.split(";"))
    return tuple((_pattern(names.split()), tuple(codes.split())) for codes, _, names in rows)


def _pattern(names: list[str]) -> re.Pattern[str]:
    joined = "|".join(name.replace("*", r"\w{0,9}") for name in names)
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)
