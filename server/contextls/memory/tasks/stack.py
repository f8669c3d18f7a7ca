"""Tasks: what is being worked on, as a stack of goals that any process may push, pop, block and resume.

All frames of a workspace form a forest. The path leads from a root to the current frame, and every active frame lies on
it: there is one answer to "what was I doing?", however many editors and shells ask.
"""

from __future__ import annotations

import builtins
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from contextls.errors import InvalidRequestError, StoreError
from contextls.memory.tasks.rows import (
    COLUMNS,
    MIGRATIONS,
    PATH,
    TRUTH,
    Row,
    active_above,
    as_frame,
    frame_id,
    make_current,
    needed_current,
    read_current,
    read_frame,
    read_path,
    set_blocked,
)
from contextls.model import NewEvent, TaskFrame, TaskStatus
from contextls.regex import compile_late
from contextls.store.database import Database
from contextls.store.notices import Notices
from contextls.store.quarantine import describe_quarantined
from contextls.store.times import now_ms
from contextls.store.transaction import Transaction
from contextls.text.gate import clean as without_secrets
from contextls.text.kept_ends import keep_beginning
from contextls.text.surrogates import repair_surrogates

FILE_NAME = "tasks.sqlite"
# A goal or a result is a sentence or a short list; the prompt would have to cut more anyway.
MAX_CHARS = 2_000
DEEPEST = 64
SET_ASIDE = "set aside for another task"
_ID = compile_late(r"task-(\d{1,15})")


class TaskView(Struct, frozen=True):
    """The active task as a question needs it.

    ``path`` leads from the root to the current frame, ``siblings`` are the completed frames under the same parent (newest
    first), ``released`` the ids of the tasks whose detail was let go by completing them.
    """

    path: tuple[TaskFrame, ...]
    siblings: tuple[TaskFrame, ...]
    released: frozenset[str]

    @property
    def current(self) -> TaskFrame:
        """The frame that is being worked on."""
        return self.path[-1]


