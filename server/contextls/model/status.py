"""The index and the state of a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from contextls.schema.rules import Doc, Words

# Until the pace of a run is known: what two slow cores do. Python files of this repository: some 250 a second.
FILES_PER_SECOND = 150
_ENOUGH_FILES = 32  # done, before their pace counts


class IndexProgress(Struct, frozen=True):
    """The progress of indexing. ``total`` is 0 while the files are still being counted."""

    phase: str  # "scan" | "fetch" | "index" | "store"
    done: int
    total: int
    path: str = ""

    def seconds_left(self, spent: float) -> float:
        """The seconds that indexing will yet take, after ``spent`` seconds for what is done."""
        rate = self.done / max(0.001, spent) if self.done >= _ENOUGH_FILES else FILES_PER_SECOND
        return (self.total - self.done) / rate


class IndexReport(Struct, frozen=True):
    """The result of one indexing run."""

    files: int
    changed: int
    removed: int
    chunks: int
    skipped: Annotated[Mapping[str, int], Doc("reason → number of files left out")]
    problems: Annotated[
        tuple[str, ...],
        Doc("files that were read only in part, and a shared index that was left alone, and why"),
    ]
    ms: float
    taken: Annotated[
        int, Doc("of the changed files, those taken from a shared index instead of being analysed")
    ] = 0


class SharedBuild(Struct, frozen=True):
    """The result of building a shared index for a commit.

    ``analysed`` of its ``files`` were new. ``was_there``: another build had finished the commit before.
    """

    commit: str
    files: int
    analysed: int
    left_out: Annotated[Mapping[str, int], Doc("reason → number of files left out")]
    was_there: bool


class IndexExtent(Struct, frozen=True):
    """The part of a workspace that answers draw on while its index is not complete, in files."""

    indexed: int
    found: int


class SharedPruning(Struct, frozen=True):
    """The result of pruning a shared index: what was taken out, and what stays."""

    commits_removed: int
    commits_kept: int
    files_removed: Annotated[int, Doc("versions of files that no kept commit holds")]
    files_kept: int


class MemoryPart(StrEnum):
    """A part of the memory that a view may show."""

    INDEX = "index"
    EVENTS = "events"
    TASKS = "tasks"
    WORKING_SET = "workingSet"
    PATTERNS = "patterns"
    CONVERSATIONS = "conversations"
    SCOPE = "scope"


class IndexWriter(StrEnum):
    """The process that keeps an index in step with the disk, of those that have the workspace open."""

    THIS = "this"
    ANOTHER = "another"
    NONE = "none"


class Status(Struct, frozen=True):
    """The truth about one workspace."""

    root: str
    state: Annotated[str, Words(("empty", "indexing", "ready", "stale"))]
    files: int
    chunks: int
    events: int
    languages: Annotated[Mapping[str, int], Doc("files by language")]
    embedder: str
    tokenizer: str
    index_bytes: int
    index_location: str
    state_location: str
    skipped: Mapping[str, int]
    writer: Annotated[
        IndexWriter,
        Doc(
            "the process that follows changes on disk; where it is `another`, this one reads what that one wrote"
        ),
    ]
    scope: Annotated[tuple[str, ...], Doc("the folders that questions are limited to; empty for all")]
    analyzed: Annotated[int, Doc("files that this process itself has read and parsed for the index")]
    warnings: tuple[str, ...]
    index_extent: Annotated[
        IndexExtent | None, Doc("how much is indexed; null where all is, or while files are still counted")
    ] = None


class FileStatus(Struct, frozen=True):
    """The state of one file: whether prompts can draw on it and, if not, why. ``sentence`` is one line for people.

    ``reason`` is the word that counts in ``Status.skipped``, ``missing``, ``excluded``, or what the system said of a file
    that it would not let be read; ``None`` where nothing stands in the way. ``chunks`` are those in the index now.
    """

    path: str
    state: Annotated[
        str,
        Words(("indexed", "waiting", "leftOut", "excluded")),
        Doc("`waiting` is for the next update of the index; `excluded` is by the working set"),
    ]
    reason: str | None
    sentence: str
    chunks: int


class ClearReport(Struct, frozen=True):
    """The counts of what was deleted."""

    index: bool
    events: int
    conversations: int = 0
