"""Work that nobody waits for any more ends: loops that may take long ask ``check`` once a turn.

Who runs a job puts a token around it, for its thread; who cancels it sets the token. Without one nothing can be
cancelled and ``check`` does nothing, so that every function may call it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from contextls.errors import CancelledError

Item = TypeVar("Item")


class _Here(threading.local):
    token: threading.Event | None = None


_here = _Here()


@contextmanager
def cancellable(token: threading.Event) -> Iterator[None]:
    """Whatever this thread does within ends with ``CancelledError`` soon after ``token`` is set."""
    before, _here.token = _here.token, token
    try:
        yield
    finally:
        _here.token = before


def current() -> threading.Event | None:
    """The token of this thread's job; ``None`` where nobody can cancel it."""
    return _here.token


def check() -> None:
    """Raise ``CancelledError`` if nobody waits for this thread's job any more; costs a tenth of a microsecond."""
    token = _here.token
    if token is not None and token.is_set():
        raise CancelledError("the request was cancelled")


def is_cancelled() -> bool:
    """Whether ``check`` would raise."""
    token = _here.token
    return token is not None and token.is_set()


def check_each(items: Iterable[Item]) -> Iterator[Item]:
    """``items``, one after the other, as long as somebody waits."""
    for item in items:
        check()
        yield item
