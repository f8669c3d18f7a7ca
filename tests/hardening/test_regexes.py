"""Lines made to keep a pattern busy: near misses, long runs, nothing that ends."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator

# Only the parser of the library itself tells what a pattern repeats; it is private, so that no stubs describe it.
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from contextls.code.languages import default_languages
from contextls.memory.activity import runners
from contextls.memory.activity.failures import failures_in
from contextls.memory.index import file_rules
from contextls.memory.index.query import long_queries, traces
from contextls.memory.index.query.traces import frame_of, places_in

from .regex_attacks import Use, attacks, uses

# The rules for secrets have a corpus and bounds of their own.
OTHERS = ("contextls.text.redact", "contextls.text.secret")
LENGTH, LONG = 2_000, 20_000
SINGLE = (constants.LITERAL, constants.NOT_LITERAL, constants.IN, constants.ANY, constants.CATEGORY)
# A linear pattern takes a fifth of a millisecond for 2,000 characters; one that is quadratic with nothing to do at each
# step takes 20.
SECONDS = 0.05
# A quarter of a text takes a 16th of its time where the pattern is quadratic, a 64th where it is cubic. What takes less
# than a hundredth needs no look at the whole.
PART, SUSPICIOUS_SHARE = 4, 0.01


def rows() -> list[Use]:
    return [Use(f"runners.toml: {row.runner}", row.pattern, anywhere=False) for row in runners._rows()]


def macros() -> Iterator[Use]:
    languages = default_languages()
    for name in languages.names:
        facts = languages.facts(name)
        assert facts is not None
        for macro in facts.macros:
            pattern = re.compile(macro, re.MULTILINE | re.ASCII)
            yield Use(f"grammars/{name}/language.toml", pattern, anywhere=True)
        for _, sign in facts.told_apart:
            yield Use(f"grammars/{name}/language.toml", sign, anywhere=True)


def lines() -> Iterator[Use]:
    languages = default_languages()
    for name in languages.names:
        if not languages.is_parsed(name):
            lines = languages.lines(name)
            found = (lines.starts, lines.silent, lines.calls, *lines.imports, lines.refs, lines.attach)
            yield from (Use(f"grammars/{name}/lines.toml", each, anywhere=True) for each in found if each)


def rules_of_file_kinds() -> Iterator[Use]:
    for rules in vars(file_rules).values():
        for rule in rules if isinstance(rules, tuple) else ():
            if isinstance(rule, file_rules.Rule):
                pattern = rf"(?<![^/])(?:{rule.path})" if rule.path else rule.name or ".+"
                yield Use(f"file_rules: {pattern}", re.compile(pattern), anywhere=bool(rule.path))


def patterns() -> Iterator[Use]:
    yield from (use for use in uses() if not use.where.startswith(OTHERS))
    yield from rows()
    yield from macros()
    yield from lines()
    yield from rules_of_file_kinds()


def slow(length: int, seconds: float) -> list[str]:
    found = []
    for use in patterns():
        parts = attacks(use.pattern, length // PART)
        for part, text in zip(parts, attacks(use.pattern, length), strict=True):
            suspicious = use.seconds(part) > seconds * SUSPICIOUS_SHARE
            if suspicious and (took := use.seconds(text)) > seconds:
                found.append(
                    f"{use.where} {use.pattern.pattern!r}: {took:.3f} s for {text[:24]!r}…{text[-6:]!r}"
                )
                break
    return found


def test_the_search_finds_the_patterns_of_every_layer() -> None:
    places = {use.where.split(".")[1] for use in uses()}
    assert {"text", "code", "workspace", "store", "memory", "assembly", "lsp", "cli"} <= places
    assert len(uses()) > 100
    assert len(rows()) > 30
    assert len(list(macros())) > 5
    assert len(list(lines())) > 15
    assert len(list(rules_of_file_kinds())) > 50


def test_no_pattern_takes_more_than_linear_time() -> None:
    assert slow(LENGTH, SECONDS) == []


def repeats_a_group_possessively(parsed: Iterable[Any]) -> bool:
    """Whether a parsed pattern has more than one character or class under a possessive repeat."""
    for operation, given in parsed:
        if operation is constants.POSSESSIVE_REPEAT and len(given[2]) != 1:
            return True
        if operation is constants.POSSESSIVE_REPEAT and given[2][0][0] not in SINGLE:
            return True
        inner = given if isinstance(given, (list, tuple)) else ()
        if any(repeats_a_group_possessively(each) for each in sub_patterns(inner)):
            return True
    return False


def sub_patterns(given: Iterable[Any]) -> Iterator[Any]:
    for each in given:
        if isinstance(each, parser.SubPattern):
            yield each
        elif isinstance(each, (list, tuple)):
            yield from sub_patterns(each)


def test_no_pattern_repeats_a_group_possessively() -> None:
    # Python up to 3.11.4, that of Debian 12, gives it back wrongly: github.com/python/cpython/issues/106052. An atomic group
    # around the repeat says the same.
    every = [*uses(), *rows(), *macros(), *lines(), *rules_of_file_kinds()]
    found = [
        use.where
        for use in every
        if isinstance(use.pattern.pattern, str)
        and repeats_a_group_possessively(parser.parse(use.pattern.pattern, use.pattern.flags & ~re.UNICODE))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("pattern", "repeats"),
    [("(?:ab?c)*+", True), ("x(?:y|z(?:ab)?+)", True), ("[ab]*+c++", False), ("(?>(?:ab?c)*)", False)],
)
def test_a_possessive_group_is_told_from_a_possessive_class(pattern: str, repeats: bool) -> None:
    assert repeats_a_group_possessively(parser.parse(pattern)) is repeats


@pytest.mark.long
def test_no_pattern_takes_more_than_linear_time_on_long_lines() -> None:
    # Bounded repetitions (a path of 120 signs a part, say) cost some hundred steps at each place.
    assert slow(LONG, 20 * SECONDS) == []


@pytest.mark.parametrize("fill", [" ", ".", "/", "1", '"', "a", "a.", "-", "a::", "(", "at "])
@pytest.mark.parametrize("head", ["", "#1 ", "at ", 'File "', "@x://x:", " 1:1 error x"])
def test_a_line_of_a_trace_takes_no_millisecond(head: str, fill: str) -> None:
    line = head + fill * (100_000 // len(fill))
    text = "\n".join([line] * 20)
    started = time.thread_time()
    for _ in range(20):
        frame_of(line)
    places_in(text)
    failures_in(text, lambda _path: None)
    long_queries.read_report(text)
    # 80 lines were read: a millisecond each, five times over for the slowest machine.
    assert time.thread_time() - started < 0.4
    assert traces._MAX_LINE_CHARS <= 500
