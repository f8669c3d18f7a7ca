"""The weights of the model of usefulness, written by tools/train_usefulness.py; docs/relevance.md says from what."""

from __future__ import annotations

from collections.abc import Mapping

BIAS = 1.54315
WEIGHTS: Mapping[str, float] = {
    "words rank": -0.30183,
    "neighbour": 0.36256,
    "named place": 1.61053,
    "calls leading": 1.47203,
    "called by leading": 1.37887,
    "meaning rank": -0.15565,
    "like the best": -0.26263,
    "like the best by words": -0.12411,
    "like the best unlikely": -0.27951,
    "terms": -0.88986,
    "telling terms rank": -0.20192,
    "terms in file": 1.34266,
    "terms in file rank": 0.0532,
    "whole name": 0.11449,
    "file": 1.2256,
    "file rank": -0.38642,
    "chunks of better files": 0.18838,
    "file evidence": -0.79441,
    "place in file": -0.28232,
}
