"""The weights of the model of usefulness, written by tools/train_usefulness.py; docs/relevance.md says from what."""

from __future__ import annotations

from collections.abc import Mapping

BIAS = 1.4791
WEIGHTS: Mapping[str, float] = {
    "words rank": -0.30902,
    "neighbour": 0.34982,
    "named place": 1.64101,
    "calls leading": 1.51583,
    "called by leading": 1.34527,
    "meaning rank": -0.16179,
    "like the best": -0.26559,
    "like the best by words": -0.13128,
    "like the best unlikely": -0.27144,
    "terms": -0.82529,
    "telling terms rank": -0.2032,
    "terms in file": 1.45786,
    "terms in file rank": 0.09348,
    "whole name": 0.10521,
    "file": 1.23156,
    "file rank": -0.37624,
    "chunks of better files": 0.17027,
    "file evidence": -0.86582,
    "place in file": -0.2726,
}
