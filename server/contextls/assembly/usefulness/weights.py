"""The weights of the model of usefulness, written by tools/train_usefulness.py; docs/relevance.md says from what."""

from __future__ import annotations

from collections.abc import Mapping

BIAS = 1.55683
WEIGHTS: Mapping[str, float] = {
    "words rank": -0.30097,
    "neighbour": 0.40513,
    "named place": 1.78713,
    "calls leading": 1.59962,
    "called by leading": 1.40315,
    "meaning rank": -0.14686,
    "like the best": -0.24587,
    "like the best by words": -0.15572,
    "like the best unlikely": -0.25819,
    "terms": -1.11736,
    "telling terms rank": -0.21675,
    "terms in file": 1.4349,
    "terms in file rank": 0.04849,
    "whole name": 0.11971,
    "file": 1.14213,
    "file rank": -0.34618,
    "chunks of better files": 0.16995,
    "file evidence": -0.7844,
    "place in file": -0.28801,
}
