"""Killed processes, damaged files, full disks and several processes at once leave an index that heals by itself."""

from __future__ import annotations

import gc
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.errors import StoreError
from contextls.model import AssembleRequest, NewEvent
from contextls.models.embedders import choose
from contextls.models.embedders.static import StaticEmbedder
from contextls.store.quarantine import list_quarantined

from .workspaces import ONE_WORKER, SHOP, age, found, locations, opened, python, write

Damage = Callable[[Path], None]

INDEX_UP_TO = """
import sys
from pathlib import Path
from contextls.engine import Engine
from contextls.memory.index.updating import run_commits
from contextls.settings import Settings

run_commits.CHUNKS_PER_COMMIT = int(sys.argv[3])
run_commits.SECONDS_PER_COMMIT = run_commits.FIRST_COMMIT_SECONDS = float(sys.argv[4])

if __name__ == "__main__":
    engine = Engine.open(Path(sys.argv[1]), Settings(workers=1))
    engine.index(lambda step: step.done < int(sys.argv[2]) or print("there", flush=True) or sys.stdin.read())
"""

INDEX_THEN_WAIT = """
import sys
from pathlib import Path
from contextls.engine import Engine
from contextls.settings import Settings

if __name__ == "__main__":
    engine = Engine.open(Path(sys.argv[1]), Settings(workers=1))
    for line in sys.stdin:
        match line.split():
            case ["index"]:
                print(engine.index().changed, flush=True)
            case ["clear"]:
                engine.clear()
                print("cleared", flush=True)
            case ["update", path]:
                engine.update_files([path])
                engine._memories.content.indexer.flush()
                print("updated", flush=True)
            case ["search", word]:
                print(*[hit.path for hit in engine.search(word).hits], flush=True)
    engine.close()
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = write(tmp_path / "shop", SHOP)
    age(root)
    return root


class Other:
    """Another process with an engine on the same workspace."""

    def __init__(self, root: Path) -> None:
        self._process = python(INDEX_THEN_WAIT, root)

    def ask(self, command: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def __enter__(self) -> Other:
        return self

    def __exit__(self, *_: object) -> None:
        errors = self._process.communicate(timeout=180)[1]
        assert errors == ""


@pytest.mark.parametrize(("after", "chunks", "seconds"), [(30, 20, 3600), (110, 20, 3600), (110, 4000, 0)])
def test_kill_in_the_middle_of_indexing(tmp_path: Path, after: int, chunks: int, seconds: float) -> None:
    """What was done is kept once it is much, and once it took long."""
    root = write(tmp_path, {f"part{n:03}.py": f"def work_{n}():\n    return 1\n" for n in range(150)})
    age(root)
    process = python(INDEX_UP_TO, root, after, chunks, seconds)
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with opened(root, index=False) as engine:
        kept = engine.status().chunks
        assert 0 < kept < 150
        assert not engine.search("work", 1000).index_complete
        report = engine.index()
        assert report.files == report.chunks == 150
        assert report.changed <= 150 - kept, "what was committed is not done again"
        hits = engine.search("work", 1000).hits
        assert sorted(hit.path for hit in hits) == sorted(f"part{n:03}.py" for n in range(150))


def test_a_segment_of_a_writer_that_died_half_way_is_never_read_and_swept(shop: Path) -> None:
    with opened(shop) as engine:
        folder = locations(shop).segments
        (written,) = folder.glob("*.segment")
        before = sorted(folder.iterdir())
        # What a process leaves that is killed after it wrote a segment and before it noted which files are in it.
        (folder / f"{'0' * 32}.segment").write_bytes(written.read_bytes())
        (folder / ".draft.tmp").write_bytes(b"x" * 1000)
    with opened(shop, index=False) as engine:
        assert [hit.path for hit in engine.search("discounted", 100).hits].count("shop/prices.py") == 1
        assert engine.status().chunks == 5
        assert engine.index().changed == 0
        assert sorted(folder.iterdir()) == before


def test_two_processes_share_one_index(shop: Path) -> None:
    with Other(shop) as other:
        assert other.ask("index") == "5"
        with opened(shop, index=False) as engine:
            assert found(engine, "discounted")[0] == "shop/prices.py"
            assert engine.index().changed == 0
            write(shop, {"shop/prices.py": "def surcharge(price):\n    return price\n"})
            assert other.ask("update shop/prices.py") == "updated"
            assert found(engine, "surcharge")[0] == "shop/prices.py"
            (shop / "shop/mail.py").unlink()
            assert other.ask("update shop/mail.py") == "updated"
            assert "shop/mail.py" not in found(engine, "send_receipt")
            write(shop, {"shop/tax.py": "def vat():\n    return 19\n"})
            engine.update_files(["shop/tax.py"])
            engine._memories.content.indexer.flush()
            assert other.ask("search vat").split()[0] == "shop/tax.py"


def test_one_process_clears_the_index_of_another(shop: Path) -> None:
    with Other(shop) as other, opened(shop) as engine:
        assert found(engine, "discounted")[0] == "shop/prices.py"
        assert other.ask("clear") == "cleared"
        assert not engine.search("discounted").index_complete
        assert found(engine, "discounted")[0] == "shop/prices.py", "as it is on the disk"
        assert found(engine, "zebra") == []
        assert other.ask("index") == "5"
        assert found(engine, "discounted")[0] == "shop/prices.py"
        assert engine.index().changed == 0
        assert engine.status().warnings == ()


def _cut_segments(index: Path) -> None:
    for path in index.glob("segments/*.segment"):
        path.write_bytes(path.read_bytes()[:100])


def _garble_segments(index: Path) -> None:
    for path in index.glob("segments/*.segment"):
        raw = bytearray(path.read_bytes())
        raw[len(raw) // 2 :] = os.urandom(len(raw) - len(raw) // 2)
        path.write_bytes(raw)


def _lose_segments(index: Path) -> None:
    shutil.rmtree(index / "segments")


def _garble_database(index: Path) -> None:
    for ending in ("-wal", "-shm"):
        (index / f"index.sqlite{ending}").unlink(missing_ok=True)
    path = index / "index.sqlite"
    path.write_bytes(path.read_bytes()[:50] + os.urandom(5_000))


def _empty_database(index: Path) -> None:
    for ending in ("-wal", "-shm"):
        (index / f"index.sqlite{ending}").unlink(missing_ok=True)
    (index / "index.sqlite").write_bytes(b"")


def _garble_middle_of_database(index: Path) -> None:
    path = index / "index.sqlite"
    raw = bytearray(path.read_bytes())
    raw[4096:] = os.urandom(len(raw) - 4096)
    path.write_bytes(raw)


def _lose_database(index: Path) -> None:
    for path in index.glob("index.sqlite*"):
        path.unlink()


@pytest.mark.parametrize("damage", [_lose_database, _garble_database])
def test_what_another_process_indexes_after_a_loss_is_not_taken_for_what_was_there(
    shop: Path, damage: Damage
) -> None:
    with opened(shop) as engine, Other(shop) as other:
        assert found(engine, "discounted")[0] == "shop/prices.py"
        damage(locations(shop).index)
        write(shop, {"shop/prices.py": "def surcharge(price):\n    return price * 2\n"})
        assert other.ask("index") == "5"
        first = engine.search("surcharge").hits[0]
        assert (first.path, first.text.strip()) == (
            "shop/prices.py",
            "def surcharge(price):\n    return price * 2",
        )


@pytest.mark.parametrize(
    ("damage", "warns"),
    [
        (_cut_segments, False),
        (_garble_segments, False),
        (_lose_segments, False),
        (_garble_database, True),
        (_garble_middle_of_database, True),
        (_empty_database, False),
        (_lose_database, False),
    ],
)
def test_a_damaged_index_is_rebuilt(shop: Path, damage: Damage, warns: bool) -> None:
    index = locations(shop).index
    with opened(shop) as engine:
        engine.record(NewEvent("file_read", {"path": "shop/cart.py"}))
    for _ in range(2):
        damage(index)
        with opened(shop, index=False) as engine:
            engine.search("discounted")
            engine.index()
            assert found(engine, "discounted")[0] == "shop/prices.py"
            assert found(engine, "send_receipt")[0] == "shop/mail.py"
            assert engine.status().state == "ready"
            assert engine.status().chunks == 5
            assert bool(engine.status().warnings) == warns
            assert engine.index().changed == 0
            assert engine.status().events == 1
        assert len(list(index.glob("*.damaged"))) == warns, "at most one damaged index is kept"


def test_damaged_events_are_kept_aside_and_named(shop: Path) -> None:
    path = locations(shop).events_database
    kept = []
    for number in range(2):
        with opened(shop, index=False) as engine:
            engine.record(NewEvent("file_read", {"path": f"precious{number}.py"}))
        garbled = path.read_bytes()[:40] + b"precious" + bytes([number]) * 4_000
        path.write_bytes(garbled)
        kept.append(garbled)
        with opened(shop, index=False) as engine:
            assert engine.events() == ()
            assert engine.record(NewEvent("file_read", {"path": "shop/cart.py"})) is not None
            (*_, warning) = engine.status().warnings
            place = Path(warning.rsplit(" ", 1)[-1])
            assert place.read_bytes() == garbled
    assert [place.read_bytes() for place in list_quarantined(path)] == kept


def test_events_that_break_while_open_leave_the_rest_answering(shop: Path) -> None:
    with opened(shop) as engine:
        for number in range(500):
            engine.record(NewEvent("note", {"text": f"note {number} " * 20}))
        path = locations(shop).events_database
        engine._memories.events._database.read("PRAGMA wal_checkpoint(TRUNCATE)")
        path.write_bytes(os.urandom(path.stat().st_size))
        with ThreadPoolExecutor(1) as fresh:  # this thread's connection still remembers the file as it was
            request = AssembleRequest("how is the discounted price computed?")
            context = fresh.submit(engine.assemble, request).result()
            status = fresh.submit(engine.status).result()
            assert fresh.submit(engine.record, NewEvent("note", {"text": "after"})).result() is not None
            assert [event.content for event in fresh.submit(engine.events).result()] == [{"text": "after"}]
        assert "shop/prices.py" in context.content
        assert any("events.sqlite" in warning for warning in status.warnings)


def test_another_embedder_empties_the_index(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(shop) as engine:
        assert engine.status().chunks == 5
    another = StaticEmbedder.load()
    another.identity = "another-embedder"
    monkeypatch.setattr(choose, "static_table", lambda: another)
    with opened(shop, index=False) as engine:
        assert engine.status().chunks == 0
        assert engine.status().state == "empty"
        assert engine.index().changed == 5
        assert engine.status().embedder == "another-embedder"


def test_two_versions_keep_an_index_each(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def use() -> int:
        with opened(shop, index=False) as engine:
            changed = engine.index().changed
            assert found(engine, "discounted")[0] == "shop/prices.py"
            return changed

    def use_as(version: str) -> int:
        with monkeypatch.context() as patched:
            patched.setattr("contextls.store.locations.INDEX_FORMAT", version)
            return use()

    assert (use(), use_as("next"), use(), use_as("next")) == (5, 5, 0, 0)
    theirs = locations(shop).cache / "index-next"
    long_ago = time.time() - 31 * 86_400
    os.utime(theirs, (long_ago, long_ago))
    assert use() == 0
    assert not theirs.exists()
    assert use_as("next") == 5
    with opened(shop, index=False) as engine:
        engine.clear()
    assert not theirs.exists()


def test_a_home_that_cannot_be_written_is_a_clear_message(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop.parent / "file").write_text("not a folder")
    for home in ("/proc/contextls", str(shop.parent / "file")):
        monkeypatch.setenv("CONTEXTLS_HOME", home)
        with pytest.raises(StoreError, match=f"cannot create {home}.*CONTEXTLS_HOME"):
            Engine.open(shop)


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from contextls.engine import Engine
from contextls.errors import StoreError
from contextls.model import NewEvent
from contextls.settings import Settings

if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    engine = Engine.open(Path(sys.argv[1]), Settings(workers=1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
    kept = 0
    try:
        while True:
            engine.record(NewEvent("note", {"text": "filling the disk " * 400}))
            kept += 1
    except StoreError as error:
        print(kept, error, flush=True)
    print(len(engine.events(10_000)), flush=True)
    engine.close()
"""


def test_a_full_disk_is_a_clear_message_and_loses_nothing_acknowledged(shop: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(shop)], capture_output=True, text=True, timeout=60, check=True
    )
    first, last = done.stdout.splitlines()
    kept, _, message = first.partition(" ")
    assert "events.sqlite" in message
    assert "free space" in message
    assert last == kept
    with opened(shop, index=False) as engine:
        assert len(engine.events(10_000)) == int(kept) > 0
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_opening_and_closing_many_times_leaks_nothing(shop: Path) -> None:
    with opened(shop):
        pass
    gc.collect()
    gc.disable()  # nobody knows when it comes
    try:
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(10):
            with opened(shop, index=False) as engine:
                engine.search("discounted")
        deadline = time.monotonic() + 60
        while len(list(Path("/proc/self/fd").iterdir())) > before + 3:
            assert time.monotonic() < deadline, "files stay open"
            time.sleep(0.05)
    finally:
        gc.enable()
    engine = Engine.open(shop, ONE_WORKER)
    engine.close()
    engine.close()
    for question in (engine.status, engine.events, lambda: engine.search("discounted")):
        with pytest.raises(StoreError, match="closed"):
            question()
