"""Bodies of candidates: the closed set of things that a prompt can show. Only shapes make text of them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from contextls.code.left_out import Tables
from contextls.memory.events.passed_runs import PassedRun
from contextls.memory.knowledge.entities import Entity
from contextls.memory.knowledge.relations import Relation
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Event, Pattern, Role, TruncateStrategy
from contextls.workspace.git_operation import GitOperation


class Copy(Struct, frozen=True):
    """A place in another file that holds the same lines."""

    path: str
    start_line: int
    end_line: int
    # The number of lines that are not the same.
    differing: int = 0


class CodeSpan(Struct, frozen=True):
    """Lines of a file."""

    path: str
    language: str
    symbol: str
    start_line: int
    end_line: int
    text: str
    # The lines that open what is around these, such as the head of a class.
    header: str = ""
    # The function bodies of the whole file, packed as ``code.skeleton`` describes.
    bodies: str = ""
    # The other definitions that these lines are a part of (``code.left_out``).
    tables: Tables = ()
    # Places that are not shown because these lines stand for them as well.
    copies: tuple[Copy, ...] = ()
    # The first line of the next piece of this file in the prompt.
    next_line: int | None = None
    # Further symbols that these lines define, where several pieces were joined.
    beside: tuple[str, ...] = ()
    # How much of the question each symbol answers, where that is known.
    worth: tuple[tuple[str, float], ...] = ()
    # The last line of ``text`` where lines after or before it were cut off; else 0.
    shown_to: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether ``text`` has all lines."""
        lines = self.end_line - self.start_line + 1
        # The last line of a file may lack its line break.
        return not self.shown_to and (self.text.count("\n") == lines or len(self.text.splitlines()) == lines)

    @property
    def last_line(self) -> int:
        """The number of the last line in ``text``; 0 where it is not known, as for a skeleton."""
        return self.shown_to or (self.end_line if self.is_whole else 0)


class Line(Struct, frozen=True):
    """A line of a file. ``number`` is 1-based, 0 for a note in the place of lines that are not shown."""

    number: int
    text: str


class PinnedSpan(Struct, frozen=True):
    """A pinned file, symbol or range of lines."""

    path: str
    language: str
    symbol: str
    start_line: int
    end_line: int
    # All lines that may be shown, and those that are left after cutting by ``strategy``.
    lines: tuple[Line, ...]
    shown: tuple[Line, ...]
    strategy: TruncateStrategy
    role: Role
    max_lines: int | None

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the lines that are shown."""
        return frozenset(line.number for line in self.shown if line.number > 0)


class DiffHunk(Struct, frozen=True):
    """A change of some lines."""

    hunk: Hunk
    # Its state in words: uncommitted, staged, unstaged.
    how: str
    # The part of its diff that is shown, if any.
    text: str | None


class CommitList(Struct, frozen=True):
    """Commits as (hash, subject), newest first."""

    commits: tuple[tuple[str, str], ...]
    # Set where these are the commits that the branch has and the trunk lacks.
    branch: str = ""
    trunk: str = ""
    # Set where these are the commits that changed one file, or a symbol in it.
    path: str = ""
    symbol: str = ""


class EventRun(Struct, frozen=True):
    """An event, and how many ``times`` the same happened; of an error also the other lines of its file that it is at."""

    event: Event
    times: int
    # The part of its output that is shown, if any.
    output: str | None = None
    other_lines: tuple[int, ...] = ()


class KnownEntity(Struct, frozen=True):
    """An entity."""

    entity: Entity
    # Whether the question surely names it.
    mentioned: bool = False


class RelationBundle(Struct, frozen=True):
    """Edges of one type that share the end ``subject``."""

    subject: str
    relations: tuple[Relation, ...]
    # The names of ends that have no path, by their ids.
    names: Mapping[str, str]


class Habit(Struct, frozen=True):
    """A pattern that applies to the question."""

    pattern: Pattern


class TaskPart(Enum):
    """The place of a task in the stack: its root, on the path from there to the current task, or beside that path."""

    ROOT = "root"
    PATH = "path"
    SIBLINGS = "siblings"


class TaskLine(Struct, frozen=True):
    """A task."""

    part: TaskPart
    # Its state in a word.
    standing: str
    # The part of its goal and result that is shown.
    words: str


class TaskSentence(Struct, frozen=True):
    """The question."""

    sentence: str
    # The lines pasted with it, and the line typed below those.
    quoted: str = ""
    below: str = ""

    @property
    def text(self) -> str:
        """The question with what was pasted, as paragraphs."""
        return "\n\n".join(filter(None, (self.sentence, self.quoted, self.below)))


class FreeText(Struct, frozen=True):
    """Text that came with the question."""

    text: str


class PackageText(Struct, frozen=True):
    """A piece that the source of an installed package offers."""

    source: str
    title: str
    text: str


class Summary(Struct, frozen=True):
    """A model's summary of the piece ``of``, which did not fit."""

    text: str
    # The place of the piece, in words.
    place: str
    of: CodeSpan | FreeText


