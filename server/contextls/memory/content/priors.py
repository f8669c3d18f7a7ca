"""How likely a file is what a question is about, before its text is read: by what kind of file its path says it is."""

from __future__ import annotations

import re
from enum import StrEnum


class FileKind(StrEnum):
    """What a file is for, judged by its path alone."""

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

_ASKED_FOR: dict[FileKind, re.Pattern[str]] = {
    FileKind.TEST: re.compile(
        r"\b(tests?|testing|specs?|unittests?|fixtures?|benchmarks?|mocks?)\b", re.IGNORECASE
    ),
    FileKind.EXAMPLE: re.compile(r"\b(examples?|samples?|demos?|tutorials?)\b", re.IGNORECASE),
    FileKind.DOCUMENT: re.compile(
        r"\b(docs?|documentation|readme|changelog|guides?|licen[sc]e)\b", re.IGNORECASE
    ),
    FileKind.DATA: re.compile(
        r"\b(json|ya?ml|toml|xml|html|css|config(uration)? files?|manifests?)\b", re.IGNORECASE
    ),
    FileKind.LEGACY: re.compile(
        r"\b(compat(ibility)?|legacy|deprecated|vendored|backwards?)\b", re.IGNORECASE
    ),
}


def file_kind(path: str) -> FileKind:
    """The kind of the file at ``path`` (relative to the root, ``/`` between parts)."""
    for kind, pattern in _PATTERNS:
        if pattern.search(path):
            return kind
    return FileKind.SOURCE


def kinds_asked_for(query: str) -> frozenset[FileKind]:
    """The kinds of file that a question names; source files always count as asked for."""
    return frozenset(
        {FileKind.SOURCE, *(kind for kind, pattern in _ASKED_FOR.items() if pattern.search(query))}
    )
