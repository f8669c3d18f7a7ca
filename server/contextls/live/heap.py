"""What the garbage collector looks through: not what every question needs, and what no question will let go of.

Modules, grammars and an index are hundreds of thousands of objects. Looking through all of them takes a tenth of a second
in which nobody is answered, and it happens again and again while answers of thousands of pieces are made.
"""

from __future__ import annotations

import gc


def settle_heap() -> None:
    """Take everything that is in use now for something that stays. Takes as long as looking through it once."""
    gc.unfreeze()  # what was taken for that before and is not in use any more
    gc.collect()
    gc.freeze()


def stir_heap() -> None:
    """Let the collector look through everything again, as something large was let go of."""
    gc.unfreeze()
