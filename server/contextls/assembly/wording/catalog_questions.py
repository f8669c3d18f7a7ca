"""Reads questions for all things of a kind: "which background jobs exist?", "list all controllers"."""

from __future__ import annotations

import re

from msgspec import Struct

from contextls.memory.index.words.plurals import singulars
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_THINGS = r"(?P<things>[a-z][\w-]{1,40}+(?:[ ][a-z][\w-]{1,40}+){0,2}?)"
_KINDS = r"(?:(?:all|different|existing|kinds?|of|our|possible|sorts?|the|types?|various)\s{1,9}){0,4}+"
_HERE = (
    r"\s{1,9}(?:api|app|application|are|available|cli|codebase|currently|database|db|defined|do|does|exist|has|have|here|i|in"
    r"|is|it|our|project|repo|repository|server|supported|system|the|there|this|used|we)\b"
)
_OF = r"(?:\s{1,9}(?:about|for|of)\s{1,9}(?:the\s{1,9})?(?P<which>[a-z][\w-]{1,40}+))?"
# Without one of the last words, "which jobs fail" asks for some of them.
_WHICH = compile_late(
    rf"^\W{{0,9}}(?:what|which)(?:['’]s|\s{{1,9}}are)?\s{{1,9}}{_KINDS}{_THINGS}{_OF}(?:{_HERE}){{1,8}}\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_LIST = compile_late(
    r"^\W{0,9}(?:(?:can\s{1,9}you|please)\s{1,9})?(?:enumerate|give\s{1,9}me(?:\s{1,9}a\s{1,9}list\s{1,9}of)?|list|name"
    rf"|show(?:\s{{1,9}}me)?)\s{{1,9}}{_KINDS}{_THINGS}{_OF}(?:{_HERE}){{0,8}}\s*[?.!]*\s*$",
    re.IGNORECASE,
)
# What frameworks and projects call the same. The likelier comes first.
_ALIKE = (
    ("endpoint", "route", "api", "controller", "handler", "resource"),
    ("model", "entity"),
    ("page", "view", "screen"),
    ("command", "cmd"),
    ("job", "worker", "task"),
)
# These say of no thing which it is.
_VAGUE = word_set(
    "api application async background base builtin built-in cli console core custom data database db domain frontend http "
    "internal main public react rest server service svelte ui vue web"
)


# Code is full of these; no folder has them all.
_EVERYWHERE = word_set(
    "branches bugs changes classes commits errors files folders functions issues lines methods names problems tests things "
    "todos variables warnings"
)


class AskedCatalog(Struct, frozen=True):
    """The things of a kind that a question asks for: what one may be called, likeliest first, and which are meant."""

    things: str
    names: tuple[str, ...]
    which: tuple[str, ...] = ()


def find_asked_catalog(question: str) -> AskedCatalog | None:
    """The kind of which ``question`` wants all things; ``None`` where it wants anything else."""
    asked = _WHICH.match(question) or _LIST.match(question)
    if asked is None:
        return None
    *before, plural = asked["things"].lower().split()
    if plural in _EVERYWHERE:
        return None
    names = tuple(singulars(plural))
    if not names:
        return None
    alike = next((each for each in _ALIKE if set(names) & set(each)), ())
    of = [asked["which"].lower()] if asked["which"] else []
    which = tuple(word for word in (*before, *of) if word not in _VAGUE)
    return AskedCatalog(asked["things"], tuple(dict.fromkeys((*names, *alike))), which)
