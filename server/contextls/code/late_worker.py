"""Preloaded by the fork server: a worker whose pool ended before it began goes without a traceback.

Closing a workspace while its workers start takes away the locks that they are about to open. The fork server would print
that to the user's log. Whatever a worker raises later does not come here: its pool gets it.
"""

from __future__ import annotations

import sys
from types import TracebackType

_TAKEN_AWAY = (FileNotFoundError, EOFError, ConnectionError)


def _leave_quietly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not isinstance(error, _TAKEN_AWAY):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _leave_quietly
