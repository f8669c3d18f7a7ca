"""Limits are named alike in the whole code base: see CONTRIBUTING.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXTREMES = {"MOST", "LEAST", "LONGEST", "SHORTEST", "LARGEST", "SMALLEST", "FEWEST", "MAXIMUM", "MINIMUM"}


def constants(source: str) -> Iterator[str]:
    """The names that a module gives to values, those it unpacks included."""
    for node in ast.parse(source).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", ast.Constant(None))]
        )
        for target in targets:
            yield from (
                each.id for each in ast.walk(target) if isinstance(each, ast.Name) and each.id.isupper()
            )


def odd_limits(source: str) -> list[str]:
    """Limits that say neither MAX nor MIN, and durations in seconds that end in a letter."""
    names = [name.strip("_").split("_") for name in constants(source)]
    return ["_".join(words) for words in names if EXTREMES & set(words) or words[-1:] == ["S"]]


def test_limits_are_called_max_and_min() -> None:
    odd = {
        str(path.relative_to(ROOT)): names
        for folder in ("server", "benchmarks", "tools", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "fixtures" not in path.parts and path != Path(__file__)
        if (names := odd_limits(path.read_text("utf-8")))
    }
    assert odd == {}


@pytest.mark.parametrize(
    "line", ["MOST_FILES = 3", "_LONGEST: int = 3", "A, SHORTEST = 1, 2", "WAIT_S = 0.5"]
)
def test_the_rule_sees_other_names(line: str) -> None:
    assert odd_limits(line)


@pytest.mark.parametrize("line", ["MAX_FILES = 3", "MIN_LINE_CHARS = 3", "WAIT_SECONDS = 0.5", "most = 3"])
def test_the_rule_lets_these_pass(line: str) -> None:
    assert not odd_limits(line)
