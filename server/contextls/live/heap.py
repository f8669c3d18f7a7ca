"""Keeps what stays in memory out of the garbage collector's passes.

Modules, grammars and an index are hundreds of thousands of objects. Looking through all of them takes a tenth of a second
in which nobody is answered, and it happens again and again while answers of thousands of pieces are made.
"""

from __future__ import annotations

import gc


def freeze_heap() -> None:
    """Take everything that there is now for something that stays, where nothing was taken for that before."""
    if not gc.get_freeze_count():
        gc.freeze()


def unfreeze_heap() -> None:
    """Let the collector look through everything again, as something large was let go of."""
    gc.unfreeze()
