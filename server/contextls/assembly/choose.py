"""Makes the final text of the gathered candidates: admits, weighs and selects them, and fits them to the budget."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from contextls.assembly.admission.filters import ScoreBoosts, admit
from contextls.assembly.gather import Gathered
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import ShownBefore
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.sent import EARLIER, NOTHING_SENT
from contextls.assembly.request import BudgetedRequest, FollowUpRequest
from contextls.assembly.selection.adjustments import weigh_by_hints
from contextls.assembly.selection.fit import Fitted, fit_to_budget
from contextls.assembly.selection.repeats import Repeats
from contextls.assembly.selection.select import describe_omission, select
from contextls.assembly.selection.summarizing import SummarizingShrink
from contextls.assembly.selection.task_shares import cut_tasks
from contextls.assembly.shapes.copies import asked_files, fold_copies
from contextls.assembly.shapes.shape import PromptShape
from contextls.assembly.steps import Steps
from contextls.model import ManifestBudget, Omission


class Choice(Struct, frozen=True):
    """The final text, and what is reported of how it came about."""

    final: Fitted
    omitted: tuple[Omission, ...]
    # The candidates that an update may take in.
    left: tuple[Candidate, ...]
    # All candidates that were admitted, before any shrank.
    whole: Sequence[Candidate]
    failures: tuple[str, ...]

    def original_tokens(self, shape: PromptShape) -> Mapping[str, int]:
        """The tokens that shortened pieces, and those only pointed to, would have had, by their ids."""
        smaller = {
            piece.candidate.id for piece in self.final.pieces if piece.candidate.compression is not None
        }
        tokens = {one.id: shape.measure(one.body) for one in self.whole if one.id in smaller}
        for piece in self.final.pieces:
            if isinstance(piece.candidate.body, ShownBefore):
                tokens[piece.candidate.id] = shape.measure(piece.candidate.body.of)
        return tokens


def choose(
    request: BudgetedRequest,
    gathered: Gathered,
    memories: MemorySnapshot,
    allocation: ManifestBudget,
    shape: PromptShape,
    steps: Steps,
) -> Choice:
    """Spend the budget of ``request`` on the best of what was gathered, as ``shape`` writes it."""
    started = time.perf_counter()
    strategy = gathered.strategy
    room = max(0, request.max_tokens - shape.frame.tokens)
    lines, cut_off = cut_tasks(gathered.offers.candidates, room, shape)
    if memories.working_set:
        lines = weigh_by_hints(lines, memories.working_set.hints())
    boosted = ScoreBoosts.of(request.boosts).apply(lines)
    admitted, excluded = admit(boosted, gathered.admission, memories.exclusion)
    kept, copies = fold_copies(admitted, asked_files(gathered.question, admitted))
    shrink = SummarizingShrink(shape, memories.summaries)
    sent = request.sent if isinstance(request, FollowUpRequest) else NOTHING_SENT
    repeats = Repeats(sent, shape, shrink)
    fresh, repeated = repeats.split(kept)
    selection = select(fresh, strategy, room, shape, repeats.shrink, repeats.recall, allocation)
    steps.add("select", started)
    started = time.perf_counter()
    final = fit_to_budget(
        selection.chosen, request.max_tokens, strategy, shape, shrink=repeats.shrink, order=request.order
    )
    steps.add("shape", started)
    if shrink.asked:
        steps.ms["summaries"] = round(shrink.ms, 3)
    shown_elsewhere = [describe_omission(each, EARLIER, shape) for each in repeated]
    shown_elsewhere += [describe_omission(each, "duplicate", shape) for each in copies]
    kept_out = (
        *shown_elsewhere,
        *_omitted_by_request(excluded, gathered, shape),
        *_omitted_by_sources(gathered, memories, shape),
    )
    return Choice(
        final=final,
        omitted=(*cut_off, *gathered.offers.omitted, *selection.omitted, *final.omitted, *kept_out),
        left=(*final.dropped, *selection.left),
        whole=kept,
        failures=(*selection.warnings, *shrink.warnings),
    )


def _omitted_by_request(
    excluded: Sequence[Candidate], gathered: Gathered, shape: PromptShape
) -> Iterator[Omission]:
    for each in excluded:
        reason = "excluded" if gathered.question.permissions.allow_candidate(each) else "permission"
        yield describe_omission(each, reason, shape)


def _omitted_by_sources(
    gathered: Gathered, memories: MemorySnapshot, shape: PromptShape
) -> Iterator[Omission]:
    """The candidates that sources left out themselves, where the report may name them."""
    for each in gathered.offers.left_out:
        if gathered.admission.lets_in(each.candidate) and not memories.exclusion.hides_candidate(
            each.candidate
        ):
            yield describe_omission(each.candidate, each.reason, shape)
