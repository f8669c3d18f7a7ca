"""One process at a time reads a history; the others go without."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.store.history_database import HistoryDatabase
from contextls.store.locks import StateLock


def test_who_waits_in_vain_for_the_writer_is_told_so(tmp_path: Path) -> None:
    first, second = (HistoryDatabase(tmp_path / "history.sqlite", None) for _ in range(2))
    with first.writing(0) as alone, second.writing(0) as also:
        assert (alone, also) == (True, False)
    with second.writing(0) as alone:
        assert alone
    first.close()
    second.close()


def test_waiting_in_vain_for_a_lock_is_told_from_a_disk_that_refuses_it(tmp_path: Path) -> None:
    with StateLock(tmp_path / "a.lock").acquire(timeout=0), pytest.raises(TimeoutError):
        StateLock(tmp_path / "a.lock").acquire(timeout=0)
    (tmp_path / "file").touch()
    with pytest.raises(OSError) as refused:  # noqa: PT011 - whatever the system says
        StateLock(tmp_path / "file" / "b.lock").acquire(timeout=0)
    assert not isinstance(refused.value, TimeoutError)
