"""Texts on which a careless pattern takes long: made from its repetitions and from what lines are made of."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import _constants as sign  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import contextls
from contextls.regex import CuedRegex, LateRegex

HEADS = ("", "#1 ", "  at a(", "x.py:")
FILLS = (
    *(" ", "\t", ".", "/", "1", "'", '"', "a", "A", "_", "-", ":", "(", "[", "<", "`", "~", "=", "#", "\\", "|"),
    *("a.", "a/", "aA", "a_", "a::", "x: ", "1.", "at ", "0x1", "a b ", "\n", "\n ", "{", "e.e:1", "x/x.y ", ">"),
)  # fmt: skip
TAILS = ("\0", "!")
_SAMPLES = "xaA1_ .-/:\\\"'`(){}[]<>=,;#@$\n\t"
_ENDLESS = 30  # a repetition of more than this is worth blowing up
_CLASSES = {
    sign.CATEGORY_DIGIT: r"\d",
    sign.CATEGORY_NOT_DIGIT: r"\D",
    sign.CATEGORY_WORD: r"\w",
    sign.CATEGORY_NOT_WORD: r"\W",
    sign.CATEGORY_SPACE: r"\s",
    sign.CATEGORY_NOT_SPACE: r"\S",
}
_REPEATS = (sign.MAX_REPEAT, sign.MIN_REPEAT, sign.POSSESSIVE_REPEAT)
_FROM_ANYWHERE = {"search", "finditer", "findall", "sub", "subn", "split"}


@dataclass(frozen=True)
class Use:
    """A pattern of the package, where it stands, and whether it is tried at every place of a text."""

    where: str
    pattern: re.Pattern[Any]
    anywhere: bool

    def seconds(self, text: str) -> float:
        """Processor time of this thread for one text; the least of three tries where the first was long."""
        given: Any = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        run = self.pattern.search if self.anywhere else self.pattern.match
        best = float("inf")
        for _ in range(3):
            started = time.thread_time()
            run(given)
            best = min(best, time.thread_time() - started)
            if best < 0.01 or best > 5:
                break
        return best


@cache
def uses() -> list[Use]:
    """Every pattern that a module of the package holds, or compiles from a literal where it is used."""
    found: dict[tuple[Any, int], Use] = {}
    for module in _modules():
        source = Path(module.__file__ or "").read_text("utf-8")
        for name, value in vars(module).items():
            if patterns := list(_patterns_in(value)):
                called = set(re.findall(rf"\b{re.escape(name)}\.(\w+)\(", source))
                anywhere = not called or bool(called & _FROM_ANYWHERE)
                for pattern in patterns:
                    _note(found, Use(f"{module.__name__}.{name}", pattern, anywhere))
        for pattern, method in _literals(source):
            _note(found, Use(module.__name__, pattern, method in _FROM_ANYWHERE))
    return list(found.values())


def attacks(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    """Near misses of about ``length`` characters."""
    pairs = {(head, fill) for head in HEADS for fill in FILLS}
    written = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    pairs.update(_pumps(parser.parse(written, pattern.flags & ~re.UNICODE), ""))
    for head, fill in sorted(pairs):
        for tail in TAILS:
            yield head + fill * (length // max(1, len(fill))) + tail


def _note(found: dict[tuple[Any, int], Use], use: Use) -> None:
    key = (use.pattern.pattern, use.pattern.flags)
    if key not in found or use.anywhere:
        found[key] = use


def _modules() -> Iterator[ModuleType]:
    for each in pkgutil.walk_packages(contextls.__path__, "contextls."):
        if not each.name.endswith("__main__"):
            try:
                yield importlib.import_module(each.name)
            except ImportError:  # an extra that is not installed
                continue


def _patterns_in(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LateRegex):
        yield value.compiled
    elif isinstance(value, CuedRegex):
        yield from _patterns_in(value.pattern)
    elif depth < 4 and isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from _patterns_in(each, depth + 1)
    elif depth < 4 and isinstance(value, dict):
        for each in value.values():
            yield from _patterns_in(each, depth + 1)


def _literals(source: str) -> Iterator[tuple[re.Pattern[Any], str]]:
    """``re.search("…", text)`` and the like."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and ast.unparse(node.func.value) == "re"
            and node.func.attr in _FROM_ANYWHERE | {"match", "fullmatch"}
            and isinstance(node.args[0], ast.Constant)
        ):
            written = ast.unparse(ast.Tuple([*node.args[1:], *(each.value for each in node.keywords)]))
            names = ("MULTILINE", "IGNORECASE", "DOTALL", "ASCII")
            flags = sum(getattr(re, name) for name in names if f"re.{name}" in written)
            yield re.compile(node.args[0].value, flags), node.func.attr


def _pumps(tree: Iterable[Any], before: str) -> Iterator[tuple[str, str]]:
    """For each repetition: a text that leads to it, and what may be repeated there."""
    for step in tree:
        kind, argument = step
        if kind in _REPEATS:
            _, most, inner = argument
            if most > _ENDLESS:
                yield before, _shortest(inner)
                yield from ((before, each) for each in _members(inner))
            yield from _pumps(inner, before)
        elif kind is sign.SUBPATTERN:
            yield from _pumps(argument[3], before)
        elif kind is sign.ATOMIC_GROUP:
            yield from _pumps(argument, before)
        elif kind is sign.BRANCH:
            for branch in argument[1]:
                yield from _pumps(branch, before)
        before += _shortest([step])


def _shortest(tree: Iterable[Any]) -> str:
    """A short text that (about) matches."""
    return "".join(_shortest_of(kind, argument) for kind, argument in tree)


def _shortest_of(kind: Any, argument: Any) -> str:  # noqa: ANN401 - the parser's own
    if kind is sign.LITERAL:
        return chr(int(argument))
    if kind is sign.NOT_LITERAL:
        return "x" if argument != ord("x") else "y"
    if kind is sign.ANY:
        return "x"
    if kind is sign.IN:
        return next((each for each in _SAMPLES if _fits(each, argument)), _first(argument))
    if kind in _REPEATS:
        return _shortest(argument[2]) * min(int(argument[0]), 64)
    if kind is sign.SUBPATTERN:
        return _shortest(argument[3])
    if kind is sign.ATOMIC_GROUP:
        return _shortest(argument)
    if kind is sign.BRANCH:
        return _shortest(argument[1][0])
    return ""


def _members(inner: Any) -> Iterator[str]:  # noqa: ANN401 - the parser's own
    """What a repetition of one sign may consist of."""
    if len(inner) == 1:
        kind, argument = inner[0]
        if kind is sign.IN:
            yield from (each for each in _SAMPLES if _fits(each, argument))
        elif kind in (sign.ANY, sign.NOT_LITERAL):
            yield from "x 1./:-'\"(a,"


def _fits(character: str, items: Any) -> bool:  # noqa: ANN401 - the parser's own
    negated = items[0][0] is sign.NEGATE
    hit = False
    for kind, argument in items[negated:]:
        if kind is sign.LITERAL:
            hit |= ord(character) == argument
        elif kind is sign.RANGE:
            hit |= argument[0] <= ord(character) <= argument[1]
        elif kind is sign.CATEGORY:
            hit |= bool(re.match(_CLASSES[argument], character))
    return hit != negated


def _first(items: Any) -> str:  # noqa: ANN401 - the parser's own
    for kind, argument in items:
        if kind is sign.LITERAL:
            return chr(int(argument))
        if kind is sign.RANGE:
            return chr(int(argument[0]))
    return "x"
