"""``context/assemble`` and ``context/update``: questions and the prompts that they become."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct, field

from contextls.errors import InvalidRequestError
from contextls.model import MAX_OTHER_WORDS, Boosts, Filters
from contextls.requests.common import FileUri, FilledText, GivenScope, Place, Position, Range, TextDocument
from contextls.requests.events import RecordParams
from contextls.schema.rules import Bounds, Doc, Expected, First

_BUDGET = (
    "the budget; that of the [working set](working-set.md#the-budget) when absent, else the setting `maxTokens`. The "
    "working set may bound it"
)
Token = Annotated[str | int | None, Bounds(None)]


class QuestionParams(Struct, frozen=True, kw_only=True):
    """A question, whatever the form of its answer. What is absent is left to the settings or the engine."""

    query: Annotated[FilledText, Doc("the question")]
    max_tokens: Annotated[int | None, Bounds(1), Doc(_BUDGET)] = None
    session_id: Annotated[str | None, Doc("whose events count as this session's")] = None
    strategy: Annotated[
        FilledText | Mapping[str, Any] | None,
        Expected("the name of an archetype or an object of overrides"),
        Doc(
            "the name of an archetype (`code`, `debug`, `explain`, `review`, `write`), or overrides: the fields of "
            "the answer's `strategy`, with `name` as the archetype that they go on top of. `shares` are percentages "
            "that add up to 100; sections that are not named get nothing of their own. `salientWeight` stands for "
            "`salienceWeight`, and `budgetAllocation` (`recent`, `semantic`, `entities`, `relations`, `patterns`; what "
            "is left of 100 goes to patterns) for `shares`"
        ),
    ] = None
    additional_context: Annotated[str | None, Doc("text of your own, as a section at the end")] = None
    filters: Annotated[Filters, Doc("what may enter the prompt")] = field(default_factory=Filters)
    boosts: Annotated[
        Boosts,
        Doc("factors from 0 to 10 on the score; where several speak of a piece they multiply, to 10 at most"),
    ] = field(default_factory=Boosts)
    text_document: Annotated[
        TextDocument | None,
        Doc("the active file. Where nothing of it can enter a prompt, `report.warnings` says why"),
    ] = None
    position: Annotated[
        Position | None,
        Doc(
            "where the cursor is in it. A question that points there (“explain this function”, “was macht diese Methode?”) "
            "is answered with that code and what hangs on it, no other is drawn to it. Either this or `range`"
        ),
    ] = None
    range: Annotated[Range | None, Doc("what is selected in it; it leads the code of the prompt")] = None
    root_uri: Annotated[
        FileUri | None, Doc("the workspace folder that is meant, see [Several folders](#several-folders)")
    ] = None
    tokenizer: Annotated[
        str | None,
        Doc(
            "an encoding or a model name; the setting when absent. Where a model's tokenizer is not public, tokens are "
            "estimated on the safe side and `tokenizerExact` is false"
        ),
    ] = None
    other_words: Annotated[
        tuple[FilledText, ...],
        First(MAX_OTHER_WORDS),
        Doc(
            "words and names that the code may have for what `query` says otherwise, such as `evict` and `LruCache` for "
            '"throws old entries away"; a model that asks knows some. Those that the workspace holds count nearly as much '
            "as words of the query ([how much that helps](relevance.md#other-words))"
        ),
    ] = ()
    order: Annotated[
        tuple[str, ...],
        Doc(
            "sources in the order in which they shall be read within their section; the others follow as usual"
        ),
    ] = ()
    changes: Annotated[
        str | None,
        Doc(
            "these changes lead the prompt, as for a review: `staged`, what is in git's index and not committed; "
            "`unstaged`, what is not in the index (unsaved text and new files included); `all`, both; or the name of a "
            "branch, a tag or a commit: all that is new since the checked-out branch left it. They come first in Recent "
            "Activity and get 60 % of the budget unless the strategy has shares of its own; the code beside them is what "
            "they touch, who uses it and what tests it ([how](history.md#changes-that-lead-a-prompt)). Where there are "
            "none, a sentence in their place says so; where some cannot be shown (too large, in conflict), a warning does"
        ),
    ] = None
    scope: GivenScope = None
    dependencies: Annotated[
        bool,
        Doc(
            "for `markdown` without a history: whether packages installed in the workspace that the question names answer "
            "as well ([how](scope.md#installed-packages))"
        ),
    ] = False
    task: Annotated[
        str | None,
        Doc(
            "for `markdown` and `tagged`: what the first line of the prompt says, where `query` is none that a person would "
            "write, such as the message of a compiler"
        ),
    ] = None
    task_line: Annotated[
        bool | None,
        Doc(
            "for `markdown` and `tagged`: whether the prompt begins with what is asked; the setting `taskLine` when "
            "absent. A client that sends the question to a model itself leaves it out"
        ),
    ] = None
    work_done_token: Annotated[
        Token, Doc("shows progress under the client's own token; cancelling it cancels the request")
    ] = None
    partial_result_token: Annotated[Token, Doc("as in LSP; nothing is sent under it")] = None

    def __post_init__(self) -> None:
        if self.text_document is None:
            for name in ("position", "range"):
                if getattr(self, name) is not None:
                    raise InvalidRequestError("textDocument", f"an object with uri, as {name} was given")
        if self.position is not None and self.range is not None:
            raise InvalidRequestError("range", "either position or range, not both")
        if self.archetype is not None and not isinstance(self.archetype, str):
            raise InvalidRequestError("strategy.name", "a string", self.archetype)

    @property
    def place(self) -> Place | None:
        """Where the user is."""
        if self.text_document is None:
            return None
        if self.position is not None:
            return Place(self.text_document.uri, self.position.line + 1, self.position.line + 1)
        if self.range is not None:
            return Place(self.text_document.uri, *self.range.lines, selected=not self.range.is_empty)
        return Place(self.text_document.uri)

    @property
    def archetype(self) -> str | None:
        """The archetype that was named."""
        if isinstance(self.strategy, Mapping):
            return self.strategy.get("name")
        return self.strategy

    @property
    def strategy_overrides(self) -> Mapping[str, Any]:
        """Fields of the strategy on top of the archetype."""
        given = self.strategy if isinstance(self.strategy, Mapping) else {}
        return {name: value for name, value in given.items() if name != "name"}


class CopyParams(Struct, frozen=True, kw_only=True):
    """The argument of the command ``contextls.copyContext``."""

    query: Annotated[FilledText, Doc("the question")]
    task: Annotated[str | None, Doc("what the first line of the prompt says instead")] = None
    uri: Annotated[str | None, Doc("the active file")] = None
    range: Annotated[Range | None, Doc("what is selected in it")] = None
    max_tokens: Annotated[int | None, Bounds(1), Doc(_BUDGET)] = None

    def __post_init__(self) -> None:
        if self.range is not None and self.uri is None:
            raise InvalidRequestError("uri", "a document URI, as a range was given")


class UpdateParams(Struct, frozen=True, kw_only=True):
    """A context that is brought up to date with one event."""

    context_id: Annotated[
        FilledText,
        Doc("the `id` of one of the last 64 contexts; an older one is an error that asks to assemble again"),
    ]
    event: Annotated[
        RecordParams,
        Expected("an object as context/recordEvent takes it"),
        Doc("as the parameters of `context/recordEvent`, without `rootUri`"),
    ]
    max_tokens: Annotated[int | None, Bounds(1), Doc("the budget; that of the context when absent")] = None
    root_uri: Annotated[FileUri | None, Doc("the workspace folder that the context is of")] = None

    def __post_init__(self) -> None:
        if self.event.root_uri is not None:
            raise InvalidRequestError("event.rootUri", "rootUri beside event, not in it")
