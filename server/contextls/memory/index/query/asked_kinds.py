"""The kinds of file that a question asks for."""

from __future__ import annotations

import re

from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.usage_questions import asks_for_usage
from contextls.memory.index.words.named_languages import named_languages
from contextls.regex import compile_cued, compile_late

# A question asks for a kind when the word is what it is about ("tests for …", "which tests", "is … tested"), not when the
# word qualifies another ("test runner", "example text", "documentation generator").
_RELATION = r"\s+(?:for|of|that|which|about|on|with|where|when|(?:show|cover|check|describ|explain|verif|exercis|say)\w*)\b"
_NOUNS = {
    FileKind.TEST: r"tests?|specs?|test cases?|fixtures?|benchmarks?",
    FileKind.EXAMPLE: r"examples?|samples?|demos?",
    FileKind.DOCUMENT: r"docs?|documentation|guides?|tutorials?|manuals?",
}
_NOUN_CUES = {
    FileKind.TEST: "test spec fixture benchmark",
    FileKind.EXAMPLE: "example sample demo",
    FileKind.DOCUMENT: "doc guide tutorial manual",
}
_ASKED_FOR = {
    kind: compile_cued(
        rf"(?<!\bwe )\b(?:{nouns}){_RELATION}"
        rf"|\b(?:an?|any|another|which|what|the|its|more)\s+(?:\w+\s+)?(?:{nouns})\s*+[?.!]*+\s*+$",
        _NOUN_CUES[kind],
        re.IGNORECASE,
    )
    for kind, nouns in _NOUNS.items()
}
# A question for existing tests wants these, and little of the code that they test.
_TESTS_LOOKED_UP = compile_late(
    r"^\s*+(?:(?:(?:please )?(?:find|list|show)(?: me)?(?: all| the| any)*|(?:where are|are there|is there)(?: the| any| a)?"
    r"|which|what)(?: [\w-]+){0,2}? (?:tests?|specs?|test cases?)|tests|specs|test cases)"
    r" (?:for|of|that|which|about|on|(?:cover|check|exercis|verif|assert|test|call)\w*)\b",
    re.IGNORECASE,
)
_TESTED = compile_cued(
    r"\btested\b|\b(?:with|plus|and|including|incl\.)\s+(?:(?:an?|its|the|some|unit)\s+){0,2}(?:tests?|specs?)\s*+(?:[.,;!?]|$)"
    r"|\b(?:write|add|need|want)\s+(?:me\s+)?(?:an?\s+|the\s+|some\s+)?(?:[\w-]+\s+){0,3}(?:tests?|specs?)\b"
    r"|\btest (?:helpers?|utilities|utils|fixtures?|doubles?)\b",
    "test spec",
    re.IGNORECASE,
)
# A library has books, and they say something; "the book" that explains is the manual.
_BOOKS = r"(?:(?:\w+ )?(?:handbook|wiki|manual|docs|documentation|guide|tutorial)s?|book(?= (?:cover|describe|explain)s?\b))"
_DOCUMENTED = compile_cued(
    r"\b(?:documented|readme|changelog|release notes|migration guide)\b"
    rf"|\b(?:the|which|what) {_BOOKS} (?:\w+ )?(?:cover|describe|explain|mention|say|tell)s?\b"
    r"|\b(?:which|what)\b[^?.\n]{1,60}\b(?:wins?|takes? precedence"
    r"|(?:is|are) (?:accepted|allowed|preferred|supported|valid))\b"
    rf"|\b(?:page|chapter|section) (?:of|in) the {_BOOKS}\b|\bwhere (?:do|does|in) the {_BOOKS}\b",
    "doc readme changelog release guide book wiki manual tutorial win precedence accepted allowed preferred supported valid",
    re.IGNORECASE,
)
# A licence key is what a customer gets who paid.
_LICENSED = compile_cued(
    r"\b(?:licen[cs]\w*+(?![ -]keys?\b)|copyright\w*|legal\w*|warrant(?:y|ies)|redistribut\w*|patents?|spdx|[al]?gpl"
    r"|open[- ]source|code of conduct|(?:issue|pull request|merge request|pr) templates?)\b",
    "licen copyright legal warrant redistribut patent spdx gpl open conduct template",
    re.IGNORECASE,
)
# Texts for people stand in catalogs, of which the one that others are made of is data. What a program translates, as
# addresses or errors, is in the code.
_TRANSLATED = compile_cued(
    r"\b(?:translations?|i18n|l10n|locali[sz]ation) (?:files?|keys?|strings?|texts?|catalogs?|bundles?)\b"
    r"|\b(?:add|fix|new|missing|wrong)\s+(?:(?:an?|the|some)\s+)?(?:[\w-]+\s+)?translations?\b"
    r"|\bwhere (?:are|do|is)\s+(?:the\s+|our\s+)?translations?\b(?! (?:layer|table|unit)s?\b)|\blocale files?\b",
    "translation i18n l10n locali locale",
    re.IGNORECASE,
)
_MIGRATED = compile_late(
    r"\bmigrat\w*|\bschemas?\b|\b(?:db|database|sql) (?:columns?|tables?|ind(?:ex|ices))\b", re.IGNORECASE
)
_RELEASED = compile_cued(
    r"\bchange ?logs?\b|\brelease notes?\b|\bwhat(?:'s| is) new\b|\bbreaking changes?\b|\bupgrad(?:e|ing) (?:from|to) v?\d"
    r"|\b(?:since|in|as of|from|(?:was|were|did) .{1,80} in) (?:which|what) (?:version|release)\b"
    r"|\b(?:which|what) (?:version|release) (?:\w+ ){0,3}(?:add|remov|introduc|deprecat|renam|chang|fix|dropp|broke)\w*"
    r"|\b(?:when|why) (?:was|were|did) .{1,80}\b(?:added|removed|introduced|deprecated|renamed|dropped)\b",
    "log release new breaking upgrad version when why",
    re.IGNORECASE,
)
# "How do I …?" is about using the thing: that is what documents and examples are for.
_USAGE = compile_cued(
    r"\bhow\s+(?:(?:do|can|could|should|would|might)\s+(?:i|my)\b|does one\b|to\s+\w)"
    r"|\bhow\s+(?:can|could|would)\s+(?:(?:an?|the|our)\s+)?(?:\w+\s+)?"
    r"(?:admin(?:istrator)?|user|customer|operator|client|people|someone|one)s?\b"
    r"|\bwhat\s+(?:do|can|should|must)\s+(?:i|we)\s+(?:change|configure|put|set|use|write)\b"
    r"|\bcan\s+(?:i|we|one)\s+(?:change|configure|disable|enable|override|set|switch|turn|use)\b"
    r"|\bis there (?:an? |any )(?:flag|option|setting|switch|way)\b",
    "how what can there",
    re.IGNORECASE,
)
USAGE_KINDS = frozenset({FileKind.EXAMPLE, FileKind.DOCUMENT})
# A message or a piece of text that is quoted says nothing of what kind of file is asked for.
_QUOTED = compile_late(r"\"[^\"\n]*\"|“[^”\n]*”")
# How the project is built, checked and run.
_SETTINGS = compile_cued(
    r"\b(?:ci|github actions?|workflow files?|toolchain|manifest|lock ?file|config(?:uration)? files?"
    r"|docker(?:file| image| container|-compose)|(?:environment|env) var(?:iable)?s?|which (?:variable|setting|option)s?"
    r"|settings? (?:is|are|file)|dependenc(?:y|ies) (?:version|on)|compiler is the \w+|(?:pin|bump)(?:s|ned|ped|ning|ping)?"
    r"|(?:minimum|minimal|lowest|oldest|supported|required|minimum supported) (?:[\w.+#]+ )?(?:versions?|compiler)"
    r"|(?:which|what) (?:[\w.+#]+ ){0,3}versions?|versions? (?:do|does|are) (?:we|i|you|it|supported)"
    r"|versions? of [\w.+#]+ (?:(?:is|are|do|does|it|that|we) ){0,2}(?:need|requir|support)\w*)\b",
    "ci github workflow toolchain manifest lock config docker env which setting depend compiler pin bump version",
    re.IGNORECASE,
)


