"""A prompt, its pieces and the report on it; short texts and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from contextls.model.question import Section, Strategy
from contextls.model.status import IndexExtent
from contextls.schema.rules import Doc, Words


class Component(Struct, frozen=True):
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
        str | None,
        Words(("skeleton", "head", "fold", "summary", "earlier", "start", "middle", "end")),
        Doc(
            "how it was made smaller; `earlier`: an earlier message of the conversation shows it, and a line says where; "
            "`start`, `middle` or `end`: what a pinned piece lost"
        ),
    ] = None
    why: Annotated[str, Doc("what put it here, in one short phrase for people")] = ""
    title: Annotated[str, Doc("one line that names the piece, without the prompt's marks")] = ""
    path: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    symbol: Annotated[str, Doc("the definition that the piece is or lies in, or empty")] = ""
    language: str = ""
    body: Annotated[str, Doc("what the piece says, without the prompt's marks")] = ""


class Omission(Struct, frozen=True):
    """A candidate that did not go in, and why."""

    type: Section
    source: str
    reason: Annotated[
        str, Words(("budget", "limit", "unlikely", "duplicate", "earlier", "excluded", "permission"))
    ]
    tokens: int


class Layer(StrEnum):
    """The layers of a prompt, from what hardly ever changes to what always does."""

    WORKSPACE = "workspace"
    PERSONA = "persona"
    SESSION = "session"
    MEMORY = "memory"
    EVENT = "event"


class LayerItem(Struct, frozen=True):
    """One thing of a layer, and what became of it. ``tokens`` are those in the prompt."""

    name: str
    tokens: int
    state: Annotated[str, Words(("included", "truncated", "excluded"))] = "included"
    original_tokens: Annotated[int | None, Doc("what it had before it was made smaller or left out")] = None
    reason: Annotated[str, Doc("why it was made smaller or left out, or where it stands")] = ""


class LayerUse(Struct, frozen=True):
    """The contents of one layer. ``tokens`` are those of the layer in the prompt, headings included."""

    layer: Layer
    tokens: int
    items: tuple[LayerItem, ...] = ()
    budget: Annotated[int | None, Doc("the most that the request allows it")] = None


class BudgetUse(Struct, frozen=True):
    """A budget in tokens, what of it a prompt takes, and what it leaves."""

    max: int
    used: int
    remaining: int


class IncludedPart(Struct, frozen=True):
    """A part of a prompt. ``path`` is what names it: lines of a file, a file, or an id."""

    path: str
    tokens: int
    truncated: bool = False
    original_tokens: Annotated[int | None, Doc("what it had before it was made smaller")] = None


class ExcludedPart(Struct, frozen=True):
    """A piece that stays out of a prompt, and why."""

    path: str
    reason: Annotated[str, Doc("in words")]
    tokens: Annotated[int | None, Doc("what it would have taken, where that is known")] = None


class AssemblyReport(Struct, frozen=True):
    """The prompt as an account: its budget, what is in it, what is not, and what to know about it."""

    budget: BudgetUse
    included: tuple[IncludedPart, ...]
    excluded: tuple[ExcludedPart, ...]
    warnings: Annotated[
        tuple[str, ...],
        Doc("those of the report; how many parts found no room, and how many were cut to less than half"),
    ]


class Report(Struct, frozen=True):
    """The account of a prompt: what stayed out, what went wrong, where the time went."""

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
    layers: Annotated[
        tuple[LayerUse, ...], Doc("every part of the prompt by layer, also what stayed out, in every shape")
    ] = ()
    assembly: Annotated[
        AssemblyReport | None, Doc("the same as one account, as the specification of the working set has it")
    ] = None
    index_extent: Annotated[
        IndexExtent | None,
        Doc("how much is indexed; null where `indexComplete` is true, or while files are still counted"),
    ] = None

    def with_warnings(self, more: Sequence[str]) -> Report:
        """The report with more to know."""
        warnings = tuple(dict.fromkeys((*self.warnings, *more)))
        account = self.assembly
        if account is not None:
            account = replace(account, warnings=tuple(dict.fromkeys((*more, *account.warnings))))
        return replace(self, warnings=warnings, assembly=account)


class Metadata(Struct, frozen=True):
    """Figures for debugging, with the names of the specification."""

    query: str
    events_considered: int
    entities_considered: int
    chunks_searched: int
    assembly_time_ms: float


class Context(Struct, frozen=True):
    """The result. ``token_count`` is the count of ``content`` by the named tokenizer, never above the budget."""

    content: str
    components: tuple[Component, ...]
    token_count: int
    truncated: Annotated[bool, Doc("a piece was cut, or stayed out for want of room or because of a limit")]
    strategy: Strategy
    metadata: Metadata
    report: Report
    id: Annotated[str, Doc("what `context/update` takes to go on from here")] = ""
    confidence: Annotated[
        float,
        Doc(
            "the chance, from 0 to 1, that the best piece of the prompt is of use for the question, as learned from "
            "questions to other repositories ([how](relevance.md#what-enters-a-prompt)); near 1 where it points at "
            "something itself (a selection, a failure, changes), 0 where nothing matches"
        ),
    ] = 0.0


class CompressedText(Struct, frozen=True):
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


class TokenCounts(Struct, frozen=True):
    """The tokens of each text, in their order, and of all."""

    counts: tuple[int, ...]
    total: int
    tokenizer: str
    tokenizer_exact: bool
