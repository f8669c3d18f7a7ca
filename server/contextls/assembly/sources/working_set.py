"""The working set: what people pinned, highest priority first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from contextls.assembly.excluding import Excluding
from contextls.assembly.items import Code, Excerpt, Item, Line
from contextls.assembly.pinned import noted, shown_item
from contextls.memory.outlines import Outline
from contextls.memory.snapshot import Snapshot
from contextls.memory.working_set.entries import Entry
from contextls.memory.working_set.memory import WorkingSet
from contextls.model import Omission, Section

# So many files of pinned folders are read, in the order of priority.
MOST_OF_FOLDERS = 500
MOST_PROBLEMS = 20  # told one by one
# So many characters for each token of the budget are read; what comes behind them could not go in.
CHARACTERS_PER_TOKEN = 16


@dataclass
class Pins:
    """What pinned things became, and what is wrong with those that became nothing."""

    items: list[Item] = field(default_factory=list)
    omitted: list[Omission] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    characters: int = 0
    of_folders: int = 0


def working_set_items(memory: WorkingSet, snapshot: Snapshot, excluding: Excluding, max_tokens: int) -> Pins:
    """The pinned files, symbols and files of folders as they are now, unsaved or on disk."""
    found = Pins(warnings=list(memory.warnings()))
    seen: set[str] = set()
    problems: list[str] = []
    every = memory.pinned()
    known = sorted(snapshot.outlines) if any(each.entry.target.folder for each in every) else []
    for pinned in every:
        entry = pinned.entry
        if pinned.problem is not None:
            if pinned.problem != "excluded":
                problems.append(f"pinned {entry.target.text}: {pinned.problem}")
            continue
        for path in _files(entry, known, excluding, found):
            source = path if entry.target.symbol is None else entry.target.text
            if source in seen:
                continue  # pinned itself, and once more by its folder
            seen.add(source)
            if found.characters > max_tokens * CHARACTERS_PER_TOKEN:
                found.omitted.append(Omission(Section.WORKING_SET, source, "budget", 0))
                continue
            _read(memory, entry, path, source, snapshot.outlines.get(path), excluding, found)
    found.warnings.extend(problems[:MOST_PROBLEMS])
    if len(problems) > MOST_PROBLEMS:
        found.warnings.append(f"{len(problems) - MOST_PROBLEMS} more pinned things cannot be read")
    return found


def _files(entry: Entry, known: Sequence[str], excluding: Excluding, found: Pins) -> Sequence[str]:
    """The file of an entry, or those of its folder that are indexed (``known``), in path order."""
    target = entry.target
    if not target.folder:
        return (target.path,)
    # "0" is the character behind "/".
    inside = known[bisect_left(known, f"{target.path}/") : bisect_left(known, f"{target.path}0")]
    paths = [path for path in inside if not excluding.exclusions.hides(path)]
    room = max(0, MOST_OF_FOLDERS - found.of_folders)
    found.of_folders += len(paths)
    if len(paths) > room:
        found.omitted.append(Omission(Section.WORKING_SET, target.text, "limit", 0))
    return paths[:room]


def _read(
    memory: WorkingSet,
    entry: Entry,
    path: str,
    source: str,
    outline: Outline | None,
    excluding: Excluding,
    found: Pins,
) -> None:
    try:
        text = memory.places.text(path)
    except ValueError as error:
        found.warnings.append(f"pinned {path}: {error}")
        return
    lines = [Line(number, each) for number, each in enumerate(_lines(text), start=1)]
    symbol = entry.target.symbol
    if symbol is not None:
        lines = _of_symbol(lines, symbol, outline)
        if not any(symbol.rpartition(".")[2] in line.text for line in lines):
            found.warnings.append(f"pinned {source}: its file changed since it was indexed")
            return
    hidden = excluding.lines(path)
    left = noted(lines, hidden, "left out") if hidden else lines
    if not any(line.number and line.text.strip() for line in left):
        return
    found.characters += sum(len(line.text) for line in left)
    language = outline.language if outline else ""
    code = Code(path, language, symbol or "", lines[0].number, lines[-1].number, "", "")
    item = Item(
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
    excerpt = Excerpt(tuple(left), entry.truncate_strategy, entry.role, entry.max_lines)
    shown = shown_item(item, excerpt)
    if shown is None:
        found.omitted.append(Omission(Section.WORKING_SET, source, "limit", 0))
    else:
        found.items.append(shown)


def _lines(text: str) -> list[str]:
    """The lines of a text as chunks count them, without their ends."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def _of_symbol(lines: list[Line], symbol: str, outline: Outline | None) -> list[Line]:
    """The lines of every definition of this name."""
    spans = [item for item in outline.definitions if item.qualified == symbol] if outline else []
    wanted = {number for item in spans for number in range(item.start_line, item.end_line + 1)}
    return [line for line in lines if line.number in wanted]
