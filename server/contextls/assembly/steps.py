"""The steps of an answer: each is timed, and one that fails leaves a warning instead of an end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from contextls import cancellation
from contextls.errors import CancelledError, ContextlsError

T = TypeVar("T")


class Steps:
    """The cost of each step of one answer (``ms``, by name), and the failures among them (``warnings``).

    ``notes`` are what people should know of a step that went well.
    """

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self.warnings: list[str] = []
        self.notes: list[str] = []

    def run(self, name: str, work: Callable[[], T], otherwise: T) -> T:
        """Return the result of ``work``, or ``otherwise`` when it fails. Raises ``CancelledError`` once cancelled."""
        started = time.perf_counter()
        cancellation.check()
        try:
            return work()
        except CancelledError as error:
            cancellation.check()
            self.warnings.append(f"{name}: {error}")
        except ContextlsError as error:  # which says itself what it is about
            self.warnings.append(str(error))
        except Exception as error:  # whatever it is, the other steps still answer
            self.warnings.append(f"{name}: {type(error).__name__}: {error}")
        finally:
            self.add(name, started)
        return otherwise

    def add(self, name: str, started: float) -> None:
        """Count the time since ``started`` (of ``perf_counter``) for a step, which may have several parts."""
        self.ms[name] = round(self.ms.get(name, 0.0) + elapsed_ms(started), 3)


def elapsed_ms(started: float) -> float:
    """Milliseconds since ``started``, a reading of ``time.perf_counter``."""
    return round((time.perf_counter() - started) * 1000, 3)
