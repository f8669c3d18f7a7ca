"""How many secrets redaction finds, how often it takes something else for one, and how fast it is.

usage: python -m benchmarks.redaction [TREE …] [--seeds N] [--show N] [--most MB]

Recall is measured on the corpus of tests/hardening/secret_formats, each format filled with N different secrets. What is
redacted in the standard library and the installed packages of this Python, and in every TREE, is counted as wrong: published
code should hold no secrets. ``--show`` prints so many of those. Speed is that of the standard library's
sources, by processor time.
"""

from __future__ import annotations

import argparse
import random
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy
from tests.hardening.secret_samples import corpus, families

from contextls.text.redact import redact

SUFFIXES = tuple(
    f".{suffix}"
    for suffix in (
        *(
            "py",
            "pyi",
            "js",
            "mjs",
            "cjs",
            "ts",
            "tsx",
            "jsx",
            "json",
            "md",
            "rst",
            "txt",
            "yml",
            "yaml",
            "toml",
            "cfg",
        ),
        *(
            "ini",
            "c",
            "h",
            "cpp",
            "hpp",
            "sh",
            "html",
            "css",
            "xml",
            "go",
            "rs",
            "java",
            "rb",
            "php",
            "sql",
            "properties",
        ),
    )
)
MAX_BYTES = 2_000_000
ROUNDS = 3


@dataclass(slots=True)
class Tree:
    """What redaction did to the files of one folder."""

    files: int = 0
    lines: int = 0
    size: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


def texts(root: Path) -> Iterator[tuple[Path, str]]:
    """The text files below ``root``, those of development environments inside it left out."""
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root).parts
        if (
            path.suffix not in SUFFIXES
            or "site-packages" in inside
            or "test_data" in inside
            or not path.is_file()
        ):
            continue
        if 0 < path.stat().st_size <= MAX_BYTES:
            yield path, path.read_text("utf-8", "replace")


def measure(root: Path, most: float) -> Tree:
    """Redact every text file below ``root``, up to ``most`` megabytes."""
    tree = Tree()
    for path, text in texts(root):
        begin = time.process_time()
        found = redact(text)
        tree.seconds += time.process_time() - begin
        tree.files, tree.lines, tree.size = (
            tree.files + 1,
            tree.lines + text.count("\n"),
            tree.size + len(text),
        )
        if found.found:
            after = found.text.splitlines()
            tree.wrong += [
                f"{path.relative_to(root)}:{number}: {line.strip()[:160]}  =>  {shown.strip()[:160]}"
                for number, (line, shown) in enumerate(zip(text.splitlines(), after, strict=True), 1)
                if line != shown
            ]
        if tree.size > most * 1e6:
            break
    return tree


def print_recall(seeds: int) -> None:
    """Recall of every family, and of the two kinds of families together."""
    print("| family | formats | recall |\n| --- | ---: | ---: |")
    sums: dict[bool, list[int]] = {False: [0, 0], True: [0, 0]}
    for family in families():
        samples = [sample for seed in range(seeds) for sample in corpus(family, str(seed))]
        found = sum(not sample.leaked(redact(sample.text).text) for sample in samples)
        held = family.startswith("held_out")
        sums[held] = [sums[held][0] + found, sums[held][1] + len(samples)]
        print(f"| {family} | {len(samples) // seeds} | {found / len(samples):.3f} |")
    for held, (found, tried) in sums.items():
        print(f"| all {'held out' if held else 'others'} | {tried // seeds} | {found / tried:.3f} |")


def print_speed() -> None:
    """Megabytes a second of processor time on the sources of the standard library, best of some rounds."""
    sources = [text for path, text in texts(Path(sysconfig.get_path("stdlib"))) if path.suffix == ".py"][:400]
    redact("\n".join(sources[:20]))
    best = 0.0
    for _ in range(ROUNDS):
        begin = time.process_time()
        for text in sources:
            redact(text)
        best = max(best, sum(map(len, sources)) / 1e6 / (time.process_time() - begin))
    print(f"\nspeed: {best:.1f} MB/s on {sum(map(len, sources)) / 1e6:.1f} MB of Python")


def main() -> None:
    """Print recall, false positives and speed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.redaction", description=__doc__)
    parser.add_argument("trees", nargs="*", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--most", type=float, default=100.0, help="megabytes of each tree")
    arguments = parser.parse_args()
    print_recall(arguments.seeds)
    print_speed()
    print(
        "\n| tree | files | lines | wrong | per 10,000 lines | MB/s |\n| --- | ---: | ---: | ---: | ---: | ---: |"
    )
    packages = {Path(numpy.__file__).parents[1], Path(sysconfig.get_path("purelib"))}
    for root in [Path(sysconfig.get_path("stdlib")), *sorted(packages), *arguments.trees]:
        tree = measure(root, arguments.most)
        rate = len(tree.wrong) / max(tree.lines, 1) * 10_000
        print(
            f"| {root} | {tree.files} | {tree.lines} | {len(tree.wrong)} | {rate:.2f} "
            f"| {tree.size / 1e6 / max(tree.seconds, 1e-9):.1f} |"
        )
        for line in random.Random(1).sample(tree.wrong, min(arguments.show, len(tree.wrong))):  # noqa: S311
            print("   ", line)


if __name__ == "__main__":
    main()
