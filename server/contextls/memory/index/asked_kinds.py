"""The kinds of file that a question asks for."""

from __future__ import annotations

import re

from contextls.memory.index.priors import FileKind

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
