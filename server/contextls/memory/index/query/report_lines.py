"""The lines of an issue report: its title, errors, frames, code and prose, and what no line of code is found by.

Templates ask for versions and steps; environments, greetings and checklists are of every report alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from contextls import cancellation
from contextls.memory.index.query.pasted_logs import LogLines
from contextls.memory.index.query.places import without_repositories
from contextls.memory.index.query.traces import frame_of, is_named_below
from contextls.regex import compile_late
from contextls.text.word_set import word_set


class LineKind(StrEnum):
    """The kind of a line of a report."""

    TITLE = "title"
    ERROR = "error"
    FRAME = "frame"
    CODE = "code"
    PROSE = "prose"
    BOILERPLATE = "boilerplate"


_GO_PANIC = compile_late(r"^panic\(")
_FENCE = compile_late(r"^\s*(```|~~~)")
_ERROR = compile_late(
    r"^\W*+(?:[\w.:\\]*(?:Error|Exception|Panic|Fault)\b|error(?:\[\w+\])?:|fatal(?: error)?:|panic:|thread '.*' panicked"
    r"|(?:PHP )?(?:Fatal|Parse) error|Caused by:|Uncaught |Unhandled |E\s{3}|(?-i:(?>(?:\w++[.\\]|\w++::)+)[A-Z]\w+: \S))",
    re.IGNORECASE,
)
# The beginning of an error that a compiler or a checker found in somebody's code: "shop.ts(3,5): error TS2322: …".
_CHECKED = compile_late(
    r"^\s*+(?:[A-Za-z]:)?[^\s:()]++(?:(?::\d++){1,2}:|\(\d++(?:,\d++)?\):) (?:fatal )?error\b:?",
    re.IGNORECASE,
)
_BOILERPLATE = compile_late(
    r"^\s*+(?:[-*] \[[ xX]?\]|<!--.*|-->|\[[\w /.-]{1,20}\]:\s*#\s*[(\"'].*|[\s:|-]++$|https?://\S+$"
    r"|(?:signed-off-by|co-authored-by|reviewed-by|reviewed-on|fixes|closes|refs|cc)\s*:.*"
    r"|(?:hi|hello|hey|dear|thanks?(?: you)?|cheers|regards)\b[^.:]{0,40}[.,!:]?$"
    r"|(?>(?:</?details>|<summary>.*</summary>|\s)+)$"
    r"|(?:#+|\*\*|__)\s*(?:what did you (?:do|expect|see).*|code of conduct.*)\W*$"
    r"|steps to reproduce\W*$|traceback \(most recent call last\).*|goroutine \d+ \[.*|\[signal sig\w+:.*"
    r"|(?:stack backtrace|note: run with).*|\d+: +[\w:<>]+$)",
    re.IGNORECASE,
)
# The headings of templates are made of these words: "Minimal Complete Verifiable Example", "What you expected to happen".
_HEADING_WORDS = word_set(
    "a about acknowledgements action actual additional affected an and any anything are asking backtrace before "
    "behavior behaviour brief bug checklist checks code complete context crash current debug debugging describe "
    "description details did do does else environment error example existing expected file files for full happen "
    "happened happening happens here how i if in info information installation instead is issue it know log logs "
    "message minimal minimum motivation need notes observed occurred of or outcome output overview please possible "
    "preferences prerequisites problem provide recording recordings relevant report repro reproduce reproducible "
    "reproducing reproduction result results sample screen screenshot screenshots search searching see setup should "
    "snippet solution stack stacktrace steps suggested summary system that the there this to trace traceback "
    "verifiable version versions want was we were what when with workaround you your"
)
# A line before a report that only wants something done about it is made of these words, and of one of those below.
_REQUEST_WORDS = word_set(
    "a about address an and any appreciated are as at attached be been below bug bugs can cause check could debug "
    "describe described description do error explain filed find fix fixing following follows for found from get "
    "getting github got handle have hello help here hey hi how i implement in into investigate is issue issues it "
    "just let look looking me my need now of on one opened our out please problem problems provide regression "
    "repair repo report reported reporter reports resolve root s says see solution solve somebody someone submitted "
    "that the there these this ticket to try us user users want we what where why with work would you"
)
_REQUEST = compile_late(
    r"\b(?:address|check|debug|explain|find|fix(?:ing)?|handle|help|implement|investigate|look(?:ing)?|repair"
    r"|resolve|solve|(?:report|file|open|submitt)(?:ed|s)?)\b|:\W*$",
    re.IGNORECASE,
)
_WORD = compile_late(r"[^\W_]+")
_ASIDE = compile_late(r"\([^()]*\)")
_ENVIRONMENT = compile_late(
    r"^[\s|*+-]*(?:\*\*)?(?:os|operating system|platform|python|node(?:\.?js)?|npm|yarn|pnpm|go|rustc?|cargo|java|jdk|jvm"
    r"|ruby|php|\.net|dotnet|browser|chrome|firefox|safari|kernel|arch(?:itecture)?|ubuntu|debian|macos|windows|linux|docker"
    r"|[\w./@-]{1,30} ?version|version)(?:\*\*)?[\s|:=]+v?[\w .()/+~-]{0,60}\|?$",
    re.IGNORECASE,
)
_HEADING = compile_late(r"#{1,6}\s+(?P<title>\S.{0,180})|(?:\*\*|__)(?P<bold>[^*]{2,80})(?:\*\*|__):?")
# What follows such a heading of a template says where it happened, up to the next one.
_ENVIRONMENT_HEADING = compile_late(
    r"^\W*+(?:\d+\w?[.)]\s*)?(?:(?:(?:my|your|the)\s+)?(?:system|env|platforms?|desktop|smartphone|checklist|screenshots?)"
    r"|(?:[\w./&-]+\s+){0,5}(?:environments?|versions?|operating systems?|system info\w*|terminal emulator"
    r"|installation method|database (?:system|driver)\S*|issue type)(?:\s+(?:info\w*|details|used|in use))?"
    r"|(?:what|which)\b.{0,60}\b(?:environment|versions?|operating system)\b.{0,60}|.{0,60}\bwilling to\b.{0,80})"
    r"(?:\s*\(.{0,80}\))?\W*$",
    re.IGNORECASE,
)
_ASKING_HEADING = compile_late(
    r"^\W*(?:\d+\w?[.)]\s*)?(?:what|which|how|why|are you|do you|did you|does|is|please|if applicable)\b.*(?:[?)]|:)\W*$",
    re.IGNORECASE,
)
_ASKED_HEADING = compile_late(
    r"^\W*+(?:describe|descriptions?|summary|steps|to|how|what|why|expected|actual|current|additional|context|logs?|output"
    r"|problems?|bugs?|issues?|errors?|reproduc\w+|notes?)\b",
    re.IGNORECASE,
)
_VERSIONED = compile_late(
    r"^[\s|*+-]*(?:\*\*)?[\w ./@+-]{1,48}?\bversions?(?:\(s\))?(?:\s*\([^)\n]{0,80}\))?(?:\*\*)?\s*[|:=].{0,160}$"
    r"|^[\s*+-]*(?:browsers?|does the problem persist)\b.{0,160}$",
    re.IGNORECASE,
)
_HEADERS = compile_late(
    r"(?<!\S)(?:-H|--header|-u|--user|-b|--cookie)[ =]?(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[^\s\"']{1,300})"
)
_ADDRESS = compile_late(r"https?://[^\s)>\]`'\"]+")
_SENTENCE = compile_late(r"(?<=[.!?:])\s+")
# A line that is nothing but what has which version: "KeePassXC - Version 2.7.7", "Qt 5.15.10", "Revision: 68e2dd8".
_OF_VERSION = compile_late(
    r"^\W*[A-Za-z][\w .+/()@-]{0,40}?[\s:=@-]+(?:v(?:ersion)?[\s:]*)?(?:\d+(?:\.\d+)+[\w.+-]*|[0-9a-f]{7,40})\W*$"
    r"|^\W*(?:revision|build|commit|distribution)\b.{0,60}$",
    re.IGNORECASE,
)
# A list of versions has two such lines among so many, and goes on up to a heading or a line of more words.
_LIST_WINDOW, _LIST_WORDS, _MIN_VERSIONS = 6, 8, 2
# The beginning of a line that is enough to tell its kind.
_HEAD_CHARS = 300
_MAX_TITLE_CHARS = 200
_TITLES = (LineKind.PROSE, LineKind.ERROR, LineKind.CODE)
# A picture by its name, as ``:bulb:``.
_PICTURE = compile_late(r"(?<![\w:/.]):[a-z][a-z0-9_+-]{1,40}:(?![\w:])")


def read_lines(lines: Sequence[str], log: LogLines) -> Iterator[tuple[LineKind, str]]:
    """Each of ``lines`` with what it is, without blank ones and fences. The first that says anything is the title.

    A request to do something about the report says nothing of it.
    """
    request = _find_request(lines)
    versions = {*_find_version_tables(lines), *_find_version_lists(lines)}
    section = _Section()
    fenced = titled = in_frames = False
    before = ""
    for number, line in enumerate(lines):
        cancellation.check()
        if not fenced and ":" in line:
            line = _PICTURE.sub("", line)
        if _FENCE.match(line):
            fenced = not fenced
        elif line.strip():
            kind = _kind_in_log(number, line, before, log, fenced=fenced)
            if kind is not LineKind.BOILERPLATE and is_named_below(lines, number):
                # The innermost function says what failed, but for the one by which Go ends a goroutine.
                ends = _GO_PANIC.match(line) is not None
                kind = LineKind.FRAME if in_frames or ends else kind
                in_frames = not ends
            of_template = titled and section.read(line, kind, fenced=fenced)
            if number == request or of_template or (titled and number in versions):
                kind = LineKind.BOILERPLATE
            if not titled and kind in _TITLES:
                titled = True
                yield from _split_title(line)
            else:
                yield kind, line
        before = line


class _Section:
    """The section of a report that its lines are read in: some of a template say where it happened, not what."""

    def __init__(self) -> None:
        self._is_environment = False
        self._has_parts = False

    def read(self, line: str, kind: LineKind, *, fenced: bool) -> bool:
        """Whether a line, the next one, says what the template asked for, and nothing of what went wrong."""
        heading = None if fenced else _heading_of(line)
        if heading is not None:
            if not (self._has_parts and _is_part(line, heading)):
                self._is_environment = bool(_ENVIRONMENT_HEADING.match(heading))
                self._has_parts = self._is_environment and not _is_bold(line)
            return self._is_environment or bool(_ASKING_HEADING.match(heading))
        if kind is LineKind.PROSE and _VERSIONED.match(line[:_HEAD_CHARS]):
            return True
        return self._is_environment and kind in (LineKind.PROSE, LineKind.CODE)


def _split_title(line: str) -> Iterator[tuple[LineKind, str]]:
    """A line as the title, or the first sentence of a long one."""
    head, *rest = _SENTENCE.split(line, maxsplit=1) if len(line) > _MAX_TITLE_CHARS else [line]
    yield LineKind.TITLE, head
    yield from ((LineKind.PROSE, sentence) for sentence in rest)


def without_template(text: str) -> str:
    """``text`` without the lines that are of every report: headings of a template, greetings, checklists."""
    return "\n".join(line for line in text.splitlines() if not _is_boilerplate(line[:_HEAD_CHARS]))


def without_addresses(line: str) -> str:
    """``line`` without addresses of the web: their words are of hosts, pictures, playgrounds. Paths in repositories stay.

    Nor has it the headers that a command sends with a request: who may ask is seldom what fails.
    """
    if "curl" in line:
        line = _HEADERS.sub(" ", line)
    return _ADDRESS.sub(" ", without_repositories(line)) if "://" in line else line


def without_place(line: str) -> str:
    """``line`` without where a compiler found an error: what stands before the message are places, and "error"."""
    return _CHECKED.sub(" ", line)


def _find_request(lines: Sequence[str]) -> int | None:
    """The number of the first line, where that is only a request: "Fix this issue:" before a report."""
    said = (number for number, line in enumerate(lines) if line.strip())
    first = next(said, None)
    if first is None or all(_is_boilerplate(lines[number][:_HEAD_CHARS]) for number in said):
        return None
    line = without_addresses(lines[first][:_HEAD_CHARS])
    words = (word for word in _WORD.findall(line.lower()) if not word.isdigit())
    return first if _REQUEST.search(line) and _REQUEST_WORDS.issuperset(words) else None


def _find_version_tables(lines: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines of tables that say which versions of what were used, and where."""
    table: list[int] = []
    for number, line in enumerate([*lines, ""]):
        if line.lstrip().startswith("|"):
            table.append(number)
        elif table:
            if any(_ENVIRONMENT.match(lines[each][:_HEAD_CHARS]) for each in table):
                yield from table
            table = []


