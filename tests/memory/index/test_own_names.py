"""The name of the project, which nearly every file says, finds nothing of what a question is about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine

from ..workspaces import found, opened, write

FILES = {
    **{
        f"src/{part}.go": f'package {part}\n\nimport "example.com/zubrovka/base"\n\n'
        f"func Open{part.title()}(door base.Door) error {{\n\treturn door.Open()\n}}\n"
        for part in (
            "hall",
            "attic",
            "cellar",
            "garden",
            "kitchen",
            "library",
            "lobby",
            "office",
            "pantry",
            "salon",
        )
    },
    "src/keys.go": 'package keys\n\nimport "example.com/zubrovka/base"\n\n'
    "// Assign takes the next free key from the board.\n"
    "func Assign(board base.Board) (Key, error) {\n\treturn board.Next()\n}\n",
    "src/guests.go": 'package guests\n\nimport "example.com/zubrovka/base"\n\n'
    "func Welcome(guest base.Guest) string {\n\treturn guest.Name\n}\n",
    "run/zubrovka_container.go": 'package run\n\nimport "example.com/zubrovka/base"\n\n'
    "// ZubrovkaInContainer runs zubrovka.\ntype ZubrovkaInContainer struct{ base.Container }\n",
    "src/zubrovka.go": 'package main\n\nimport "example.com/zubrovka/base"\n\n// Zubrovka is all of it.\n'
    "type Zubrovka struct{ base.Server }\n\nfunc main() { base.Run(Zubrovka{}) }\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("hotel"), FILES)) as engine:
        yield engine


def test_what_the_project_is_called_is_no_part_of_a_report(engine: Engine) -> None:
    report = (
        "Zubrovka gives away a key twice\n\nWhen I start zubrovka, zubrovka gives the next free key twice.\n"
    )
    assert found(engine, report)[0] == "src/keys.go"


@pytest.mark.parametrize("question", ["Zubrovka", "where is Zubrovka?", "who calls Zubrovka?"])
def test_who_asks_for_it_gets_it(engine: Engine, question: str) -> None:
    assert found(engine, question)[0] == "src/zubrovka.go"


def test_a_word_of_a_few_files_counts_in_full(tmp_path: Path) -> None:
    few = dict(list(FILES.items())[-4:])
    with opened(write(tmp_path, few)) as engine:
        assert found(engine, "how does zubrovka run in a container?")[0] == "run/zubrovka_container.go"
