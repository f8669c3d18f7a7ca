"""The trees that growth is measured on: the same each time, each the beginning of the next, and code that still is code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from benchmarks.scaling.tree import (
    RESERVED,
    exchange_words,
    list_sources,
    questions_of,
    read_words,
    write_tree,
)

NAMES = ("ledger", "invoice", "parcel", "voucher", "receipt", "customer")


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    """Modules that import each other, all of the same few words."""
    root = tmp_path / "shop"
    for number, name in enumerate(NAMES):
        other = NAMES[(number + 1) % len(NAMES)]
        (root / name).mkdir(parents=True)
        (root / name / f"{name}_book.py").write_text(
            f"""from shop.{other}.{other}_book import post_{other}

def post_{name}(entry):
    # Every {name} {other} voucher of a customer is posted to the ledger
    for parcel in entry.receipt:
        post_{other}(parcel.invoice, LEDGER)
    return "{name}"
"""
        )
    return [root]


def files_of(tree: Path) -> dict[str, str]:
    return {file.relative_to(tree).as_posix(): file.read_text() for file in tree.rglob("*") if file.is_file()}


def test_a_tree_is_the_same_each_time_and_the_beginning_of_a_larger_one(
    roots: list[Path], tmp_path: Path
) -> None:
    sources = list_sources(roots)
    for name, files in (("small", 4), ("again", 4), ("large", 15)):
        write_tree(sources, tmp_path / name, files)
    small, large = files_of(tmp_path / "small"), files_of(tmp_path / "large")
    assert small == files_of(tmp_path / "again")
    assert (len(small), len(large)) == (4, 15)
    assert small.items() <= large.items()
    write_tree(sources, tmp_path / "small", 15, start=4)
    assert files_of(tmp_path / "small") == large


def test_with_other_words_imports_lead_where_they_led(roots: list[Path], tmp_path: Path) -> None:
    write_tree(list_sources(roots), tmp_path / "tree", 18)
    files = files_of(tmp_path / "tree")
    assert len(set(files.values())) > 6
    for path, text in files.items():
        project = "/".join(path.split("/")[:2])
        module = next(node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)).module or ""
        assert f"{project}/{module.replace('.', '/')}.py" in files


def test_words_of_languages_stay_and_no_two_words_become_one(roots: list[Path]) -> None:
    words = read_words(list_sources(roots))
    assert any("ledger" in band for band in words)
    exchanged = exchange_words(words, 3)
    assert sorted(exchanged.values()) == sorted(exchanged)
    assert RESERVED.isdisjoint(exchanged)


def test_the_questions_are_about_the_tree(roots: list[Path], tmp_path: Path) -> None:
    sources = list_sources(roots)
    write_tree(sources, tmp_path / "tree", 12)
    texts = "".join(files_of(tmp_path / "tree").values())
    questions = list(questions_of(sources, 12, 8))
    assert questions == list(questions_of(sources, 12, 8))
    assert all(question in texts for question in questions)
