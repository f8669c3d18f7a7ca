"""A question in the first second after a large folder was opened is answered from files that are not indexed yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ..hardening.planted import AWS, secret, secrets_in
from ..memory.workspaces import write
from .wire import Wire

Start = Callable[..., Wire]
COUNT = 4_000
RARE = "How does the wombat burrow get its lantern?"


@pytest.fixture
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thousands of small files that hold none of the rare words, and one behind all of them that does."""
    root = tmp_path_factory.mktemp("crowd")
    write(
        root,
        {
            f"package_{number % 40:02}/module_{number}.py": (
                f"def get_value_{number}(value):\n    return value + {number}\n\n\n"
                f"def change_value_{number}(value):\n    return value - {number}\n"
            )
            for number in range(COUNT)
        },
    )
    write(
        root,
        {
            "zoo/last/zz.py": "from package_07.module_7 import get_value_7\n\n\ndef light(wombat_burrow):\n"
            "    return wombat_burrow.lantern\n",
            ".gitignore": "private/\n*.local.py\n",
            "private/notes.py": "wombat_burrow_lantern = 'the ignored one'\n",
            "zoo/notes.local.py": "wombat_burrow_lantern = 'the ignored one'\n",
            ".env": "WOMBAT_BURROW_LANTERN=the-ignored-one\n",
            "zoo/keys.py": f"wombat_burrow_lantern_key = '{secret(AWS)}'\n",
        },
    )
    return root


def test_the_rare_word_of_the_last_file_is_found_in_the_first_second(start: Start, crowd: Path) -> None:
    wire = start()
    wire.initialize(crowd)
    context = wire.assemble(RARE)
    assert "def light(wombat_burrow)" in context["content"]
    report = context["report"]
    assert report["indexComplete"] is False
    extent = report["indexExtent"]
    assert 0 < extent["indexed"] < extent["found"]
    assert extent["found"] >= COUNT
    hits = wire.request("context/search", {"query": "wombat lantern"})["hits"]
    assert "zoo/last/zz.py" in [hit["path"] for hit in hits]
    wire.ready()


def test_nothing_ignored_or_secret_enters_the_first_answer(start: Start, crowd: Path) -> None:
    wire = start()
    wire.initialize(crowd)
    context = wire.assemble(RARE, maxTokens=8_000)
    assert "zoo/keys.py" in context["content"]
    assert "the ignored one" not in context["content"]
    assert "the-ignored-one" not in context["content"]
    assert not secrets_in(context["content"].encode())


def test_the_answer_of_an_incomplete_index_is_not_given_again(start: Start, crowd: Path) -> None:
    wire = start()
    wire.initialize(crowd)
    first = wire.assemble(RARE)
    assert first["report"]["indexComplete"] is False
    assert wire.assemble(RARE)["report"]["cached"] is False
    wire.ready()
    final = wire.assemble(RARE)
    assert (final["report"]["indexComplete"], final["report"]["indexExtent"]) == (True, None)
    assert "def light(wombat_burrow)" in final["content"]
    assert wire.assemble(RARE)["report"]["cached"] is True


def test_nothing_is_said_to_be_missing_while_files_are(start: Start, crowd: Path) -> None:
    wire = start()
    wire.initialize(crowd)
    context = wire.assemble("Where is kubernetes configured?")
    assert context["report"]["indexComplete"] is False
    assert "kubernetes" not in context["content"].partition("\n")[2]


def test_the_status_tells_how_much_is_indexed(start: Start, crowd: Path) -> None:
    wire = start()
    wire.initialize(crowd)
    wire.assemble(RARE)
    status = wire.request("context/status")
    assert status["state"] == "indexing"
    assert status["indexExtent"]["found"] >= COUNT
    assert wire.ready()["indexExtent"] is None
