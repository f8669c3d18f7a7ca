"""The working set: what people pinned, highest priority first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice

from msgspec.structs import replace

from contextls import cancellation
from contextls.assembly.admission.exclusion import ExclusionFilter
from contextls.assembly.admission.pin_roles import settle_roles
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import Line, PinnedSpan
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.pieces.pinned import is_cut, limit_lines, replace_with_notes
from contextls.assembly.question import Question
from contextls.assembly.request import server_entries_of
from contextls.assembly.source import Findings, Offer
from contextls.code.model import Definition
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.working_set.entries import Entry
from contextls.memory.working_set.hints import Hints
from contextls.memory.working_set.memory import WorkingSet
from contextls.memory.working_set.pin_validation import EXCLUDED, MAX_MATCHED, Pinned
from contextls.memory.working_set.places import PlaceLookup
from contextls.memory.working_set.problems import first_problems
from contextls.memory.working_set.texts import PinnedText
from contextls.model import Omission, Section, ServerEntry, Updater
from contextls.text.fence import one_line

# The number of files read from pinned folders and patterns, by priority.
MAX_OF_FOLDERS = MAX_MATCHED
# The characters of files that are read for one question. Only pinned symbols of many large files reach this.
MAX_READ_CHARS = 4_000_000
# Where the budget ends within a folder or a pattern, this many unread files are reported by name, then the folder itself.
MAX_NAMED = 3
# The characters that are read for each token of the budget; what follows could not fit.
CHARS_PER_TOKEN = 16
# The largest share of these that one piece uses up: a piece that is cut or does not fit leaves room for smaller ones.
MAX_PIECE_SHARE = 1 / 4
# The factor that keeps pins of models below all pins of people.
JUST_BELOW = 0.999
# A heading with a path and two fences take at least eight tokens, however short the text between them is.
OF_A_PIECE = 8 * CHARS_PER_TOKEN


class PinSource:
    """The pinned files, symbols and files of folders as they are now, unsaved or on disk."""

    name = "workingSet"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """A candidate for each, and what is wrong with those that became nothing."""
        pins = memories.working_set
        if pins is None:
            return Offer()
        most = question.request.max_tokens * CHARS_PER_TOKEN
        collector = _PinCollector(pins, memories.snapshot, memories.exclusion, most)
        outlines = memories.snapshot.outlines
        for pinned in weigh_by_owner(pins.list_pinned(outlines), server_entries_of(question.request)):
            cancellation.check()
            if pinned.problem is None:
                collector.take(pinned.entry)
                if pinned.remark:
                    collector.problems.append(f"pinned {pinned.entry.target.text}: {pinned.remark}")
            elif pinned.problem != EXCLUDED:
                collector.problems.append(f"pinned {pinned.entry.target.text}: {pinned.problem}")
        candidates, told = settle_roles(collector.candidates, question.request)
        problems = [*pins.problems(outlines), *collector.problems, *told]
        warnings = first_problems(
            problems, "problems of the working set; `contextls pins` lists what is pinned"
        )
        return Offer(candidates, omitted=tuple(collector.omitted), warnings=warnings)


def weigh_by_owner(pinned: Sequence[Pinned], moved: Sequence[ServerEntry]) -> list[Pinned]:
    """``pinned`` with what models added weighed as the server ``moved`` it, below everything that people pinned."""
    people = [one for one in pinned if one.entry.by is Updater.PERSON]
    lowest = min((one.entry.priority for one in people), default=1.0)
    weights = {each.text: each for each in moved}
    models = [
        _weigh(one, lowest, weights.get(one.entry.target.text))
        for one in pinned
        if one.entry.by is not Updater.PERSON
    ]
    return [*people, *sorted(models, key=lambda one: -one.entry.priority)]


def _weigh(pinned: Pinned, lowest: float, moved: ServerEntry | None) -> Pinned:
    entry = pinned.entry
    priority = moved.priority if moved else entry.priority
    below = lowest * priority * JUST_BELOW if lowest else -1.0
    why = "; ".join(filter(None, (entry.why, moved.why if moved else None)))
    return replace(pinned, entry=replace(entry, priority=below, why=why))


class _PinCollector:
    """One pass over the entries of a working set, in the order of priority, with what it has used up of its limits."""

    def __init__(self, memory: WorkingSet, snapshot: Snapshot, exclusion: ExclusionFilter, most: int) -> None:
        """``most`` characters are taken."""
        self.candidates: list[Candidate] = []
        self.omitted: list[Omission] = []
        self.problems: list[str] = []
        self._memory = memory
        self._outlines = snapshot.outlines
        self._exclusion = exclusion
        self._most = most
        self._taken = 0
        self._texts: dict[str, PinnedText] = {}
        self._characters_read = 0
        self._of_folders = 0
        self._seen: set[str] = set()
        self._definitions: dict[str, dict[str, list[Definition]]] = {}

    @cached_property
    def _hints(self) -> Hints:
        return self._memory.hints()

    def take(self, entry: Entry) -> None:
        """Add what an entry means, unless it is there already or the limits are used up."""
        unread = 0
        for path in self._files(entry):
            target = entry.target
            source = target.text if target.symbol or target.lines else path
            if source in self._seen:
                continue  # pinned itself, and once more by its folder
            self._seen.add(source)
            if self._taken > self._most or self._characters_read > MAX_READ_CHARS:
                unread += 1
                named = source if unread <= MAX_NAMED else target.text
                self._omit(named, "budget" if self._taken > self._most else "limit")
                if unread > MAX_NAMED:
                    break
            else:
                self._add(entry, path, source)

    def _files(self, entry: Entry) -> Sequence[str]:
        """The file of an entry, or those of its folder or pattern that are indexed."""
        target = entry.target
        if not (target.folder or target.pattern):
            return (target.path,)
        hides = self._exclusion.exclusions.hides
        room = MAX_OF_FOLDERS - self._of_folders
        allowed = (path for path in self._memory.files_of(target, self._outlines) if not hides(path))
        paths = list(islice(allowed, room + 1))
        if len(paths) > room:
            self._omit(target.text, "limit")
        self._of_folders += min(len(paths), room)
        return paths[:room]

    def _add(self, entry: Entry, path: str, source: str) -> None:
        outline, symbol = self._outlines.get(path), entry.target.symbol
        lines = self._read_lines(entry, path, source, outline)
        if lines is None:
            return
        hidden = self._exclusion.lines(path)
        left = replace_with_notes(lines, hidden, "left out") if hidden else lines
        size = OF_A_PIECE + sum(len(line.text) + 1 for line in left)
        self._taken += min(size, int(self._most * MAX_PIECE_SHARE))
        if not any(line.number and line.text.strip() for line in left):
            return
        span = PinnedSpan(
            path=path,
            language=outline.language if outline else "",
            symbol=symbol or "",
            start_line=lines[0].number,
            end_line=lines[-1].number,
            lines=tuple(left),
            shown=(),
            strategy=entry.truncate_strategy,
            role=entry.role,
            max_lines=entry.max_lines,
        )
        shown = limit_lines(span)
        if shown is None:
            self._omit(source, "limit")
        else:
            self.candidates.append(_candidate(entry, source, shown, self._hints.rank(path)))

    def _read_lines(self, entry: Entry, path: str, source: str, outline: Outline | None) -> list[Line] | None:
        """The lines of a file that an entry pins; ``None`` where there are none, which is noted as a problem."""
        text, symbol = self._text(path), entry.target.symbol
        if text.problem is not None:
            self.problems.append(f"pinned {path}: {text.problem}")
            return None
        if symbol is not None:
            lines = self._of_symbol(text.lines, symbol, outline)
            if any(symbol.rpartition(".")[2] in line.text for line in lines):
                return lines
            self.problems.append(f"pinned {source}: its file changed since it was indexed")
            return None
        if lacking := text.lacks(entry.target.lines):
            self.problems.append(f"pinned {source}: {lacking}")
            return None
        first, last = entry.target.lines or (1, len(text.lines))
        within = text.lines[first - 1 : last]
        return [Line(number, each) for number, each in enumerate(within, start=first)]

    @cached_property
    def _look(self) -> PlaceLookup:
        return self._memory.look()

    def _text(self, path: str) -> PinnedText:
        """The text of a file, read once however many of its symbols are pinned."""
        text = self._texts.get(path)
        if text is None:
            text = self._texts[path] = self._memory.text(path, self._look)
            self._characters_read += text.characters
        return text

    def _of_symbol(self, lines: Sequence[str], symbol: str, outline: Outline | None) -> list[Line]:
        """The lines of every definition of this name, each once."""
        wanted: set[int] = set()
        for item in self._find_symbol(symbol, outline) if outline else ():
            wanted.update(range(item.start_line, min(item.end_line, len(lines)) + 1))
        return [Line(number, lines[number - 1]) for number in sorted(wanted)]

    def _find_symbol(self, symbol: str, outline: Outline) -> Sequence[Definition]:
        known = self._definitions.get(outline.path)
        if known is None:
            known = self._definitions[outline.path] = {}
            for item in outline.definitions:
                known.setdefault(item.qualified, []).append(item)
        return known.get(symbol, ())

    def _omit(self, source: str, reason: str) -> None:
        self.omitted.append(Omission(Section.WORKING_SET, source, reason, 0))


def _candidate(entry: Entry, source: str, span: PinnedSpan, rank: int) -> Candidate:
    return Candidate(
        section=Section.WORKING_SET,
        id=source,
        body=span,
        scores=Scores(entry.priority, entry.priority, entry.priority),
        paths=(span.path,),
        why=_reason(entry),
        compression=span.strategy if is_cut(span) else None,
        rank=rank,
    )


def _reason(entry: Entry) -> str:
    if entry.by is Updater.PERSON:
        return f"pinned with priority {entry.priority:g}"
    return f"a model added it: {one_line(entry.why)}" if entry.why else "a model added it"
