"""Words of prose in a question that are names, because the workspace defines them: "what is a cipher?", "a Send link"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from contextls.code.kinds import TYPES
from contextls.memory.index.words.plurals import singulars
from contextls.regex import compile_late
from contextls.text.word_set import word_set

if TYPE_CHECKING:
    from contextls.memory.index.snapshot.symbols import SymbolTable

# A name of Lisp where the workspace defines it so, and else words of prose.
_DASHED = compile_late(r"(?<![\w-])[A-Za-z*+][\w*+]*(?:--?>?[\w*+]+)+[!?]?")
_QUOTED = compile_late(r"`([A-Za-z_$][\w$]{1,80}+)(?:\(\))?`")
# Within a sentence only what has a name of its own begins with a capital.
_CAPITALISED = compile_late(r"(?<=[a-z,] )[A-Z][a-z]{2,40}+(?=[\s,;?!)]|\.(?:\s|$)|$)")
# The thing has a name of up to three words.
_THING = r"[`'\"]?(?P<thing>[a-z]\w{1,40}+(?:[ -][a-z]\w{1,40}+){0,2}?)[`'\"]?"
_TYPE = r"(?:class|entity|interface|model|record|struct|type)"
_MEANINGS = (
    # "What is a piggy bank?", "what are piggy banks?"
    compile_late(
        r"^\W{0,9}(?>(?:(?:and|but|hey|hi|ok|okay|so|then|wait)\b[,.!]?\s{1,9}){0,3})"
        r"what(?:['’]s|\s{1,9}(?:exactly\s{1,9})?(?:is|are))\s{1,9}(?:exactly\s{1,9})?(?P<article>(?:an?|the|our)\s{1,9})?"
        rf"{_THING}"
        r"(?:\s{1,9}(?:actually|even|exactly|for|good\s{1,9}for|here|used\s{1,9}for"
        r"|in\s{1,9}(?:our|the|this)\s{1,9}\w{1,20})){0,3}\s*[?.!]*\s*$",
        re.IGNORECASE,
    ),
    # What is left of "explain the Meal model", and "how does the Meal model look?".
    compile_late(
        rf"^\W{{0,9}}(?:(?:how|what)\s{{1,9}}does\s{{1,9}})?(?P<article>(?:an?|the|our)\s{{1,9}}){_THING}\s{{1,9}}{_TYPE}"
        r"(?:\s{1,9}(?:contain|have|hold|look|look\s{1,9}like))?\s*[?.!]*\s*$",
        re.IGNORECASE,
    ),
    # "Which fields does a meal have?"
    compile_late(
        r"^\W{0,9}(?:what|which)\s{1,9}(?:attributes|fields|members|properties)\s{1,9}(?:are\s{1,9}in|do|does|has)\s{1,9}"
        rf"(?P<article>(?:an?|the|our)\s{{1,9}})?{_THING}(?:\s{{1,9}}{_TYPE})?(?:\s{{1,9}}(?:contain|have|hold))?\s*[?.!]*\s*$",
        re.IGNORECASE,
    ),
)
# "What's the difference between an agent and a scenario?", "session vs visit".
_PAIRS = (
    compile_late(
        r"^\W{0,9}(?:what(?:['’]?s|\s{1,9}is)|explain)\s{1,9}the\s{1,9}difference\s{1,9}between\s{1,9}(?:(?:an?|the)\s{1,9})?"
        r"(?P<first>[a-z]\w{1,40}+(?:\s{1,9}[a-z]\w{1,40}+)?)\s{1,9}and\s{1,9}(?:(?:an?|the)\s{1,9})?"
        r"(?P<second>[a-z]\w{1,40}+(?:\s{1,9}[a-z]\w{1,40}+)?)\b",
        re.IGNORECASE,
    ),
    compile_late(
        r"^\W{0,9}(?P<first>[a-z]\w{1,40}+(?:\s{1,9}[a-z]\w{1,40}+)?)\s{1,9}(?:vs\.?|versus)\s{1,9}"
        r"(?P<second>[a-z]\w{1,40}+(?:\s{1,9}[a-z]\w{1,40}+)?)\s*[?.!]*\s*$",
        re.IGNORECASE,
    ),
)
# Types may be called so, and yet "what is the error?" asks what is going on, and "what is the timeout?" for a number.
_GOING_ON = word_set(
    "answer bug change changes commit date default diff error errors failure goal issue limit message name number output "
    "plan port problem result size state status task test tests time timeout url value version"
)


def find_defined(text: str, symbols: SymbolTable, *, is_english: bool) -> tuple[str, ...]:
    """The words of ``text`` that ``symbols`` define, as they define them; distinct.

    Other languages have other rules for capitals.
    """
    found = [word for word in _dashed_words(text) if symbols.paths_defining(word)]
    found += [name for name in quoted_names(text) if name in _names(name, symbols)]
    if is_english:
        found += [name for name in _CAPITALISED.findall(text) if name in _types(name, symbols)]
    return tuple(dict.fromkeys(found))


def quoted_names(text: str) -> list[str]:
    """The names that stand in backticks, without the parentheses of a call."""
    return _QUOTED.findall(text)


def find_asked_types(text: str, symbols: SymbolTable) -> tuple[str, ...]:
    """The names of the types that a text asks to be told about, as ``symbols`` spell them: "what is a piggy bank?".

    Of two that it asks to tell apart both have to be types.
    """
    pair = next(filter(None, (pattern.match(text) for pattern in _PAIRS)), None)
    if pair:
        types = [_find_type(pair[name], symbols) for name in ("first", "second")]
        return tuple(dict.fromkeys(types)) if all(types) else ()
    asked = next(filter(None, (pattern.match(text) for pattern in _MEANINGS)), None)
    if not asked or (asked["thing"].lower() in _GOING_ON and not (asked["article"] or "").startswith("a")):
        return ()
    found = _find_type(asked["thing"], symbols)
    return (found,) if found else ()


def _find_type(thing: str, symbols: SymbolTable) -> str:
    """The name of the type for a thing of prose, in the singular or the plural; "" where there is none."""
    words = thing.lower().replace("-", " ").split()
    for last in (*singulars(words[-1]), words[-1]):  # tables are often called by the plural
        parts = [*words[:-1], last]
        for joined in dict.fromkeys(("".join(parts), "_".join(parts))):
            if found := _types(joined, symbols):
                return found[0]
    return ""


def _dashed_words(text: str) -> tuple[str, ...]:
    """The words of ``text`` with dashes in them; one before a question mark with and without it."""
    return tuple(form for word in _DASHED.findall(text) for form in (word, word.rstrip("?")))


def _types(name: str, symbols: SymbolTable) -> list[str]:
    """The names of the types that are called so, case ignored."""
    return [item.definition.name for item in symbols.find_named(name) if item.definition.kind in TYPES]


def _names(name: str, symbols: SymbolTable) -> set[str]:
    return {item.definition.name for item in symbols.find_named(name)}
