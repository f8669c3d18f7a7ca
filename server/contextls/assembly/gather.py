"""Gathers what may enter a prompt: reads the question, applies its scope, asks every source."""

from __future__ import annotations

from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.admission.filters import Admission
from contextls.assembly.admission.permissions import PermissionKind, Permissions, permissions_for
from contextls.assembly.collect import Collected, collect_candidates
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question, read_question
from contextls.assembly.request import BudgetedRequest, RetrievalRequest, RootedRequest, TaggedRequest
from contextls.assembly.sources.absent_places import describe_absent_places
from contextls.assembly.sources.scoping import (
    apply_scope,
    describe_hidden,
    describe_scope,
    include_failure,
    read_request_scope,
)
from contextls.assembly.steps import Steps
from contextls.assembly.strategies import led_by_changes, strategy_for
from contextls.assembly.wording.editor_words import points_here
from contextls.model import EditorPosition, Strategy


class Gathered(Struct, frozen=True):
    """The offers for a question, the ``admission`` that filters them, and the ``strategy`` that weighs them."""

    question: Question
    offers: Collected
    admission: Admission
    strategy: Strategy


def gather(request: BudgetedRequest, memories: MemorySnapshot, steps: Steps) -> Gathered:
    """Ask the memories what they have for ``request``. Raises ``InvalidRequestError`` naming the field that is wrong."""
    strategy = strategy_for(request.archetype, request.strategy_overrides)
    permissions = permissions_for(request, memories.identity_permissions)
    if isinstance(request, RootedRequest) and request.installed:
        memories = memories.code_alone()
    sends_rules = isinstance(request, RetrievalRequest | TaggedRequest)
    admission = Admission(request.filters, permissions, with_rules=not sends_rules)
    if hidden := permissions.count_hidden(memories.snapshot.view.paths):
        steps.notes.append(f"permissions: the code of {hidden:,} files may not be shown")
    if (absent := _explain_active_file(request, memories, permissions, steps)) is not None:
        steps.notes.append(absent)
    steps.notes += (*memories.absence, *_describe_long_texts(memories, permissions))
    whole = replace(memories, snapshot=admission.searchable(memories.snapshot))
    request = _with_only_file(request, whole)
    scope = read_request_scope(request, whole)
    question = read_question(request, strategy, apply_scope(whole, scope), steps, admission)
    steps.notes += describe_absent_places(question, whole.snapshot)
    scope = include_failure(scope, question, whole)
    if scope:
        steps.notes.append(describe_scope(scope, whole))
    offers = collect_candidates(question, apply_scope(whole, scope), steps)
    if outside := describe_hidden(question, scope, whole, offers.candidates):
        steps.notes.append(outside)
    if question.target.hunks or (question.stops and not question.lacks_changes):
        strategy = led_by_changes(strategy, request.strategy_overrides)
    return Gathered(question, offers, admission, strategy)


def _describe_long_texts(memories: MemorySnapshot, permissions: Permissions) -> list[str]:
    """A sentence for each open file whose unsaved text is too long to be shown."""
    return [
        f"{path}: its unsaved text is longer than the setting `maxFileBytes` allows; what is on disk counts"
        for path in sorted(memories.too_long)
        if memories.accepts(path) and permissions.allow(PermissionKind.CODE, [path])
    ]


def _with_only_file(request: BudgetedRequest, memories: MemorySnapshot) -> BudgetedRequest:
    """``request`` with the one file that its patterns leave as the one in front of the user: "explain this function"."""
    if request.position is not None or not request.filters.paths or not points_here(request.query):
        return request
    paths = list(islice(memories.snapshot.view.paths, 2))
    return replace(request, position=EditorPosition(paths[0])) if len(paths) == 1 else request


def _explain_active_file(
    request: BudgetedRequest, memories: MemorySnapshot, permissions: Permissions, steps: Steps
) -> str | None:
    """The reason why the file in front of the user cannot enter; ``None`` where it can."""
    position = request.position
    if position is None:
        return None
    if not permissions.allow(PermissionKind.CODE, [position.path]):
        return f"permissions: {position.path} may not be shown"
    if position.path in memories.snapshot.outlines:
        return None
    return steps.run("position", lambda: memories.explain_absence(position.path), None)
