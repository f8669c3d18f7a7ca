"""A question in the first second after a large folder was opened is answered from files that are not indexed yet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ..hardening.planted import AWS, secret, secrets_in
from ..memory.workspaces import write
from .conftest import starting
from .wire import Json

COUNT = 4_000
RARE = "How does the wombat burrow get its lantern?"


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="module")
def first(crowd: Path) -> Mapping[str, Json]:
    """What a server says that is asked everything at once, just after the folder was opened for the first time."""
    asked = {
        "rare": ("context/assemble", {"query": RARE, "maxTokens": 8_000}),
        "missing": ("context/assemble", {"query": "Where is kubernetes configured?"}),
        "search": ("context/search", {"query": "wombat lantern"}),
    }
    with starting() as start:
        wire = start()
        wire.initialize(crowd)
        sent = {name: wire.send(*request) for name, request in asked.items()}
        answers = {name: wire.answer(number) for name, number in sent.items()}
        return {**answers, "status": wire.request("context/status")}


def test_the_rare_word_of_the_last_file_is_found_in_the_first_second(first: Mapping[str, Json]) -> None:
    assert "def light(wombat_burrow)" in first["rare"]["content"]
    report = first["rare"]["report"]
    assert report["indexComplete"] is False
    extent = report["indexExtent"]
    assert 0 < extent["indexed"] < extent["found"]
    assert extent["found"] >= COUNT
    assert "zoo/last/zz.py" in [hit["path"] for hit in first["search"]["hits"]]


def test_nothing_ignored_or_secret_enters_the_first_answer(first: Mapping[str, Json]) -> None:
    content = first["rare"]["content"]
    assert "zoo/keys.py" in content
    assert "the ignored one" not in content
    assert "the-ignored-one" not in content
    assert not secrets_in(content.encode())


def test_nothing_is_said_to_be_missing_while_files_are(first: Mapping[str, Json]) -> None:
    assert first["missing"]["report"]["indexComplete"] is False
    assert "kubernetes" not in first["missing"]["content"].partition("\n")[2]


def test_the_status_tells_how_much_is_indexed(first: Mapping[str, Json]) -> None:
    assert first["status"]["state"] == "indexing"
    assert first["status"]["indexExtent"]["found"] >= COUNT


def test_the_answer_of_an_incomplete_index_is_not_given_again(crowd: Path, tmp_path: Path) -> None:
    with starting() as start:
        wire = start(env={"CONTEXTLS_HOME": str(tmp_path / "home")})
        wire.initialize(crowd)
        incomplete = wire.assemble(RARE)
        assert incomplete["report"]["indexComplete"] is False
        assert wire.assemble(RARE)["report"]["cached"] is False
        assert wire.ready()["indexExtent"] is None
        final = wire.assemble(RARE)
        assert (final["report"]["indexComplete"], final["report"]["indexExtent"]) == (True, None)
        assert "def light(wombat_burrow)" in final["content"]
        assert wire.assemble(RARE)["report"]["cached"] is True
