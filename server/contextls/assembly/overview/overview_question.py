"""Recognises questions that ask for an overview of the workspace rather than for anything in it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from contextls.memory.index.terms import STOP_WORDS
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_WORD = compile_late(r"[^\W_]+")
_THING = (
    r"(project|repo(sitory)?|code ?base|code|workspace|application|app|system|program|package|library|folders?"
    r"|director(y|ies)|files?)"
)
_ASKS = compile_late(
    rf"""\b(organi[sz]ed|structured|laid\ out|put\ together|set\ up)\b
    | \b(overview|tour|map|big\ picture|high[\ -]level)\b
    | \bwhere\ (do|does\ (an?|one|someone)|should|would|can|could|to|must)\b.*\b(start|begin)\b
    | \b(start|begin)\ (reading|looking|exploring)\b
    | \b{_THING}('s)?\ (structure|layout|organi[sz]ation|architecture|hierarchy|tree)\b
    | \b(structure|layout|organi[sz]ation|architecture)\ of\b
    | \b(main|key|major|important|central|core)\ (\w+\ )?
        (parts|modules|components|pieces|packages|classes|folders|files|areas)\b
    | \bwhat\ (is|does|are)\ (this|the)\ {_THING}\b
    | \b(explain|describe|summari[sz]e|understand|walk\ me\ through|introduce\ me\ to|show\ me\ around)
        \ (this|the)\ (whole\ |entire\ )?{_THING}\b
    | \bi(\ a|')m\ new\b""",
    re.IGNORECASE | re.VERBOSE,
)
# What such a question is made of; any other word says what the user is after.
_WORDS = word_set(
    "about app application architecture area areas around base begin beginning big brief briefly broad central class "
    "classes code codebase component components contain contains contents core depend describe description directories "
    "directory do entire explain explore exploring file files first folder folders general get getting give going good "
    "hierarchy high here hold holds i important introduce introduction key know laid layout learn level library like list "
    "look looking main major map me module modules need new organisation organised organization organized orient out "
    "overall overview package packages part parts picture piece pieces please point program project provide purpose put "
    "quick quickly read reading repo repository set short should show source start started starting structure structured "
    "sum summarise summarize summary system take tell through to together tour tree understand understanding up walk want "
    "whole work works workspace"
)


def asks_for_overview(text: str, names: Iterable[str]) -> bool:
    """Whether ``text`` asks how the workspace, which is called by ``names``, is made, and names nothing in it."""
    own = {word.lower() for name in names for word in _WORD.findall(name)}
    words = {word.lower() for word in _WORD.findall(text)} - own
    if not all(len(word) == 1 or word in _WORDS or word in STOP_WORDS for word in words):
        return False
    return _ASKS.search(text) is not None
