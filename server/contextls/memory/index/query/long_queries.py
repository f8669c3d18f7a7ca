"""Long questions: an issue report or a commit message is weighed by its parts instead of word by word.

A report of 300 words has perhaps ten that say where the trouble is. They stand in the title, in names of code, in the
error message and in the trace; the rest is prose, template and environment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from contextls.memory.index.query.clauses import find_plain_question
from contextls.memory.index.query.pasted_logs import is_logged, read_log
from contextls.memory.index.query.places import Place, definitions_in
from contextls.memory.index.query.report_lines import (
    LineKind,
    read_lines,
    without_addresses,
    without_place,
)
from contextls.memory.index.query.traces import places_in
from contextls.memory.index.terms import TermSplitter
from contextls.regex import compile_late


class PartWeights(Struct, frozen=True):
    """``rest`` is what a word counts in prose, code or a frame; in the title, an error or a name it counts 1.

    ``everywhere`` is what a word counts that every report has and no code, as "bug" or "regression", wherever it stands.
    ``gist`` is the number of words that are embedded, ``names`` the number of names whose definitions are looked up.
    """

    rest: float = 0.2
    everywhere: float = 0.05
    gist: int = 60
    names: int = 12

    def of(self, part: LineKind) -> float:
        """The weight of a word that stands in ``part``."""
        if part is LineKind.BOILERPLATE:
            return 0.0
        return 1.0 if part in (LineKind.TITLE, LineKind.ERROR) else self.rest


class LongQuery(Struct, frozen=True):
    """A long question in parts: its lines by kind, and the places that it names, the most telling first.

    ``question`` are the sentences of a message in prose that ask, its title then; empty for a report.
    """

    lines: tuple[tuple[LineKind, str], ...]
    places: tuple[Place, ...]
    question: str = ""

    @property
    def title(self) -> str:
        """The first line that says anything."""
        return next((line for part, line in self.lines if part is LineKind.TITLE), "")

    @property
    def told(self) -> str:
        """The words of its author, without what was pasted."""
        return "\n".join(line for part, line in self.lines if part in (LineKind.TITLE, LineKind.PROSE))

    @property
    def quoted(self) -> tuple[str, ...]:
        """Lines that may be messages of a program, the likeliest first; of prose only what stands in quotes.

        A few lines of a log are read as prose, and are messages but for what explains them in brackets after it.
        """
        kinds = (LineKind.ERROR, LineKind.TITLE, LineKind.CODE)
        told = [line for kind in kinds for part, line in self.lines if part is kind]
        prose = [line for part, line in self.lines if part is LineKind.PROSE]
        logged = [_EXPLAINED.sub("", line) for line in prose if is_logged(line)]
        return (*told, *logged, *(found for line in prose for found in find_quoted(line)))


_EXPLAINED = compile_late(r"\s*\([^()]*\)\W*$")
# A frame without a file, as Rust prints it where there is no debug information.
_SYMBOL_FRAME = compile_late(r"^\s*\d+: +(?P<name>\w+(?:::\w+)+?)(?:::h[0-9a-f]{16})?(?:::\{\{.*)?$")
_BACKTICKED = compile_late(r"`([^`\n]{2,120})`")
# The apostrophes of "doesn't" and "that's" quote nothing, nor do the quotes within an argument: `--bind='a:b'`.
_QUOTED = compile_late(r"(?<![\w=])[\"“']([^\"”'\n]{12,200})[\"”'](?!\w)")
_SENTENCE = compile_late(r"(?<=[.!?:])\s+")
_SHAPED = compile_late(
    r"\b\w{0,100}?[a-z0-9][A-Z]\w*|\b\w{0,100}_\w+|\w{1,100}+(?:::|->|\.)\w+|\w{1,100}+\(\)"
)
# Shortened words, versions, and names of products and pictures.
_NO_CODE = compile_late(
    r"(?:e\.g|i\.e|v\d+\.\w+|\w+\.(?:com|gif|io|jpe?g|js|net|org|png|svg))\.?", re.IGNORECASE
)
# A version of the program, which no code is found by; "TLS 1.2" and an address are none.
_VERSION = compile_late(
    r"(?<![\w.-])(?:v\d+(?:\.\d+)+|\d+(?:\.\d+){2})(?:[-.]?(?:alpha|beta|dev|post|rc)[\w.-]*)?(?![\w.])",
    re.IGNORECASE,
)
_EMPHASIS = compile_late(r"_([^_].*[^_]|[^_])_")
# Code hardly ever says them, so that they would count like rare words.
_IN_EVERY_REPORT = (
    "bug bugs issue issues problem problems regression regressions broken weird strange anymore upgrading upgraded latest "
    "unable seems actual behavior behaviour reproduce reproducible reproduction workaround trying tried"
)
_STOPS = (".", "!", "?", ",", ":", ";")
_OF_MESSAGES = (LineKind.TITLE, LineKind.PROSE, LineKind.BOILERPLATE)
# A one-line question may be a long sentence; above this many words it is a report without line breaks.
_LONG_LINE = 40


def is_long(text: str) -> bool:
    """Whether ``text`` is more than one sentence in one line: it has several lines, or over 40 words."""
    text = text.strip()
    return "\n" in text or len(text.split(maxsplit=_LONG_LINE)) > _LONG_LINE


def read_report(text: str) -> LongQuery:
    """Tell the parts of ``text`` apart. Any text gives a report; the title is never empty unless the text is.

    Of a pasted log the odd lines count, its routine does not.
    """
    lines = text.splitlines()
    log = read_log(lines)
    parts = list(read_lines(lines, log))
    told = [line for number, line in enumerate(lines) if number not in log.routine]
    if log.routine and not any(part is LineKind.TITLE for part, _ in parts):
        # Nothing stands out: what the log is about stands in any of its lines.
        first = lines[min(log.routine)]
        parts.append((LineKind.TITLE, first))
        told.append(first)
    asked = _find_question(parts)
    ordered = _lead_with(asked, parts) if asked else parts
    return LongQuery(tuple(ordered), places_in("\n".join(told)), " ".join(asked))


def _find_question(parts: Sequence[tuple[LineKind, str]]) -> tuple[str, ...]:
    """The sentences that are the question of a message in prose; none of a report."""
    if any(kind not in _OF_MESSAGES for kind, _ in parts):
        return ()
    return find_plain_question("\n".join(line for kind, line in parts if kind is not LineKind.BOILERPLATE))


def _lead_with(asked: Sequence[str], parts: Sequence[tuple[LineKind, str]]) -> list[tuple[LineKind, str]]:
    """The ``parts`` of a message with the sentences that ask as its title."""
    rest = [(_demote(kind, line), _without(asked, line)) for kind, line in parts]
    return [(LineKind.TITLE, " ".join(asked)), *((kind, line) for kind, line in rest if line.strip())]


def _demote(kind: LineKind, line: str) -> LineKind:
    """``kind``, and prose for a title that is a sentence: that of an issue has no stop."""
    return LineKind.PROSE if kind is LineKind.TITLE and line.rstrip().endswith(_STOPS) else kind


def _without(sentences: Sequence[str], line: str) -> str:
    for sentence in sentences:
        line = line.replace(sentence, " ")
    return line


def weigh_terms(report: LongQuery, splitter: TermSplitter, weights: PartWeights) -> dict[int, float]:
    """The weight of each term of the report, by its hash: the most that any of its places gives."""
    found: dict[int, float] = {}

    def add(text: str, weight: float) -> None:
        if weight > 0:
            for term in splitter.question_terms(text):
                found[term.hash] = max(weight, found.get(term.hash, 0.0))

    for kind, written in report.lines:
        line = _read(kind, written)
        add(line, weights.of(kind))
        if kind is LineKind.PROSE:
            for name in _names(line):
                add(name, 1.0)
            for quoted in find_quoted(line):
                add(quoted, 1.0)
    for place in report.places:
        add(place.name, weights.rest)
    for name in _symbol_frames(report):
        called = name.rpartition("::")[2]
        add(called, 1.0 if _SHAPED.search(called) else weights.rest)
    for term in splitter.question_terms(_IN_EVERY_REPORT):
        if term.hash in found:
            found[term.hash] = min(found[term.hash], weights.everywhere)
    return found


def _read(kind: LineKind, line: str) -> str:
    """A line of a report without addresses and versions, unless it is one of those that keep them."""
    # What failed at an address, the address is a part of.
    line = line if kind in (LineKind.TITLE, LineKind.ERROR) else without_addresses(line)
    line = without_place(line) if kind is LineKind.ERROR else line
    return _VERSION.sub(" ", line) if kind in (LineKind.TITLE, LineKind.PROSE) else line


def names_in(report: LongQuery, weights: PartWeights) -> tuple[str, ...]:
    """The names of code whose definitions are worth a look: the title's, the traces', those in prose; then the code's."""
    found = [name for part, line in report.lines if part is LineKind.TITLE for name in _names(line)]
    found += [place.name for place in report.places if place.name.isidentifier()]
    found += _symbol_frames(report)
    for wanted in (LineKind.ERROR, LineKind.PROSE):
        found += [name for part, line in report.lines if part is wanted for name in _names(line)]
    clean = (name.strip("`(). ") for name in found)
    return tuple(dict.fromkeys(name for name in clean if name and " " not in name))[: weights.names]


