"""The plain data that crosses the engine's border: what every face sends and receives.

No protocol types and no storage types appear here. All values are frozen; times are milliseconds since the epoch;
lines are 1-based and inclusive; paths are relative to the workspace root with ``/`` between parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventType(StrEnum):
    """What happened. Clients may record further types; these are the ones the engine itself understands."""

    FILE_READ = "file_read"
    FILE_FOCUS = "file_focus"
    FILE_EDIT = "file_edit"
    FILE_WRITE = "file_write"
    FILE_RENAME = "file_rename"
    FILE_DELETE = "file_delete"
    FILES_CHANGED = "files_changed"
    SHELL_EXEC = "shell_exec"
    ERROR = "error"
    DIAGNOSTIC = "diagnostic"
    GIT_CHECKOUT = "git_checkout"
    GIT_COMMIT = "git_commit"
    GIT_STASH = "git_stash"
    GIT_REBASE = "git_rebase"
    NOTE = "note"


class Outcome(StrEnum):
    """How it ended."""

    SUCCESS = "success"
    FAILURE = "failure"


class Section(StrEnum):
    """The sections of a prompt, in the order in which they appear, by component type."""

    TASK = "task"
    WORKING_SET = "working_set"
    RECENT = "recent"
    SEMANTIC = "semantic"
    ENTITY = "entity"
    RELATION = "relation"
    PATTERN = "pattern"
    CUSTOM = "custom"


class Role(StrEnum):
    """As what a pinned file is read: instructions of one kind or another, or plain context."""

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    CONTEXT = "context"


class TruncateStrategy(StrEnum):
    """Where a pinned file is cut when it does not fit: not at all, its start, its middle or its end."""

    NEVER = "never"
    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A pinned file, folder or symbol. ``priority`` lies in 0..1; ``problem`` says why it does not enter prompts."""

    path: str
    symbol: str | None
    folder: bool
    priority: float
    role: Role
    truncate_strategy: TruncateStrategy
    max_lines: int | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class ExcludedFile:
    """A file, folder or symbol that appears in no prompt."""

    path: str
    symbol: str | None
    folder: bool


@dataclass(frozen=True, slots=True)
class WorkingSetView:
    """What is pinned, highest priority first, and excluded. ``location`` is the file that says so; it may not exist yet."""

    files: tuple[PinnedFile, ...]
    excluded: tuple[ExcludedFile, ...]
    location: str
    warnings: tuple[str, ...]


