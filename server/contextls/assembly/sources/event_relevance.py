"""Decides which events belong into a prompt: those that the question means, and those that touch what it names or found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct, field

from contextls.assembly.pieces.bodies import CodeSpan
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.question import Question
from contextls.assembly.request import server_entries_of
from contextls.assembly.strategies import has_own_shares
from contextls.assembly.targets.work_question import Work, is_work_word
from contextls.memory.events.exit_status import was_work
from contextls.memory.events.failures import STALE_MS
from contextls.memory.index.segments.outlines import Outline
from contextls.model import FILE_CHANGES, GIT_MOVES, LOOKS, TROUBLE, Event, EventType, Section

# The number of leading files that count as found.
MAX_FOUND_FILES = 3
# What is nearly as likely to be of use as the best.
NEAR_THE_BEST = 0.85
# Words up to this length stand anywhere.
MAX_COMMON_WORD_CHARS = 3
# What a person or a tool said is named by this share of the question's words.
MIN_HELD = 0.5
# People call a command by its first two words: "git push", "npm test".
COMMAND_WORDS = 2
_SAID: Mapping[str, str] = {
    EventType.NOTE: "text",
    EventType.ERROR: "message",
    EventType.DIAGNOSTIC: "message",
}
_CHANGES = FILE_CHANGES | {EventType.FILES_CHANGED}
# That a file was looked at says nothing about what is in it.
_TOUCHING = _CHANGES | TROUBLE | {EventType.GIT_COMMIT}
_MEANT: Mapping[Work, frozenset[str]] = {
    Work.CHANGES: _CHANGES | GIT_MOVES,
    Work.REVIEW: _CHANGES | GIT_MOVES,
    Work.COMMITS: GIT_MOVES,
}
# What the user of these strategies wants to see in addition to the code.
_BY_STRATEGY: Mapping[str, Work] = {"debug": Work.FAILURE, "review": Work.CHANGES}


class EventRelevance(Struct, frozen=True):
    """Decides which events belong into a prompt: those that the question means, and those that touch what it is about."""

    now: int
    # Whether every event is meant; else events of the types ``meant``, and those whose ids are in ``failure``.
    everything: bool = False
    meant: frozenset[str] = frozenset()
    failure: frozenset[str] = frozenset()
    # Whether those of the types are meant only where they touch what the question is about.
    beside: bool = False
    # The files that were found for the question, with the symbols found in each.
    found: Mapping[str, Collection[str]] = field(default_factory=dict)
    # The names and the rarer words of the question, and its text, in which commands may be named.
    named: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    text: str = ""
    # The ids of events whose output is kept at hand.
    kept: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, question: Question, content: Sequence[Candidate], outlines: Mapping[str, Outline], now: int
    ) -> EventRelevance:
        """Read from ``question``, and from the ``content`` found for it, which events belong."""
        request, kind = question.request, question.work.kind
        kind = kind or _BY_STRATEGY.get(question.strategy.name)
        asked = (
            bool(request.filters.event_types or request.filters.task_id)
            or request.boosts.sections.get(Section.RECENT, 1.0) > 1
            or (has_own_shares(request.strategy_overrides) and question.strategy.shares[Section.RECENT] > 0)
        )
        ids: frozenset[str] = frozenset()
        if kind is Work.FAILURE and question.failures:
            latest = question.failures[0]
            ids = frozenset(event.id for event in (*latest.events, *latest.changes))
        elif kind is Work.STANDING:
            ids = frozenset(event.id for failure in question.failures for event in failure.events)
        return cls(
            now,
            everything=asked or kind is Work.STANDING,
            meant=_MEANT.get(kind, frozenset()) if kind else frozenset(),
            beside=question.work.kind is Work.CHANGES and not question.work.alone,
            failure=ids,
            found={} if question.stops else _leading(content, outlines),
            named=question.signals.mentions,
            text=f" {' '.join(request.query.split())} ",
            kept=frozenset(each.id for each in server_entries_of(request)),
            words=tuple(
                word
                for word in question.signals.keywords
                if len(word) > MAX_COMMON_WORD_CHARS and not is_work_word(word)
            ),
        )

    def asks_for(self, event: Event) -> bool:
        """Whether the question means the event itself, not only what it touches."""
        if event.id in self.failure or self.everything:
            return True
        return event.type in self.meant and (not self.beside or any(map(self._is_asked_about, _paths(event))))

    def lets_in(self, event: Event) -> bool:
        """Whether an event belongs into the prompt."""
        if event.id in self.failure or event.id in self.kept:
            return True
        if event.type == EventType.SHELL_EXEC and not was_work(event):
            return False
        if event.type == EventType.WORKING_SET:  # what is pinned shows itself
            return False
        return self.asks_for(event) or self._names(event) or self._touches_found(event)

    def _is_asked_about(self, path: str) -> bool:
        name = path.rpartition("/")[2].lower()
        return path in self.found or any(word in name for word in self.words)

    def _touches_found(self, event: Event) -> bool:
        if event.type not in _TOUCHING or self.now - event.timestamp > STALE_MS:
            return False
        symbols = event.content.get("symbols")
        changed = set(symbols) if isinstance(symbols, list) else set()
        for path in _paths(event):
            known = self.found.get(path)
            if known is not None and (not changed or not known or not changed.isdisjoint(known)):
                return True
        return False

    def _names(self, event: Event) -> bool:
        """Whether the question names what the event touches, or the command that ran."""
        if event.type in LOOKS:
            return False
        symbols = event.content.get("symbols")
        touched = [*_paths(event), *(symbols if isinstance(symbols, list) else ())]
        command = str(event.content.get("command") or "")  # an error's is the one that told of it
        said = str(event.content.get(_SAID.get(event.type, "")) or "").lower()
        held = sum(word in said for word in self.words) if said else 0
        if held and held >= MIN_HELD * len(self.words):
            return True
        if command and f" {' '.join(command.split()[:COMMAND_WORDS])} " in self.text:
            return True
        return any(name in command or any(_is_named(name, each) for each in touched) for name in self.named)


def _leading(content: Sequence[Candidate], outlines: Mapping[str, Outline]) -> dict[str, set[str]]:
    """The files that lead among what was found, with the symbols of the pieces that did."""
    leading: dict[str, set[str]] = {}
    least = NEAR_THE_BEST * max((one.scores.relevance for one in content), default=0.0)
    for candidate in sorted(content, key=lambda one: -one.scores.relevance):
        body = candidate.body
        if not isinstance(body, CodeSpan) or candidate.scores.relevance < least:
            continue
        if body.path not in leading and len(leading) >= MAX_FOUND_FILES:
            continue
        outline = outlines.get(body.path)
        leading.setdefault(body.path, set()).update(
            each.qualified for each in (outline.touching(body.start_line, body.end_line) if outline else ())
        )
    return leading


def _paths(event: Event) -> Iterable[str]:
    path, paths = event.content.get("path"), event.content.get("paths")
    if isinstance(path, str):
        yield path
    if isinstance(paths, list):
        yield from (each for each in paths if isinstance(each, str))


def _is_named(name: str, touched: str) -> bool:
    """Whether a name of the question is this path or symbol, or the end of it."""
    return touched == name or touched.endswith((f"/{name}", f".{name}", f"#{name}"))
