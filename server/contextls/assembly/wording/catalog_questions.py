"""Reads questions for all things of a kind: "which background jobs exist?", "list all controllers"."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import dropwhile

from msgspec import Struct

from contextls.memory.index.words.plurals import singulars
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# A longer question asks for more than a list.
MAX_CHARS = 160
# The most words in the name of a kind.
MAX_WORDS = 3
_WORD = compile_late(r"[\w-]+")
_ASKS, _LISTS = word_set("what which"), word_set("enumerate give list name show")
_POLITE = word_set("can could please you")
_KINDS = word_set("a all are different existing kinds list me of our possible s sorts the types various")
_HERE = word_set(
    "api app application are available cli codebase currently database db defined do does exist has have here i in is it our"
    " project repo repository server supported system the there this used we"
)
_OF = word_set("about for of")
_MORE = word_set("and incl including with")
# Names that frameworks and projects use for the same kind, the likelier first.
_ALIKE = (
    ("endpoint", "route", "api", "controller", "handler", "resource"),
    ("model", "entity"),
    ("page", "view", "screen"),
    ("command", "cmd"),
    ("job", "worker", "task"),
)
# Words that do not say which thing of a kind is meant.
_VAGUE = word_set(
    "api application async background base built-in builtin cli console core custom data database db domain frontend http"
    " internal main public react rest server service svelte ui vue web"
)
# Things that are everywhere in code; no folder holds them all.
_EVERYWHERE = word_set(
    "branches bugs changes classes commits errors files folders functions issues lines methods names problems tests things"
    " todos variables warnings"
)


_HOW = word_set("and are can do does how i need one should so steps the to we what where would you")
_ADDS = word_set("add build create define implement introduce make register write")
_ONE_MORE = word_set("a an another additional custom my new one more our own")
_FUNCTION_WORDS = word_set("and by for from in into of on or that to which with test tests")


class AskedCatalog(Struct, frozen=True):
    """The things of a kind that a question asks for: what one may be called, likeliest first, and which are meant."""

    things: str
    names: tuple[str, ...]
    which: tuple[str, ...] = ()


def find_asked_catalog(question: str) -> AskedCatalog | None:
    """The kind of thing that ``question`` wants a list of; ``None`` if it wants anything else."""
    words = _WORD.findall(question) if len(question) <= MAX_CHARS else []
    opening, *rest = [*dropwhile(lambda word: word.lower() in _POLITE, words)] or [""]
    if opening.lower() in _LISTS:
        asked = _strip_end(_before(rest, _MORE), _HERE)
    elif opening.lower() in _ASKS:
        # Without a word that says they are there, "which jobs fail" asks for some of them.
        asked = _strip_end(rest, _HERE) if rest and rest[-1].lower() in _HERE else []
    else:
        asked = []
    asked = [*dropwhile(lambda word: word.lower() in _KINDS, asked)]
    things = _before(asked, _OF)
    return _read(things, asked[len(things) + 1 :]) if 0 < len(things) <= MAX_WORDS else None


def find_asked_addition(question: str) -> AskedCatalog | None:
    """The kind of thing that ``question`` wants to add one of: "how do I add a new agent?"."""
    words = [word.lower() for word in _WORD.findall(question)] if len(question) <= MAX_CHARS else []
    asked = [*dropwhile(lambda word: word in _HOW, words)]
    if len(asked) < 3 or len(asked) == len(words) or asked[0] not in _ADDS or asked[1] not in _ONE_MORE:
        return None
    things = _strip_end([*dropwhile(lambda word: word in _ONE_MORE, asked[1:])], _HERE)
    if not 0 < len(things) <= MAX_WORDS or not _FUNCTION_WORDS.isdisjoint(things):
        return None
    alike = next((each for each in _ALIKE if things[-1] in each), ())
    return AskedCatalog(" ".join(things), tuple(dict.fromkeys((things[-1], *alike))))


def _read(things: Sequence[str], of: Sequence[str]) -> AskedCatalog | None:
    *before, plural = (word.lower() for word in things)
    names = tuple(singulars(plural))
    if not names or plural in _EVERYWHERE or len(of) > MAX_WORDS:
        return None
    alike = next((each for each in _ALIKE if set(names) & set(each)), ())
    which = [word for word in (*before, *(word.lower() for word in of[-1:])) if word not in _VAGUE]
    return AskedCatalog(" ".join(things), tuple(dict.fromkeys((*names, *alike))), tuple(which))


def _before(words: Sequence[str], ending: Collection[str]) -> list[str]:
    """The words in front of the first one that is among ``ending``."""
    end = next((at for at, word in enumerate(words) if word.lower() in ending), len(words))
    return [*words[:end]]


def _strip_end(words: Sequence[str], ending: Collection[str]) -> list[str]:
    return [*dropwhile(lambda word: word.lower() in ending, reversed(words))][::-1]