class TaskStack:
    """The tasks of one workspace in SQLite (WAL, synced on commit). The current frame is part of the database.

    Every method raises ``StoreError`` when the file cannot be used.
    """

    name = "tasks"

    def __init__(self, folder: Path, notices: Notices | None = None) -> None:
        """Open or create the stack in ``folder``; a damaged file is kept aside, and what can be read of it saved."""
        self._path = folder / FILE_NAME
        self._database = Database.truth(self._path, MIGRATIONS, TRUTH, notices)
        self._view: tuple[int, TaskView | None] = (-1, None)

    def push(self, goal: str) -> TaskFrame:
        """Begin a task below the current one, or a new root when there is none. It becomes the current one.

        Secrets in the goal are redacted; what goes beyond 2,000 characters is cut. Raises ``InvalidRequestError``.
        """
        text = _clean(goal)
        if text is None:
            raise InvalidRequestError("goal", "what is to be done, in at least one word", goal)

        def work(connection: Transaction) -> TaskFrame:
            parent = read_current(connection)
            depth = 0 if parent is None else read_frame(connection, parent).depth + 1
            if depth >= DEEPEST:
                raise InvalidRequestError("goal", f"at most {DEEPEST} tasks within each other; pop one first")
            number = connection.insert(
                "INSERT INTO tasks (parent, depth, goal, status, created_at) VALUES (?, ?, ?, ?, ?)",
                (parent, depth, text, TaskStatus.ACTIVE.value, now_ms()),
            )
            make_current(connection, number)
            return read_frame(connection, number)

        return self._database.transact(work)

    def pop(self, result: str | None = None) -> TaskFrame:
        """Complete the current task; ``result`` is what later tasks will know of it. Its parent becomes current.

        Returns the completed frame. Raises ``InvalidRequestError`` when no task is active.
        """

        def work(connection: Transaction) -> TaskFrame:
            number = needed_current(connection)
            connection.execute(
                "UPDATE tasks SET status = ?, result = ?, completed_at = ? WHERE id = ?",
                (TaskStatus.COMPLETE.value, _clean(result), now_ms(), number),
            )
            make_current(connection, active_above(connection, number))
            return read_frame(connection, number)

        return self._database.transact(work)

    def block(self, reason: str | None = None) -> TaskFrame:
        """Set the current task aside because it cannot go on. Its parent becomes current; ``resume`` brings it back.

        Returns the blocked frame. Raises ``InvalidRequestError`` when no task is active.
        """

        def work(connection: Transaction) -> TaskFrame:
            number = needed_current(connection)
            set_blocked(connection, number, _clean(reason))
            make_current(connection, active_above(connection, number))
            return read_frame(connection, number)

        return self._database.transact(work)

    def resume(self, task_id: str) -> TaskFrame:
        """Make a task current again that is not complete, with the blocked tasks above it.

        Tasks that were active and do not lead to it are set aside: they become blocked. Returns the frame. Raises
        ``InvalidRequestError`` when there is no such task or it is complete.
        """
        found = _ID.fullmatch(task_id)
        if found is None:
            raise InvalidRequestError("id", "the id of a task, such as task-3", task_id)
        number = int(found[1])

        def work(connection: Transaction) -> TaskFrame:
            if read_frame(connection, number).status is TaskStatus.COMPLETE:
                raise InvalidRequestError(
                    "id", "a task that is not complete; push a new one instead", task_id
                )
            leading = read_path(connection, number)
            for active, status in read_path(connection, read_current(connection)):
                if status is TaskStatus.ACTIVE and (active, status) not in leading:
                    set_blocked(connection, active, SET_ASIDE)
            for step, status in leading:
                if status is TaskStatus.BLOCKED:
                    connection.execute(
                        "UPDATE tasks SET status = ?, reason = NULL WHERE id = ?",
                        (TaskStatus.ACTIVE.value, step),
                    )
            make_current(connection, number)
            return read_frame(connection, number)

        return self._database.transact(work)

    def peek(self) -> TaskFrame | None:
        """The current task; ``None`` when none is active."""
        path = self.path()
        return path[-1] if path else None

    def path(self) -> tuple[TaskFrame, ...]:
        """The tasks from the root to the current one; empty when none is active."""
        view = self.view()
        return view.path if view else ()

    def list(self) -> tuple[TaskFrame, ...]:
        """Every task, each right below its parent and the tasks below its elder siblings."""
        return self._database.decode(self._list)

    def _list(self) -> tuple[TaskFrame, ...]:
        below: dict[int | None, list[Row]] = {}
        for row in self._database.read(f"SELECT {COLUMNS} FROM tasks ORDER BY id"):  # noqa: S608 - constants only
            below.setdefault(row[1], []).append(row)
        ordered = []
        waiting = below.get(None, [])[::-1]
        while waiting:
            row = waiting.pop()
            children = below.get(row[0], [])
            ordered.append(as_frame(row, [child[0] for child in children]))
            waiting.extend(reversed(children))
        return tuple(ordered)

    def current_id(self) -> str | None:
        """The id of the current task: one look-up."""
        current, _ = self._current_version()
        return None if current is None else frame_id(current)

    def stamp_event(self, event: NewEvent) -> NewEvent:
        """``event`` with the current task, if it names none. A stack that cannot be read keeps no event away."""
        if event.task_id is not None:
            return event
        try:
            return replace(event, task_id=self.current_id())
        except StoreError:
            return event

    def version(self) -> int:
        """A number that grows with every change by any process."""
        return self._current_version()[1]

    def view(self) -> TaskView | None:
        """The active task as a question needs it; ``None`` when there is none. Read again only after a change."""
        return self._database.decode(self._look)

    def _look(self) -> TaskView | None:
        known, view = self._view
        current, version = self._current_version()
        while known != version:
            known, view = version, self._read_view(current)
            current, version = self._current_version()  # a change in between would mix two moments
        self._view = (known, view)
        return view

    def wipe(self) -> None:
        """Delete every task, also from the disk's free space in the file."""

        def work(connection: Transaction) -> None:
            connection.execute("DELETE FROM tasks")
            make_current(connection, None)

        self._database.transact(work)
        self._database.shrink()

    def warnings(self) -> tuple[str, ...]:
        """Warnings about tasks that were damaged, or cannot be used or written right now."""
        damaged = describe_quarantined(self._path, f"the tasks at {self._path} were damaged")
        return (*damaged, self._database.problem) if self._database.problem else damaged

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _current_version(self) -> tuple[int | None, int]:
        """The number of the current task, and the version of the stack that says so."""

        def read() -> tuple[int | None, int]:
            ((current, version),) = self._database.read("SELECT current, generation FROM stack")
            return None if current is None else int(current), int(version)

        return self._database.decode(read)

    def _read_view(self, current: int | None) -> TaskView | None:
        rows = self._database.read(PATH, (current,))
        if not rows:
            return None
        siblings: builtins.list[Row] = []
        if rows[-1][1] is not None:  # roots have nothing above them that would make them one piece of work
            siblings = self._database.read(
                f"SELECT {COLUMNS} FROM tasks WHERE parent = ? AND status = ? AND id != ? "  # noqa: S608 - constants
                "ORDER BY completed_at DESC, id DESC",
                (rows[-1][1], TaskStatus.COMPLETE.value, current),
            )
        complete = self._database.read("SELECT id FROM tasks WHERE status = ?", (TaskStatus.COMPLETE.value,))
        leading = {row[0] for row in rows}
        return TaskView(
            path=tuple(as_frame(row, self._children(row[0])) for row in rows),
            siblings=tuple(as_frame(row, self._children(row[0])) for row in siblings),
            released=frozenset(frame_id(number) for (number,) in complete if number not in leading),
        )

    def _children(self, number: int) -> builtins.list[int]:
        rows = self._database.read("SELECT id FROM tasks WHERE parent = ? ORDER BY id", (number,))
        return [child for (child,) in rows]


def _clean(text: str | None) -> str | None:
    """Redacted, within bounds; ``None`` when nothing is said."""
    clean = without_secrets(repair_surrogates(text or "")).strip()
    return keep_beginning(clean, MAX_CHARS) if clean else None
