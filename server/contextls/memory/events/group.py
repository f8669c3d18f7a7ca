"""Group commit: what several threads append at the same time goes to disk in one transaction.

The first thread to get its turn commits everything that waits, its own rows and the others'. While it waits for the
disk the next group gathers, so that one sync serves as many events as there are threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field

from contextls.errors import StoreError

New = TypeVar("New")
Stored = TypeVar("Stored")


class _Ticket(Struct, Generic[New, Stored], eq=False):
    """One thread's events to store, and what became of them."""

    new: Sequence[New]
    stored: Sequence[Stored] | None = None
    problem: BaseException | None = field(default=None)


class GroupCommit(Generic[New, Stored]):
    """Brings what many threads append into few transactions."""

    def __init__(self, commit: Callable[[Sequence[New]], Sequence[Stored]]) -> None:
        """``commit`` stores all it is given in one transaction and returns one value for each, in order."""
        self._commit = commit
        self._waiting: list[_Ticket[New, Stored]] = []
        self._gate = threading.Lock()
        self._turn = threading.Lock()

    def add(self, new: Sequence[New]) -> Sequence[Stored]:
        """Store ``new``, all or nothing; durable when this returns. Raises ``StoreError``."""
        ticket: _Ticket[New, Stored] = _Ticket(new)
        with self._gate:
            self._waiting.append(ticket)
        with self._turn:
            if ticket.stored is None and ticket.problem is None:
                self._commit_waiting()
        if ticket.stored is None:
            raise StoreError(str(ticket.problem)) from ticket.problem
        return ticket.stored

    def _commit_waiting(self) -> None:
        with self._gate:
            tickets, self._waiting = self._waiting, []
        try:
            stored = self._commit([new for ticket in tickets for new in ticket.new])
        except BaseException as problem:
            for ticket in tickets:
                ticket.problem = problem
            if not isinstance(problem, Exception):
                raise
            return
        done = 0
        for ticket in tickets:
            ticket.stored = stored[done : done + len(ticket.new)]
            done += len(ticket.new)
