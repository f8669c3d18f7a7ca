"""The plain data that crosses the engine's border: what every face sends and receives.

No protocol types and no storage types appear here. All values are frozen; times are milliseconds since the epoch;
lines are 1-based and inclusive; paths are relative to the workspace root with ``/`` between parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from contextls.schema.rules import Bounds, Doc, Words

MAX_LISTED = 10_000  # events, entities or patterns of one answer
MAX_STEPS = 5  # of a walk along relations
MAX_FACTOR = 10  # of a boost


class EventType(StrEnum):
    """The types of events. Clients may record further ones; these are those the engine itself understands."""

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
    """How an event ended."""

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
class Target:
    """The target of an entry of the working set: a file, a symbol in it, or a folder.

    ``path`` is relative to the root, without a slash at its end; ``symbol`` is qualified (``Cart.total``).
    """

    path: str
    symbol: str | None = None
    folder: bool = False

    @property
    def text(self) -> str:
        """As it is written in the file: ``a.py``, ``a.py#Cart.total``, ``docs/``; the id of its entity."""
        return f"{self.path}#{self.symbol}" if self.symbol else self.path + "/" * self.folder

    def names(self, other: Target) -> bool:
        """Whether the other one means the same place, also when only one of them is known to be a folder."""
        return (self.path, self.symbol) == (other.path, other.symbol)


@dataclass(frozen=True, slots=True)
class WorkingSetView:
    """The pins, highest priority first, and the exclusions. ``location`` is the file that says so; it may not exist yet."""

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
    created_at: Annotated[int, Doc("milliseconds since the epoch")]
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
    """Limits on what may enter a prompt. An absent or empty one restricts nothing."""

    since: Annotated[
        int | None, Doc("only events from then on, in milliseconds since the epoch, inclusive")
    ] = None
    until: Annotated[int | None, Doc("only events until then, in the same way")] = None
    event_types: Annotated[tuple[str, ...] | None, Doc("only events of these types")] = None
    entity_types: Annotated[tuple[str, ...] | None, Doc("only entities of these types")] = None
    exclude: Annotated[tuple[str, ...], Doc("sources or paths that stay out")] = ()
    paths: Annotated[
        tuple[str, ...],
        Doc(
            "gitignore patterns, `!` takes back: in every section only what speaks of a matching file; "
            "what speaks of no file, such as a command or a note, stays"
        ),
    ] = ()


Factor = Annotated[float, Bounds(0, MAX_FACTOR)]


@dataclass(frozen=True, slots=True)
class Boosts:
    """Factors from 0 to 10 on the score of what they name; where several speak of a piece they multiply, to 10 at most."""

    paths: Annotated[Mapping[str, Factor], Doc("files by gitignore pattern")] = field(default_factory=dict)
    sections: Annotated[Mapping[Section, Factor], Doc("whole sections by component type")] = field(
        default_factory=dict
    )
    sources: Annotated[Mapping[str, Factor], Doc("single pieces by a component's `source`")] = field(
        default_factory=dict
    )


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
    """One piece of the prompt. ``tokens`` counts ``content`` alone; headings and separators are counted in the whole.

    ``content`` is the piece as the prompt shows it. ``title``, one line, and ``body`` say the same without the marks of
    the prompt; ``path`` and lines are there where the piece is of a file, ``symbol`` where it is or lies in one.
    """

    type: Section
    source: Annotated[
        str, Doc("`path:start-end` for chunks, `path#symbol` for entities, an id for everything else")
    ]
    content: str
    tokens: int
    relevance_score: float
    compression: Annotated[
        str | None, Words(("skeleton", "head", "fold", "summary")), Doc("how it was made smaller")
    ] = None
    why: Annotated[str, Doc("what put it here, in one short phrase for people")] = ""
    title: Annotated[str, Doc("one line that names the piece, without the prompt's marks")] = ""
    path: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    symbol: Annotated[str, Doc("the definition that the piece is or lies in, or empty")] = ""
    language: str = ""
    body: Annotated[str, Doc("what the piece says, without the prompt's marks")] = ""


@dataclass(frozen=True, slots=True)
class Omission:
    """A candidate that did not go in, and why."""

    type: Section
    source: str
    reason: Annotated[str, Words(("budget", "duplicate", "excluded", "limit"))]
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
    cached: Annotated[
        bool, Doc("the answer of a moment ago, given again because nothing has changed since")
    ] = False


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
    id: Annotated[str, Doc("what `context/update` takes to go on from here")] = ""


@dataclass(frozen=True, slots=True)
class CompressedText:
    """A text within a budget. ``method``: none, skeleton, fold, sentences, head, ends, cut or, where asked for, summary."""

    text: str
    token_count: int
    truncated: bool
    method: str
    tokenizer: str
    tokenizer_exact: bool
    warning: Annotated[
        str | None, Doc("why a summary that was asked for is not there, or its structure is not known")
    ] = None


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
    """The hits of a search and how long it took, in milliseconds."""

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
    """The neighbourhood of ``start``. ``alternatives`` are ids of other entities that the name may have meant."""

    start: EntityView
    alternatives: tuple[str, ...]
    entities: tuple[EntityView, ...]
    relations: tuple[RelationView, ...]


class PatternKind(StrEnum):
    """The sort of a habit."""

    TOGETHER = "together"
    TEST = "test"
    COMMAND = "command"
    FIX = "fix"
    SEQUENCE = "sequence"
    TASK = "task"


class PatternUnit(StrEnum):
    """Occasions that were counted."""

    TIMES = "times"
    COMMITS = "commits"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A habit in words. ``files`` and ``words`` say when it applies, ``commands`` what it names to run.

    Of ``applications`` occasions it held in ``successes``; ``passed`` counts the runs that ended well where it is about a
    command. ``helpful`` and ``unhelpful`` are what people said about it. ``last_seen`` is in milliseconds since the epoch, 0
    where only commits speak for it.
    """

    id: str
    kind: PatternKind
    description: str
    files: tuple[str, ...]
    commands: tuple[str, ...]
    words: tuple[str, ...]
    applications: int
    successes: int
    passed: int | None
    unit: PatternUnit
    helpful: int
    unhelpful: int
    last_seen: int
    confidence: float


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far indexing is. ``total`` is 0 while the files are still being counted."""

    phase: str  # "scan" | "index" | "store"
    done: int
    total: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The result of one indexing run."""

    files: int
    changed: int
    removed: int
    chunks: int
    skipped: Annotated[Mapping[str, int], Doc("reason → number of files left out")]
    problems: Annotated[tuple[str, ...], Doc("files that were read only in part, and why")]
    ms: float


class MemoryPart(StrEnum):
    """A part of the memory that a view may show."""

    INDEX = "index"
    EVENTS = "events"
    TASKS = "tasks"
    WORKING_SET = "workingSet"
    PATTERNS = "patterns"


@dataclass(frozen=True, slots=True)
class Status:
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
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileStatus:
    """Whether prompts can draw on one file and, if not, why. ``sentence`` is one line for people.

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


@dataclass(frozen=True, slots=True)
class ClearReport:
    """The counts of what was deleted."""

    index: bool
    events: int
