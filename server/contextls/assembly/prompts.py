"""The prompts of one workspace: answers given again while they hold, and contexts that can be brought up to date."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from contextls.assembly.assembler import assemble
from contextls.assembly.cache import AnswerCache, MemoryState
from contextls.assembly.gather import Sources
from contextls.assembly.items import Item
from contextls.assembly.request import check_budget
from contextls.assembly.result import Assembled
from contextls.assembly.signals import read_signals
from contextls.assembly.sources.recent import event_items
from contextls.assembly.update import updated
from contextls.errors import InvalidRequestError
from contextls.memory.leaks import shown_events
from contextls.memory.outlines import Outline
from contextls.memory.snapshot import Snapshot
from contextls.memory.working_set.exclusions import Exclusions
from contextls.model import AssembleRequest, Context, Event

MOST_CONTEXTS = 64
# Characters of all contexts together: a few very large ones must not fill the machine's memory.
MOST_CHARACTERS = 32_000_000
OF_A_LINE = 100  # what keeping one line as an object of its own costs, in characters


@dataclass(frozen=True, slots=True)
class _Kept:
    """An answer and the outlines of its files as they were, to see which have changed since."""

    answer: Assembled
    outlines: dict[str, Outline | None]
    characters: int
    exclusions: Exclusions


class Prompts:
    """Assembles, remembers for half a minute, and updates. Safe to use from several threads."""

    def __init__(self, tokenizer: str) -> None:
        """``tokenizer`` counts where a request names none."""
        self._tokenizer = tokenizer
        self._cache = AnswerCache()
        self._guard = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def assemble(
        self, request: AssembleRequest, sources: Sources, state: MemoryState, *, exact: bool
    ) -> Context:
        """The answer, from the cache when ``state`` allows it. ``exact`` asks for the very moment ``sources.now``."""
        # What is staged is no part of the state: such a request is answered anew each time.
        known = None if request.changes else self._cache.get(state, request, sources.now, exact=exact)
        answer = known or assemble(request, sources, self._tokenizer)
        if known is None and request.changes is None:
            self._cache.put(state, sources.now, answer)
        self._keep(answer, sources)
        context = answer.context
        return replace(context, report=replace(context.report, cached=True)) if known else context

    def update(
        self, context_id: str, event: Event | None, max_tokens: int | None, sources: Sources
    ) -> Context:
        """The context of this id with ``event`` first; ``None`` stands for one that may not be kept.

        Raises ``InvalidRequestError`` when the id is not (or no longer) known, or the budget is none.
        """
        kept = self._known(context_id)
        budget = kept.answer.request.max_tokens if max_tokens is None else max_tokens
        check_budget(budget)
        before = _allowed(kept.answer, sources.accepts)
        warnings = [*_stale(kept.outlines, sources.snapshot)]
        if kept.exclusions != sources.excluding.exclusions:
            cleared = sources.excluding.cleared
            before = replace(before, chosen=cleared(before.chosen), left=cleared(before.left))
            warnings.append("what is excluded changed since this context was assembled; assemble again")
        news = None
        event = _shown(event, sources)
        if event is None:
            warnings.append(
                "the event concerns an ignored or excluded file or is not recorded; it was left out"
            )
        else:
            news = _first_item(event, before, sources)
        same = len(before.chosen) == len(kept.answer.chosen) and before.context.token_count <= budget
        if news is None and max_tokens is None and same:
            report = before.context.report
            return replace(before.context, report=replace(report, warnings=(*report.warnings, *warnings)))
        answer = updated(before, news, budget, warnings)
        self._keep(answer, sources, kept.outlines)
        return answer.context

    def check_known(self, context_id: str) -> None:
        """Raise ``InvalidRequestError`` when no context has this id (any more)."""
        self._known(context_id)

    def forget(self) -> None:
        """Keep nothing of what was assembled."""
        self._cache.forget()
        with self._guard:
            self._kept.clear()

    def _known(self, context_id: str) -> _Kept:
        with self._guard:
            kept = self._kept.get(context_id)
            if kept is not None:
                self._kept.move_to_end(context_id)
                return kept
        raise InvalidRequestError(
            "contextId",
            f"the id of one of the last {MOST_CONTEXTS} contexts of this server; assemble again",
            context_id,
        )

    def _keep(
        self, answer: Assembled, sources: Sources, known: dict[str, Outline | None] | None = None
    ) -> None:
        paths = {path for item in answer.chosen if item.code for path in item.paths}
        outlines = {path: (known or sources.snapshot.outlines).get(path) for path in paths}
        size = sum(map(_characters, (*answer.chosen, *answer.left)))
        with self._guard:
            self._kept[answer.context.id] = _Kept(answer, outlines, size, sources.excluding.exclusions)
            self._kept.move_to_end(answer.context.id)
            while len(self._kept) > MOST_CONTEXTS or (len(self._kept) > 1 and self._size() > MOST_CHARACTERS):
                self._kept.popitem(last=False)

    def _size(self) -> int:
        return sum(kept.characters for kept in self._kept.values())


def _characters(item: Item) -> int:
    """What an item keeps in memory; of a pinned one also the lines that it does not show."""
    lines = item.excerpt.lines if item.excerpt else ()
    return len(item.text) + sum(len(line.text) + OF_A_LINE for line in lines)


def _shown(event: Event | None, sources: Sources) -> Event | None:
    """``event`` as far as a prompt may tell of it."""
    if event is None:
        return None
    return next(iter(sources.excluding.events(shown_events([event], sources.root, sources.accepts))), None)


def _first_item(event: Event, before: Assembled, sources: Sources) -> Item:
    """The item of a new event: nothing counts for more."""
    signals = read_signals(sources.content.question(before.request.query))
    (item,) = event_items([event], signals, sources.now)
    return replace(item, relevance=1.0, recency=1.0, salience=1.0, why="recorded just now")


def _allowed(answer: Assembled, accepts: Callable[[str], bool]) -> Assembled:
    """``answer`` without what speaks of files that are ignored by now."""

    def shown(items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(item for item in items if all(map(accepts, item.paths)))

    return replace(answer, chosen=shown(answer.chosen), left=shown(answer.left))


def _stale(outlines: dict[str, Outline | None], snapshot: Snapshot) -> list[str]:
    changed = sorted(path for path, known in outlines.items() if snapshot.outlines.get(path) is not known)
    if not changed:
        return []
    named = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    return [f"changed since this context was assembled: {named}; assemble again to see the new text"]
