"""How likely a file is what a question is about, before its text is read: by what kind of file its path says it is."""

from __future__ import annotations

import re
from enum import StrEnum


class FileKind(StrEnum):
    """The kind of a file, judged by its path alone."""

    SOURCE = "source"
    TEST = "test"
    EXAMPLE = "example"
    DOCUMENT = "document"
    DATA = "data"
    LEGACY = "legacy"


_PATTERNS: tuple[tuple[FileKind, re.Pattern[str]], ...] = (
    (
        FileKind.TEST,
        re.compile(
            r"(^|/)(tests?|testing|specs?|__tests__|__mocks__|testdata|test[-_.][^/]*|[^/]*[-_.]tests?|fixtures?|e2e"
            r"|benchmarks?|bench(es)?|fuzz(ing)?|commontest|jvmtest|androidtest)/"
            r"|(^|/)(test_[^/]*|conftest\.py|[^/]*([-_.](test|tests|spec|bench|benchmark)|_unittest)\.[^/.]+)$"
            r"|(^|/)[^/]*[a-z0-9](Tests?|Spec|TestCase|Benchmark)\.[^/.]+$"
        ),
    ),
    (
        FileKind.EXAMPLE,
        re.compile(r"(^|/)(_?examples?|samples?|demos?|tutorials?|playgrounds?|sandbox)/", re.IGNORECASE),
    ),
    (
        FileKind.LEGACY,
        re.compile(
            r"(^|/)(_?compat(ibility)?|legacy|deprecated|_?vendor(ed)?|third[-_]?party|v1)(/|\.[^/]*$)",
            re.IGNORECASE,
        ),
    ),
    (
        FileKind.DOCUMENT,
        re.compile(
            r"(^|/)(docs?|documentation|website|changelogs?|changes|news|\.github|\.changeset)/"
            r"|\.(md|mdx|rst|txt|adoc|org)$|(^|/)(changelog|changes|history|news|readme|license|licence|copying|authors)[^/]*$",
            re.IGNORECASE,
        ),
    ),
    (
        FileKind.DATA,
        re.compile(
            r"\.(json|ya?ml|toml|xml|csv|tsv|ini|cfg|lock|html?|css|scss|svg|po|pot|properties)$|(^|/)\.[^/]+$",
            re.IGNORECASE,
        ),
    ),
)

# A question asks for a kind when the word is what it is about ("tests for …", "which tests", "is … tested"), not when the
# word qualifies another ("test runner", "example text", "documentation generator").
_RELATION = r"\s+(?:for|of|that|which|about|on|with|where|when|(?:show|cover|check|describ|explain|verif|exercis|say)\w*)\b"
_NOUNS = {
    FileKind.TEST: r"tests?|specs?|test cases?|fixtures?|benchmarks?",
    FileKind.EXAMPLE: r"examples?|samples?|demos?",
    FileKind.DOCUMENT: r"docs?|documentation|guides?|tutorials?|manuals?",
}
_ASKED_FOR = {
    kind: re.compile(
        rf"\b(?:{nouns}){_RELATION}|\b(?:an?|any|another|which|what|the|its|more)\s+(?:\w+\s+)?(?:{nouns})\s*+[?.!]*+\s*+$",
        re.IGNORECASE,
    )
    for kind, nouns in _NOUNS.items()
}
_TESTED = re.compile(r"\btested\b", re.IGNORECASE)
_DOCUMENTED = re.compile(
    r"\b(documented|readme|changelog|release notes|licen[sc]e|migration guide)\b", re.IGNORECASE
)


def file_kind(path: str) -> FileKind:
    """The kind of the file at ``path`` (relative to the root, ``/`` between parts)."""
    for kind, pattern in _PATTERNS:
        if pattern.search(path):
            return kind
    return FileKind.SOURCE


def kinds_asked_for(query: str) -> frozenset[FileKind]:
    """The kinds of file that a question asks for; source files always count as asked for.

    Examples often stand in the documentation: who asks for them asks for both.
    """
    asked = {FileKind.SOURCE, *(kind for kind, pattern in _ASKED_FOR.items() if pattern.search(query))}
    if _TESTED.search(query):
        asked.add(FileKind.TEST)
    if FileKind.EXAMPLE in asked or _DOCUMENTED.search(query):
        asked.add(FileKind.DOCUMENT)
    return frozenset(asked)
