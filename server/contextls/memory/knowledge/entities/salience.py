"""The salience of an entity: how much it matters right now, as it is central, worked on, or often changed.

    salience = 1 - (1 - 0.6 * centrality) * (1 - 0.6 * activity) * (1 - 0.3 * churn)

One good reason is enough, a second adds to it, and none of the three is needed. ``docs/entities.md`` explains each part.
"""

from __future__ import annotations

import math

CENTRALITY = 0.6
ACTIVITY = 0.6
CHURN = 0.3

HALF_LIFE_MS = 24 * 60 * 60 * 1000
# The number of fresh events at which the activity is one half.
HALF_ACTIVE = 3.0
# The number of referring files from which a name has the highest centrality.
USED_EVERYWHERE = 63
# The share of its file's centrality that a symbol gets.
OF_FILE = 0.25


def salience(centrality: float, activity: float, churn: float) -> float:
    """The salience in 0..1 of an entity with these three parts, each in 0..1; grows with each of them."""
    left = (1 - CENTRALITY * centrality) * (1 - ACTIVITY * activity) * (1 - CHURN * churn)
    return round(1 - left, 4)


def name_centrality(uses: float, file_centrality: float) -> float:
    """The centrality of a definition: how many files refer to its name (0 for none, 0.5 for 7, 1 for 63 and more).

    ``uses`` is shared among the definitions of that name. A quarter comes from the file.
    """
    own = min(1.0, math.log2(1 + max(0.0, uses)) / math.log2(1 + USED_EVERYWHERE))
    return round((1 - OF_FILE) * own + OF_FILE * file_centrality, 4)


def fade(weight: float, age_ms: int) -> float:
    """A ``weight`` of ``age_ms`` ago: a half after 24 hours. The future counts as now."""
    return weight * float(2.0 ** (-max(0, age_ms) / HALF_LIFE_MS))


def activity(sum_of_faded: float) -> float:
    """0 for nothing, 0.5 for three fresh events, towards 1."""
    return round(sum_of_faded / (sum_of_faded + HALF_ACTIVE), 4) if sum_of_faded > 0 else 0.0
