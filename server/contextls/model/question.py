"""A question, and how it is to be answered: filters, boosts, strategy."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Struct, field

from contextls.model.choices import DEFAULT_ARCHETYPE
from contextls.schema.rules import Bounds, Doc

MAX_QUERY_CHARS = 100_000  # of a question or a search: about a second's work
MAX_FACTOR = 10  # of a boost
MAX_OTHER_WORDS, MAX_OTHER_CHARS = 32, 2_000  # that come with a question


class Section(StrEnum):
    """The sections of a prompt, in the order in which they appear, by component type."""

    TASK = "task"
    WORKING_SET = "working_set"
    RECENT = "recent"
    SEMANTIC = "semantic"
    ENTITY = "entity"
    RELATION = "relation"
    PATTERN = "pattern"
    PACKAGE = "package"
    CUSTOM = "custom"


class EditorPosition(Struct, frozen=True):
    """The place of the user: the active file, and the cursor in it or, where it is ``selected``, the selection."""

    path: str
    start_line: int | None = None
    end_line: int | None = None
    selected: bool = False


class Filters(Struct, frozen=True):
    """Limits on what may enter a prompt. An absent or empty one restricts nothing."""

    since: Annotated[
        int | None, Doc("only events from then on, in milliseconds since the epoch, inclusive")
    ] = None
    until: Annotated[int | None, Doc("only events until then, in the same way")] = None
    event_types: Annotated[tuple[str, ...] | None, Doc("only events of these types")] = None
    task_id: Annotated[str | None, Doc("only events that happened while this task was the current one")] = (
        None
    )
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


class Boosts(Struct, frozen=True):
    """Factors from 0 to 10 on the score of what they name; where several speak of a piece they multiply, to 10 at most."""

    paths: Annotated[Mapping[str, Factor], Doc("files by gitignore pattern")] = field(default_factory=dict)
    sections: Annotated[Mapping[Section, Factor], Doc("whole sections by component type")] = field(
        default_factory=dict
    )
    sources: Annotated[Mapping[str, Factor], Doc("single pieces by a component's `source`")] = field(
        default_factory=dict
    )


class Strategy(Struct, frozen=True):
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


class Archetype(Struct, frozen=True):
    """A named strategy and what it is good for."""

    name: str
    description: str
    strategy: Strategy


class AssembleRequest(Struct, frozen=True):
    """The parameters of ``context/assemble``."""

    query: str
    max_tokens: int | None = None  # None takes the budget of the working set, else the setting
    session_id: str | None = None
    archetype: str = DEFAULT_ARCHETYPE
    strategy_overrides: Mapping[str, Any] = field(default_factory=dict)
    additional_context: str | None = None
    filters: Filters = Filters()
    boosts: Boosts = Boosts()
    position: EditorPosition | None = None
    tokenizer: str | None = None  # an encoding or model name; None takes the setting
    order: tuple[str, ...] = ()  # sources in the order in which to read them within their section
    changes: str | None = (
        None  # lead the prompt: one of Changes, or what the branch has beside this branch, tag or commit
    )
    task_line: bool = True  # begin with what is asked
    scope: tuple[str, ...] | None = (
        None  # folders and packages; None takes the saved scope, none at all takes none
    )
    dependencies: bool = False  # draw on installed packages that the query names
    identity: str | None = None  # to whom the answer is shown: the settings say what that may be
    permissions_granted: tuple[str, ...] | None = None  # the rows of what may be shown; None shows everything
    other_words: tuple[str, ...] = ()  # what the code may have for what the query says otherwise
    task: str = ""  # the words of that line, where the query is none that a person would write
