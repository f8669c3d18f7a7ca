"""A later process maps what earlier ones wrote, and answers exactly as if all had been indexed at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..workspaces import SHOP, age, found, locations, opened, python, write

IMPORTS = """
import sys
from pathlib import Path
from contextls.engine import Engine

if __name__ == "__main__":
    engine = Engine.open(Path(sys.argv[1]))
    hits = engine.search("the seasonal discount").hits
    engine.close()
    print(hits[0].path, "lancedb" in sys.modules, "pyarrow" in sys.modules)
"""
QUERIES = ("discounted price", "mail a receipt", "registerRoute", "Cart total", "brand new thing")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = write(tmp_path / "shop", SHOP)
    age(root)
    with opened(root):
        pass
    return root


def segments(root: Path) -> list[Path]:
    return sorted(locations(root).segments.glob("*.segment"))


def answers(root: Path) -> list[object]:
    """What a new process would answer."""
    with opened(root, index=False) as engine:
        return [engine.search(query, 20).hits for query in QUERIES]


def indexed_at_once(root: Path) -> list[object]:
    """The same of an index that is made from nothing."""
    shutil.rmtree(locations(root).cache)
    with opened(root):
        pass
    return answers(root)


def test_a_question_on_an_indexed_workspace_does_not_wait_for_lancedb(shop: Path) -> None:
    process = python(IMPORTS, shop)
    output, errors = process.communicate(timeout=180)
    assert output.split() == ["shop/prices.py", "False", "False"], errors


def test_nor_does_one_after_a_save(shop: Path) -> None:
    with opened(shop, index=False) as engine:
        write(shop, {"shop/prices.py": 'def discounted(price):\n    """The seasonal discount."""\n'})
        engine.update_files(["shop/prices.py"])
    process = python(IMPORTS, shop)
    output, errors = process.communicate(timeout=180)
    assert output.split() == ["shop/prices.py", "False", "False"], errors


edits = st.lists(
    st.tuples(st.sampled_from([*SHOP, "shop/new.py", "shop/other.py"]), st.integers(0, 4), st.booleans()),
    min_size=1,
    max_size=6,
)


@settings(max_examples=12)
@given(edits)
def test_after_any_edits_answers_are_those_of_an_index_made_at_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, bool]]
) -> None:
    root = write(tmp_path_factory.mktemp("edits") / "shop", SHOP)
    age(root)
    with opened(root) as engine:
        for path, number, at_once in steps:
            if number:
                text = f"def brand_new_thing_{number}():\n    return {number}\n\n\n" * number
                write(root, {path: text})
            else:
                (root / path).unlink(missing_ok=True)
            if at_once:
                engine.update_files([path])
            else:
                engine.index()
    assert answers(root) == indexed_at_once(root) != [()] * len(QUERIES)
    shutil.rmtree(locations(root).cache)


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def fill_with_zeros(file: Path) -> None:
    file.write_bytes(b"\0" * file.stat().st_size)


@pytest.mark.parametrize("damage", [truncate, fill_with_zeros, Path.unlink])
def test_what_is_lost_is_said_and_read_again(shop: Path, damage: Callable[[Path], None]) -> None:
    before = answers(shop)
    for file in segments(shop):
        damage(file)
    with opened(shop, index=False) as engine:
        assert found(engine, "discounted") == []
        assert not engine.search("discounted").index_complete
        assert any("the next indexing reads them again" in each for each in engine.status().warnings)
        engine.index()
        assert engine.status().warnings == ()
        assert engine.status().state == "ready"
    assert answers(shop) == before


def test_clearing_the_index_deletes_them(shop: Path) -> None:
    with opened(shop, index=False) as engine:
        engine.clear()
        assert not engine.is_built
    assert segments(shop) == []


def test_a_workspace_in_use_by_two_processes_keeps_one_layout(shop: Path) -> None:
    with opened(shop, index=False) as first, opened(shop, index=False) as second:
        assert found(first, "discounted") == found(second, "discounted")
        for number in range(3):
            name = f"shop/added_{number}.py"
            write(shop, {name: f"def added_number_{number}():\n    return {number}\n"})
            first.update_files([name])
            first._memories.content.indexer.flush()
            assert found(second, f"added_number_{number}")[0] == name
    with opened(shop, index=False) as later:
        assert found(later, "added_number_2")[0] == "shop/added_2.py"
