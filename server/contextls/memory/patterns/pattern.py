"""The confidence in a habit, and its id."""

from __future__ import annotations

import hashlib
import math

from contextls.model import PatternKind

# One-sided 90 %: low enough that ten observations already speak, high enough that one does not.
Z = 1.2816


def wilson(successes: float, applications: float) -> float:
    """The lower end of Wilson's score interval: the share that the evidence is good for, in 0..1.

    1 of 1 gives 0.38, 3 of 3 0.65, 40 of 45 0.81. Laplace's rule would give 0.67, 0.80 and 0.87: it halves what is not
    known, so a coincidence seen once comes close to a habit of years, and 3 of 3 would beat 30 of 39.
    """
    if successes <= 0 or applications <= 0:
        return 0.0
    share = min(1.0, successes / applications)
    spread = Z * math.sqrt(share * (1 - share) / applications + Z * Z / (4 * applications * applications))
    return max(0.0, (share + Z * Z / (2 * applications) - spread) / (1 + Z * Z / applications))


def pattern_id(kind: PatternKind, cause: str, effect: str) -> str:
    """The same habit has the same id in every process."""
    digest = hashlib.blake2b("\0".join((kind, cause, effect)).encode("utf-8", "replace"), digest_size=5)
    return f"pattern-{digest.hexdigest()}"
