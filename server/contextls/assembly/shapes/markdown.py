"""The ``markdown`` shape: titled sections, every piece under its place, fenced so that it cannot break out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from contextls.assembly.pieces.bodies import (
    Absence,
    Body,
    CodeSpan,
    CommitList,
    DiffHunk,
    EventRun,
    FreeText,
    Habit,
    KnownEntity,
    NoChanges,
    PackageText,
    PinnedSpan,
    RelationBundle,
    RepositoryMap,
    ShownBefore,
    Summary,
    TaskLine,
    TaskSentence,
    WorkUnderWay,
)
from contextls.assembly.pieces.candidate import Candidate, has_heading, span_id
from contextls.assembly.pieces.sections import ROWS, TABLE
from contextls.assembly.shapes.map_text import draw_tree
from contextls.assembly.shapes.piece_fields import describe_earlier, describe_piece
from contextls.assembly.shapes.sentences import (
    describe_absence,
    describe_change,
    describe_commit_list,
    describe_copies,
    describe_entity,
    describe_event_run,
    describe_pointer,
    describe_time,
)
from contextls.assembly.shapes.shape import PromptShape
from contextls.code.languages import TEXT
from contextls.code.left_out import mark_before, mark_rest, open_header
from contextls.memory.events.passed_runs import PassedRun
from contextls.model import Role, Section
from contextls.text.fence import fence, inline, one_line, paragraph, quote_block
from contextls.text.indentation import indent_of
from contextls.text.notebook import close_gaps

# Counted apart from what it opens, a heading costs a little less than in the whole.
HEADING_SPARE = 3
# The number of definitions that a heading names after the first one.
MAX_BESIDE = 2
# A test whose name is a sentence would make a heading of several lines.
MAX_NAME_CHARS = 100


class Markdown(PromptShape):
    """Markdown for people and for chat models."""

    def compose(self, body: Body) -> str:
        """One piece: a line of a list, or a heading with a fence."""
        match body:
            case CodeSpan():
                return _code(body)
            case PinnedSpan():
                return _render_pinned(body)
            case DiffHunk() | CommitList():
                return _hunk(body) if isinstance(body, DiffHunk) else _commits(body)
            case EventRun():
                return _event(body)
            case KnownEntity(entity):
                return f"- {describe_entity(entity, inline, mark='**')}"
            case RelationBundle() | Habit():
                return f"- {describe_pointer(body, inline)}"
            case Absence() | NoChanges() | PassedRun() | WorkUnderWay():
                return describe_absence(body, inline)
            case TaskLine():
                return f"- {body.standing}: {body.words}"
            case TaskSentence() | FreeText() | PackageText():
                return _words(body)
            case Summary() | ShownBefore():
                return _summary(body) if isinstance(body, Summary) else _pointer(body)
            case RepositoryMap(name):
                return f"### Map of {inline(name)}\n{fence(draw_tree(body), 'text')}"

    def heading(self, section: Section) -> str:
        """A heading of the second level."""
        return f"## {TABLE[section].title}"

    def measure_heading(self, section: Section) -> int:
        """Tokens of the heading, and some to spare."""
        return super().measure_heading(section) + HEADING_SPARE

    def render(self, pieces: Sequence[Candidate]) -> str:
        """Write the question, then sections in the order of their table, pieces in the order given."""
        sections = [self.write(piece.body) for piece in pieces if not has_heading(piece)]
        for row in ROWS:
            inside = [piece for piece in pieces if piece.section is row.section and has_heading(piece)]
            if inside:
                sections.append(f"{self.heading(row.section)}\n\n{self._join(inside, is_list=row.list)}")
        return "\n\n".join(sections)

    def _join(self, pieces: Sequence[Candidate], *, is_list: bool) -> str:
        """The pieces of a section: lines of a list one below the other, all else with a blank line between."""
        text = self.finish(pieces[0].body)
        for before, piece in pairwise(pieces):
            close = is_list or (_is_line(before.body) and _is_line(piece.body))
            text += ("\n" if close else "\n\n") + self.finish(piece.body)
        return text


def _is_line(body: Body) -> bool:
    """Whether it is one line of a list: a pointer, or a change without lines."""
    return isinstance(body, ShownBefore) or (isinstance(body, DiffHunk) and body.hunk.is_note)


def _words(body: TaskSentence | FreeText | PackageText) -> str:
    """Write the question in a line that opens no block, other text of the user as it is, and a package's in a fence."""
    if isinstance(body, FreeText):
        return body.text
    if isinstance(body, PackageText):
        return f"### {inline(body.title)} ({inline(body.source)})\n{fence(body.text, 'text')}"
    quoted = quote_block(body.quoted) if body.quoted else ""
    below = paragraph(body.below) if body.below else ""
    return "\n\n".join(filter(None, (paragraph(body.sentence), quoted, below)))


