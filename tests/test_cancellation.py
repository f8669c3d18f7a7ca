"""Work that nobody waits for ends."""

from __future__ import annotations

import threading
import time

import pytest

from contextls.cancellation import cancellable, check, check_each, current, is_cancelled
from contextls.code.pool import WorkerPool
from contextls.errors import CancelledError


def test_only_the_thread_with_the_token_is_cancelled() -> None:
    token = threading.Event()
    check()
    with cancellable(token):
        assert current() is token
        check()
        token.set()
        assert is_cancelled()
        with pytest.raises(CancelledError):
            check()
        with pytest.raises(CancelledError):
            list(check_each([1]))
        others: list[bool] = []
        thread = threading.Thread(target=lambda: others.append(is_cancelled()))
        thread.start()
        thread.join()
        assert others == [False]
    check()
    assert current() is None


def test_a_worker_is_killed_with_the_request_that_waits_for_it() -> None:
    token = threading.Event()
    with WorkerPool(1, 60.0) as pool, cancellable(token):
        threading.Timer(0.5, token.set).start()
        started = time.monotonic()
        with pytest.raises(CancelledError):
            list(pool.map(time.sleep, [50.0]))
        assert time.monotonic() - started < 30
    with WorkerPool(1, 60.0) as pool, cancellable(threading.Event()):
        assert [type(each).__name__ for each in pool.map(abs, [-1])] == ["Result"]