class NamedLine(Struct, frozen=True):
    """A name and the line that defines it."""

    name: str
    path: str
    line: int


class Absence(Struct, frozen=True):
    """A note that nothing here answers the question, or some of its words."""

    # The words that nothing mentions; empty where the question is only about work of which nothing is known.
    words: tuple[str, ...]
    # The pieces nearest to the rest of the question; with ``only``, those that do mention the words.
    nearest: tuple[CodeSpan, ...]
    # The folders to which the question is limited.
    within: tuple[str, ...] = ()
    # Whether other pieces are shown after this note; the words are names then.
    followed: bool = False
    # The kinds of files that do mention the words.
    only: tuple[str, ...] = ()
    # Definitions whose names resemble the missing ones.
    similar: tuple[NamedLine, ...] = ()
    # Whether every word is mentioned, but no piece is likely to answer.
    unsure: bool = False
    # Whether the question points at code in an editor that did not say where.
    placeless: bool = False
    # Whether the question means a run that failed, of which none is known.
    failureless: bool = False


class NoChanges(Struct, frozen=True):
    """A note that there are none of the changes that the request names."""

    # The words for those changes, as in ``DiffHunk``.
    how: str
    # The path patterns to which the request is limited.
    within: tuple[str, ...] = ()


class WorkUnderWay(Struct, frozen=True):
    """A note that git stopped in the middle of something, and which files are in conflict still.

    Without an ``operation`` there are only those, as ``git stash pop`` leaves them.
    """

    operation: GitOperation | None
    conflicts: tuple[str, ...]


class MapEntry(Struct, frozen=True):
    """A definition on a map."""

    path: str
    # Line, depth and signature of the definitions around it, outermost first, and of its own.
    lines: tuple[tuple[int, int, str], ...]


class MapFolder(Struct, frozen=True):
    """A folder on a map."""

    path: str
    # The number of files at any depth.
    files: int
    languages: tuple[str, ...]
    # The kind of most of its files, where that is not source code.
    mostly: str
    # The description that the folder gives of itself.
    about: str
    # The names of the files right in it.
    names: tuple[str, ...]


class RepositoryMap(Struct, frozen=True):
    """A map of the workspace."""

    name: str
    # The files to start reading at.
    starts: tuple[str, ...]
    # The files on which most of the code depends.
    central: tuple[str, ...]
    # All folders, in the order of a tree; of those at the top, the largest ``tops`` are shown.
    folders: tuple[MapFolder, ...]
    # The central definitions, best first; the first ``shown`` are shown.
    entries: tuple[MapEntry, ...]
    # The descriptions that files give of themselves, by path.
    about: Mapping[str, str]
    shown: int
    tops: int


class ShownBefore(Struct, frozen=True):
    """A pointer to a piece that an earlier message of the conversation shows unchanged."""

    of: CodeSpan | PinnedSpan | DiffHunk | CommitList | EventRun | RepositoryMap | Summary
    # The number of the turn that shows it.
    turn: int
    # The path and lines in the heading there, if the piece is from a file.
    place: str = ""


Body = (
    CodeSpan
    | PinnedSpan
    | DiffHunk
    | CommitList
    | EventRun
    | KnownEntity
    | RelationBundle
    | Habit
    | TaskLine
    | TaskSentence
    | FreeText
    | PackageText
    | Summary
    | Absence
    | NoChanges
    | WorkUnderWay
    | PassedRun
    | RepositoryMap
    | ShownBefore
)
