"""LanceDB's index over vectors: questions find what they find without it, whatever happens while it is built and after."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contextls.memory.index.workspace_index import WorkspaceIndex
from contextls.store.chunk_rows import ChunkRow

from ..workspaces import ONE_WORKER, age, locations, python, write

FILES = 500
MIN_CHUNKS = 300
NOUNS = (
    "invoice",
    "parcel",
    "tenant",
    "sensor",
    "ticket",
    "playlist",
    "recipe",
    "voucher",
    "glacier",
    "orbit",
)
VERBS = (
    "merge",
    "archive",
    "translate",
    "validate",
    "forward",
    "compress",
    "rotate",
    "schedule",
    "estimate",
    "paint",
)
QUESTIONS = (
    "how is an invoice merged",
    "paint the glacier",
    "validateTicket",
    "where do we schedule a playlist",
)
BUILDER = """
import sys, time
from pathlib import Path
from contextls.memory.index.workspace_index import WorkspaceIndex
from contextls.settings import Settings
from contextls.store.locations import locate

if __name__ == "__main__":
    root = Path(sys.argv[1])
    index = WorkspaceIndex(root, Settings(workers=1), locate(root), min_chunks=int(sys.argv[2]))
    if sys.argv[3] == "stays":
        index.role.join()
    index.prepare()
    vectors = locate(root).vector_indexes
    while sys.argv[3] == "stays" and not (vectors.is_dir() and list(vectors.rglob("*.lance"))):
        time.sleep(0.01)
    print("there", "lancedb" in sys.modules, flush=True)
    sys.stdin.read()
    snapshot, content = index.current(), index.memory
    (found,) = content.search(snapshot, content.read_query("paint the glacier"), 1)
    print([snapshot.view.path(found.ref)], "lancedb" in sys.modules, flush=True)
"""


def source(number: int) -> str:
    verb, noun = VERBS[number // 10 % 10], NOUNS[number % 10]
    return (
        f"def {verb}_{noun}_{number}({noun}):\n"
        f'    """{verb.capitalize()} the {noun} of batch {number}."""\n    return {noun}.{verb}({number})\n'
    )


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "large"
    write(folder, {f"part{number:03}.py": source(number) for number in range(FILES)})
    age(folder)
    return folder.resolve()


@contextmanager
def opened(root: Path, *, min_chunks: int = MIN_CHUNKS, stays: bool = True) -> Iterator[WorkspaceIndex]:
    locations(root).create()
    index = WorkspaceIndex(root, ONE_WORKER, locations(root), min_chunks=min_chunks)
    try:
        if stays:
            index.role.join()
        index.index()
        index.prepare()
        index.store.vectors.wait()
        yield index
    finally:
        index.close()


def search(index: WorkspaceIndex, question: str, limit: int) -> list[tuple[ChunkRow, float]]:
    """The best chunks for a question, each with its score."""
    snapshot, content = index.current(), index.memory
    ranked = content.search(snapshot, content.read_query(question), limit)
    return [(snapshot.view.row(found.ref), found.score) for found in ranked]


def answers(index: WorkspaceIndex) -> list[list[tuple[ChunkRow, float]]]:
    return [search(index, question, 10) for question in QUESTIONS]


def paths(index: WorkspaceIndex, question: str) -> list[str]:
    return [row.path for row, _ in search(index, question, 50)]


def test_a_large_workspace_is_answered_as_without_the_index(root: Path) -> None:
    with opened(root, min_chunks=10 * FILES) as index:
        assert not index.store.vectors.is_open
        expected = answers(index)
        assert not locations(root).vector_indexes.exists(), "a small workspace has none"
    with opened(root) as index:
        assert index.store.vectors.is_open, index.warnings()
        assert answers(index) == expected
        assert index.warnings() == ()


def test_the_nearest_are_looked_for_in_the_index_and_in_what_came_later(root: Path) -> None:
    with opened(root) as index:
        write(root, {"later.py": "def polish_telescope(lens):\n    return lens.polished()\n"})
        index.update_files(["later.py"])
        segments = index.current().files.segments
        vector = index.memory.read_query("paint the glacier").vector
        found = index.store.vectors.nearest(segments, vector, 20)
        assert {len(rows) for rows in found.values()} == {20}
        assert found.keys() < {segment.id for segment in segments} | {0}
        assert paths(index, "polish the telescope")[0] == "later.py"
        (root / "later.py").unlink()
        index.update_files(["later.py"])


def test_what_was_deleted_or_changed_never_comes_back(root: Path) -> None:
    number = 98  # the last that paints a glacier in its hundred
    path = f"part{number:03}.py"
    with opened(root) as index:
        assert path in paths(index, "paint the glacier")
        write(root, {path: "def boil_kettle():\n    return 'tea'\n"})
        index.update_files([path])
        assert paths(index, "boil the kettle")[0] == path
        assert all(
            "glacier" not in row.text
            for row, _ in search(index, "paint the glacier", 500)
            if row.path == path
        )
        (root / path).unlink()
        index.update_files([path])
        assert path not in paths(index, "boil the kettle") + paths(index, "paint the glacier")
    with opened(root) as index:
        assert index.store.vectors.is_open
        assert path not in paths(index, "paint the glacier")
        write(root, {path: source(number)})
        index.update_files([path])
        assert path in paths(index, "paint the glacier")


def test_a_kill_while_it_is_built_leaves_a_working_index(root: Path) -> None:
    with opened(root, stays=False) as index:
        expected = answers(index)
        index.store.vectors._records.set_vector_index("", [])
        index.store.vectors.delete_leftovers()
    process = python(BUILDER, root, MIN_CHUNKS, "stays")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("there")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    halves = list(locations(root).vector_indexes.iterdir())
    assert len(halves) == 1
    with opened(root, stays=False) as index:
        assert answers(index) == expected
        assert not index.store.vectors.is_open
    with opened(root) as index:
        assert index.store.vectors.is_open
        assert answers(index) == expected
        (built,) = locations(root).vector_indexes.iterdir()
        assert index.store.vectors._records.vector_index()[0] == built.name


def test_a_command_that_ends_at_once_never_loads_it(root: Path) -> None:
    with opened(root) as index:
        assert index.store.vectors.is_open
    process = python(BUILDER, root, MIN_CHUNKS, "ends")
    said, errors = process.communicate("", timeout=180)
    assert [line.rsplit(" ", 1)[1] for line in said.splitlines()] == ["False", "False"], errors


def test_one_that_is_damaged_is_told_and_numpy_answers(root: Path) -> None:
    with opened(root) as index:
        expected = answers(index)
    for file in locations(root).vector_indexes.rglob("*"):
        if file.is_file():
            file.write_bytes(b"nothing of what was written")
    with opened(root) as index:
        assert not index.store.vectors.is_open
        assert answers(index) == expected
        assert [
            warning for warning in index.warnings() if "LanceDB's index over vectors is not used" in warning
        ]
        index.index()
        index.prepare()  # the next full run builds another one
        index.store.vectors.wait()
        assert index.store.vectors.is_open
        assert index.warnings() == ()
        assert answers(index) == expected


def test_clearing_the_index_clears_this_one(root: Path) -> None:
    with opened(root) as index:
        assert index.store.vectors.is_open
        index.wipe()
        assert list(locations(root).vector_indexes.iterdir()) == []
        assert paths(index, "paint the glacier") == []
