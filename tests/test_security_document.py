"""docs/security.md names every kind of attack that is tried; the counts are those of the last ``make hardening``."""

from __future__ import annotations

from pathlib import Path

import pytest

from .hardening.corpus import FOLDER, Corpus, row_title

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "security.md"
MODULES = sorted(FOLDER.glob("test_*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_every_kind_of_attack_has_its_row(module: Path) -> None:
    title = row_title(module)
    assert title != module.stem, f"{module.name} needs a docstring; its first line is the title of its row"
    text = DOCUMENT.read_text(encoding="utf-8")
    table = text.partition("<!-- corpus: begin -->")[2].partition("<!-- corpus: end -->")[0]
    assert f"| {title} |" in table, "run: python tools/update_security.py corpus"


def test_a_row_counts_what_was_tried_and_survived(tmp_path: Path) -> None:
    pipes, bombs = tmp_path / "test_a.py", tmp_path / "test_b.py"
    pipes.write_text('"""Pipes.\n\nMore."""\n')
    bombs.write_text('"""Bombs."""\n')
    corpus = Corpus()
    for outcome in ("passed", "failed"):
        corpus.add_outcome(pipes, "setup", "passed", 1.0, {})
        corpus.add_outcome(pipes, "call", outcome, 2.0, {"attacks": 500})
    corpus.add_outcome(bombs, "setup", "failed", 0.0, {})
    corpus.add_outcome(pipes, "call", "passed", 0.0, {})
    corpus.add_outcome(pipes, "teardown", "failed", 0.0, {})
    assert corpus.markdown().splitlines()[2:] == [
        "| Bombs | 1 | 0 | 0 |",
        "| Pipes | 1,001 | 500 | 6 |",
        "| **all** | 1,002 | 500 | 6 |",
    ]
