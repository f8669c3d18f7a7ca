from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pebble.pool.process import NoMessage, WorkerManager
from tests.code.pool_work import parse, work, work_together

from contextls.code.model import ChunkLimits
from contextls.code.parse import parse_file
from contextls.code.pool import Result, TaskFailure, WorkerPool
from contextls.errors import CancelledError

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2, 60) as pool:
        yield pool


@pytest.fixture(scope="module")
def impatient() -> Iterator[WorkerPool]:
    """Of little patience, but enough for what takes no time, however busy the machine is."""
    with WorkerPool(2, 1, wall_factor=20) as pool:
        yield pool


def test_order_is_kept_and_values_come_back(pool: WorkerPool) -> None:
    items = [f"item {n}" for n in range(300)]
    assert list(pool.map(work, items, len)) == [Result(item.upper()) for item in items]


@pytest.mark.parametrize(("bad", "reason"), [("hang", "timeout"), ("die", "crash"), ("raise", "error")])
def test_only_the_item_at_fault_is_lost(impatient: WorkerPool, bad: str, reason: str) -> None:
    items = ["a", "b", bad, "c", "d"]
    found = list(impatient.map(work, items, len))
    assert [item.value if isinstance(item, Result) else item.reason for item in found] == [
        "A",
        "B",
        reason,
        "C",
        "D",
    ]
    assert list(impatient.map(work, ["alive"], len)) == [Result("ALIVE")]


def test_items_of_one_task_are_worked_on_together(pool: WorkerPool) -> None:
    found = list(pool.map_together(work_together, ["a"] * 5, lambda _: 1))
    assert found == [Result("A of 5")] * 5


@pytest.mark.parametrize(("bad", "reason"), [("hang", "timeout"), ("die", "crash"), ("raise", "error")])
def test_of_items_that_are_worked_on_together_only_the_one_at_fault_is_lost(
    impatient: WorkerPool, bad: str, reason: str
) -> None:
    found = list(impatient.map_together(work_together, ["a", bad, "b"], len))
    assert [item.value if isinstance(item, Result) else item.reason for item in found] == [
        "A of 1",
        reason,
        "B of 1",
    ]


def test_what_waits_for_ever_is_ended_too() -> None:
    with WorkerPool(1, 0.5, wall_factor=2) as pool:
        assert [each.reason for each in pool.map(work, ["wait"]) if isinstance(each, TaskFailure)] == [
            "timeout"
        ]


@pytest.mark.parametrize("killed", ["workers", "fork server"])
def test_what_the_system_kills_while_nothing_is_done_is_replaced(tmp_path: Path, killed: str) -> None:
    _run_apart(
        tmp_path,
        f"""
    with WorkerPool(2, 60) as pool:
        for _ in range(3):
            pids = {{int(each.value.split()[0]) for each in pool.map(work, ["pid"] * 8)}}
            for pid in pids if {killed!r} == "workers" else [forkserver._forkserver._forkserver_pid]:
                with contextlib.suppress(ProcessLookupError):  # gone with a fork server that was killed before
                    os.kill(pid, signal.SIGKILL)
            items = [f"item {{n}}" for n in range(100)]
            assert [each.value for each in pool.map(work, items, len)] == [each.upper() for each in items]
""",
    )


def test_what_the_system_interrupts_by_killing_the_fork_server_is_tried_again(tmp_path: Path) -> None:
    item = f"until {tmp_path / 'released'}"
    _run_apart(
        tmp_path,
        f"""
    with WorkerPool(1, 60) as pool:
        assert [each.value for each in pool.map(work, ["a"])] == ["A"]
        found = []
        asking = threading.Thread(target=lambda: found.extend(pool.map(work, [{item!r}])))
        asking.start()
        time.sleep(0.5)
        os.kill(forkserver._forkserver._forkserver_pid, signal.SIGKILL)
        time.sleep(0.5)
        Path({str(tmp_path / "released")!r}).touch()
        asking.join()
        assert [each.value for each in found] == [{item.upper()!r}], found
""",
    )


def _run_apart(tmp_path: Path, body: str) -> str:
    """Run statements in a process with a fork server of its own; what it wrote to its error stream."""
    script = tmp_path / "parent.py"
    script.write_text(
        f"""
import contextlib, os, signal, sys, threading, time
from pathlib import Path
sys.path.append({str(ROOT)!r})
if __name__ == "__main__":
    from multiprocessing import forkserver
    from contextls.code.pool import WorkerPool
    from contextls.code.worker_tasks import definitions_in
    from tests.code.pool_work import count_languages_read, list_grammars, list_modules, work
{body}
    print("all there")
""",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "all there\n"), done.stderr
    return done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no process there ends by a signal")