class TaskStatus(StrEnum):
    """How a task stands."""

    ACTIVE = "active"
    COMPLETE = "complete"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class TaskFrame:
    """One task. ``result`` is what completing it left, ``reason`` why it is blocked; a root has ``depth`` 0."""

    id: str
    goal: str
    parent: str | None
    children: tuple[str, ...]
    status: TaskStatus
    result: str | None
    reason: str | None
    depth: int
    created_at: int
    completed_at: int | None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event on its way in. ``timestamp`` and ``session_id`` default to now and the engine's own session."""

    type: str
    content: Mapping[str, Any]
    outcome: Outcome | None = None
    timestamp: int | None = None
    session_id: str | None = None
    task_id: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An event as stored. ``id`` grows in the order of recording; ``task_id`` is the task that was active."""

    id: str
    type: str
    session_id: str
    timestamp: int
    content: Mapping[str, Any]
    outcome: Outcome | None
    task_id: str | None = None


@dataclass(frozen=True, slots=True)
class EditorPosition:
    """Where the user is: the active file, and the cursor or selection in it."""

    path: str
    start_line: int | None = None
    end_line: int | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """What may enter a prompt. ``None`` and empty mean no restriction."""

    since: int | None = None
    event_types: tuple[str, ...] | None = None
    entity_types: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()  # gitignore-style patterns; what speaks of no file stays
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Boosts:
    """Factors from 0 to 10 on the score of what they name: files by pattern, whole sections, single sources."""

    paths: Mapping[str, float] = field(default_factory=dict)
    sections: Mapping[Section, float] = field(default_factory=dict)
    sources: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Strategy:
    """Weights, per-section budget shares and limits.

    ``shares`` are percentages of the token budget and add up to 100; what a section leaves unused goes to the best
    remaining items of any section. Weights are relative to each other.
    """

    name: str
    shares: Mapping[Section, int]
    recency_weight: float = 0.2
    relevance_weight: float = 0.6
    salience_weight: float = 0.2
    depth_limit: int = 2
    max_chunks: int = 40


@dataclass(frozen=True, slots=True)
class Archetype:
    """A named strategy and what it is good for."""

    name: str
    description: str
    strategy: Strategy


class Changes(StrEnum):
    """Which uncommitted changes: from the newest commit to the index, from there to the files as they are, or all of it."""

    STAGED = "staged"
    UNSTAGED = "unstaged"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class AssembleRequest:
    """A question on its way to becoming a prompt."""

    query: str
    max_tokens: int = 4000
    session_id: str | None = None
    archetype: str = "code"
    strategy_overrides: Mapping[str, Any] = field(default_factory=dict)
    additional_context: str | None = None
    filters: Filters = Filters()
    boosts: Boosts = Boosts()
    position: EditorPosition | None = None
    tokenizer: str | None = None  # an encoding or model name; None takes the setting
    order: tuple[str, ...] = ()  # sources in the order in which to read them within their section
    changes: Changes | None = None  # lead the prompt


@dataclass(frozen=True, slots=True)
class Component:
    """One item of the prompt. ``tokens`` counts ``content`` alone; headings and separators are counted in the whole."""

    type: Section
    source: str  # "path:start-end" for chunks, the id of the event, entity, relation or pattern otherwise
    content: str
    tokens: int
    relevance_score: float
    compression: str | None = None  # how it was made smaller: skeleton, head, fold, summary
    why: str = ""  # what put it here, in one short phrase for people


@dataclass(frozen=True, slots=True)
class Omission:
    """A candidate that did not go in, and why: ``budget``, ``duplicate``, ``excluded``, ``limit``."""

    type: Section
    source: str
    reason: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Report:
    """How the prompt came about: what stayed out, what went wrong, where the time went."""

    omitted: tuple[Omission, ...]
    warnings: tuple[str, ...]
    section_tokens: Mapping[str, int]
    step_ms: Mapping[str, float]
    tokenizer: str
    tokenizer_exact: bool
    index_complete: bool
    cached: bool = False  # the answer of a moment ago, given again because nothing has changed since


@dataclass(frozen=True, slots=True)
class Metadata:
    """Figures for debugging, with the names of the specification."""

    query: str
    events_considered: int
    entities_considered: int
    chunks_searched: int
    assembly_time_ms: float


@dataclass(frozen=True, slots=True)
class Context:
    """The result. ``token_count`` is the count of ``content`` by the named tokenizer, never above the budget."""

    content: str
    components: tuple[Component, ...]
    token_count: int
    truncated: bool
    strategy: Strategy
    metadata: Metadata
    report: Report
    id: str = ""  # what ``update`` takes to go on from here


@dataclass(frozen=True, slots=True)
class CompressedText:
    """A text within a budget. ``method``: none, skeleton, fold, sentences, head, ends, cut or, where asked for, summary."""

    text: str
    token_count: int
    truncated: bool
    method: str
    tokenizer: str
    tokenizer_exact: bool
    warning: str | None = None  # why a summary that was asked for is not there, or its structure is not known


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """The tokens of each text, in their order, and of all."""

    counts: tuple[int, ...]
    total: int
    tokenizer: str
    tokenizer_exact: bool


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One chunk found, best first."""

    path: str
    start_line: int
    end_line: int
    language: str
    kind: str
    symbol: str
    score: float
    text: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found and how long it took, in milliseconds."""

    query: str
    hits: tuple[SearchHit, ...]
    ms: float
    index_complete: bool


@dataclass(frozen=True, slots=True)
class EntityView:
    """A thing worth naming: file, symbol (``type`` is its kind), package, person, command, error, test.

    ``salience``, and ``centrality``, ``activity`` and ``churn`` that it is made of, lie in 0..1. ``match`` says how a query
    means it: ``exact``, ``folded``, ``qualified``, ``split`` or ``fuzzy``.
    """

    id: str
    type: str
    name: str
    path: str | None
    line: int | None
    signature: str
    doc: str
    salience: float
    centrality: float
    activity: float
    churn: float
    properties: Mapping[str, str]
    match: str | None


@dataclass(frozen=True, slots=True)
class RelationView:
    """An edge between two entities, by their ids. ``weight`` in 0..1 falls with the ``steps`` from the start.

    Of ``applications`` occasions ``support`` spoke for it; both are 0 where nothing is counted.
    """

    source: str
    target: str
    type: str
    weight: float
    support: int
    applications: int
    steps: int


@dataclass(frozen=True, slots=True)
class GraphView:
    """What hangs together with ``start``. ``alternatives`` are ids of other entities that the name may have meant."""

    start: EntityView
    alternatives: tuple[str, ...]
    entities: tuple[EntityView, ...]
    relations: tuple[RelationView, ...]


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far indexing is. ``total`` is 0 while the files are still being counted."""

    phase: str  # "scan" | "index" | "store"
    done: int
    total: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one indexing run did."""

    files: int
    changed: int
    removed: int
    chunks: int
    skipped: Mapping[str, int]  # reason -> number of files left out
    problems: tuple[str, ...]  # files that were read only in part, and why
    ms: float


@dataclass(frozen=True, slots=True)
class Status:
    """The truth about one workspace."""

    root: str
    state: str  # "empty" | "indexing" | "ready" | "stale"
    files: int
    chunks: int
    events: int
    languages: Mapping[str, int]
    embedder: str
    tokenizer: str
    index_bytes: int
    index_location: str
    state_location: str
    skipped: Mapping[str, int]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileStatus:
    """Whether prompts can draw on one file and, if not, why. ``sentence`` is one line for people.

    ``reason`` is the word that counts in ``Status.skipped``, ``missing``, ``excluded``, or what the system said of a file
    that it would not let be read; ``None`` where nothing stands in the way. ``chunks`` are those in the index now.
    """

    path: str
    state: str  # "indexed" | "waiting" (for the next update) | "leftOut" | "excluded" (by the working set)
    reason: str | None
    sentence: str
    chunks: int


@dataclass(frozen=True, slots=True)
class ClearReport:
    """What was deleted."""

    index: bool
    events: int
