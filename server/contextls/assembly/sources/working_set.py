"""The working set: what people pinned, highest priority first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from contextls import cancellation
from contextls.assembly.excluding import Excluding
from contextls.assembly.items import Code, Excerpt, Item, Line
from contextls.assembly.pinned import noted, shown_item
from contextls.code.model import Definition
from contextls.memory.outlines import Outline
from contextls.memory.snapshot import Snapshot
from contextls.memory.working_set.entries import Entry
from contextls.memory.working_set.judgement import EXCLUDED
from contextls.memory.working_set.memory import WorkingSet
from contextls.memory.working_set.problems import told
from contextls.memory.working_set.texts import Text
from contextls.model import Omission, Section

# So many files of pinned folders are read, in the order of priority.
MOST_OF_FOLDERS = 500
# So many characters of files are read for one question; only symbols of many large files come to that.
MOST_READ = 4_000_000
# So many characters for each token of the budget are read; what comes behind them could not go in.
CHARACTERS_PER_TOKEN = 16
# A heading with a path and two fences are more than eight tokens, however short what they hold.
OF_A_PIECE = 8 * CHARACTERS_PER_TOKEN


@dataclass
class Pins:
    """What pinned things became, and what is wrong with those that became nothing."""

    items: list[Item] = field(default_factory=list)
    omitted: list[Omission] = field(default_factory=list)
    warnings: tuple[str, ...] = ()


def working_set_items(memory: WorkingSet, snapshot: Snapshot, excluding: Excluding, max_tokens: int) -> Pins:
    """The pinned files, symbols and files of folders as they are now, unsaved or on disk."""
    reading = _Reading(memory, snapshot, excluding, max_tokens * CHARACTERS_PER_TOKEN)
    for pinned in memory.pinned(snapshot.outlines):
        cancellation.check()
        if pinned.problem is None:
            reading.take(pinned.entry)
        elif pinned.problem != EXCLUDED:
            reading.problems.append(f"pinned {pinned.entry.target.text}: {pinned.problem}")
    problems = [*memory.problems(snapshot.outlines), *reading.problems]
    reading.pins.warnings = told(
        problems, "problems of the working set; `contextls pins` lists what is pinned"
    )
    return reading.pins


class _Reading:
    """One pass over the entries of a working set, in the order of priority, with what it has used up of its limits."""

    def __init__(self, memory: WorkingSet, snapshot: Snapshot, excluding: Excluding, most: int) -> None:
        """``most`` characters are taken."""
        self.pins = Pins()
        self.problems: list[str] = []
        self._memory = memory
        self._outlines = snapshot.outlines
        self._excluding = excluding
        self._most = most
        self._taken = 0
        self._texts: dict[str, Text] = {}
        self._characters_read = 0
        self._of_folders = 0
        self._seen: set[str] = set()
        self._definitions: dict[str, dict[str, list[Definition]]] = {}

    def take(self, entry: Entry) -> None:
        """Add what an entry means, unless it is there already or the limits are used up."""
        for path in self._files(entry):
            source = path if entry.target.symbol is None else entry.target.text
            if source in self._seen:
                continue  # pinned itself, and once more by its folder
            self._seen.add(source)
            if self._taken > self._most or self._characters_read > MOST_READ:
                self._omit(source, "budget" if self._taken > self._most else "limit")
            else:
                self._add(entry, path, source)

    def _files(self, entry: Entry) -> Sequence[str]:
        """The file of an entry, or those of its folder that are indexed, in path order."""
        target = entry.target
        if not target.folder:
            return (target.path,)
        hides = self._excluding.exclusions.hides
        room = MOST_OF_FOLDERS - self._of_folders
        allowed = (path for path in self._memory.files_below(target.path, self._outlines) if not hides(path))
        paths = list(islice(allowed, room + 1))
        if len(paths) > room:
            self._omit(target.text, "limit")
        self._of_folders += min(len(paths), room)
        return paths[:room]

    def _add(self, entry: Entry, path: str, source: str) -> None:
        text = self._text(path)
        if text.problem is not None:
            self.problems.append(f"pinned {path}: {text.problem}")
            return
        outline, symbol = self._outlines.get(path), entry.target.symbol
        if symbol is None:
            lines = [Line(number, each) for number, each in enumerate(text.lines, start=1)]
        else:
            lines = self._of_symbol(text.lines, symbol, outline)
            if not any(symbol.rpartition(".")[2] in line.text for line in lines):
                self.problems.append(f"pinned {source}: its file changed since it was indexed")
                return
        hidden = self._excluding.lines(path)
        left = noted(lines, hidden, "left out") if hidden else lines
        self._taken += OF_A_PIECE + sum(len(line.text) + 1 for line in left)
        if not any(line.number and line.text.strip() for line in left):
            return
        item = _item(entry, path, source, outline.language if outline else "", lines)
        excerpt = Excerpt(tuple(left), entry.truncate_strategy, entry.role, entry.max_lines)
        shown = shown_item(item, excerpt)
        if shown is None:
            self._omit(source, "limit")
        else:
            self.pins.items.append(shown)

    def _text(self, path: str) -> Text:
        """What a file says, looked at once however many of its symbols are pinned."""
        text = self._texts.get(path)
        if text is None:
            text = self._texts[path] = self._memory.text(path)
            self._characters_read += text.characters
        return text

    def _of_symbol(self, lines: Sequence[str], symbol: str, outline: Outline | None) -> list[Line]:
        """The lines of every definition of this name, each once."""
        wanted: set[int] = set()
        for item in self._named(symbol, outline) if outline else ():
            wanted.update(range(item.start_line, min(item.end_line, len(lines)) + 1))
        return [Line(number, lines[number - 1]) for number in sorted(wanted)]

    def _named(self, symbol: str, outline: Outline) -> Sequence[Definition]:
        known = self._definitions.get(outline.path)
        if known is None:
            known = self._definitions[outline.path] = {}
            for item in outline.definitions:
                known.setdefault(item.qualified, []).append(item)
        return known.get(symbol, ())

    def _omit(self, source: str, reason: str) -> None:
        self.pins.omitted.append(Omission(Section.WORKING_SET, source, reason, 0))


def _item(entry: Entry, path: str, source: str, language: str, lines: Sequence[Line]) -> Item:
    """The item of a pinned piece, without its text."""
    code = Code(path, language, entry.target.symbol or "", lines[0].number, lines[-1].number, "", "")
    return Item(
        section=Section.WORKING_SET,
        source=source,
        text="",
        relevance=entry.priority,
        recency=entry.priority,
        salience=entry.priority,
        paths=(path,),
        code=code,
        why=f"pinned with priority {entry.priority:g}",
    )