def test_an_item_at_which_the_system_killed_a_worker_is_tried_again(tmp_path: Path) -> None:
    item = f"killed once {tmp_path / 'seen'}"
    with WorkerPool(1, 60) as pool:
        assert list(pool.map(work, [item, "a"])) == [Result(item.upper()), Result("A")]
        lost, after = pool.map(work, ["killed", "b"])
    assert isinstance(lost, TaskFailure)
    assert lost.reason == "crash"
    assert after == Result("B")


@pytest.mark.skipif(sys.platform == "win32", reason="no process there ends by a signal")
@pytest.mark.parametrize("before", [[], ["until {seen}"], ["a"] * 20])
def test_a_worker_that_the_system_kills_takes_no_lock_with_it(tmp_path: Path, before: list[str]) -> None:
    seen = tmp_path / "seen"
    items = [*(item.format(seen=seen) for item in before), f"killed with locks {seen}", *"bcdefgh"]
    with WorkerPool(2, 60) as pool:
        assert list(pool.map(work, items)) == [Result(item.upper()) for item in items]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_that_dies_before_it_is_heard_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, workers: int
) -> None:
    """On a busy machine what a worker says is read late: here all that comes after its first word."""
    read, released = WorkerManager.receive, tmp_path / "released"
    heard: list[object] = []

    def read_late(self: WorkerManager, timeout: float) -> object:
        if heard:
            released.touch()
            time.sleep(0.3)
        message = read(self, timeout)
        if not isinstance(message, NoMessage):
            heard.append(message)
        return message

    monkeypatch.setattr(WorkerManager, "receive", read_late)
    first = f"until {released}"
    found: list[object] = []
    pool = WorkerPool(workers, 60)
    asking = threading.Thread(target=lambda: found.extend(pool.map(work, [first, "die", "c"])), daemon=True)
    asking.start()
    asking.join(60)
    assert not asking.is_alive()
    pool.close()
    died = TaskFailure("crash", "the worker process ended with status 7")
    assert found == [Result(first.upper()), died, Result("C")]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs to see that a process is stopped")
def test_what_gets_no_processor_for_longer_than_its_time_is_not_given_up() -> None:
    with WorkerPool(1, 1) as pool:
        (told,) = pool.map(work, ["pid"])
        assert isinstance(told, Result)
        pid = int(told.value.split()[0])
        found: list[object] = []
        asking = threading.Thread(target=lambda: found.extend(pool.map(work, ["stop"])))
        asking.start()
        while _state(pid) != "T":
            time.sleep(0.01)
        time.sleep(1.5)
        os.kill(pid, signal.SIGCONT)
        asking.join()
    assert found == [Result("STOP")]


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]


def test_items_are_read_only_a_little_ahead(pool: WorkerPool) -> None:
    read = []

    def items() -> Iterator[str]:
        for n in range(10_000):
            read.append(n)
            yield "x"

    stream = pool.map(work, items())
    assert next(stream) == Result("X")
    assert len(read) < 50
    stream.close()  # type: ignore[attr-defined]


def test_parsed_files_travel_unchanged(pool: WorkerPool) -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    (found,) = pool.map(parse, [("a.py", text, ChunkLimits())])
    assert found == Result(parse_file("a.py", text))


def test_a_pool_that_was_told_of_coming_work_does_it_and_needs_none(tmp_path: Path) -> None:
    complained = _run_apart(
        tmp_path,
        """
    with WorkerPool(1, 60) as idle:
        idle.start_soon()
    with WorkerPool(1, 60) as pool:
        pool.start_soon()
        pool.start_soon()
        assert next(pool.map(work, ["a"])).value == "A"
""",
    )
    assert not complained


def test_workers_begin_with_the_rules_that_were_read_before_them(tmp_path: Path) -> None:
    complained = _run_apart(
        tmp_path,
        """
    with WorkerPool(1, 60, preload=("contextls.memory.index.updating.worker_rules",)) as pool:
        assert next(pool.map(count_languages_read, ["a"])).value == 1
""",
    )
    assert not complained


