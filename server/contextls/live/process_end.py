"""Ends a server process at once, whatever its threads still do."""

from __future__ import annotations

import logging
import os
import sys
from typing import NoReturn


def leave(status: int) -> NoReturn:
    """End the process although a thread still waits for input or does work that is no longer needed."""
    logging.shutdown()
    sys.stderr.flush()
    os._exit(status)
