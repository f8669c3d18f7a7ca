"""Work that nobody waits for ends."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from contextls.cancellation import cancellable, check, current
from contextls.code.pool import WorkerPool
from contextls.errors import CancelledError


def test_only_the_thread_with_the_token_is_cancelled() -> None:
    token = threading.Event()
    check()
    with cancellable(token):
        assert current() is token
        check()
        token.set()
        with pytest.raises(CancelledError):
            check()
        with ThreadPoolExecutor(1) as others:
            others.submit(check).result()
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
