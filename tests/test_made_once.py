"""A property that is made once: by one thread while others wait, but none that asks another object."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from contextls.made_once import made_once

LONG = 10.0


class Shelf:
    """Its books come when they may."""

    def __init__(self, *, waits: bool = False) -> None:
        self.begun, self.may_come = threading.Event(), threading.Event()
        self.times_made = 0
        if not waits:
            self.may_come.set()

    @made_once
    def books(self) -> list[str]:
        """The books on it."""
        self.times_made += 1
        self.begun.set()
        self.may_come.wait(LONG)
        if self.times_made == 1 and isinstance(self, Wobbly):
            raise OSError("it fell over")
        return ["Momo"]


class Wobbly(Shelf):
    """Falls over the first time."""


def test_another_objects_property_is_had_at_once_while_one_is_made() -> None:
    slow, quick = Shelf(waits=True), Shelf()
    with ThreadPoolExecutor(1) as threads:
        making = threads.submit(lambda: slow.books)
        assert slow.begun.wait(LONG)
        assert quick.books == ["Momo"]
        assert Shelf.books.peek(slow) is None, "it was not waited for"
        slow.may_come.set()
        assert making.result() == ["Momo"]


def test_threads_that_ask_the_same_object_have_it_made_once() -> None:
    shelf = Shelf(waits=True)
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(lambda: shelf.books) for _ in range(4)]
        assert shelf.begun.wait(LONG)
        shelf.may_come.set()
        (books,) = {id(each.result()) for each in asked}
    assert books == id(shelf.books)
    assert shelf.times_made == 1


def test_what_could_not_be_made_is_tried_again() -> None:
    shelf = Wobbly()
    with pytest.raises(OSError, match="fell over"):
        _ = shelf.books
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(lambda: shelf.books).result() == ["Momo"]
    assert shelf.times_made == 2