def kinds_asked_for(query: str) -> frozenset[FileKind]:
    """The kinds of file that a question asks for; source files always count as asked for.

    Examples often stand in the documentation: a question for them asks for both, and so does one how to do something.
    """
    query = _QUOTED.sub("…", query)
    asked = {FileKind.SOURCE, *(kind for kind, pattern in _ASKED_FOR.items() if pattern.search(query))}
    if _TESTED.search(query):
        asked.add(FileKind.TEST)
    if _SETTINGS.search(query):
        asked.add(FileKind.SETTINGS)
    if _LICENSED.search(query):
        asked.add(FileKind.LICENCE)
    if _RELEASED.search(query):
        asked.add(FileKind.CHANGELOG)
    if _MIGRATED.search(query):
        asked.add(FileKind.LEGACY)
    if named_languages(query):
        asked.add(FileKind.TRANSLATION)
    if _TRANSLATED.search(query):
        asked |= {FileKind.TRANSLATION, FileKind.DATA}
    if _USAGE.search(query):
        asked |= USAGE_KINDS
    if FileKind.EXAMPLE in asked or _DOCUMENTED.search(query):
        asked.add(FileKind.DOCUMENT)
    return frozenset(asked)


def looks_up_tests(query: str) -> bool:
    """Whether a question asks which tests there are, as "which tests cover the lease?" does."""
    return _TESTS_LOOKED_UP.match(query) is not None


def kinds_asked_in(language: str, query: str) -> frozenset[FileKind]:
    """The kinds that a question in this ``language`` asks for by words that its English no longer has."""
    return USAGE_KINDS if asks_for_usage(_QUOTED.sub("…", query), language) else frozenset()
