"""The rows of the task stack: how frames are read and marked within one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.model import TaskFrame, TaskStatus
from contextls.store.salvage import SavedTable, Truth, optional_text, text_of, whole
from contextls.store.sqlite_pages import Value
from contextls.store.transaction import Transaction

MIGRATIONS = (
    """
    CREATE TABLE tasks (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        parent INTEGER REFERENCES tasks (id),
        depth INTEGER NOT NULL,
        goal TEXT NOT NULL,
        status TEXT NOT NULL,
        result TEXT,
        reason TEXT,
        created_at INTEGER NOT NULL,
        completed_at INTEGER
    );
    CREATE INDEX tasks_parent ON tasks (parent);
    CREATE TABLE stack (only_row INTEGER PRIMARY KEY, current INTEGER, generation INTEGER NOT NULL);
    INSERT INTO stack VALUES (1, NULL, 0);
    """,
)
COLUMNS = "id, parent, depth, goal, status, result, reason, created_at, completed_at"
CURRENT = "SELECT current FROM stack"
PATH = (
    f"WITH RECURSIVE up AS (SELECT {COLUMNS} FROM tasks WHERE id = ? UNION ALL "  # noqa: S608 - constants only
    f"SELECT {', '.join('tasks.' + name for name in COLUMNS.split(', '))} FROM tasks JOIN up ON tasks.id = up.parent "
    # A parent is older; damage that says otherwise must not lead in a circle.
    "AND tasks.id < up.id) "
    f"SELECT {COLUMNS} FROM up ORDER BY depth"
)

Row = tuple[Any, ...]


def frame_id(number: int) -> str:
    """The id of a frame as everyone outside sees it."""
    return f"task-{number}"


def as_frame(row: Row, children: Iterable[int]) -> TaskFrame:
    """The frame of a row of ``COLUMNS``."""
    number, parent, depth, goal, status, result, reason, created, completed = row
    return TaskFrame(
        id=frame_id(number),
        goal=goal,
        parent=None if parent is None else frame_id(parent),
        children=tuple(map(frame_id, children)),
        status=TaskStatus(status),
        result=result,
        reason=reason,
        depth=int(depth),
        created_at=int(created),
        completed_at=None if completed is None else int(completed),
    )


def read_frame(transaction: Transaction, number: int) -> TaskFrame:
    """One frame. Raises ``InvalidRequestError`` when there is none of this number."""
    children = transaction.read(
        lambda rows: [int(child) for (child,) in rows],
        "SELECT id FROM tasks WHERE parent = ? ORDER BY id",
        (number,),
    )
    frame = transaction.read(
        lambda rows: as_frame(rows[0], children) if rows else None,
        f"SELECT {COLUMNS} FROM tasks WHERE id = ?",  # noqa: S608 - constants only
        (number,),
    )
    if frame is None:
        raise InvalidRequestError("id", "the id of a task of this workspace", frame_id(number))
    return frame


def read_path(transaction: Transaction, number: int | None) -> list[tuple[int, TaskStatus]]:
    """Number and status of every frame from the root to ``number``; empty for ``None``."""
    return transaction.read(lambda rows: [(row[0], TaskStatus(row[4])) for row in rows], PATH, (number,))


def read_current(transaction: Transaction) -> int | None:
    """The number of the current frame."""
    return transaction.read(_current_of, CURRENT)


def _current_of(rows: Sequence[Row]) -> int | None:
    ((current,),) = rows
    return None if current is None else int(current)


def needed_current(transaction: Transaction) -> int:
    """The number of the current frame. Raises ``InvalidRequestError`` when no task is active."""
    current = read_current(transaction)
    if current is None:
        raise InvalidRequestError("task", "an active task, and there is none; push one first")
    return current


def make_current(connection: Transaction, number: int | None) -> None:
    """Point the stack at a frame."""
    connection.execute("UPDATE stack SET current = ?, generation = generation + 1", (number,))


def active_above(transaction: Transaction, number: int) -> int | None:
    """The nearest active frame above ``number``."""
    above = read_path(transaction, number)[:-1]
    return next((step for step, status in reversed(above) if status is TaskStatus.ACTIVE), None)


def set_blocked(connection: Transaction, number: int, reason: str | None) -> None:
    """Mark a frame as blocked."""
    connection.execute(
        "UPDATE tasks SET status = ?, reason = ? WHERE id = ?", (TaskStatus.BLOCKED.value, reason, number)
    )


def saved_task(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    """A row of a damaged file as one to store; ``None`` when it is of another table. Raises ``ValueError``."""
    if len(values) != 9 or values[0] is not None:
        return None
    _, parent, depth, goal, status, result, reason, created, completed = values
    return (
        whole(number, 1),
        None if parent is None else whole(parent, 1, number - 1),
        whole(depth, 0, 1_000),
        text_of(goal),
        TaskStatus(text_of(status)).value,
        optional_text(result),
        optional_text(reason),
        whole(created),
        None if completed is None else whole(completed),
    )


def saved_stack(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    """The one row that says which task is the current one, as ``saved_task``."""
    if len(values) != 3 or values[0] is not None or number != 1:
        return None
    _, current, generation = values
    return 1, None if current is None else whole(current, 1), whole(generation)


def _repair(connection: Transaction) -> None:
    """Tasks whose parents are lost become roots; the current task is one that is there and active."""
    connection.execute("UPDATE tasks SET parent = NULL WHERE parent NOT IN (SELECT id FROM tasks)")
    current = _current_of(connection.execute(CURRENT).fetchall())
    active = [
        number
        for (number,) in connection.execute(
            "SELECT id FROM tasks WHERE status = ? ORDER BY id", (TaskStatus.ACTIVE.value,)
        )
    ]
    # Where nobody was at work, nobody is; where the row that says so is lost, the newest is the likeliest.
    lost = current is not None and current not in active
    make_current(connection, (active[-1] if active else None) if lost else current)


TRUTH = Truth(
    "tasks",
    (
        SavedTable("tasks", COLUMNS.split(", "), saved_task),
        SavedTable("stack", ("only_row", "current", "generation"), saved_stack, single=True),
    ),
    _repair,
)