def find_quoted(line: str) -> list[str]:
    """The passages of ``line`` in quotes that are long enough to be a message of a program."""
    return _QUOTED.findall(line)


def is_emphasis(word: str) -> bool:
    """Whether a word is ``_emphasised_`` and no name: ``_private`` and ``__init__`` are."""
    inside = _EMPHASIS.fullmatch(word)
    return inside is not None and not _SHAPED.search(inside[1])


def gist(text: str) -> str:
    """The text to embed for ``text``: a short one as it is, of a long one the title, errors and best sentences.

    The static embedder adds words up, so that 300 words of prose point nowhere.
    """
    if not is_long(text):
        return text
    report = read_report(text)
    if report.question:
        return report.question
    room = PartWeights().gist
    kept = [report.title]
    room -= len(report.title.split())
    for sentence in _best_sentences(report):
        words = sentence.split()
        if room <= 0:
            break
        kept.append(" ".join(words[:room]))
        room -= len(words)
    return "\n".join(kept)


def _names(line: str) -> list[str]:
    line = without_addresses(line)
    # The times and versions of a log have dots as well.
    shaped = [
        name
        for name in _SHAPED.findall(line)
        if not name[0].isdigit() and not is_emphasis(name) and not _NO_CODE.fullmatch(name)
    ]
    return [*_BACKTICKED.findall(line), *definitions_in(line), *shaped]


def _symbol_frames(report: LongQuery) -> list[str]:
    """The names in frames that tell of no file."""
    return [frame["name"] for _, line in report.lines if (frame := _SYMBOL_FRAME.match(line[:300]))]


def _best_sentences(report: LongQuery) -> list[str]:
    """Errors first, then sentences of prose that name code, then the others in their order."""
    errors = [line for part, line in report.lines if part is LineKind.ERROR]
    prose = " ".join(without_addresses(line).strip() for part, line in report.lines if part is LineKind.PROSE)
    sentences = [sentence for sentence in _SENTENCE.split(prose) if sentence]
    return errors[:3] + sorted(sentences, key=lambda sentence: not _names(sentence))