def _find_version_lists(lines: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines of lists that a program has written of its version, its libraries and its system."""
    said = [number for number, line in enumerate(lines) if line.strip()]
    end = 0
    for at, number in enumerate(said):
        near = said[at : at + _LIST_WINDOW]
        if at < end or not _OF_VERSION.match(lines[number][:_HEAD_CHARS]):
            continue
        if sum(bool(_OF_VERSION.match(lines[each][:_HEAD_CHARS])) for each in near) < _MIN_VERSIONS:
            continue
        end = at
        while end < len(said) and _goes_on(lines[said[end]]):
            yield said[end]
            end += 1


def _goes_on(line: str) -> bool:
    """Whether a list of versions may go on with ``line``."""
    return (
        _heading_of(line) is None
        and not _FENCE.match(line)
        and len(line.split(maxsplit=_LIST_WORDS)) <= _LIST_WORDS
    )


def _kind_in_log(number: int, line: str, before: str, log: LogLines, *, fenced: bool) -> LineKind:
    if number in log.routine:
        return LineKind.BOILERPLATE
    return LineKind.ERROR if number in log.odd else _kind_of(line, before, fenced=fenced)


def _kind_of(line: str, before: str, *, fenced: bool) -> LineKind:
    if frame_of(line, before):
        return LineKind.FRAME
    head = line[:_HEAD_CHARS]
    if _ERROR.match(head) or _CHECKED.match(head):
        return LineKind.ERROR
    if _is_boilerplate(head) or _ENVIRONMENT.match(head):
        return LineKind.BOILERPLATE
    return LineKind.CODE if fenced or line.startswith(("    ", "\t")) else LineKind.PROSE


def _is_boilerplate(line: str) -> bool:
    """Whether ``line`` is of every report."""
    if _BOILERPLATE.match(line):
        return True
    heading = _heading_of(line)
    return heading is not None and _HEADING_WORDS.issuperset(_WORD.findall(_ASIDE.sub("", heading.lower())))


def _heading_of(line: str) -> str | None:
    found = _HEADING.fullmatch(line[:200].strip())
    return found and (found["title"] or found["bold"]).rstrip("# ")


def _is_part(line: str, heading: str) -> bool:
    """Whether a heading is one within a section, ``**Details**``, and begins nothing that a template asks for."""
    return _is_bold(line) and not _ASKED_HEADING.match(heading)


def _is_bold(heading: str) -> bool:
    return not heading.lstrip().startswith("#")
