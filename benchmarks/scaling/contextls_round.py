"""Asks a workspace that has an index, in a process of its own: the first prompt, and the times of more.

usage: python -m benchmarks.scaling.contextls_round ROOT QUESTIONS.json

Prints JSON: seconds until the first prompt is there, and milliseconds of each further one.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing
from pathlib import Path

from contextls.engine import Engine
from contextls.model import AssembleRequest

BUDGET = 4000


def main() -> None:
    """Ask what the file of questions holds."""
    root, questions = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    started = time.perf_counter()
    with closing(Engine.open(root)) as engine:
        engine.assemble(AssembleRequest(questions[0], BUDGET))
        first = time.perf_counter() - started
        engine.prepare()
        times = []
        for question in questions[1:]:
            started = time.perf_counter()
            engine.assemble(AssembleRequest(question, BUDGET))
            times.append((time.perf_counter() - started) * 1000)
    print(json.dumps({"first": first, "ms": times}))


if __name__ == "__main__":
    main()
