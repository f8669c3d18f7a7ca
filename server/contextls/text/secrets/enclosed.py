"""Values in a structure of their own after a name: a property, a function, a list of one, a here-document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contextls.regex import compile_late

# What a function says between its brackets and its body: the type that it gives back.
_TYPE = r"(?:[^\n\"'`;={}()]|'static\b){0,60}?"
_DOCSTRING = r"(?:\"\"\"[^\"]{0,200}\"\"\"\s{0,40})?"
_RETURN = r"return\s{1,9}\(?"
# A function without arguments that gives back one text. Behind a name, without the bracket that opens.
RETURNED = (
    rf"[ \t]?(?:(?:&[ \t]?(?:mut[ \t])?)?self|cls|this)?[ \t]?\){_TYPE}"
    rf"(?:(?::|\s{{0,40}}\{{)\s{{0,40}}{_DOCSTRING}{_RETURN}|\s{{0,40}}(?:=>|[={{])\s{{0,40}}(?:\{{\s{{0,40}}{_RETURN})?)"
    r"(?=[\"'`@])"
)
# How a property goes on after the brace that opens it.
ACCESSORS = r"\s{0,40}(?:get|set|init|private|protected|internal|public)\b"
# The second of a pair, after the first.
SECOND = r",[ \t]{0,9}(?:<<)?[\"']"

# A place, and whether a quoted value there has to be all that is in its block.
Place = tuple[int, bool]

_OPENING = compile_late(r"[({,]|\s{1,40}(?:\{|by(?=[ \t]))")
_ASSIGNED = frozenset("(|{[aflmn")
_DOCUMENTS = frozenset(["<<", "$(", '"$'])
_LONG_QUOTES = frozenset(["[[", "[=", "''"])
# What ``unquoted_value`` begins with.
UNQUOTED = "<$['\""
_FUNCTION = compile_late(rf"\({RETURNED}")
_METHOD = compile_late(r"\r?\n[ \t]{1,40}(?=[\"'])")
_METHOD_END = compile_late(r"[ ]?[\"']\s{1,40}end\b")
_DEFAULT_OF_PROPERTY = compile_late(
    r"\s{0,40}\{\s{0,40}(?:(?:(?:private|protected|internal|public)\s{1,4}){0,2}(?:get|set|init)\s?;\s{0,40}){1,3}"
    r"\}\s{0,9}=\s{0,9}"
)
_GETTER = compile_late(rf"\s{{0,40}}\{{\s{{0,40}}get\s{{0,40}}(?:=>|\{{\s{{0,40}}{_RETURN})\s{{0,9}}")
_LAZY = compile_late(r"[ \t]{1,9}by[ \t]{1,9}lazy\s{0,9}\{\s{0,40}")
_PAIR = compile_late(r",[ \t]{0,9}(?:<<)?(?=[\"'])")
_BLOCK_OF_TYPE = compile_late(
    rf"[\w.<>\[\]?& ]{{1,60}}?(?:[ \t]by[ \t]lazy[ \t]?)?\{{\s{{0,40}}(?:get\s{{0,9}}\{{\s{{0,40}})?(?:{_RETURN})?(?=[\"'])"
)
_CLOSURE = compile_late(
    r"(?:async[ \t]{1,9})?(?:(?:function|func|fn|fun)?[ \t]?\([ \t]?\)(?:[^\n\"'`;={}()]){0,60}?(?:=>|->|(?=\{))"
    rf"|lambda[ \t]?:|(?:move[ \t]{{1,9}})?\|\|)\s{{0,40}}(?:\{{\s{{0,40}})?(?:{_RETURN})?(?=[\"'`])"
)
_LIST = compile_late(r"(?:new[ \t]{1,9}[\w.]{1,40}\[\d{0,6}\][ \t]{0,9})?[{\[]\s{0,40}(?=[\"'])")
# Nothing else is in the block, list or pair.
_END = compile_late(r"[ ]?\\?[\"']{1,3}(?:>>)?\s{0,40};?\s{0,40}[}\])]")
# A line before a name that decides by it, or gives it to something else, does not define it.
_USE = compile_late(
    r"\b(?:if|elif|elsif|elseif|unless|while|until|for|when|case|switch|return|assert|else|and|or|not|await|yield|in"
    r"|new|throw|raise)\b|[=!(&|?,][ \t]*$"
)
_USE_BEFORE = 120
_FARTHEST_BLOCK = 100

_HERE_DOCUMENT = compile_late(
    r"(?:\"?\$\(cat[ \t])?<<[<~-]?[ \t]?([\"']?)(?P<word>[A-Za-z_]\w{0,30})\1[^\n]{0,20}?\r?\n"
    r"[ \t]{0,40}(?P<value>[^\s\"'`]{4,400}+)[ \t]{0,9}\r?\n[ \t]{0,40}(?P=word)\b"
)
_LONG_TEXT = compile_late(
    r"\[(?P<level>={0,4})\[\s{0,40}(?P<value>[^\s\"'`\[\]]{4,400}+)\s{0,40}\](?P=level)\]"
    r"|''\s{0,40}(?P<indented>\w[^\s\"'`;,()]{3,400}+)\s{0,40}''"
)


def places_behind(text: str, start: int, stop: int) -> Sequence[Place]:
    """The place where a value may begin after a name that no sign of assignment follows."""
    opening = _OPENING.match(text, stop)
    if opening is None:
        return ()
    match opening[0][-1]:
        case "(":
            function = _FUNCTION.match(text, stop)
            if function is None or _is_used(text, start):
                return ()
            return [(function.end(), function[0].rstrip().endswith("{"))]
        case ",":
            pair = _PAIR.match(text, stop) if _is_symbol(text, start) else None
            return [(pair.end(), text[start - 1] == "{")] if pair else ()
        case "{":
            return _ends(text, stop, (_DEFAULT_OF_PROPERTY, False), (_GETTER, False))
    return _ends(text, stop, (_LAZY, True))


def places_assigned(text: str, at: int, op: str) -> Sequence[Place]:
    """Further places where a value may begin after a sign of assignment."""
    first = text[at : at + 1]
    if op == ":" and first.isalpha() and text.find("{", at, at + _FARTHEST_BLOCK) >= 0:
        return _ends(text, at, (_CLOSURE, False), (_BLOCK_OF_TYPE, True))
    return _ends(text, at, (_CLOSURE, False), (_LIST, True)) if first in _ASSIGNED else ()


def _ends(text: str, at: int, *patterns: tuple[re.Pattern[str], bool]) -> Sequence[Place]:
    return [
        (match.end(), alone) for pattern, alone in patterns if (match := pattern.match(text, at)) is not None
    ]


def is_alone(text: str, end: int) -> bool:
    """Whether what is around a quoted value ends with it."""
    return _END.match(text, end) is not None


def method_value_place(text: str, stop: int) -> int | None:
    """The start of the text that is all of a method in Ruby, whose name ends at ``stop``."""
    method = _METHOD.match(text, stop)
    return method.end() if method else None


def ends_method(text: str, end: int) -> bool:
    """Whether a method ends with the text that ends there."""
    return _METHOD_END.match(text, end) is not None


def unquoted_value(text: str, at: int, op: str) -> tuple[int, int] | None:
    """A value on a line of its own in a here-document, or in the long brackets or quotes of Lua and Nix."""
    opening = text[at : at + 2]
    if opening in _DOCUMENTS:
        match = _HERE_DOCUMENT.match(text, at)
        return match.span("value") if match else None
    if opening in _LONG_QUOTES and op == "=" and (match := _LONG_TEXT.match(text, at)) is not None:
        return match.span("value" if match["value"] else "indented")
    return None


def _is_symbol(text: str, start: int) -> bool:
    """Whether the name is written as one of a pair: ``{name, …`` or ``:name, …``."""
    before = text[max(0, start - 2) : start]
    return before[-1:] == "{" or (before[-1:] == ":" and (len(before) < 2 or before[0] in " \t\n({["))


def _is_used(text: str, start: int) -> bool:
    line = text.rfind("\n", max(0, start - _USE_BEFORE), start) + 1
    return _USE.search(text, max(line, start - _USE_BEFORE), start) is not None
