"""The weights of the model of usefulness, written by tools/train_usefulness.py; docs/relevance.md says from what."""

from __future__ import annotations

from collections.abc import Mapping

BIAS = 1.5272
WEIGHTS: Mapping[str, float] = {
    "words rank": -0.28753,
    "neighbour": 0.34467,
    "named place": 1.62476,
    "calls leading": 1.53067,
    "called by leading": 1.37178,
    "meaning rank": -0.16281,
    "like the best": -0.24499,
    "like the best by words": -0.15022,
    "like the best unlikely": -0.26993,
    "terms": -0.93543,
    "telling terms rank": -0.21602,
    "terms in file": 1.61636,
    "terms in file rank": 0.10069,
    "whole name": 0.10504,
    "file": 1.16059,
    "file rank": -0.37337,
    "chunks of better files": 0.14559,
    "file evidence": -0.91886,
    "place in file": -0.27362,
}
