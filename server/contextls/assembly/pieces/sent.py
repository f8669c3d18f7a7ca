"""Pieces that the messages of a conversation show already: they are pointed to and not sent again.

Everything is told by text alone. A piece counts as shown only where its exact text stands in a message that is sent now;
one that was edited, or whose message was excluded, summed up or cut away, is not found and goes in whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.pieces.bodies import (
    Body,
    CodeSpan,
    CommitList,
    DiffHunk,
    EventRun,
    Habit,
    KnownEntity,
    PinnedSpan,
    RelationBundle,
    RepositoryMap,
    ShownBefore,
    Summary,
)
from contextls.assembly.pieces.candidate import Candidate, span_id
from contextls.regex import compile_late
from contextls.text.gate import clean

# The word of a component that is only pointed to, and of what is left out because it is no longer than a pointer.
EARLIER = "earlier"
# Fewer lines than this may stand in a file twice: at another place they need not be the same ones.
MIN_MOVED_LINES = 3
_HEADING = compile_late(r"### (`++) ?(.+?):(\d{1,9})-(\d{1,9}) ?\1(?: .*)?")
_FENCE = compile_late(r"(`{3,})[\w.+#-]*")
_LINES = compile_late(r"(\d{1,9})-(\d{1,9})")
_OBJECT = '{"path": '


class _SentPiece(Struct, frozen=True):
    """Lines of a file as a message shows them."""

    path: str
    start_line: int
    end_line: int
    text: str

    def holds(self, start_line: int, end_line: int, text: str) -> bool:
        """Whether it shows ``text``, which stands at these lines now."""
        if not _stands_in(text, self.text):
            return False
        in_place = self.start_line <= start_line and end_line <= self.end_line
        return in_place or sum(map(bool, map(str.strip, text.split("\n")))) >= MIN_MOVED_LINES

    def overlaps(self, start_line: int, end_line: int) -> bool:
        """Whether it shows some of these lines."""
        return self.start_line <= end_line and start_line <= self.end_line


class SentMessages:
    """The messages before this one as they are sent, each with the number of its turn, oldest first.

    Two are equal where they say the same.
    """

    def __init__(self, messages: Sequence[tuple[int, str]] = ()) -> None:
        self._messages = [(turn, content) for turn, content in messages if content]
        self._pieces: dict[str, dict[int, list[_SentPiece]]] = {}
        # The newest turn of each line: of the many candidates of a question, hardly any was shown.
        self._lines: dict[str, int] = {}
        for turn, content in self._messages:
            self._lines |= dict.fromkeys(content.split("\n"), turn)
            for piece in _read_pieces(content):
                self._pieces.setdefault(piece.path, {}).setdefault(turn, []).append(piece)
        said = "".join(f"{turn} {len(content)} {content}" for turn, content in self._messages)
        self._digest = blake2b(said.encode(errors="replace"), digest_size=16).hexdigest()

    def __bool__(self) -> bool:
        return bool(self._messages)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SentMessages) and other._digest == self._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        return f"SentMessages({self._digest})"

    def recall(self, candidate: Candidate, write: Callable[[Body], str]) -> Candidate | None:
        """``candidate`` as a pointer where it was shown; itself where it was not.

        ``None`` for a single line that was shown: a pointer to it would be as long. ``write`` says how a body is written.
        """
        body = candidate.body
        match body:
            case CodeSpan() | PinnedSpan():
                found = self._find(body.path, body.start_line, body.end_line, _text_of(body))
                pointer = None if found is None else ShownBefore(body, *found)
            case KnownEntity() | RelationBundle() | Habit():
                return candidate if self._turn_of(write(body)) is None else None
            case DiffHunk() | CommitList() | EventRun() | RepositoryMap() | Summary():
                written = write(body)
                turn = self._turn_of(written) if "\n" in written else None
                pointer = None if turn is None else ShownBefore(body, turn)
            case _:
                pointer = None
        return candidate if pointer is None else replace(candidate, body=pointer, compression=EARLIER)

    def _find(self, path: str, start_line: int, end_line: int, text: str) -> tuple[int, str] | None:
        """The newest turn that shows ``text``, and its place there; none where a later one shows these lines otherwise."""
        by_turn = self._pieces.get(path)
        if not by_turn or not text.strip():
            return None
        passed = clean(text)
        for turn in sorted(by_turn, reverse=True):
            pieces = by_turn[turn]
            holding = next((piece for piece in pieces if piece.holds(start_line, end_line, passed)), None)
            if holding is not None:
                return turn, span_id(path, holding.start_line, holding.end_line)
            if any(piece.overlaps(start_line, end_line) for piece in pieces):
                return None
        return None

    def _turn_of(self, text: str) -> int | None:
        """The newest turn in which ``text`` stands, on lines of its own."""
        passed = clean(text)
        first, _, more = passed.partition("\n")
        newest = self._lines.get(first)
        if newest is None or not more:
            return newest
        return next((turn for turn, content in reversed(self._messages) if _stands_in(passed, content)), None)


NOTHING_SENT = SentMessages()


def _text_of(body: CodeSpan | PinnedSpan) -> str:
    text = body.text if isinstance(body, CodeSpan) else "".join(f"{line.text}\n" for line in body.shown)
    return _plain(text)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip("\n")


def _stands_in(text: str, whole: str) -> bool:
    """Whether whole lines of ``whole`` are ``text``."""
    return text in whole and f"\n{text}\n" in f"\n{whole}\n"


def _read_pieces(content: str) -> Iterator[_SentPiece]:
    """The pieces that a message shows, in the forms in which shapes write them; a fence that never ends shows nothing."""
    yield from _read_tagged(content)
    lines = content.split("\n")
    endless: set[str] = set()
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith(_OBJECT):
            yield from _read_object(line)
        if not line.startswith("### "):
            continue
        heading = _HEADING.fullmatch(line)
        opening = _FENCE.fullmatch(lines[number]) if heading and number < len(lines) else None
        if heading is None or opening is None or opening[1] in endless:
            continue
        try:
            end = lines.index(opening[1], number + 1)
        except ValueError:
            endless.add(opening[1])
            continue
        text = _plain("\n".join(lines[number + 1 : end]))
        yield _SentPiece(heading[2], int(heading[3]), int(heading[4]), text)
        number = end + 1


def _read_tagged(content: str) -> Iterator[_SentPiece]:
    """The lines of files in tags; a block with a note shows something else, or nothing."""
    from contextls.text.tags import read_blocks

    for block in read_blocks(content):
        lines = _LINES.fullmatch(block.attributes.get("lines", ""))
        path = block.attributes.get("path")
        if path and lines and "note" not in block.attributes:
            yield _SentPiece(path, int(lines[1]), int(lines[2]), _plain(block.text))


def _read_object(line: str) -> Iterator[_SentPiece]:
    """The piece of a line of the format ``structured``."""
    try:
        match json.loads(line):
            case {"path": str(path), "lines": [int(start), int(end)], "text": str(text)}:
                yield _SentPiece(path, start, end, _plain(text))
    except (ValueError, RecursionError):
        return
