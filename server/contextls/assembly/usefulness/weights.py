"""The weights of the model of usefulness, written by tools/train_usefulness.py; docs/relevance.md says from what."""

from __future__ import annotations

from collections.abc import Mapping

BIAS = 1.47028
WEIGHTS: Mapping[str, float] = {
    "words rank": -0.25212,
    "neighbour": 0.39866,
    "named place": 1.84659,
    "calls leading": 1.39043,
    "called by leading": 1.30671,
    "meaning rank": -0.14599,
    "like the best": -0.22636,
    "like the best by words": -0.2044,
    "like the best unlikely": -0.28078,
    "terms": -0.89528,
    "telling terms rank": -0.20872,
    "terms in file": 1.58294,
    "terms in file rank": 0.08205,
    "whole name": 0.11685,
    "file": 1.06966,
    "file rank": -0.36282,
    "chunks of better files": 0.15895,
    "file evidence": -0.8922,
    "place in file": -0.2694,
}
