"""How long a question of the command line waits for an index."""

from __future__ import annotations

import threading

from contextls.cli.indexing import ANSWER_SECONDS, IndexingTimeout
from contextls.model import IndexProgress


class Run:
    """A run of indexing that is watched at given seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.cancel = threading.Event()
        self.timeout = IndexingTimeout(self.cancel, lambda: self.now)

    def at(self, seconds: float, phase: str, done: int, total: int) -> bool:
        """Whether the question still waits when the run is so far."""
        self.now = seconds
        self.timeout.watch(IndexProgress(phase, done, total))
        return not self.cancel.is_set()


def test_a_run_of_some_seconds_is_waited_for() -> None:
    run = Run()
    assert run.at(0, "scan", 0, 0)
    assert run.at(1, "index", 0, 2_000)
    assert run.at(ANSWER_SECONDS + 1, "index", 1_200, 2_000)
    assert run.at(ANSWER_SECONDS + 3, "store", 2_000, 2_000)
    assert not run.timeout.is_over


def test_a_long_run_is_left_and_says_how_far_it_came() -> None:
    run = Run()
    assert run.at(1, "index", 0, 80_000)
    assert run.at(4, "index", 900, 80_000)
    assert not run.at(ANSWER_SECONDS + 0.1, "index", 1_200, 80_000)
    assert run.timeout.describe().startswith("1,200 of 80,000 files are indexed")


def test_counting_files_without_end_is_left_too() -> None:
    run = Run()
    assert run.at(ANSWER_SECONDS + 1, "scan", 90_000, 0)
    assert not run.at(2 * ANSWER_SECONDS + 1, "scan", 200_000, 0)
    assert run.timeout.describe().startswith("no file is indexed")


def test_few_files_are_waited_for_before_their_pace_is_known() -> None:
    run = Run()
    assert run.at(1, "index", 0, 300)
    assert run.at(ANSWER_SECONDS + 5, "index", 3, 300)
