"""What an earlier pack found out never changes what a later one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.model import PackRequest
from contextls.packing import known_texts
from contextls.packing.pack import pack_files
from contextls.settings import Settings
from contextls.store.locations import locate

KEY = "AKIA" + "Q3EGRT5ZXOIW7BNC"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(f"KEY = '{KEY}'\n")
    (tmp_path / "b.py").write_text("x = 1\n")
    return tmp_path


def packed(root: Path, tokenizer: str = "o200k_base") -> str:
    return pack_files(root, PackRequest(tokenizer=tokenizer), Settings()).parts[0]


def kept(root: Path) -> Path:
    return locate(root.resolve()).packed_texts


def test_no_secret_is_kept(root: Path) -> None:
    first = packed(root)
    assert b"[redacted:" in kept(root).read_bytes()
    assert KEY.encode() not in kept(root).read_bytes()
    assert packed(root) == first


def test_a_changed_file_is_looked_through_again(root: Path) -> None:
    packed(root)
    (root / "b.py").write_text(f"y = '{KEY}'\n")
    assert KEY not in packed(root)


def test_with_other_rules_every_file_is_looked_through_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_texts, "clean", lambda text: text)  # rules that know no secret
    assert KEY in packed(root)
    monkeypatch.undo()
    monkeypatch.setattr(known_texts, "_stamp_of_rules", lambda: b"others")
    assert KEY not in packed(root)


def test_each_tokenizer_counts_for_itself(root: Path) -> None:
    counts = {
        name: pack_files(root, PackRequest(tokenizer=name), Settings()).token_count
        for name in ("estimate", "cl100k_base", "o200k_base") * 2
    }
    assert len(set(counts.values())) > 1
    assert "(estimate)" in packed(root, "estimate")


def test_a_damaged_cache_is_made_again(root: Path) -> None:
    first = packed(root)
    kept(root).write_bytes(b"damaged")
    assert packed(root) == first
    assert kept(root).stat().st_size > 100
