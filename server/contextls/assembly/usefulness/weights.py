"""The weights of the model of usefulness, written by tools/train_usefulness.py; docs/relevance.md says from what."""

from __future__ import annotations

from collections.abc import Mapping

BIAS = 1.38089
WEIGHTS: Mapping[str, float] = {
    "words rank": -0.28497,
    "neighbour": 0.34843,
    "named place": 1.6788,
    "calls leading": 1.56269,
    "called by leading": 1.33758,
    "meaning rank": -0.16957,
    "like the best": -0.24438,
    "like the best by words": -0.16465,
    "like the best unlikely": -0.2681,
    "terms": -0.89308,
    "telling terms rank": -0.21265,
    "terms in file": 1.53444,
    "terms in file rank": 0.09752,
    "whole name": 0.10672,
    "file": 1.27857,
    "file rank": -0.37246,
    "chunks of better files": 0.17768,
    "file evidence": -0.84636,
    "place in file": -0.27406,
}
