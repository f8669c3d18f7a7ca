"""Events: many writers at once, killed writers, full disks: nothing acknowledged is ever lost."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contextls.errors import StoreError
from contextls.memory.events import EventLog
from contextls.memory.events.group import GroupCommit
from contextls.model import NewEvent

from ..workspaces import python
from .event_writers import go, started


def test_processes_that_append_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    processes = [started(path, f"p{number}", 100) for number in range(3)]
    for process in processes:
        go(process)
    outputs = []
    for process in processes:
        out, errors = process.communicate(timeout=180)
        assert errors == ""
        outputs.extend(out.split())
    log = EventLog(path)
    assert len(set(outputs)) == log.count() == 300
    assert {event.content["text"] for event in log.newest(1000)} == {
        f"p{process} {number}" for process in range(3) for number in range(100)
    }
    for session in ("p0", "p1", "p2"):
        numbers = [int(event.content["text"].split()[1]) for event in log.newest(1000, session_id=session)]
        assert numbers == sorted(numbers, reverse=True)
    log.close()


def test_threads_that_append_at_once_keep_their_own_order_and_ids(log: EventLog) -> None:
    def work(name: int) -> list[str]:
        return [
            log.append(NewEvent("note", {"text": str(number)}, session_id=f"t{name}")).id
            for number in range(40)
        ]

    with ThreadPoolExecutor(12) as threads:
        ids = list(threads.map(work, range(12)))
    assert len({each for own in ids for each in own}) == log.count() == 480
    for name, own in enumerate(ids):
        stored = log.newest(100, session_id=f"t{name}")
        assert [event.id for event in reversed(stored)] == own
        assert [event.content["text"] for event in reversed(stored)] == [str(n) for n in range(40)]


def test_those_who_wait_share_one_transaction() -> None:
    groups: list[int] = []
    entered, release = threading.Event(), threading.Event()

    def commit(rows: object) -> list[int]:
        assert isinstance(rows, list)
        groups.append(len(rows))
        entered.set()
        release.wait(20)
        return list(rows)

    group: GroupCommit[int, int] = GroupCommit(commit)
    with ThreadPoolExecutor(9) as threads:
        first = threads.submit(group.add, [0])
        entered.wait(20)
        others = [threads.submit(group.add, [number, -number]) for number in range(1, 9)]
        while len(group._waiting) < 8:
            pass
        release.set()
        assert list(first.result()) == [0]
        assert [list(each.result()) for each in others] == [[number, -number] for number in range(1, 9)]
    assert groups == [1, 16]


def test_kill_after_the_answer_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    process = started(path, "victim", 100_000)
    go(process)
    assert process.stdout is not None
    acknowledged = []
    for line in process.stdout:
        acknowledged.append(line.strip())
        if len(acknowledged) == 200:
            process.send_signal(signal.SIGKILL)
            break
    # Not communicate(), which does not see the lines that were read ahead.
    acknowledged.extend(process.stdout.read().split())
    process.wait()
    log = EventLog(path)
    stored = {event.id for event in log.newest(100_000)}
    assert set(acknowledged) <= stored
    assert len(stored) - len(acknowledged) <= 1
    log.append(NewEvent("note", {"text": "still writable"}))
    log.close()


FULL_DISK = """
import resource, sys, threading
from pathlib import Path
from contextls.errors import StoreError
from contextls.memory.events import EventLog
from contextls.model import NewEvent

log = EventLog(Path(sys.argv[1]))
acknowledged, refused, guard = [], [], threading.Lock()

def append(name):
    while not refused:
        try:
            event = log.append(NewEvent("note", {"text": "filling the disk " * 100}))
            with guard:
                acknowledged.append(event.id)
        except StoreError as error:
            refused.append(str(error))

resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))
threads = [threading.Thread(target=append, args=(name,)) for name in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(refused[0])
print(*acknowledged)
print(*(event.id for event in log.after(0, 10_000)))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(log.append(NewEvent("note", {"text": "there is room again"})).id)
log.close()
"""


def test_a_full_disk_refuses_clearly_and_takes_events_again_once_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    out, errors = python(FULL_DISK, path).communicate(timeout=180)
    assert errors == ""
    refused, acknowledged, stored, added = out.splitlines()
    assert refused.startswith(f"{path}: ")
    assert "space" in refused
    assert len(acknowledged.split()) > 20
    assert Counter(stored.split()) == Counter(acknowledged.split())
    log = EventLog(path)
    assert {event.id for event in log.newest(10_000)} == {*acknowledged.split(), added}
    log.close()


def test_a_full_database_names_what_to_do(log: EventLog) -> None:
    log.append(NewEvent("note", {"text": "before"}))
    with log._database._file.connection() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreError, match=r"events\.sqlite: .*full; free some space.*stored before is safe"):
        log.append_many([NewEvent("note", {"text": "x" * 7_000})] * 20)
    assert [event.content["text"] for event in log.newest(50)] == ["before"]
    with log._database._file.connection() as connection:
        connection.execute("PRAGMA max_page_count=1000000")
    log.append_many([NewEvent("note", {"text": "x" * 7_000})] * 20)
    assert log.count() == 21


def test_a_log_that_another_process_holds_says_so(log: EventLog) -> None:
    other = EventLog(log._path)
    with other._database.write(), log._database._file.connection() as connection:
        connection.execute("PRAGMA busy_timeout=50")
        with pytest.raises(StoreError, match="another process has been writing to it"):
            log.append(NewEvent("note", {"text": "t"}))
    assert log.append(NewEvent("note", {"text": "t"})).id == "event-1"
    other.close()
