"""Processes that append to an event log, and the log as older versions wrote it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..workspaces import python

# Prints one line per acknowledged event, so that what was printed must be there whatever happens afterwards.
APPEND = """
import sys
from pathlib import Path
from contextls.memory.events import EventLog
from contextls.model import NewEvent

log = EventLog(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    event = log.append(NewEvent("note", {"text": f"{sys.argv[2]} {number}"}, session_id=sys.argv[2]))
    print(event.id, flush=True)
"""

FIRST_SCHEMA = """
    CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        type TEXT NOT NULL,
        session_id TEXT NOT NULL,
        timestamp INTEGER NOT NULL,
        outcome TEXT,
        content TEXT NOT NULL
    );
    CREATE INDEX events_session ON events (session_id, id);
    CREATE INDEX events_timestamp ON events (timestamp);
    PRAGMA user_version=1;
"""


def started(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    """A process that is about to append ``count`` notes as session ``name``."""
    process = python(APPEND, path, name, count)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()[1]
    return process


def go(process: subprocess.Popen[str]) -> None:
    """Let a started process begin."""
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def write_first_version(path: Path, rows: Sequence[tuple[str, str, int, str | None, dict[str, Any]]]) -> None:
    """A log with the tables of version 1 and these rows: type, session, timestamp, outcome, content."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.executescript(FIRST_SCHEMA)
    connection.executemany(
        "INSERT INTO events (type, session_id, timestamp, outcome, content) VALUES (?, ?, ?, ?, ?)",
        [(*row[:4], json.dumps(row[4])) for row in rows],
    )
    connection.commit()
    connection.close()
