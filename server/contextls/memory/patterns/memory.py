"""The patterns of one workspace: counted as events come in, kept between runs, asked by questions."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from os.path import lexists
from pathlib import Path
from typing import TypeVar

from contextls.errors import StoreError
from contextls.memory.events import EventLog
from contextls.memory.events.leaks import shows_ignored
from contextls.memory.events.schema import event_number
from contextls.memory.feedback import Feedback, Tally
from contextls.memory.patterns.describe import describe_all
from contextls.memory.patterns.match import Occasion, PatternMatch, find_matches, with_feedback
from contextls.memory.patterns.miner import Miner
from contextls.memory.vcs.view import CommitView
from contextls.model import Pattern
from contextls.store.database import Database
from contextls.store.notices import Notices

_MIGRATIONS = (
    "CREATE TABLE mined (only_row INTEGER PRIMARY KEY, last INTEGER NOT NULL, wipes INTEGER NOT NULL, state TEXT NOT NULL);",
)
FILE_NAME = "patterns.sqlite"
# Written into the state; a state of another form is counted again.
FORM = 1
STEP = 1_000
# A question counts no more than this many new events (about 50 ms); the rest waits for the next, or for `catch_up`.
EVENTS_PER_QUESTION = 5_000
T = TypeVar("T")
# Events between two saves: counting fewer again at the next start costs less than writing the state.
SAVED_AFTER = 500


class PatternMemory:
    """Counts habits in the events of a log, incrementally. Safe to use from any thread.

    What was counted is kept in ``folder`` (a cache: damaged or of another form, it is counted again).
    """

    name = "patterns"

    def __init__(
        self,
        folder: Path,
        log: EventLog,
        feedback: Feedback,
        root: Path,
        accepts: Callable[[str], bool],
        notices: Notices | None = None,
    ) -> None:
        """``accepts`` says whether a path below ``root`` may be shown. Nothing is read yet."""
        self._database = Database.cache(folder / FILE_NAME, _MIGRATIONS, notices)
        self._log = log
        self._feedback = feedback
        self._root = root
        self._accepts = accepts
        self._lock = threading.Lock()
        self._miner: Miner | None = None
        self._last = 0
        self._wipes = 0
        self._saved = 0

    def catch_up(self, most: int | None = None) -> int:
        """Count new events, at most ``most``; how many were counted. Raises ``StoreError``."""
        counted = 0
        while most is None or counted < most:
            with self._lock:
                taken = self._step(STEP if most is None else min(STEP, most - counted))
            counted += taken
            if not taken:
                break
        return counted

    def matching(self, occasion: Occasion, history: CommitView, now: int, limit: int) -> list[PatternMatch]:
        """The habits that concern a question, strongest and surest first, none that names an ignored file."""
        self.catch_up(EVENTS_PER_QUESTION)
        with self._lock:
            found = find_matches(self._current(), occasion, history)
        tallies = self._feedback.tallies(now)
        told = [
            PatternMatch(_describe(match.pattern, tallies.get(match.pattern.id)), match.strength)
            for match in found
        ]
        told.sort(key=lambda match: (-match.strength * match.pattern.confidence, match.pattern.id))
        return list(_first(limit, told, lambda match: self._may_show(match.pattern)))

    def about(self, path: str | None, now: int, limit: int) -> tuple[Pattern, ...]:
        """The surest habits that the events speak for; with ``path``, only those that name this file."""
        self.catch_up()
        with self._lock:
            found = list(describe_all(self._current().tables))
        tallies = self._feedback.tallies(now)
        told = [
            _describe(pattern, tallies.get(pattern.id))
            for pattern in found
            if path is None or path in pattern.files
        ]
        told.sort(key=lambda pattern: (-pattern.confidence, -pattern.successes, pattern.id))
        return tuple(_first(limit, told, self._may_show))

    def version(self) -> int:
        """The number of the newest event that is counted, after as many new ones as a question counts.

        A log that cannot be read leaves it where it was.
        """
        with suppress(StoreError):
            self.catch_up(EVENTS_PER_QUESTION)
        return self._last

    def warnings(self) -> tuple[str, ...]:
        """Nothing: a cache that cannot be used costs only time."""
        return ()

    def wipe(self) -> None:
        """Throw away what was counted, also on disk; the events are counted again."""
        with self._lock:
            self._miner = Miner()
            self._last = self._saved = 0
            self._wipes = self._log.wipes()
            with self._database.write() as connection:
                connection.execute("DELETE FROM mined")
        self._database.shrink()

    def save(self) -> None:
        """Keep what was counted since it was last saved, if it is worth it. A cache that cannot be written is no error."""
        with self._lock, suppress(StoreError):
            if self._miner is not None and self._last - self._saved >= SAVED_AFTER:
                state = json.dumps({"form": FORM, "miner": self._miner.as_json()}, ensure_ascii=False)
                with self._database.write() as connection:
                    connection.execute(
                        "INSERT OR REPLACE INTO mined VALUES (1, ?, ?, ?)", (self._last, self._wipes, state)
                    )
                self._saved = self._last

    def close(self) -> None:
        """Save and let go of the file."""
        self.save()
        self._database.close()

    def _step(self, most: int) -> int:
        miner = self._current()
        last, _, wipes = self._log.version()
        # A log that ends before what was counted has lost its end, or is another one.
        if wipes != self._wipes or self._last > last:
            miner = self._miner = Miner()
            self._last, self._wipes = 0, wipes
        events = self._log.after(self._last, most) if self._last < last else ()
        for event in events:
            miner.take(event)
        if events:
            self._last = event_number(events[-1].id) or self._last
        return len(events)

    def _current(self) -> Miner:
        if self._miner is None:
            self._miner = self._load() or Miner()
        return self._miner

    def _load(self) -> Miner | None:
        rows = self._database.read("SELECT last, wipes, state FROM mined")
        if not rows:
            self._wipes = self._log.wipes()
            return None
        miner = Miner()
        try:
            state = json.loads(rows[0][2])
            if state["form"] != FORM:
                return None
            miner.load_json(state["miner"])
        except (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            return None
        self._last, self._wipes = int(rows[0][0]), int(rows[0][1])
        self._saved = self._last
        return miner

    def _may_show(self, pattern: Pattern) -> bool:
        """Whether its files are still there, and neither they nor what its commands name are ignored by now."""
        there = all(self._exists(path) and self._accepts(path) for path in pattern.files)
        return there and not any(map(self._names_ignored, pattern.commands))

    def _exists(self, path: str) -> bool:
        return lexists(f"{self._root}/{path}")

    def _names_ignored(self, command: str) -> bool:
        # Most words name no file; telling that is cheap, asking the ignore rules is not.
        words = [word for word in command.split() if "/" in word or "." in word or self._exists(word)]
        named = {"command": " ".join(words), "stdout": "."}
        return bool(words) and shows_ignored(named, self._root, self._accepts)


def _describe(pattern: Pattern, tally: Tally | None) -> Pattern:
    return pattern if tally is None else with_feedback(pattern, tally.helpful, tally.unhelpful)


def _first(limit: int, candidates: Iterable[T], wanted: Callable[[T], bool]) -> Iterator[T]:
    for candidate in candidates:
        if limit <= 0:
            return
        if wanted(candidate):
            limit -= 1
            yield candidate
