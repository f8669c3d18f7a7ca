"""The weights of the model of usefulness, written by tools/train_usefulness.py; docs/relevance.md says from what."""

from __future__ import annotations

from collections.abc import Mapping

BIAS = 1.43605
WEIGHTS: Mapping[str, float] = {
    "words rank": -0.30142,
    "neighbour": 0.37603,
    "named place": 1.67164,
    "calls leading": 1.51352,
    "called by leading": 1.4063,
    "meaning rank": -0.16047,
    "like the best": -0.24324,
    "like the best by words": -0.1343,
    "like the best unlikely": -0.25143,
    "terms": -1.04334,
    "telling terms rank": -0.21693,
    "terms in file": 1.39493,
    "terms in file rank": 0.04709,
    "whole name": 0.12216,
    "file": 1.18266,
    "file rank": -0.36424,
    "chunks of better files": 0.18328,
    "file evidence": -0.70123,
    "place in file": -0.28911,
}
