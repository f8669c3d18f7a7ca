"""The prompts of one workspace: answers given again while they hold, and contexts that can be brought up to date."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from contextls.assembly.answer.cache import AnswerCache
from contextls.assembly.answer.result import Assembled
from contextls.assembly.answer.update import update
from contextls.assembly.assembler import assemble
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import EventRun, PinnedSpan
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.overlap import code_of
from contextls.assembly.reopening import KeptAnswer, admit_event, reopen
from contextls.assembly.request import BudgetedRequest, TaggedRequest, check_budget
from contextls.errors import InvalidRequestError
from contextls.memory.index.segments.outlines import Outline
from contextls.model import Context, Event

MAX_CONTEXTS = 64
# Characters of all contexts together: a few very large ones must not fill the machine's memory.
MAX_CHARS = 32_000_000
OF_A_LINE = 100  # what keeping one line as an object of its own costs, in characters


class Prompts:
    """Assembles, remembers for half a minute, and updates. Safe to use from several threads."""

    def __init__(self, tokenizer: str) -> None:
        """``tokenizer`` counts where a request names none."""
        self._tokenizer = tokenizer
        self._cache = AnswerCache()
        self._guard = threading.Lock()
        self._kept: OrderedDict[str, KeptAnswer] = OrderedDict()

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
        before, warnings = reopen(kept, memories, renew)
        news, refusal = admit_event(event, before, memories)
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

    def _find_context(self, context_id: str) -> KeptAnswer:
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
        self, answer: Assembled, memories: MemorySnapshot, known: Mapping[str, Outline | None] | None = None
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
            self._kept[answer.context.id] = KeptAnswer(answer, outlines, size, memories.exclusion.exclusions)
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
