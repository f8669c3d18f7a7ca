"""Who asks for an overview gets a map: the folders, what each holds, and the definitions that the code stands on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.assembly.overview.first_words import first_words
from contextls.assembly.overview.overview_question import asks_for_overview
from contextls.engine import Engine
from contextls.model import AssembleRequest, Component, Context, Filters, Target
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import opened, write

PARTS = ("oak", "elm", "ash", "fir", "yew", "box")
FILES = {
    "README.md": "# Grove\n\nGrove keeps count of the trees in a park.\n",
    "grove/__init__.py": '"""Trees and who looks after them."""\n',
    "grove/__main__.py": "from grove.park import Park\n\nPark().report()\n",
    "grove/park.py": '"""A park as a whole."""\n\nfrom grove.tree import Tree\n\n\n'
    "class Park:\n    def report(self):\n        return [Tree(1)]\n",
    "grove/tree.py": '"""One tree."""\n\n\nclass Tree:\n    """A tree."""\n\n'
    "    def __init__(self, height):\n        self.height = height\n\n"
    "    def grow(self, years: int) -> int:\n        return self.height + years\n\n\n"
    "def _unused_helper():\n    return 0\n",
    **{
        f"grove/kinds/{name}.py": f"from grove.tree import Tree\n\n\ndef plant_{name}():\n    return Tree(2).grow(1)\n"
        for name in PARTS
    },
    **{
        f"tests/test_{name}.py": f"from grove.kinds.{name} import plant_{name}\n\n\n"
        f"def test_{name}():\n    assert plant_{name}()\n"
        for name in PARTS
    },
    "secret/plan.py": "class HiddenPlan:\n    pass\n",
}
QUESTION = "how is this project organised?"


@pytest.fixture(scope="module")
def grove(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("all") / "grove", FILES)) as engine:
        yield engine


def map_of(context: Context) -> Component:
    first = context.components[0]
    assert first.source == "map"
    return first


@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        "How is the codebase structured?",
        "give me an overview",
        "overview of grove please",
        "Where do I start reading?",
        "what are the main modules of this repository?",
        "explain this project",
        "I'm new here, walk me through the code",
    ],
)
def test_an_overview_begins_with_a_map(grove: Engine, question: str) -> None:
    assert "class Tree" in map_of(grove.assemble(AssembleRequest(question))).body


@pytest.mark.parametrize(
    "question",
    [
        "how is the height of a tree organised?",
        "give me an overview of planting",
        "where do I start to add a new kind of tree?",
        "what does this function do?",
        "explain grow",
        "what is the structure of a Park?",
    ],
)
def test_who_names_something_is_answered_with_code(grove: Engine, question: str) -> None:
    assert "map" not in [one.source for one in grove.assemble(AssembleRequest(question)).components]


def test_the_map_tells_folders_files_and_signatures_as_a_tree(grove: Engine) -> None:
    lines = map_of(grove.assemble(AssembleRequest(QUESTION))).body.splitlines()
    assert "start reading: README.md, grove/__main__.py" in lines
    assert any(line.startswith("most depends on: grove/tree.py") for line in lines)
    assert "  grove/ (10 files: python) — Trees and who looks after them" in lines
    tree = lines.index("    tree.py — One tree")
    assert lines[tree + 1 : tree + 3] == ["      class Tree", "        def grow(self, years: int) -> int"]
    assert any(line.startswith("  tests/ (6 files: python, tests): test_ash.py") for line in lines)
    assert not any("_unused_helper" in line for line in lines)


def test_how_the_project_introduces_itself_comes_along(grove: Engine) -> None:
    context = grove.assemble(AssembleRequest(QUESTION))
    assert [one.path for one in context.components[1:]] == ["README.md"]
    assert "keeps count of the trees" in context.content


@pytest.mark.parametrize("budget", [32, 60, 120, 200, 400, 1_000, 16_000])
def test_it_fits_any_budget_and_is_the_same_each_time(grove: Engine, budget: int) -> None:
    context = grove.assemble(AssembleRequest(QUESTION, budget))
    assert context.token_count == get_tokenizer("o200k_base").count(context.content) <= budget
    assert grove.assemble(AssembleRequest(QUESTION + " ", budget)).content == context.content


def test_nothing_that_may_not_be_shown_is_on_the_map(tmp_path: Path) -> None:
    root = write(tmp_path / "grove", {**FILES, ".gitignore": "grove/kinds/fir.py\n"})
    with opened(root) as engine:
        engine.working_set.exclude(Target("secret/"))
        request = AssembleRequest(QUESTION, filters=Filters(exclude=("grove/kinds/yew.py",)))
        body = map_of(engine.assemble(request)).body
        assert "secret" not in body
        assert "fir.py" not in body.replace("test_fir.py", "")
        assert "yew.py" not in body
        only = engine.assemble(AssembleRequest(QUESTION, filters=Filters(paths=("tests/**",))))
        assert "tree.py" not in only.content


def test_a_workspace_without_code_has_a_map_as_well(tmp_path: Path) -> None:
    notes = {f"notes/day-{number}.md": f"# Day {number}\n\nRain.\n" for number in range(9)}
    with opened(write(tmp_path / "diary", notes)) as engine:
        body = map_of(engine.assemble(AssembleRequest("give me an overview"))).body
    assert (
        "  notes/ (9 files: markdown, documents): day-0.md, day-1.md, day-2.md, day-3.md, …"
        in body.splitlines()
    )


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ('"""Reads a file.\n\nAnd more."""\n', "python", "Reads a file"),
        ("#!/bin/sh\n# Starts the server. Then waits.\n", "bash", "Starts the server"),
        ("// Copyright 2020 Somebody\n// All rights reserved.\n\n// Package ring keeps levels.\npackage ring\n", "go",
         "Package ring keeps levels"),
        ("//! Definition of a tide.\nuse std::io;\n", "rust", "Definition of a tide"),
        ("/*\n * Licensed to the World\n */\n/** A queue of jobs. */\nclass Queue {}\n", "java", "A queue of jobs"),
        ("# Title of it\n\nText.\n", "markdown", "Title of it"),
        ("#[cfg(test)]\nmod x;\n", "rust", ""),
        ("/** Tries again. */\nfunction retry() {}\n", "typescript", ""),
        ("// Tries again.\nfunction retry() {}\n", "javascript", ""),
        ("/* Trying again. */\n\nint retry(void);\n", "c", "Trying again"),
        ("// Trying again.\n\nfunction retry() {}\n", "javascript", "Trying again"),
        ("#include <stdio.h>\n", "c", ""),
        ("import os\n", "python", ""),
        ("", "python", ""),
    ],
)  # fmt: skip
def test_a_file_is_told_by_what_it_says_of_itself(text: str, language: str, said: str) -> None:
    assert first_words(text, language) == said


def test_the_projects_own_name_is_no_topic() -> None:
    assert asks_for_overview("how is contextls organised?", ["contextls"])
    assert not asks_for_overview("how is pydantic organised?", ["contextls"])
