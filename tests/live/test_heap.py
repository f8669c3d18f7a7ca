"""The collector of garbage does not look through an index again and again."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from contextls.live.heap import freeze_heap, unfreeze_heap


class Link:
    """One of two things that hold each other."""

    other: Link | None = None


@pytest.fixture(autouse=True)
def _nothing_settled() -> Iterator[None]:
    gc.unfreeze()  # servers of other tests may have settled it
    yield
    gc.unfreeze()


def test_what_is_in_use_after_indexing_is_not_looked_through() -> None:
    kept = [Link()]
    freeze_heap()
    assert gc.get_freeze_count() > 0
    assert not any(each is kept for each in gc.get_objects())


def _linked() -> Link:
    one, two = Link(), Link()
    one.other, two.other = two, one
    return one


def test_what_is_let_go_of_with_a_folder_is_freed() -> None:
    one = _linked()
    gone = weakref.ref(one)
    freeze_heap()
    del one
    unfreeze_heap()
    gc.collect()
    assert gone() is None


def test_what_came_after_the_first_index_is_freed() -> None:
    freeze_heap()
    one = _linked()
    gone = weakref.ref(one)
    freeze_heap()
    del one
    gc.collect()
    assert gone() is None
