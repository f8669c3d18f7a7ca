"""The prompts of one workspace: answers given again while they hold, and contexts that can be brought up to date."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.admission.permissions import permissions_for
from contextls.assembly.admission.pin_roles import without_role
from contextls.assembly.answer.cache import AnswerCache
from contextls.assembly.answer.result import Assembled
from contextls.assembly.answer.update import update
from contextls.assembly.assembler import assemble, choose_shape
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import EventRun, PinnedSpan
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.pieces.overlap import code_of
from contextls.assembly.request import BudgetedRequest, TaggedRequest, check_budget
from contextls.assembly.sources.events import event_candidates
from contextls.assembly.wording.signals import read_signals
from contextls.errors import InvalidRequestError
from contextls.memory.events.leaks import shown_events
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.working_set.exclusions import Exclusions
from contextls.model import Context, Event

MAX_CONTEXTS = 64
# Characters of all contexts together: a few very large ones must not fill the machine's memory.
MAX_CHARS = 32_000_000
OF_A_LINE = 100  # what keeping one line as an object of its own costs, in characters


class _Kept(Struct, frozen=True):
    """An answer, and what tells how the workspace has changed since."""

    answer: Assembled
    # The outlines of its files.
    outlines: dict[str, Outline | None]
    # Its size.
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

    def assemble(self, request: BudgetedRequest, memories: MemorySnapshot, *, exact: bool) -> Context:
        """The answer, from the cache when nothing has changed. ``exact`` asks for the very moment ``memories.now``."""
        # Staging changes no version, so a request about changes is answered again each time.
        known = (
            None if request.changes else self._cache.get(memories.version, request, memories.now, exact=exact)
        )
        answer = known or assemble(request, memories, self._tokenizer)
        # While files are missing, the next moment may know better.
        if known is None and request.changes is None and memories.index_complete:
            self._cache.put(memories.version, request, memories.now, answer)
        self._keep(answer, memories)
        context = answer.context
        return replace(context, report=replace(context.report, cached=True)) if known else context

    def update(
        self,
        context_id: str,
        event: Event | None,
        max_tokens: int | None,
        memories: MemorySnapshot,
        renew: Callable[[TaggedRequest], TaggedRequest],
    ) -> Context:
        """The context of this id with ``event`` first; ``None`` stands for one that may not be kept.

        ``renew`` reads again what stands before the pieces of a tagged prompt.

        Raises ``InvalidRequestError`` when the id is not (or no longer) known, or the budget is none.
        """
        kept = self._find_context(context_id)
        budget = kept.answer.request.max_tokens if max_tokens is None else max_tokens
        check_budget(budget)
        budget = memories.budget().bound(budget)
        before, warnings = _reopen(kept, memories, renew)
        news, refusal = _admit(event, before, memories)
        warnings += [refusal] if refusal else []
        is_unchanged = (
            news is None
            and max_tokens is None
            and len(before.chosen) == len(kept.answer.chosen)
            and before.request == kept.answer.request
            and before.context.token_count <= budget
        )
        if is_unchanged:
            return replace(before.context, report=before.context.report.with_warnings(warnings))
        answer = update(before, news, budget, warnings)
        self._keep(answer, memories, kept.outlines)
        return answer.context

    def check_known(self, context_id: str) -> None:
        """Raise ``InvalidRequestError`` when no context has this id (any more)."""
        self._find_context(context_id)

    def forget(self) -> None:
        """Keep nothing of what was assembled."""
        self._cache.forget()
        with self._guard:
            self._kept.clear()

    def _find_context(self, context_id: str) -> _Kept:
        with self._guard:
            kept = self._kept.get(context_id)
            if kept is not None:
                self._kept.move_to_end(context_id)
                return kept
        raise InvalidRequestError(
            "contextId",
            f"the id of one of the last {MAX_CONTEXTS} contexts of this server; assemble again",
            context_id,
        )

    def _keep(
        self, answer: Assembled, memories: MemorySnapshot, known: dict[str, Outline | None] | None = None
    ) -> None:
        paths = {
            path
            for each in answer.chosen
            if code_of(each) or isinstance(each.body, PinnedSpan)
            for path in each.paths
        }
        outlines = {path: (known or memories.snapshot.outlines).get(path) for path in paths}
        size = sum(map(_characters, (*answer.chosen, *answer.left)))
        with self._guard:
            self._kept[answer.context.id] = _Kept(answer, outlines, size, memories.exclusion.exclusions)
            self._kept.move_to_end(answer.context.id)
            while len(self._kept) > MAX_CONTEXTS or (len(self._kept) > 1 and self._size() > MAX_CHARS):
                self._kept.popitem(last=False)

    def _size(self) -> int:
        return sum(kept.characters for kept in self._kept.values())


def _characters(candidate: Candidate) -> int:
    """Estimate the memory that a candidate holds, in characters; a pinned one holds all its lines."""
    body = candidate.body
    if isinstance(body, PinnedSpan):
        return sum(len(line.text) + OF_A_LINE for line in body.lines)
    if isinstance(body, EventRun):
        return len(body.output or "") + OF_A_LINE
    text = getattr(body, "text", None) or ""
    return len(text) + OF_A_LINE


def _reopen(
    kept: _Kept, memories: MemorySnapshot, renew: Callable[[TaggedRequest], TaggedRequest]
) -> tuple[Assembled, list[str]]:
    """The answer without what may no longer be shown, and warnings about what has changed since it was made."""
    answer = _without_ignored(_renew(kept.answer, renew), memories.accepts)
    warnings = _stale(kept.outlines, memories.snapshot)
    if kept.exclusions != memories.exclusion.exclusions:
        clear = memories.exclusion.clear
        answer = replace(answer, chosen=clear(answer.chosen), left=clear(answer.left))
        warnings.append("what is excluded changed since this context was assembled; assemble again")
    return answer, warnings


def _admit(
    event: Event | None, before: Assembled, memories: MemorySnapshot
) -> tuple[Candidate | None, str | None]:
    """The candidate of the event, or why it is left out."""
    shown = _hide_ignored(event, memories)
    permissions = permissions_for(before.request, memories.identity_permissions)
    if shown is None:
        return None, "the event concerns an ignored or excluded file or is not recorded; it was left out"
    if not permissions.allow_event(shown):
        return None, "permissions: the event may not be shown; it was left out"
    return _first_candidate(shown, before, memories), None


def _hide_ignored(event: Event | None, memories: MemorySnapshot) -> Event | None:
    """The event as prompts may show it; ``None`` where they may not."""
    if event is None:
        return None
    return next(iter(memories.exclusion.events(shown_events([event], memories.root, memories.accepts))), None)


def _first_candidate(event: Event, before: Assembled, memories: MemorySnapshot) -> Candidate:
    """The candidate of a new event, which counts for more than any other."""
    signals = read_signals(memories.content.read_query(before.request.query, before.request.other_words))
    (candidate,) = event_candidates([event], signals, memories.now)
    return replace(candidate, scores=Scores(1.0, 1.0, 1.0), why="recorded just now")


def _renew(answer: Assembled, renew: Callable[[TaggedRequest], TaggedRequest]) -> Assembled:
    """``answer`` with its preface read again; pins keep their roles only while the folder is trusted."""
    if not isinstance(answer.request, TaggedRequest):
        return answer
    request = renew(answer.request)
    shape = choose_shape(request)(answer.shape.tokenizer)
    if request.preface.trusted:
        return replace(answer, request=request, shape=shape)
    chosen, left = (tuple(map(without_role, each)) for each in (answer.chosen, answer.left))
    return replace(answer, request=request, shape=shape, chosen=chosen, left=left)


def _without_ignored(answer: Assembled, accepts: Callable[[str], bool]) -> Assembled:
    """``answer`` without pieces about files that are ignored by now."""

    def shown(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        return tuple(each for each in candidates if all(map(accepts, each.paths)))

    return replace(answer, chosen=shown(answer.chosen), left=shown(answer.left))


def _stale(outlines: dict[str, Outline | None], snapshot: Snapshot) -> list[str]:
    changed = sorted(
        path for path, known in outlines.items() if not _is_same(known, snapshot.outlines.get(path))
    )
    if not changed:
        return []
    named = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    return [f"changed since this context was assembled: {named}; assemble again to see the new text"]


def _is_same(known: Outline | None, now: Outline | None) -> bool:
    return known is now or (known is not None and known.is_of_same_text(now))
