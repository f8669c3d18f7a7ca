"""Calls of the sources of installed packages, which offer pieces from elsewhere, such as tickets or notes.

A package of the user's own environment names a function in the entry-point group ``contextls.sources``; nothing of a
workspace can. Whatever such a function does, the prompt is made: it is asked on a thread of its own, for a bounded time.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import islice

from contextls import cancellation
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import PackageText
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.source import PACKAGES, Offer
from contextls.model import PackageSource, Piece, PieceQuestion, Section
from contextls.text.gate import clean

ALL = "*"
# For all of them together: a question must not wait longer for what is not even of the workspace.
SECONDS = 1.0
POLL_SECONDS = 0.02
MAX_PIECES = 20
MAX_CHARS = 20_000
MAX_TITLE_CHARS = 200

Ask = Callable[[PieceQuestion], Iterable[Piece]]


def list_package_sources() -> tuple[PackageSource, ...]:
    """The sources of installed packages, each loaded to see whether it can be."""
    return tuple(PackageSource(each.name, each.package, each.load_problem()) for each in find_sources())


@cache
def find_sources() -> tuple[InstalledSource, ...]:
    """Those of this process's environment, by name; looked up once. Of several with one name the first counts."""
    named: dict[str, InstalledSource] = {}
    for entry in sorted(entry_points(group=PACKAGES), key=lambda each: (each.name, each.value)):
        named.setdefault(entry.name, InstalledSource(entry))
    return tuple(named.values())


class InstalledSource:
    """One entry point. At most one question at a time is put to it."""

    def __init__(self, entry: EntryPoint) -> None:
        """Nothing of the package is imported before it is asked."""
        self.name = entry.name
        self.package = entry.dist.name if entry.dist else ""
        self.busy = threading.Lock()
        self._entry = entry

    def ask(self, question: PieceQuestion) -> list[Piece]:
        """Return its pieces, as far as they may be shown. Raises whatever the package raises."""
        function: Ask = self._entry.load()
        return [_check(piece) for piece in islice(function(question), MAX_PIECES)]

    def load_problem(self) -> str:
        """The reason why it cannot be loaded; empty where it can."""
        try:
            loaded = self._entry.load()
        except BaseException as error:  # what a module does when it is imported is its own
            return clean(f"{type(error).__name__}: {error}")
        return "" if callable(loaded) else f"{self._entry.value} is no function"


def ask_packages(question: Question, memories: MemorySnapshot) -> Offer:
    """The pieces of those that the settings let in; for one that fails or takes too long, a warning."""
    allowed = memories.package_sources
    asked = [each for each in find_sources() if ALL in allowed or each.name in allowed]
    position = question.position
    put = PieceQuestion(memories.root, question.request.query, position.path if position else None)
    calls = [_Call(each, put) for each in asked]
    give_up_at = time.monotonic() + SECONDS
    while any(call.runs for call in calls) and time.monotonic() < give_up_at:
        cancellation.check()
        time.sleep(POLL_SECONDS)
    pieces = [(call, number, piece) for call in calls for number, piece in enumerate(call.pieces(), 1)]
    return Offer(
        tuple(
            _candidate(call.name, number, piece)
            for call, number, piece in pieces
            if piece.path is None or memories.accepts(piece.path)
        ),
        warnings=tuple(call.problem for call in calls if call.problem),
    )


class _Call:
    """One question to one source, on a thread that nobody waits for at the end of the process."""

    def __init__(self, source: InstalledSource, question: PieceQuestion) -> None:
        self.name = source.name
        self._answer: Sequence[Piece] | None = None
        self._failure = ""
        if source.busy.acquire(blocking=False):
            name = f"contextls-source-{self.name}"
            threading.Thread(target=self._run, args=(source, question), name=name, daemon=True).start()
        else:
            self._failure = "it is still busy with an earlier question"

    @property
    def runs(self) -> bool:
        """Whether an answer may yet come."""
        return self._answer is None and not self._failure

    @property
    def problem(self) -> str:
        """The warning for the report; empty if there is none."""
        if self._answer is not None:
            return ""
        return f"source {self.name}: {self._failure or f'it gave no answer within {SECONDS:g} s'}"

    def pieces(self) -> Sequence[Piece]:
        """The pieces that have arrived."""
        return self._answer or ()

    def _run(self, source: InstalledSource, question: PieceQuestion) -> None:
        try:
            self._answer = source.ask(question)
        except BaseException as error:  # whatever it raises, the prompt is made
            self._failure = clean(f"{type(error).__name__}: {error}")
        finally:
            source.busy.release()


def _check(piece: object) -> Piece:
    """``piece`` itself. Raises ``TypeError`` where it is none: its package need not be typed."""
    if not isinstance(piece, Piece):
        raise TypeError(f"it gave {type(piece).__name__} in place of Piece")
    texts = (piece.title, piece.text, piece.why, piece.path or "")
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("it gave a piece whose title, text, why or path is no text")
    if not (isinstance(piece.relevance, int | float) and math.isfinite(piece.relevance)):
        raise TypeError("it gave a piece whose relevance is no number")
    return piece


def _candidate(source: str, number: int, piece: Piece) -> Candidate:
    # Looked through before it is cut, or half a secret would be left that nothing knows as one.
    text = clean(piece.text[: 2 * MAX_CHARS])[:MAX_CHARS].strip("\n")
    body = PackageText(source, clean(piece.title[: 2 * MAX_TITLE_CHARS])[:MAX_TITLE_CHARS], text)
    return Candidate(
        Section.PACKAGE,
        f"{source}:{number}",
        body,
        Scores(min(1.0, max(0.0, float(piece.relevance)))),
        paths=() if piece.path is None else (piece.path,),
        why=clean(piece.why) or f"the source {source} offers it",
    )
