"""How much parse_file costs on top of the bare tree-sitter parse of the same files, in one process.

Usage: python benchmarks/parse_speed.py FOLDER [LANGUAGE ...]
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections import defaultdict
from pathlib import Path

from contextls.code.languages import default_languages
from contextls.code.parse import parse_file

MAX_BYTES = 1_000_000


def main(folder: str, only: set[str]) -> None:
    """Print one line per language found under ``folder``."""
    languages = default_languages()
    texts: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in sorted(Path(folder).rglob("*")):
        language = languages.language_of(path.name)
        facts = languages.facts(language)
        if facts is None or not facts.module or (only and language not in only) or not path.is_file():
            continue
        if path.stat().st_size <= MAX_BYTES:
            texts[language].append((str(path), path.read_bytes().decode("utf-8", "replace")))
    totals = [0.0, 0.0]
    print(
        f"{'language':12} {'files':>6} {'MB':>7} {'bare s':>8} {'parse_file s':>13} {'ratio':>6} {'chunks':>7} {'mean':>5}"
    )
    for language, files in sorted(texts.items()):
        parser = languages.grammar(language).parser
        encoded = [text.encode("utf-8", "replace") for _, text in files]
        started = time.process_time()
        for data in encoded:
            parser.parse(data)
        bare = time.process_time() - started
        started = time.process_time()
        sizes = [len(chunk.text) for path, text in files for chunk in parse_file(path, text).chunks]
        full = time.process_time() - started
        totals = [totals[0] + bare, totals[1] + full]
        size = sum(map(len, encoded)) / 1e6
        mean = sum(sizes) // max(1, len(sizes))
        ratio = full / max(bare, 1e-9)
        print(
            f"{language:12} {len(files):6} {size:7.2f} {bare:8.2f} {full:13.2f} {ratio:6.2f} {len(sizes):7} {mean:5}"
        )
    print(
        f"all: bare {totals[0]:.2f} s, parse_file {totals[1]:.2f} s, ratio {totals[1] / max(totals[0], 1e-9):.2f}"
    )


if __name__ == "__main__":
    # Parsers run in child processes only.
    process = multiprocessing.Process(target=main, args=(sys.argv[1], set(sys.argv[2:])))
    process.start()
    process.join()
    sys.exit(process.exitcode)
