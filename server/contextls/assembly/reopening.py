"""Reopens a kept answer for an update: without what may no longer be shown, and with warnings about what has changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.admission.permissions import permissions_for
from contextls.assembly.admission.pin_roles import without_role
from contextls.assembly.answer.result import Assembled
from contextls.assembly.assembler import choose_shape
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.request import TaggedRequest
from contextls.assembly.sources.events import event_candidates
from contextls.assembly.wording.signals import read_signals
from contextls.memory.events.leaks import shown_events
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.working_set.exclusions import Exclusions
from contextls.model import Event


class KeptAnswer(Struct, frozen=True):
    """An answer, and what it is compared with to tell how the workspace has changed since."""

    answer: Assembled
    # The outlines of its files.
    outlines: Mapping[str, Outline | None]
    # Its size.
    characters: int
    exclusions: Exclusions


def reopen(
    kept: KeptAnswer, memories: MemorySnapshot, renew: Callable[[TaggedRequest], TaggedRequest]
) -> tuple[Assembled, list[str]]:
    """The answer without what may no longer be shown, and warnings about what has changed since it was made.

    ``renew`` reads again what stands before the pieces of a tagged prompt.
    """
    answer = _without_ignored(_renew(kept.answer, renew), memories.accepts)
    warnings = _describe_changed_files(kept.outlines, memories.snapshot)
    if kept.exclusions != memories.exclusion.exclusions:
        clear = memories.exclusion.clear
        answer = replace(answer, chosen=clear(answer.chosen), left=clear(answer.left))
        warnings.append("what is excluded changed since this context was assembled; assemble again")
    return answer, warnings


def admit_event(
    event: Event | None, before: Assembled, memories: MemorySnapshot
) -> tuple[Candidate | None, str | None]:
    """The candidate of the event, or why it is left out; ``None`` stands for an event that may not be kept."""
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


def _describe_changed_files(outlines: Mapping[str, Outline | None], snapshot: Snapshot) -> list[str]:
    changed = sorted(
        path for path, known in outlines.items() if not _is_same(known, snapshot.outlines.get(path))
    )
    if not changed:
        return []
    named = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    return [f"changed since this context was assembled: {named}; assemble again to see the new text"]


def _is_same(known: Outline | None, now: Outline | None) -> bool:
    return known is now or (known is not None and known.is_of_same_text(now))
