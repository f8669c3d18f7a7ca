"""Feedback: kept durably, counted gently, fading."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.pieces.bodies import FreeText
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.selection.adjustments import weigh_by_feedback
from contextls.errors import InvalidRequestError
from contextls.memory.feedback import FILE_NAME, HALF_LIFE_MS, Feedback, Tally, factor
from contextls.model import Section


@pytest.fixture
def feedback(tmp_path: Path) -> Iterator[Feedback]:
    feedback = Feedback(tmp_path)
    yield feedback
    feedback.close()


def test_what_was_said_is_there_for_every_process_and_fades(feedback: Feedback, tmp_path: Path) -> None:
    before = feedback.version()
    feedback.give("event-1", helpful=True)
    feedback.give("event-1", helpful=False, context_id="context-7")
    feedback.give("event-2", helpful=False)
    assert feedback.version() > before
    other = Feedback(tmp_path)
    now = int(time.time() * 1000)
    tallies = other.tallies(now)
    assert {source: (tally.helpful, tally.unhelpful) for source, tally in tallies.items()} == {
        "event-1": (1, 1),
        "event-2": (0, 1),
    }
    assert tallies["event-2"].balance == pytest.approx(-1, abs=0.01)
    assert other.tallies(now + HALF_LIFE_MS)["event-2"].balance == pytest.approx(-0.5, abs=0.01)
    feedback.wipe()
    assert other.tallies(now) == {}
    other.close()


def test_what_cannot_be_meant_is_named(feedback: Feedback) -> None:
    for source in ("", "  ", "x" * 1001):
        with pytest.raises(InvalidRequestError, match=r"^source"):
            feedback.give(source, helpful=True)
    with pytest.raises(InvalidRequestError, match=r"^contextId"):
        feedback.give("a", helpful=True, context_id="x" * 1001)
    assert feedback.version() == 0


def test_a_secret_in_a_source_is_not_kept(feedback: Feedback, tmp_path: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    feedback.give(f"note {key} \ud800", helpful=True)
    feedback.close()
    assert key.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_a_damaged_file_is_kept_and_said(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all" * 100)
    feedback = Feedback(tmp_path)
    feedback.give("a", helpful=True)
    assert len(feedback.warnings()) == 1
    feedback.close()


def test_a_word_is_kept_though_the_file_breaks_while_it_is_open(feedback: Feedback, tmp_path: Path) -> None:
    feedback.give("a", helpful=True)
    feedback._database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    file = tmp_path / FILE_NAME
    file.write_bytes(os.urandom(file.stat().st_size))
    with ThreadPoolExecutor(1) as fresh:  # this thread's connection still remembers the file as it was
        fresh.submit(feedback.give, "b", helpful=True).result()
    assert set(feedback.tallies(0)) == {"b"}
    assert len(feedback.warnings()) == 1


def test_all_is_forgotten_though_the_file_breaks_while_it_is_open(feedback: Feedback, tmp_path: Path) -> None:
    feedback.give("a", helpful=True)
    feedback._database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    file = tmp_path / FILE_NAME
    file.write_bytes(os.urandom(file.stat().st_size))
    with ThreadPoolExecutor(1) as fresh:
        fresh.submit(feedback.wipe).result()
    assert feedback.tallies(0) == {}


def test_code_is_meant_by_overlapping_lines_of_the_same_file() -> None:
    tallies = {"a.py:10-20": Tally(1, 0, 1.0)}
    assert factor("a.py:10-20", tallies) == factor("a.py:18-40", tallies) == pytest.approx(2**0.25)
    assert factor("a.py:21-40", tallies) == factor("b.py:10-20", tallies) == factor("a.py", tallies) == 1


@given(st.dictionaries(st.sampled_from(["a.py:1-9", "a.py:5-7", "e"]), st.floats(-1e6, 1e6)), st.floats(0, 1))
def test_no_number_of_voices_counts_for_more_than_the_bounds(
    balances: dict[str, float], relevance: float
) -> None:
    tallies = {source: Tally(0, 0, balance) for source, balance in balances.items()}
    items = [Candidate(section, "a.py:1-9", FreeText("x"), Scores(relevance)) for section in Section]
    assert 0.7 < factor("a.py:1-9", tallies) < 1.42
    for before, after in zip(items, weigh_by_feedback(items, tallies), strict=True):
        assert 0 <= after.scores.relevance <= 1
        if before.section in (Section.TASK, Section.CUSTOM, Section.PATTERN):
            assert after == before