def test_workers_begin_with_the_grammars_that_others_compiled_before_them(tmp_path: Path) -> None:
    complained = _run_apart(
        tmp_path,
        """
    with WorkerPool(1, 60) as pool:
        assert next(pool.map(list_grammars, ["a"])).value == []
        for task in (("a.go", "func f() {}"), ("a.json", "{}")):
            next(pool.map(definitions_in, [task]))
    with WorkerPool(1, 60) as later:
        assert next(later.map(list_grammars, ["a"])).value == ["go", "json"]
""",
    )
    assert not complained


def test_a_worker_imports_nothing_of_its_own_but_what_it_is_told_to_do(tmp_path: Path) -> None:
    _run_apart(
        tmp_path,
        """
    with WorkerPool(1, 60) as pool:
        imported = next(pool.map(list_modules, ["a"])).value
    own = imported[imported.index("contextls.code.fork_server") + 1 :]
    assert not [name for name in own if not name.startswith(("tests", "multiprocessing.popen"))], own
""",
    )


def test_nothing_starts_before_the_first_map_and_closing_ends_it() -> None:
    pool = WorkerPool(1, 5)
    pool.close()
    pool.close()
    with pytest.raises(CancelledError):
        list(pool.map(work, ["a"]))


def worker_ids(pool: WorkerPool) -> set[int]:
    return {int(each.value.split()[0]) for each in pool.map(work, ["pid"] * 8) if isinstance(each, Result)}


def test_workers_that_were_let_go_end_and_others_take_their_place() -> None:
    with WorkerPool(2, 60) as pool:
        pool.end_workers()  # none was started
        before = worker_ids(pool)
        pool.end_workers()
        assert before
        assert not any(map(alive, before))
        assert worker_ids(pool).isdisjoint(before)


def test_workers_that_are_at_work_are_not_let_go(tmp_path: Path) -> None:
    told = tmp_path / "told"
    with WorkerPool(1, 60) as pool:
        stream = pool.map(work, ["pid", f"until {told}", "pid"])
        first = next(stream)
        pool.end_workers()
        told.touch()
        assert list(stream)[-1] == first


def test_closing_is_prompt_even_while_a_worker_hangs() -> None:
    pool = WorkerPool(1, 30)
    stream = pool.map(work, ["a", "hang"])
    assert next(stream) == Result("A")
    started = time.monotonic()
    pool.close()
    assert time.monotonic() - started < 20
    with pytest.raises(CancelledError):
        list(stream)


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files whose path has room for a socket's; that of ``tmp_path`` may have none."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def test_workers_write_nothing_to_the_parents_output_and_leave_nothing_when_it_dies(
    tmp_path: Path, temporary: Path
) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        f"""
import sys, time
sys.path.append({str(ROOT)!r})
if __name__ == "__main__":
    from contextls.code.pool import WorkerPool
    from contextls.code.worker_tasks import definitions_in
    from tests.code.pool_work import parse, work
    pool = WorkerPool(2, 60, preload=())
    stream = pool.map(work, ["print", "pid", "wait", "wait"])
    next(stream)
    print(next(stream).value, flush=True)
    time.sleep(60)
""",
        encoding="utf-8",
    )
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    assert parent.stdout is not None
    pid, niceness = map(int, parent.stdout.readline().split())
    assert niceness >= 10 or sys.platform == "win32"
    time.sleep(0.3)  # let a worker begin to wait
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 60
    while (alive(pid) or any(temporary.iterdir())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(pid)
    assert not any(temporary.iterdir())
    assert parent.stdout.read() == ""


def test_a_folder_for_temporary_files_with_a_long_name_is_no_obstacle(tmp_path: Path) -> None:
    temporary = tmp_path / ("long" * 30)
    temporary.mkdir()
    code = "from contextls.code.pool import WorkerPool; from tests.code.pool_work import work"
    code += "; print(next(WorkerPool(1, 60, preload=()).map(work, ['a'])).value)"
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("A\n", 0), done.stderr


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not (stat.exists() and stat.read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z")
    except (ProcessLookupError, FileNotFoundError):  # it may end between two looks
        return False


@pytest.mark.parametrize(
    ("error", "is_said"), [("FileNotFoundError(2)", False), ("EOFError", False), ("ValueError", True)]
)
def test_a_worker_whose_pool_ended_before_it_began_goes_quietly(error: str, is_said: bool) -> None:
    code = f"import contextls.code.fork_server; raise {error}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert ("Traceback" in done.stderr) is is_said