def _code(code: CodeSpan) -> str:
    """A heading that says where the code lives, and the code in a fence under its header context."""
    place = _place(code.path, code.start_line, code.end_line, code.symbol) + _beside(code)
    copies = f" ({describe_copies(code.copies, inline)})" if code.copies else ""
    return f"### {place}{copies}\n{fence(code_text(code), _info(code))}"


def _beside(code: CodeSpan) -> str:
    """The other names in the heading, without the class that they share with the first."""
    around = code.symbol.rpartition(".")[0]
    names = [
        _shorten(name.removeprefix(f"{around}.") if around else name) for name in code.beside[:MAX_BESIDE]
    ]
    more = ", …" if len(code.beside) > MAX_BESIDE else ""
    return "".join(f", {inline(name)}" for name in names) + more


def _info(code: CodeSpan | PinnedSpan) -> str:
    """The info string of the fence: the language, or the file extension where there is no grammar."""
    return code.language if code.language != TEXT else PurePosixPath(code.path).suffix[1:] or TEXT


def code_text(code: CodeSpan) -> str:
    """The lines of a piece of code under its header context, with marks for lines of the function before and after them."""
    text = close_gaps(code.path, code.text.replace("\r\n", "\n").strip("\n"))
    language, bodies, tables = code.language, code.bodies, code.tables
    if last := code.last_line:
        rest = mark_rest(language, bodies, last, code.next_line, tables=tables, end_line=code.end_line)
        text = "\n".join(filter(None, (text, rest and f"{indent_of(text.rpartition(chr(10))[2])}{rest}")))
    if not code.header:
        return text
    header = open_header(code.header, language, bodies, code.start_line, tables)
    before = mark_before(language, bodies, code.start_line, tables)
    return "\n".join(filter(None, (header, before and f"{indent_of(text)}{before}", text)))


def pinned_text(span: PinnedSpan) -> str:
    """The lines that a pinned piece shows."""
    return close_gaps(span.path, "".join(f"{line.text}\n" for line in span.shown).rstrip("\n"))


def _render_pinned(span: PinnedSpan) -> str:
    """A pinned piece, with the role in which it is to be read where that is a special one."""
    return f"### {_pinned_place(span)}\n{fence(pinned_text(span), _info(span))}"


def _pinned_place(span: PinnedSpan) -> str:
    as_what = "" if span.role is Role.CONTEXT else f" ({span.role})"
    return f"{_place(span.path, span.start_line, span.end_line, span.symbol)}{as_what}"


def _summary(summary: Summary) -> str:
    symbol = summary.of.symbol if isinstance(summary.of, CodeSpan) else ""
    name = f" {inline(symbol)}" if symbol else ""
    return f"### {inline(summary.place)}{name} (summary)\n{fence(summary.text, 'text')}"


def _pointer(body: ShownBefore) -> str:
    """One line for a piece that the conversation has already: what it is and where it stands."""
    of = body.of
    if isinstance(of, CodeSpan):
        name = _place(of.path, of.start_line, of.end_line, of.symbol)
    elif isinstance(of, PinnedSpan):
        name = _pinned_place(of)
    else:
        name = inline(describe_piece(of).title)
    return f"- {name}: {describe_earlier(body, inline)}"


def _event(run: EventRun) -> str:
    """One event: when, what, how it ended; a command's output or an error's stack fenced below."""
    event = run.event
    entry = f"- {describe_time(event)} {describe_event_run(run, inline)}"
    return entry if run.output is None else f"{entry}\n{fence(run.output)}"


def _commits(body: CommitList) -> str:
    """A list of commits: what they are, and one line for each."""
    lines = [f"- {inline(sha[:10])} {one_line(subject)}" for sha, subject in body.commits]
    return "\n".join([f"### {describe_commit_list(body, inline)}", *lines])


def _hunk(body: DiffHunk) -> str:
    """A change: what it is, and its lines; one line of a list where it has none."""
    if body.hunk.is_note:
        return f"- {describe_change(body, inline)}"
    head = f"### {describe_change(body, inline)}"
    return head if body.text is None else f"{head}\n{fence(body.text, 'diff')}"


def _place(path: str, start_line: int, end_line: int, symbol: str) -> str:
    name = f" {inline(_shorten(symbol))}" if symbol else ""
    return f"{inline(span_id(path, start_line, end_line))}{name}"


def _shorten(name: str) -> str:
    """``name`` as a heading has room for it: of one that is too long, how it begins and how it ends."""
    half = MAX_NAME_CHARS // 2
    return name if len(name) <= MAX_NAME_CHARS else f"{name[:half].rstrip()}…{name[1 - half :].lstrip()}"
