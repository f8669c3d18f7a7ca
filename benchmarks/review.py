"""Whether the prompt for a review holds the code that a change forgot.

usage: python -m benchmarks.review REPOSITORY... [--commits N] [--budget TOKENS] [--json FILE]

REPOSITORY is a git directory or a clone. The newest N commits are taken that change two to eight files of code and add or
remove none of them. Of each, one file is held out: the tree before the commit gets the other files' changes, uncommitted,
and "Review my changes." is asked. A good prompt brings the file that was held out, since one who knew the code
changed it along. Its tests count as code; documents, lock files and change logs do not.

"found" is the share of commits whose held-out file is among the relevant content, "named" also counts the other sections
(a habit that names it, say). "words alone" is the same question where nothing is changed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from contextls.code.languages import default_languages
from contextls.engine import Engine
from contextls.model import AssembleRequest, Changes, Context, Section
from contextls.settings import Settings
from contextls.workspace.git_log import Commit, read_commits

QUERY = "Review my changes."
LOOKED_THROUGH = 3_000
MIN_FILES, MAX_FILES = 2, 8
NO_CODE = frozenset({"text", "markdown", "rst", "json", "yaml", "toml", "html", "css", "xml"})


@dataclass(frozen=True)
class Figures:
    """Shares over all commits of a repository, and the median time of a prompt."""

    commits: int
    found: float
    named: float
    words_found: float
    words_named: float
    ms: float


def main() -> None:
    """Print one line for each repository."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=40)
    parser.add_argument("--budget", type=int, default=4000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    print("| repository | commits | found / named | words alone | ms (p50) |")
    print("| --- | --- | --- | --- | --- |")
    results = {}
    for repository in given.repositories:
        figures = measured(repository, given.commits, given.budget)
        name = label(repository)
        results[name] = asdict(figures)
        print(
            f"| {name} | {figures.commits} | {figures.found:.2f} / {figures.named:.2f} | "
            f"{figures.words_found:.2f} / {figures.words_named:.2f} | {figures.ms:.0f} |",
            flush=True,
        )
    if given.json:
        given.json.write_text(json.dumps(results, indent=1))


def label(place: Path) -> str:
    """A name for the table."""
    return (place.parent.name if place.name in ("repo", ".git") else place.name).replace("+", "/")


def measured(repository: Path, count: int, budget: int) -> Figures:
    """Ask about ``count`` commits, each on the tree before it."""
    answers: list[tuple[bool, bool]] = []
    plain: list[tuple[bool, bool]] = []
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "work"
        git(
            Path(folder),
            "clone",
            "--quiet",
            "--no-checkout",
            "--shared",
            str(repository.resolve()),
            str(root),
        )
        chosen = suitable(root, count)
        git(root, "checkout", "--quiet", "--force", f"{chosen[0][0].sha}~1")
        with contextlib.closing(Engine.open(root, Settings())) as engine:
            for number, (commit, files) in enumerate(chosen):
                git(root, "checkout", "--quiet", "--force", f"{commit.sha}~1")
                engine.index()
                engine.read_history()
                held = files[number % len(files)]
                plain.append(holds(ask(engine, budget, None), held))
                for path in files:
                    if path != held:
                        text = subprocess.run(
                            ["git", "show", f"{commit.sha}:{path}"], cwd=root, check=True, capture_output=True
                        ).stdout
                        (root / path).write_bytes(text)
                engine.index()
                started = time.perf_counter()
                context = ask(engine, budget, Changes.ALL)
                times.append((time.perf_counter() - started) * 1000)
                answers.append(holds(context, held))
    return Figures(
        commits=len(answers),
        found=statistics.fmean(found for found, _ in answers),
        named=statistics.fmean(named for _, named in answers),
        words_found=statistics.fmean(found for found, _ in plain),
        words_named=statistics.fmean(named for _, named in plain),
        ms=statistics.median(times),
    )


def suitable(root: Path, count: int) -> list[tuple[Commit, Sequence[str]]]:
    """The newest commits that change a few files of code, with those files."""
    found: list[tuple[Commit, Sequence[str]]] = []
    for commit in read_commits(root, LOOKED_THROUGH):
        if len(found) == count:
            break
        files = [path for path in commit.paths if is_code(path)]
        if MIN_FILES <= len(files) <= MAX_FILES and set(changed_only(root, commit)) >= set(files):
            found.append((commit, files))
    return found


def is_code(path: str) -> bool:
    """Whether a change of this file is one of code."""
    return default_languages().language_of(path) not in NO_CODE


def changed_only(root: Path, commit: Commit) -> Iterator[str]:
    """The files that the commit changed and neither added, removed nor renamed."""
    listed = git(root, "diff-tree", "-r", "--no-commit-id", "--name-status", "-z", commit.sha).split("\0")
    for status, path in zip(listed[::2], listed[1::2], strict=False):
        if status == "M":
            yield path


def ask(engine: Engine, budget: int, changes: Changes | None) -> Context:
    """The prompt for a review."""
    return engine.assemble(AssembleRequest(QUERY, budget, archetype="review", changes=changes))


def holds(context: Context, path: str) -> tuple[bool, bool]:
    """Whether ``path`` is among the relevant content, and whether anything names it."""
    found = any(
        each.type is Section.SEMANTIC and each.source.startswith(f"{path}:") for each in context.components
    )
    return found, found or path in context.content


def git(where: Path, *arguments: str) -> str:
    """Run git and return what it printed."""
    return subprocess.run(["git", *arguments], cwd=where, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
