"""The arguments of every tool. What stands in ``Doc`` is read by models: it says what to give, not how it works."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Struct, field

from contextls.errors import InvalidRequestError
from contextls.mcp.limits import MIN_TOKENS
from contextls.model import DEFAULT_RELATIONS, MAX_LISTED, MAX_OTHER_WORDS, MAX_STEPS, Changes, Outcome
from contextls.requests.common import Age, FilledText
from contextls.requests.working_set import GivenUpdates, check_updates
from contextls.schema.rules import Bounds, Doc, First

MAX_TOKENS = 1_000_000


class StrategyName(StrEnum):
    """What the context is for."""

    CODE = "code"
    DEBUG = "debug"
    EXPLAIN = "explain"
    REVIEW = "review"
    WRITE = "write"


class FolderParams(Struct, frozen=True, kw_only=True):
    """The workspace folder that is meant."""

    root: Annotated[
        str | None,
        Doc("Only when several workspace folders are open: the path or name of the one that is meant."),
    ] = None


class PagedParams(FolderParams, frozen=True, kw_only=True):
    """An answer that is bounded and may go on."""

    max_tokens: Annotated[
        int | None,
        Bounds(MIN_TOKENS, MAX_TOKENS),
        Doc("Ask for a shorter answer: at most so many tokens. The server's own limit holds in any case."),
    ] = None
    cursor: Annotated[
        FilledText | None,
        Doc("To read on: `nextCursor` of the answer before, with all other arguments as they were."),
    ] = None


class ScopedParams(PagedParams, frozen=True, kw_only=True):
    """A question about the workspace or a part of it."""

    scope: Annotated[
        tuple[FilledText, ...] | None,
        Doc(
            "Only these folders or packages (by their names); empty for the whole workspace. If absent, what the user "
            "saved; a warning names it."
        ),
    ] = None


class AssembleContext(ScopedParams, frozen=True, kw_only=True):
    """A question about the workspace."""

    query: Annotated[
        FilledText,
        Doc(
            "The task or question in the user's own words, whole: names, paths, error messages and pasted output help. "
            "Not keywords: those belong into otherWords."
        ),
    ]
    other_words: Annotated[
        tuple[FilledText, ...],
        First(MAX_OTHER_WORDS),
        Doc(
            "Up to eight words and names that the code itself may have for what is asked, such as `evict`, `expire` and "
            '`LruCache` for "throws old entries away". Guess freely: what the workspace does not hold is passed over. This '
            "helps most where the question is in plain words or in another language than the code."
        ),
    ] = ()
    strategy: Annotated[
        StrategyName,
        Doc("What it is for: code (change something), debug, explain, review, write (documentation, tests)."),
    ] = StrategyName.CODE
    file: Annotated[
        FilledText | None, Doc("The file that the user looks at, relative to the workspace folder.")
    ] = None
    line: Annotated[
        int | None, Bounds(1), Doc("The line of the cursor in `file`, or the first one selected.")
    ] = None
    end_line: Annotated[int | None, Bounds(1), Doc("The last line selected, if lines are selected.")] = None
    paths: Annotated[
        tuple[FilledText, ...],
        Doc("Only what speaks of files that match these gitignore patterns, such as `src/**` or `!tests/`."),
    ] = ()

    def __post_init__(self) -> None:
        if self.line is not None and self.file is None:
            raise InvalidRequestError("file", "the file that line is in")
        if self.end_line is not None and (self.line is None or self.end_line < self.line):
            raise InvalidRequestError("endLine", "a line that is not before line")


class ReviewChanges(ScopedParams, frozen=True, kw_only=True):
    """Changes to look at."""

    changes: Annotated[
        FilledText,
        Doc(
            "Which: staged (in git's index), unstaged (not in it, new files included), all of both; or the name of a "
            "branch, a tag or a commit, such as main: all that is new since the checked-out branch left it."
        ),
    ] = Changes.ALL
    query: Annotated[
        FilledText | None,
        Doc("What to look for, such as `does this handle an empty list?`; a whole review if absent."),
    ] = None


class PackFiles(PagedParams, frozen=True, kw_only=True):
    """Files to read at once."""

    paths: Annotated[
        tuple[FilledText, ...],
        Doc(
            "Files, folders and gitignore patterns such as `src/**/*.py` or `!tests/`; everything if absent."
        ),
    ] = ()
    changed: Annotated[
        FilledText | None,
        Doc("Also what is new or different since HEAD left this branch, tag or commit, such as main."),
    ] = None
    pinned: Annotated[bool, Doc("Also what is pinned.")] = False
    skeletons: Annotated[
        bool, Doc("Code as signatures and documentation, without the bodies of functions.")
    ] = False
    all_pages: Annotated[
        bool,
        Doc(
            "Every file whole, on as many pages as it takes; else one answer, with skeletons and names for what has no room."
        ),
    ] = False

    def __post_init__(self) -> None:
        if self.cursor is not None and not self.all_pages:
            raise InvalidRequestError("cursor", "allPages, which the answer before was asked with")


class SearchCode(ScopedParams, frozen=True, kw_only=True):
    """A query for pieces of code."""

    query: Annotated[
        FilledText,
        Doc("What is searched for: a description, identifiers, or both. By meaning and by words; no regex."),
    ]


class RecentActivity(PagedParams, frozen=True, kw_only=True):
    """Which events are listed."""

    since: Annotated[Age | None, Doc("Only what is younger, such as `30m`, `2h`, `3d`.")] = None
    types: Annotated[
        tuple[FilledText, ...],
        Doc(
            "Only these types of events: file_read, file_edit, file_write, file_rename, file_delete, shell_exec, error, "
            "diagnostic, git_commit, git_checkout, note."
        ),
    ] = ()


class FindEntity(PagedParams, frozen=True, kw_only=True):
    """Which entities are listed."""

    query: Annotated[
        FilledText | None,
        Doc("A name, part of one, or a sentence that mentions some; what matters most right now if absent."),
    ] = None
    types: Annotated[
        tuple[FilledText, ...],
        Doc("Only these: file, function, method, class, package, person, command, error, test."),
    ] = ()


class Related(PagedParams, frozen=True, kw_only=True):
    """An entity whose surroundings are asked for."""

    name: Annotated[
        FilledText,
        Doc("A symbol (`Cart.total`), a path, `path:line`, a package, or an `id` from find_entity."),
    ]
    depth: Annotated[
        int, Bounds(1, MAX_STEPS), Doc("How many steps to follow; 1 is the neighbours alone.")
    ] = 1
    limit: Annotated[
        int,
        Bounds(1, MAX_LISTED),
        Doc("So many edges of each type, the heaviest; the answer counts the others."),
    ] = DEFAULT_RELATIONS


class TaskPush(FolderParams, frozen=True, kw_only=True):
    """A task that begins."""

    goal: Annotated[FilledText, Doc("What is to be done, in one or two sentences.")]


class TaskPop(FolderParams, frozen=True, kw_only=True):
    """A task that is done."""

    result: Annotated[
        str | None,
        Doc("What came of it, in one or two sentences: decisions and places that later tasks should know."),
    ] = None


class RecordEvent(FolderParams, frozen=True, kw_only=True):
    """Something that happened."""

    type: Annotated[FilledText, Doc("shell_exec, error, file_read, file_write, note, or a word of your own.")]
    content: Annotated[
        Mapping[str, Any],
        Doc(
            "shell_exec: command (required), exitCode, stdout, stderr, cwd, durationMs. error: message (required), path, "
            "line, stack, command, test. file_read, file_write: path (required). note: text (required). Others: any object."
        ),
    ] = field(default_factory=dict)
    outcome: Annotated[Outcome | None, Doc("How it ended; told from the content where it can be.")] = None


class UpdateWorkingSet(FolderParams, frozen=True, kw_only=True):
    """Changes to what stands in every context."""

    updates: GivenUpdates

    def __post_init__(self) -> None:
        check_updates(self.updates)
