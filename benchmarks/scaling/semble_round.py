"""Indexes a folder with semble and searches it. Runs on an interpreter that has semble, and needs nothing else of ours.

usage: PYTHON semble_round.py ROOT QUESTIONS.json [MODEL]

Without MODEL, the folder of the one that semble downloads, its vectors are zeros and only words count: faster than it is
in use. Prints JSON: seconds of the index, which is held in memory, and milliseconds of each search.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import semble.index.index as made
from semble import SembleIndex


class NoModel:
    """In the place of a model: vectors of zeros."""

    dim = 8

    def encode(self, texts: str | Sequence[str], **_: object) -> Any:  # noqa: ANN401 - as semble's models
        """A vector for a text, or one for each of several."""
        return np.zeros(self.dim if isinstance(texts, str) else (len(texts), self.dim), np.float32)


def main() -> None:
    """Index, then ask what the file of questions holds."""
    root, questions = sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    model = sys.argv[3] if len(sys.argv) > 3 else None
    if model is None:
        made.load_model = lambda *_, **__: (NoModel(), "none")
    started = time.perf_counter()
    index = SembleIndex.from_path(root, model_path=model)
    seconds = time.perf_counter() - started
    times = []
    for question in questions:
        started = time.perf_counter()
        index.search(question, top_k=10, alpha=None if model else 0.0)
        times.append((time.perf_counter() - started) * 1000)
    print(json.dumps({"index": seconds, "ms": times}))


if __name__ == "__main__":
    main()
