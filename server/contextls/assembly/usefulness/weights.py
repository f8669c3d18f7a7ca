"""The weights of the model of usefulness, written by tools/train_usefulness.py; docs/relevance.md says from what."""

from __future__ import annotations

from collections.abc import Mapping

BIAS = 1.45344
WEIGHTS: Mapping[str, float] = {
    "words rank": -0.30909,
    "neighbour": 0.33809,
    "named place": 1.63101,
    "calls leading": 1.51762,
    "called by leading": 1.36045,
    "meaning rank": -0.15741,
    "like the best": -0.26881,
    "like the best by words": -0.1333,
    "like the best unlikely": -0.27007,
    "terms": -0.82188,
    "telling terms rank": -0.20528,
    "terms in file": 1.46641,
    "terms in file rank": 0.09836,
    "whole name": 0.10565,
    "file": 1.239,
    "file rank": -0.37885,
    "chunks of better files": 0.17207,
    "file evidence": -0.85378,
    "place in file": -0.2732,
}
