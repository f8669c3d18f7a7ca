"""Of several processes that have a workspace open, one reads what changed; the others wait for it, and one takes over."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import IndexWriter

from ..workspaces import SHOP, found, locations, opened, write

REBATE = {"shop/rebate.py": "def quarterly_rebate(price):\n    return price - 3\n"}
HOLD = """
import sys
from pathlib import Path
from contextls.memory.index.updating.writer_role import WriterRole
role = WriterRole(Path(sys.argv[1]))
role.join()
print(role.holder(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", SHOP)


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)


def join(*engines: Engine) -> None:
    for engine in engines:
        engine.upkeep.join_writers()


def test_the_first_reads_what_changed_and_the_second_waits_for_it(shop: Path) -> None:
    with opened(shop) as first, opened(shop) as second:
        join(first, second)
        assert [engine.status().writer for engine in (first, second)] == ["this", "another"]
        read = second.status().analyzed
        write(shop, REBATE)
        second.update_files(REBATE)
        assert not second.search("rebate").index_complete, "until the first has stored it"
        first.update_files(REBATE)
        wait_until(lambda: second.search("rebate").index_complete)
        assert found(second, "quarterly_rebate")[0] == "shop/rebate.py"
        (shop / "shop/rebate.py").unlink()
        for engine in (first, second):
            engine.update_files(REBATE)
        wait_until(lambda: "shop/rebate.py" not in found(second, "quarterly_rebate"))
        assert second.status().analyzed == read


def test_what_the_writer_does_not_notice_is_read_all_the_same(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contextls.memory.index.updating.follower.PATIENCE_SECONDS", 0.2)
    with opened(shop) as first, opened(shop) as second:
        join(first, second)
        write(shop, REBATE)
        second.update_files(REBATE)
        wait_until(lambda: "shop/rebate.py" in found(second, "quarterly_rebate"))
        wait_until(lambda: "shop/rebate.py" in found(first, "quarterly_rebate"))


def test_when_the_first_ends_the_second_takes_over_once(shop: Path) -> None:
    with opened(shop) as second:
        with opened(shop) as first:
            join(first, second)
            assert not second.upkeep.has_to_index()
            write(shop, REBATE)
            second.update_files(REBATE)
        wait_until(lambda: "shop/rebate.py" in found(second, "quarterly_rebate"))
        assert second.upkeep.has_to_index()
        assert not second.upkeep.has_to_index()
        assert second.status().writer is IndexWriter.THIS


def test_one_that_is_killed_holds_nothing(shop: Path) -> None:
    with opened(shop) as engine:
        command = [sys.executable, "-c", HOLD, str(locations(shop).writer_lock)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "this\n"
            join(engine)
            assert engine.status().writer is IndexWriter.ANOTHER
            holder.kill()
        assert engine.upkeep.has_to_index()


def test_waiting_keeps_nobody_from_closing(shop: Path) -> None:
    with opened(shop) as first:
        second = Engine.open(shop)
        join(first, second)
        write(shop, REBATE)
        second.update_files(REBATE)
        started = time.monotonic()
        second.close()
        assert time.monotonic() - started < 2


def test_a_command_does_its_own_work_beside_a_writer(shop: Path) -> None:
    with opened(shop) as server, opened(shop, index=False) as command:
        join(server)
        write(shop, REBATE)
        command.update_files(REBATE)
        assert found(command, "quarterly_rebate")[0] == "shop/rebate.py"
        assert command.status().writer is IndexWriter.ANOTHER
    with opened(shop, index=False) as command:
        assert command.status().writer is IndexWriter.NONE
