"""The quality floor of prompts: questions over this repository, and the definitions that a good answer shows."""

from __future__ import annotations

import ast
import json
import os
import statistics
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Component
from contextls.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS: list[dict[str, Any]] = json.loads(
    (ROOT / "benchmarks" / "own" / "lines.json").read_text(encoding="utf-8")
)
# The questions themselves, and the list of all that a workspace may have nothing of.
NOT_ASKED = ("/benchmarks/own/", "/server/contextls/assembly/usefulness/technologies.py")
BUDGET = 4000
# About 0.04 below, or above, what prompts reach, so that a change of the tree passes and worse prompts do not.
MIN_COVERAGE = 0.62
MAX_NOISE = 0.77
MAX_MEAN_TOKENS = 3200


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[Component, ...]]]:
    """The components of each answer; the index holds this checkout without what is named above."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTEXTLS_HOME", os.fspath(tmp_path_factory.mktemp("home")))
        engine = Engine.open(ROOT, Settings(ignore=NOT_ASKED))
    try:
        engine.index()
        yield {
            one["id"]: engine.assemble(AssembleRequest(one["question"], BUDGET)).components
            for one in QUESTIONS
        }
    finally:
        engine.close()


def test_every_label_names_a_definition() -> None:
    assert len(QUESTIONS) >= 40
    for one in QUESTIONS:
        for label in (*one["must"], *one["useful"]):
            assert span(label), f"{one['id']}: there is no {label}"


def test_prompts_show_what_an_answer_needs(answers: dict[str, tuple[Component, ...]]) -> None:
    asked = [one for one in QUESTIONS if one["must"]]
    covered = {
        one["id"]: statistics.mean(
            any(shows(part, label) for part in answers[one["id"]]) for label in one["must"]
        )
        for one in asked
    }
    noise, tokens = [], []
    for one in asked:
        parts = answers[one["id"]]
        total = sum(part.tokens for part in parts)
        wanted = (*one["must"], *one["useful"])
        useful = sum(part.tokens for part in parts if any(touches(part, label) for label in wanted))
        noise.append(1 - useful / max(1, total))
        tokens.append(total)
    coverage = statistics.mean(covered.values())
    missed = sorted(name for name, share in covered.items() if share < 1)
    assert coverage >= MIN_COVERAGE, f"coverage {coverage:.3f}; missed {missed}"
    assert statistics.mean(noise) <= MAX_NOISE, f"noise {statistics.mean(noise):.3f}"
    assert statistics.mean(tokens) <= MAX_MEAN_TOKENS, f"{statistics.mean(tokens):.0f} tokens a prompt"


def test_what_is_not_here_is_said_and_nothing_else(answers: dict[str, tuple[Component, ...]]) -> None:
    for one in QUESTIONS:
        told = any(
            part.content.startswith("Nothing in this workspace mentions") for part in answers[one["id"]]
        )
        assert told is (not one["must"]), one["question"]


def shows(part: Component, label: str) -> bool:
    """Whether a piece holds the line that defines what the label names, or any line of a file without a name."""
    path, _, symbol = label.partition("#")
    if part.path != path:
        return False
    line = source(path)[span(label)[0] - 1].strip()
    return not symbol or (touches(part, label) and line in part.content)


def touches(part: Component, label: str) -> bool:
    """Whether a piece shares lines with what the label names."""
    first, last = span(label)
    return (
        part.path == label.partition("#")[0]
        and (part.start_line or 0) <= last
        and first <= (part.end_line or 0)
    )


@cache
def source(path: str) -> list[str]:
    return (ROOT / path).read_text(encoding="utf-8").splitlines()


@cache
def span(label: str) -> tuple[int, int]:
    """The lines of a definition of Python, named ``path#Class.method``, or of the whole file."""
    path, _, symbol = label.partition("#")
    if not symbol:
        return 1, len(source(path))
    inside: Any = ast.parse("\n".join(source(path)))
    for name in symbol.split("."):
        inside = next(each for each in inside.body if getattr(each, "name", "") == name)
    return inside.lineno, inside.end_lineno
