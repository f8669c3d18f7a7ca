"""Values by digest: kept whole, or not at all."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.store.digest_cache import DIGEST_BYTES, load_values, save_values

digests = st.binary(min_size=DIGEST_BYTES, max_size=DIGEST_BYTES)


@given(values=st.dictionaries(digests, st.binary(max_size=40), max_size=20))
def test_what_is_kept_comes_back(
    values: dict[bytes, bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cache") / "new" / "file"
    save_values(path, values)
    assert load_values(path) == values


def test_a_damaged_file_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    save_values(path, {b"0" * DIGEST_BYTES: b"value", b"1" * DIGEST_BYTES: b""})
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole + b"x", whole[:20] + b"?" + whole[21:], b"\0" * 400):
        path.write_bytes(damaged)
        assert load_values(path) == {}
    assert load_values(tmp_path / "nothing") == {}
    assert load_values(tmp_path) == {}


def test_the_newest_values_stay_when_there_is_no_room(tmp_path: Path) -> None:
    values = {
        blake2b(b"%d" % number, digest_size=DIGEST_BYTES).digest(): b"x" * 1_000_000 for number in range(20)
    }
    save_values(tmp_path / "file", values)
    kept = list(load_values(tmp_path / "file"))
    assert kept == list(values)[-15:]


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    save_values(tmp_path / "taken" / "file", {b"0" * DIGEST_BYTES: b""})
    assert (tmp_path / "taken").read_text() == "a file"
