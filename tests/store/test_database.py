"""SQLite files: migrations, threads, closing, damage."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from contextls.errors import StoreError
from contextls.store.database import Database
from contextls.store.locks import StateLock
from contextls.store.notices import Notices
from contextls.store.quarantine import DamagedError, list_quarantined, quarantine
from contextls.store.salvage import SavedTable, Truth, text_of
from contextls.store.sqlite_opening import LOG_BYTES, connect

FIRST = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"
KEPT = "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL)"
NOTES = Truth(
    "notes",
    (
        SavedTable(
            "notes",
            ("id", "text"),
            lambda number, values: (
                (number, text_of(values[1])) if len(values) == 2 and values[0] is None else None
            ),
        ),
    ),
)
SECOND = "ALTER TABLE notes ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'; CREATE INDEX moods ON notes (mood)"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "notes.sqlite", [FIRST], durable=True)
    yield database
    database.close()


def add(database: Database, text: str) -> None:
    with database.write() as connection:
        connection.execute("INSERT INTO notes (text) VALUES (?)", (text,))


def test_migrations_run_once_and_keep_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    for migrations in ([FIRST], [FIRST, SECOND], [FIRST, SECOND]):
        database = Database(path, migrations, durable=False)
        add(database, "kept")
        database.close()
    database = Database(path, [FIRST, SECOND], durable=False)
    assert database.read("SELECT text, mood FROM notes") == [("kept", "calm")] * 3
    database.close()
    with pytest.raises(StoreError, match="newer contextls"):
        Database(path, [FIRST], durable=False)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    Database(path, [FIRST], durable=False).close()
    with pytest.raises(StoreError):
        Database(path, [FIRST, "CREATE TABLE more (id INTEGER); nonsense"], durable=False)
    database = Database(path, [FIRST], durable=False)
    assert database.read("SELECT name FROM sqlite_master WHERE type = 'table'") == [("notes",)]
    database.close()


def test_a_transaction_is_all_or_nothing(database: Database) -> None:
    def write(*numbers: int) -> None:
        with database.write() as connection:
            for number in numbers:
                connection.execute("INSERT INTO notes VALUES (?, 'text')", (1 // number,))

    with pytest.raises(ZeroDivisionError):
        write(1, 0)
    with pytest.raises(StoreError, match=r"notes\.sqlite: UNIQUE"):
        write(1, 1)
    assert database.read("SELECT * FROM notes") == []
    add(database, "goes on")


def test_every_write_is_synced_when_it_must_last(tmp_path: Path) -> None:
    for durable, level in ((True, 2), (False, 1)):
        database = Database(tmp_path / f"{durable}.sqlite", [FIRST], durable=durable)
        assert database.read("PRAGMA synchronous") == [(level,)]
        assert database.read("PRAGMA journal_mode") == [("wal",)]
        database.close()


def test_many_threads_write_and_read(database: Database) -> None:
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda number: add(database, str(number)), range(120)))
        counts = list(threads.map(lambda _: database.read("SELECT COUNT(*) FROM notes")[0][0], range(12)))
    assert set(counts) == {120}


def test_however_many_make_a_new_file_at_once_all_get_in(tmp_path: Path) -> None:
    def open_one(path: Path, gate: threading.Barrier) -> None:
        gate.wait()
        with closing(connect(path, durable=False, shrinks=True)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE IF NOT EXISTS words (word TEXT)")
            connection.execute("COMMIT")

    with ThreadPoolExecutor(8) as threads:
        for number in range(60):
            gate = threading.Barrier(8)
            started = [threads.submit(open_one, tmp_path / f"{number}.sqlite", gate) for _ in range(8)]
            for one in started:
                one.result()


def test_closing_while_others_work_breaks_nothing(database: Database) -> None:
    outcomes: list[str] = []

    def work() -> None:
        try:
            while True:
                add(database, "more")
        except StoreError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    while database.read("SELECT COUNT(*) FROM notes")[0][0] < 20:
        pass
    database.close()
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()
    assert len(outcomes) == 3
    assert all("was closed; open the workspace again" in outcome for outcome in outcomes)
    check = sqlite3.connect(database.path)
    assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check.close()


def test_deleted_content_leaves_the_file(database: Database) -> None:
    for _ in range(200):
        add(database, "very private words")
    with database.write() as connection:
        connection.execute("DELETE FROM notes")
    database.shrink()
    files = database.path.parent.glob("notes.sqlite*")
    assert b"very private words" not in b"".join(path.read_bytes() for path in files)


@pytest.mark.parametrize("made_for_it", [True, False])
def test_a_file_shrinks_to_what_it_holds(tmp_path: Path, made_for_it: bool) -> None:
    path = tmp_path / "notes.sqlite"
    Database(path, [FIRST], durable=True, shrinks=made_for_it).close()
    database = Database(path, [FIRST], durable=True, shrinks=True)
    with database.write() as connection:
        connection.executemany("INSERT INTO notes (text) VALUES (?)", [("x" * 2_000,)] * 3_000)
    full = database.size()
    with database.write() as connection:
        connection.execute("DELETE FROM notes WHERE id > 100")
    assert database.size() == full
    assert database.used() < full / 5
    database.give_back()
    assert database.size() == database.used() == path.stat().st_size < full / 5
    assert path.with_name("notes.sqlite-wal").stat().st_size == 0
    assert database.read("SELECT COUNT(*) FROM notes") == [(100,)]
    assert database.read("PRAGMA integrity_check") == [("ok",)]
    database.close()


def test_giving_back_ends_when_told(tmp_path: Path) -> None:
    database = Database(tmp_path / "notes.sqlite", [FIRST], durable=True, shrinks=True)
    with database.write() as connection:
        connection.executemany("INSERT INTO notes (text) VALUES (?)", [("x" * 2_000,)] * 3_000)
        connection.execute("DELETE FROM notes")
    database.give_back(lambda: True)
    assert database.size() > 2 * database.used()
    database.close()


def test_the_log_beside_the_file_does_not_stay_large(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    database = Database(path, [FIRST], durable=False)
    with database.write() as connection:
        connection.executemany("INSERT INTO notes (text) VALUES (?)", [("x" * 2_000,)] * 8_000)
    add(database, "after a burst")
    add(database, "once more")
    assert path.with_name("notes.sqlite-wal").stat().st_size <= LOG_BYTES
    database.close()


def leave(place: Path, files: dict[str, bytes]) -> Path:
    """A database as a killed process leaves it: its file and what lies beside it, by ending."""
    path = place / "notes.sqlite"
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    for ending, content in files.items():
        path.with_name(path.name + ending).write_bytes(content)
    return path


def found_in(path: Path) -> dict[str, bytes]:
    return {ending: path.with_name(path.name + ending).read_bytes() for ending in ("", "-wal", "-shm")}


def notes_of(path: Path) -> tuple[list[str], list[str]]:
    """The notes that are found, and what the user is told."""
    told: list[str] = []
    notices = Notices()
    notices.listen(told.append)
    database = Database.truth(path, [KEPT], NOTES, notices)
    texts = [text for (text,) in database.read("SELECT text FROM notes")]
    database.close()
    return texts, told


@pytest.mark.parametrize("index_is_left", [True, False])
def test_a_process_killed_while_it_began_the_log_anew_leaves_no_damage(
    tmp_path: Path, index_is_left: bool
) -> None:
    living = Database(tmp_path / "notes.sqlite", [KEPT], durable=True)
    for number in range(20):
        add(living, f"note {number}")
    old = found_in(living.path)["-wal"]
    living.read("PRAGMA wal_checkpoint(RESTART)")
    before = found_in(living.path)
    add(living, "never acknowledged")
    header = found_in(living.path)["-wal"][:32]
    living.close()
    assert header != old[:32]
    left = {"": before[""], "-wal": header + old[32:], **({"-shm": before["-shm"]} if index_is_left else {})}
    assert notes_of(leave(tmp_path, left)) == ([f"note {number}" for number in range(20)], [])


def test_what_a_killed_process_wrote_behind_a_later_commit_is_no_damage(tmp_path: Path) -> None:
    living = Database(tmp_path / "notes.sqlite", [KEPT], durable=True)
    add(living, "first")
    before = found_in(living.path)
    add(living, "never acknowledged " * 4_000)
    longer = found_in(living.path)["-wal"]
    living.close()
    other = Database(leave(tmp_path, before), [KEPT], durable=True)
    add(other, "second")
    left = found_in(other.path)
    other.close()
    left["-wal"] += longer[len(left["-wal"]) :]
    assert len(left["-wal"]) == len(longer)
    assert notes_of(leave(tmp_path, left)) == (["first", "second"], [])


def test_a_full_disk_says_that_nothing_stored_is_lost(database: Database) -> None:
    add(database, "kept")
    (pages,) = database.read("PRAGMA page_count")[0]
    database.read(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreError, match=r"full; free some space.*what was stored before is safe"):
        add(database, "x" * 100_000)
    assert database.read("SELECT text FROM notes") == [("kept",)]


def test_damage_is_told_apart_from_trouble(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"this is no database" * 500)
    with pytest.raises(DamagedError, match=r"notes\.sqlite is damaged"):
        Database(path, [FIRST], durable=False)
    folder = tmp_path / "folder.sqlite"
    folder.mkdir()
    with pytest.raises(DamagedError, match="it is a folder"):
        Database(folder, [FIRST], durable=False)
    with pytest.raises(StoreError, match="check free space and permissions") as caught:
        Database(tmp_path / "no such folder" / "notes.sqlite", [FIRST], durable=False)
    assert not isinstance(caught.value, DamagedError)


def test_a_damaged_file_is_moved_aside_once_however_many_find_it(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"this is no database" * 500)

    def open_and_add(number: int) -> Database:
        database = Database.truth(path, [KEPT], NOTES)
        add(database, str(number))
        return database

    with ThreadPoolExecutor(5) as threads:
        databases = list(threads.map(open_and_add, range(5)))
    assert databases[0].read("SELECT COUNT(*) FROM notes") == [(5,)]
    for database in databases:
        database.close()
    (kept,) = list_quarantined(path)
    assert kept.read_bytes() == b"this is no database" * 500


def test_where_the_system_replaces_no_open_file_a_damaged_one_is_closed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notes.sqlite"
    replace = Path.replace

    def replace_closed(draft: Path, target: Path) -> Path:
        assert os.path.realpath(target) not in [each.path for each in psutil.Process().open_files()]
        return replace(draft, target)

    monkeypatch.setattr("contextls.store.salvage._REPLACES_OPEN_FILES", False)
    monkeypatch.setattr(Path, "replace", replace_closed)
    path.write_bytes(b"this is no database" * 500)
    with closing(Database.truth(path, [KEPT], NOTES)) as database:
        add(database, "goes on")
        assert database.read("SELECT text FROM notes") == [("goes on",)]
    assert len(list_quarantined(path)) == 1


def test_a_process_that_hangs_while_it_puts_a_file_right_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contextls.store.database_file._LOCK_SECONDS", 0.05)
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"no database" * 1000)
    with StateLock(tmp_path / "notes.sqlite.lock").acquire(timeout=1):
        database = Database.cache(path, [FIRST])
        assert "another process has been putting" in database.problem
    database.close()
    database = Database.cache(path, [FIRST])
    assert database.read("SELECT * FROM notes") == []
    database.close()


def test_work_of_a_process_that_was_killed_is_finished_by_the_one_that_waited_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had saved the rows of a damaged file into a new one, and was killed before that took the name."""
    monkeypatch.setattr("contextls.store.database_file._LOCK_SECONDS", 5.0)
    path = tmp_path / "notes.sqlite"
    saved = Database.truth(path, [KEPT], NOTES)
    add(saved, "kept")
    saved.close()
    saved_bytes = path.read_bytes()
    path.write_bytes(b"no database" * 1000)
    with ThreadPoolExecutor(1) as another:
        with StateLock(tmp_path / "notes.sqlite.lock").acquire(timeout=1):
            opening = another.submit(Database.truth, path, [KEPT], NOTES)
            while not opening.running():
                time.sleep(0.01)
            time.sleep(0.5)  # it has seen the damage by then, and waits
            (tmp_path / "notes.sqlite.salvaged").write_bytes(saved_bytes)
        database = opening.result()
        assert (database.problem, database.read("SELECT text FROM notes")) == ("", [("kept",)])
    database.close()


