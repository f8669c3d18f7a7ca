"""Old conversations go, the newest stay, and the file shrinks with what went."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contextls.errors import StoreError
from contextls.memory.conversations.retention import KEPT_WHATEVER_THEIR_AGE, ChatRetention, purge
from contextls.memory.conversations.rows import MIGRATIONS
from contextls.memory.conversations.store import FILE_NAME, Conversations
from contextls.model import Author, NewNode
from contextls.settings import Settings
from contextls.store.database import Database
from contextls.store.passes import DAY_MS, BackgroundPass
from contextls.store.quarantine import list_quarantined

MONTH = ChatRetention(days=30, size=0)
WAIT_SECONDS = 30.0
Open = Callable[..., Conversations]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens the conversations of one workspace as if so many days had passed."""
    stores: list[Conversations] = []

    def _open(limits: ChatRetention | None = None, *, days: int = 0) -> Conversations:
        then = int(time.time() * 1000) + days * DAY_MS
        stores.append(Conversations(tmp_path, retention=limits, clock=lambda: then))
        return stores[-1]

    yield _open
    for store in stores:
        store.close()


def talk(store: Conversations, count: int, text: str = "Why?") -> list[str]:
    names = [store.create(f"talk {number}").id for number in range(count)]
    for name in names:
        store.append(name, NewNode(Author.HUMAN, text))
    return names


def wait_for(store: Conversations, count: int) -> set[str]:
    deadline = time.monotonic() + WAIT_SECONDS
    while len(store.list()) != count:
        assert time.monotonic() < deadline, f"{len(store.list())} conversations, not {count}"
        time.sleep(0.02)
    return {one.id for one in store.list()}


def test_what_nobody_went_on_with_goes_and_the_newest_stay(opened: Open) -> None:
    names = talk(opened(), KEPT_WHATEVER_THEIR_AGE + 5)
    assert wait_for(opened(MONTH, days=31), KEPT_WHATEVER_THEIR_AGE) == set(names[5:])


def test_what_is_young_or_went_on_stays(opened: Open) -> None:
    store = opened()
    names = talk(store, KEPT_WHATEVER_THEIR_AGE + 2)
    store.append(names[0], NewNode(Author.MODEL, "Because."))
    young = opened(MONTH, days=29)
    assert {one.id for one in young.list()} == set(names)
    assert names[0] in wait_for(opened(MONTH, days=31), KEPT_WHATEVER_THEIR_AGE)


def test_the_bound_is_looked_after_when_a_conversation_begins(opened: Open) -> None:
    talk(opened(), KEPT_WHATEVER_THEIR_AGE)
    later = opened(MONTH, days=31)
    assert len(later.list()) == KEPT_WHATEVER_THEIR_AGE
    newest = later.create("one more").id
    assert newest in wait_for(later, KEPT_WHATEVER_THEIR_AGE)


def test_a_file_that_is_too_large_shrinks_to_the_newest(opened: Open, tmp_path: Path) -> None:
    store = opened()
    names = talk(store, 8, "word " * 40_000)
    store.close()
    before = (tmp_path / FILE_NAME).stat().st_size
    left = opened(ChatRetention(days=0, size=before // 2))
    deadline = time.monotonic() + WAIT_SECONDS
    while (tmp_path / FILE_NAME).stat().st_size > before // 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    kept = {one.id for one in left.list()}
    assert kept == set(names[-len(kept) :])
    assert 1 <= len(kept) < 8
    opened(ChatRetention(days=0, size=1))
    assert wait_for(left, 1) == {names[-1]}


def test_what_is_wiped_during_a_pass_is_no_damage(opened: Open, tmp_path: Path) -> None:
    store = opened()
    talk(store, 4, "word " * 4_000)
    database = Database(tmp_path / FILE_NAME, MIGRATIONS, durable=True)

    def wiped_meanwhile() -> bool:
        store.wipe()
        return False

    purge(database, ChatRetention(days=0, size=1), 0, wiped_meanwhile)
    database.close()
    assert not store.list()
    assert list_quarantined(tmp_path / FILE_NAME) == []


def test_without_bounds_everything_stays(opened: Open) -> None:
    talk(opened(), KEPT_WHATEVER_THEIR_AGE + 1)
    kept = opened(ChatRetention(days=0, size=0), days=10_000)
    kept.create("one more")
    assert len(kept.list()) == KEPT_WHATEVER_THEIR_AGE + 2


def test_the_bounds_are_settings() -> None:
    assert ChatRetention.of(Settings()) == ChatRetention(90, 256_000_000)
    own = Settings(conversation_retention_days=7, conversation_max_bytes=0)
    assert ChatRetention.of(own) == ChatRetention(7, 0)


def test_all_is_deleted_though_the_file_breaks_while_it_is_open(opened: Open, tmp_path: Path) -> None:
    store = opened()
    talk(store, 2)
    store._database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    file = tmp_path / FILE_NAME
    file.write_bytes(os.urandom(file.stat().st_size))
    with ThreadPoolExecutor(1) as fresh:  # this thread's connection still remembers the file as it was
        fresh.submit(store.wipe).result()
    assert store.list() == ()


def test_a_deletion_counts_though_its_space_cannot_be_given_back(opened: Open) -> None:
    """The disk has room for the deletion, and none for a second copy of what stays."""
    store = opened()
    gone, _ = talk(store, 1)[0], talk(store, 1, "".join(map(str, range(330_000))))
    store._database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, unlimited[1]))
    try:
        with pytest.raises(StoreError, match="it was deleted, but what it said still lies in free space"):
            store.delete(gone)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert gone not in {one.id for one in store.list()}


def test_a_pass_that_fails_in_whatever_way_is_reported(tmp_path: Path) -> None:
    def fail(_stopped: Callable[[], bool]) -> None:
        raise ValueError("a mistake of ours")

    database = Database(tmp_path / "a.sqlite", MIGRATIONS, durable=True)
    cleaning = BackgroundPass(database, lambda: True, fail, "old things could not be deleted")
    cleaning.look()
    cleaning.close()
    assert cleaning.problem == "old things could not be deleted: ValueError('a mistake of ours')"
    database.close()
