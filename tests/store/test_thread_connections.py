"""Connections to a SQLite file: one for each thread, for as long as it lives."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from contextls.store.thread_connections import ThreadConnections


def is_open(connection: sqlite3.Connection) -> bool:
    try:
        return connection.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False


def test_threads_that_have_ended_leave_no_connection_behind(tmp_path: Path) -> None:
    connections = ThreadConnections()
    made: list[sqlite3.Connection] = []

    def connect() -> sqlite3.Connection:
        made.append(sqlite3.connect(tmp_path / "notes.sqlite", check_same_thread=False))
        return made[-1]

    def work() -> None:
        connections.leave(connections.enter(connect))

    work()
    for _ in range(10):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(made) == 11
    assert [is_open(connection) for connection in made] == [True] + [False] * 9 + [True]
    connections.close()
    assert not any(map(is_open, made))


def test_a_call_that_comes_while_all_are_closed_gets_a_connection_that_nobody_else_closes(
    tmp_path: Path,
) -> None:
    """SQLite ends the process where one thread closes a connection that another one reads from."""
    connections = ThreadConnections()

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(tmp_path / "notes.sqlite", check_same_thread=False)

    first = connections.enter(connect)
    connections.leave(first)
    connections.close()
    second = connections.enter(connect)
    assert is_open(second.connection)
    connections.leave(second)
    assert not is_open(second.connection)
