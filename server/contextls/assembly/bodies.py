"""Bodies of candidates: the closed set of things that a prompt can show. Data, never text of a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from contextls.code.left_out import Tables
from contextls.memory.events.passed_runs import PassedRun
from contextls.memory.knowledge.entities import Entity
from contextls.memory.knowledge.relations import Relation
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Event, Pattern, Role, TaskFrame, TruncateStrategy


@dataclass(frozen=True, slots=True)
class Copy:
    """Lines of another file that say the same, but for as many as are ``differing``."""

    path: str
    start_line: int
    end_line: int
    differing: int = 0


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Lines of a file, with the ``header`` that says what is around them.

    ``bodies`` are the function bodies of the whole file, packed as ``code.skeleton`` describes, ``tables`` the other
    definitions that these lines are a part of (``code.left_out``). ``copies`` are the places
    for which these lines are shown as well. ``next_line`` is where the next piece of the file begins that is shown,
    ``beside`` what else these lines define, where several pieces became one; ``worth`` says how much of the
    question the names hold, where that is known. ``shown_to`` is the last line of ``text`` where
    lines behind it or among those before it were cut off; 0 where none were.
    """

    path: str
    language: str
    symbol: str
    start_line: int
    end_line: int
    text: str
    header: str = ""
    bodies: str = ""
    tables: Tables = ()
    copies: tuple[Copy, ...] = ()
    next_line: int | None = None
    beside: tuple[str, ...] = ()
    worth: tuple[tuple[str, float], ...] = ()
    shown_to: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether no line was left out; the last line of a file may have no end."""
        lines = self.end_line - self.start_line + 1
        return not self.shown_to and (self.text.count("\n") == lines or len(self.text.splitlines()) == lines)

    @property
    def last_line(self) -> int:
        """The last line that ``text`` shows; 0 where that cannot be told, as of a skeleton."""
        return self.shown_to or (self.end_line if self.is_whole else 0)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file. ``number`` is 1-based, 0 for a note in the place of lines that are not shown."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class PinnedSpan:
    """A pinned piece: ``lines`` are all that it may show, ``shown`` those that it does, cut by ``strategy``."""

    path: str
    language: str
    symbol: str
    start_line: int
    end_line: int
    lines: tuple[Line, ...]
    shown: tuple[Line, ...]
    strategy: TruncateStrategy
    role: Role
    max_lines: int | None

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the lines that are shown."""
        return frozenset(line.number for line in self.shown if line.number > 0)


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """A change, and ``how`` it stands: uncommitted, staged, unstaged. ``text`` is what is shown of its diff, if anything."""

    hunk: Hunk
    how: str
    text: str | None


@dataclass(frozen=True, slots=True)
class CommitList:
    """Commits as (hash, subject), newest first.

    ``branch`` and ``trunk`` are set where they are the branch's own work, ``path`` where they are those of a file.
    """

    commits: tuple[tuple[str, str], ...]
    branch: str = ""
    trunk: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class EventRun:
    """An event that happened ``times`` times alike. ``output`` is what is shown of what it printed, if anything."""

    event: Event
    times: int
    output: str | None = None


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity; ``mentioned`` says that the question names it for sure."""

    entity: Entity
    mentioned: bool = False


@dataclass(frozen=True, slots=True)
class RelationBundle:
    """Edges of one type that share the end ``subject``. ``names`` are what ends without a path are called."""

    subject: str
    relations: tuple[Relation, ...]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Habit:
    """A pattern that applies."""

    pattern: Pattern


class TaskPart(Enum):
    """Where a task stands in the stack: the root, the path below it to the current one, what was done beside that."""

    ROOT = "root"
    PATH = "path"
    SIBLINGS = "siblings"


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task and its ``standing`` in a word; ``words`` are as much of its goal and result as is shown."""

    frame: TaskFrame
    part: TaskPart
    standing: str
    words: str


@dataclass(frozen=True, slots=True)
class TaskSentence:
    """The question in one line, the lines pasted with it (``quoted``), and one line typed ``below`` them."""

    sentence: str
    quoted: str = ""
    below: str = ""

    @property
    def text(self) -> str:
        """All three as paragraphs."""
        return "\n\n".join(filter(None, (self.sentence, self.quoted, self.below)))


@dataclass(frozen=True, slots=True)
class FreeText:
    """Text that came with the question."""

    text: str


@dataclass(frozen=True, slots=True)
class PackageText:
    """A piece that the source of an installed package offers."""

    source: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A model's summary of a piece that did not fit. ``of`` is the piece; ``place`` says where it is."""

    text: str
    place: str
    of: CodeSpan | FreeText


@dataclass(frozen=True, slots=True)
class NamedLine:
    """A name and the line that defines it."""

    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Absence:
    """That nothing here speaks of ``words``, and what is ``nearest`` to the rest of the question.

    Without words: that nothing is known of the work at hand, about which alone the question is. Where it is ``followed``,
    the words are names, what is nearest stands behind it in full, and ``similar`` names are in it; if it is ``unsure``, no
    word is missing, but none of that is likely to answer. With ``only``, files of these kinds do speak of the words, and
    ``nearest`` is where.
    """

    words: tuple[str, ...]
    nearest: tuple[CodeSpan, ...]
    within: tuple[str, ...] = ()  # the folders, where the question is limited to one
    followed: bool = False
    only: tuple[str, ...] = ()
    similar: tuple[NamedLine, ...] = ()
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class NoChanges:
    """That there are none of the changes that the request names; ``how`` are the words for them, as of a ``DiffHunk``.

    ``within`` are the path patterns that the request is limited to.
    """

    how: str
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MapEntry:
    """A definition on a map: line, depth and signature of it and of those around it, from the outermost."""

    path: str
    lines: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class MapFolder:
    """A folder on a map with all the ``files`` below it; ``names`` are those right in it.

    ``mostly`` says what they are where that is no source, ``about`` what the folder says of itself.
    """

    path: str
    files: int
    languages: tuple[str, ...]
    mostly: str
    about: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepositoryMap:
    """A map of the workspace: its ``folders`` in the order of a tree, and the central definitions, best first.

    ``starts`` are the files to start reading at, ``central`` those that most of the code depends on; ``about`` is what files
    say of themselves. Of the entries, the first ``shown`` are; of the folders at the top, the largest ``tops``.
    """

    name: str
    starts: tuple[str, ...]
    central: tuple[str, ...]
    folders: tuple[MapFolder, ...]
    entries: tuple[MapEntry, ...]
    about: Mapping[str, str]
    shown: int
    tops: int


@dataclass(frozen=True, slots=True)
class ShownBefore:
    """A piece that an earlier message of the conversation shows, as it still is.

    ``turn`` is the number of that turn, ``place`` the lines of the file under which it stands there, if it is of a file.
    """

    of: CodeSpan | PinnedSpan | DiffHunk | CommitList | EventRun | RepositoryMap | Summary
    turn: int
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
    | PassedRun
    | RepositoryMap
    | ShownBefore
)