def test_quarantine_keeps_all_or_the_last(tmp_path: Path) -> None:
    path = tmp_path / "store"
    for number in range(3):
        path.write_text(f"file {number}")
        path.with_name("store-wal").write_text(f"log {number}")
        place = quarantine(path, keep_all=True)
        assert place.read_text() == f"file {number}"
        assert place.with_name(f"{place.name}-wal").read_text() == f"log {number}"
        assert not path.with_name("store-wal").exists()
    assert [place.read_text() for place in list_quarantined(path)] == ["file 0", "file 1", "file 2"]
    folder = tmp_path / "lance"
    for number in range(3):
        folder.mkdir()
        (folder / f"{number}").touch()
        quarantine(folder, keep_all=False)
    (place,) = list_quarantined(folder)
    assert [entry.name for entry in place.iterdir()] == ["2"]


@pytest.mark.parametrize(
    "defect", [ValueError, TypeError, KeyError, UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid")]
)
def test_a_defect_of_a_writer_is_no_damage(tmp_path: Path, defect: type[Exception] | Exception) -> None:
    told: list[str] = []
    notices = Notices()
    notices.listen(told.append)
    database = Database.truth(tmp_path / "notes.sqlite", [KEPT], NOTES, notices)
    add(database, "kept")

    def write() -> None:
        with database.write() as connection:
            connection.execute("INSERT INTO notes (text) VALUES ('half of a change')")
            raise defect

    with pytest.raises(defect if isinstance(defect, type) else type(defect)):
        write()
    assert database.read("SELECT text FROM notes") == [("kept",)]
    add(database, "goes on")
    assert list_quarantined(database.path) == []
    assert told == []
    database.close()


def test_rows_that_make_no_sense_to_a_writer_are_damage(tmp_path: Path) -> None:
    database = Database.truth(tmp_path / "notes.sqlite", [KEPT], NOTES)
    add(database, "kept")
    add(database, "no number")

    def write(text: str) -> None:
        with database.write() as connection:
            connection.execute("INSERT INTO notes (text) VALUES (?)", (text,))
            connection.read(lambda rows: int(rows[0][0]), "SELECT text FROM notes WHERE id = 2")

    with pytest.raises(StoreError, match=r"a row makes no sense.*try again"):
        write("not yet")
    assert len(list_quarantined(database.path)) == 1
    assert database.read("SELECT text FROM notes") == [("kept",), ("no number",)]
    database.close()


def test_text_that_is_no_unicode_is_no_damage(tmp_path: Path) -> None:
    database = Database.truth(tmp_path / "notes.sqlite", [KEPT], NOTES)
    add(database, "half a \ud83d character")
    assert database.read("SELECT text FROM notes") == [("half a \ufffd character",)]
    assert database.decode(lambda: database.read("SELECT id FROM notes WHERE text = ?", ("\udcff",))) == []
    assert list_quarantined(database.path) == []
    database.close()
