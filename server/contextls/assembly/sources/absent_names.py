"""Names of code in a question that nothing in the workspace has."""

from __future__ import annotations

import re

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.request import RootedRequest
from contextls.assembly.usefulness.mentions import find_mentions
from contextls.assembly.usefulness.missing import ASKS, MAX_CHARS
from contextls.memory.index.query.clauses import WISHES
from contextls.memory.index.query.search_query import identifiers_in
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import TermSplitter
from contextls.memory.index.words.spelling import usual_words
from contextls.memory.knowledge.entities.mentions import MentionMatch
from contextls.regex import compile_late

_IMPACT = compile_late(
    r"\bwhat\s+(?:\w+\s+)?(?:calls?|uses?|references?|imports?|implements?|extends?|depends?)\b",
    re.IGNORECASE,
)
# What is left of "write a test for": see ``contextls.memory.index.query.framing``.
_TESTS_OF = compile_late(r"\s*(?:\w+\s+)?(?:test|spec)s?(?:\s+cases?)?\s+(?:for|of)\s", re.IGNORECASE)
_QUOTED = compile_late(r"([`\"'])([A-Za-z_]\w{2,}(?:(?:\.|::|#|->)\w+)*)(?:\(\))?\1")
# Two letters are prose as often as a name, and what is longer is said aloud.
_INITIALS = compile_late(r"[A-Z]+\d*s?")
_TELLING_INITIALS = compile_late(r"([A-Z]{3,5}\d?)s?")
# What is to be made is not missing: "a new rule", "a handler called", "rename Cart to".
_KIND = r"(?:[a-z][\w-]* ){0,4}"
_MADE = compile_late(
    rf"(?:\bnew {_KIND}|\b(?:an?|another|new) {_KIND}(?:called|named) |\brenam(?:e|ing) \S+ (?:to|as|into) )[`\"']?$",
    re.IGNORECASE,
)
# A request to make something assumes that what it is made for exists: "add a test for", "add caching to".
_THE = r"(?:(?:the|our|my|an?|class|function|method|module|type|struct|interface|command|rule) ){0,2}[`\"']?$"
_GRANTED = compile_late(
    rf"(?:\b(?:tests?|specs?|benchmarks?|docs|docstrings?|documentation|coverage) (?:for|of|to) "
    rf"|\b(?:add|adding|introduce) (?:(?!to )[\w-]+ ){{1,5}}to ){_THE}",
    re.IGNORECASE,
)
# The characters before a name in which the question may say what to do with it.
_MAX_BEFORE = 80
_CLAUSE = compile_late(r"[.;!?]\s|\n")
MIN_CHARS = 3  # "e.g." looks like a dotted name
_NO_LETTER = compile_late(r"[\W_]")


def find_absent_names(question: Question, ranking: Ranking, memories: MemorySnapshot) -> tuple[str, ...]:
    """The names that a question takes for granted and that are nowhere: in no text, no path and no event.

    However they are written: ``parse_header`` is there where ``parseHeader`` is. Only what is quoted or looks like code is
    a name, and only where all of the workspace was searched. What is to be made is not taken for granted.
    """
    request, position = question.request, question.position
    text = request.query
    if len(text) > MAX_CHARS or ranking.question.places or question.target.text:
        return ()
    partial = not memories.index_complete or request.filters.paths or isinstance(request, RootedRequest)
    if partial or (position is not None and position.path not in memories.snapshot.outlines):
        return ()
    # One that was read as another is misspelt; that other is there.
    words = question.signals.text
    also = " ".join(ranking.question.further).lower()
    absent = tuple(
        name
        for name in _granted_names(words)
        if _is_telling(name) and name.lower() not in also and not _occurs(ranking.view, name)
    )
    # A command, an error or a person may be called so.
    known = memories.knowledge.find_mentioned(absent) if absent else ()
    return () if any(each.match <= MentionMatch.FOLDED for each in known) else absent


def _granted_names(text: str) -> list[str]:
    """The names in ``text`` that are taken for granted: all where it asks, but for those of what is to be made.

    Where it wishes for something, those of what that is made for.
    """
    wishes = WISHES.search(text) or _TESTS_OF.match(text)
    if not wishes and not ASKS.search(text) and not _IMPACT.search(text):
        return []
    names = dict.fromkeys([*(found[1] for found in _QUOTED.findall(text)), *identifiers_in(text)])
    before = {name: _before(name, text) for name in names}
    if wishes:
        return [name for name in names if _GRANTED.search(before[name])]
    return [name for name in names if not _MADE.search(before[name])]


def _is_telling(name: str) -> bool:
    """Whether ``name`` is more than initials, or initials for one thing: ``OFX``, but not ``CI`` or ``API``."""
    if not _INITIALS.fullmatch(name):
        return True
    initials = _TELLING_INITIALS.fullmatch(name)
    return initials is not None and initials[1].lower() not in usual_words()


def _before(name: str, text: str) -> str:
    """The part of the clause before the first mention of ``name``."""
    at = text.find(name)
    return _CLAUSE.split(text[max(0, at - _MAX_BEFORE) : at])[-1]


def _occurs(view: IndexView, name: str) -> bool:
    """Whether the name, or the last of several that dots join, is in a text or a path; one that is too short may be."""
    own = re.split(r"\W+", name)[-1]
    if plural := _TELLING_INITIALS.fullmatch(own):
        own = plural[1]
    if len(own) < MIN_CHARS:
        return True
    folded = "".join(TermSplitter().parts(own))
    return bool(find_mentions(view, [own])) or any(
        folded in _NO_LETTER.sub("", path.lower()) for path in view.paths
    )
