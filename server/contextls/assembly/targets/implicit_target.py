"""The target that a question means without naming it: the last failure, the changes, the code at the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.assembly.targets.change_context import (
    ShownDiffs,
    describe_changes,
    find_change_context,
    names_no_code,
    speaks_of_changes_alone,
)
from contextls.assembly.targets.cursor_context import Angle, find_cursor_context
from contextls.assembly.targets.cursor_place import Near, keep
from contextls.assembly.targets.failure_context import find_failure_context
from contextls.assembly.wording.editor_words import asks_for_alike
from contextls.assembly.wording.signals import Signals
from contextls.memory.events.failures import FailedRun
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph
from contextls.memory.vcs.hunks import Hunk
from contextls.model import EditorPosition

MAX_TEXT_CHARS = 8_000
# What the best of all else is worth, compared with the chunk that the question points at.
BESIDE = 0.5
# With a selection, what the words find is wanted almost as much as what is selected.
BESIDE_SELECTION = 0.95
# The selection itself and the rest of the same definition; what it refers to is for its words to find.
SELECTED = 0.93
_SELECTED = Angle("what is selected", users=False, tests=False, rest=0.96)
_AT_CURSOR = replace(_SELECTED, spot="around the cursor")
# Code that holds the words of changes is as likely to be forgotten as what is tied to them.
BESIDE_CHANGES = 0.9


class ImplicitTarget(Struct, frozen=True):
    """The ``failure`` and the changes (``hunks``) that a question is about.

    ``text`` is searched for instead of the question, whose words name no code; "" where they do. ``name`` is what people
    call that text. ``diffs`` are the lines that the prompt shows as changes, ``beside`` is what the best that a search
    finds is worth, compared with the code pointed at.
    """

    failure: FailedRun | None = None
    hunks: Sequence[Hunk] = ()
    text: str = ""
    name: str = ""
    diffs: ShownDiffs = field(default_factory=ShownDiffs)
    beside: float = BESIDE


def find_target(
    signals: Signals,
    failure: FailedRun | None,
    hunks: Sequence[Hunk],
    uncommitted: Callable[[], Sequence[Hunk]],
    code: Callable[[], str],
) -> ImplicitTarget:
    """Find the target of a question from its ``signals``.

    ``failure`` is the one that the question means, ``hunks`` are the changes that lead the prompt, ``uncommitted`` finds
    those that a question can mean which asks for changes in words only, ``code`` is what the editor shows at the cursor.
    """
    if failure and not failure.text:
        # A shell does not see what its commands print: what was changed is all that is known.
        hunks = hunks or uncommitted()
    diffs = ShownDiffs(hunks)
    if failure:
        return ImplicitTarget(failure, hunks, failure.text[:MAX_TEXT_CHARS], "the failure", diffs)
    if not hunks and speaks_of_changes_alone(signals):
        hunks = uncommitted()
    if hunks and names_no_code(signals):
        text = describe_changes(hunks)[:MAX_TEXT_CHARS]
        return ImplicitTarget(None, hunks, text, "the changes", diffs, BESIDE_CHANGES)
    if not hunks and signals.only_here and asks_for_alike(signals.text):
        return ImplicitTarget(
            text=code()[:MAX_TEXT_CHARS], name="the code at the cursor", beside=BESIDE_SELECTION
        )
    return ImplicitTarget(None, hunks, diffs=diffs)


def find_near_target(
    target: ImplicitTarget,
    snapshot: Snapshot,
    graph: RelationGraph,
    signals: Signals,
    position: EditorPosition | None,
) -> dict[ChunkRef, Near]:
    """The chunks that the question points at, with what each is worth; of several reasons the weightiest."""
    failure = target.failure
    found = find_failure_context(snapshot, graph, signals, failure) if failure else {}
    for ref, near in find_change_context(snapshot, graph, target.hunks).items():
        keep(found, ref, near)
    if position is None:
        return found
    if failure and signals.about_here:
        for ref, near in find_selection(snapshot, graph, position).items():
            keep(found, ref, near)
    if found:
        return found
    if signals.about_here and not target.text:
        spot = "in this file" if position.start_line is None else "around the cursor"
        return find_cursor_context(snapshot, graph, position, Angle.of(signals, spot))
    return find_selection(snapshot, graph, position) if position.selected or signals.about_here else {}


def find_selection(
    snapshot: Snapshot, graph: RelationGraph, position: EditorPosition
) -> dict[ChunkRef, Near]:
    """The selection, or the code at the cursor, whole, and the rest of the definition around it."""
    angle = _SELECTED if position.selected else _AT_CURSOR
    around = find_cursor_context(snapshot, graph, position, angle)
    return {ref: near for ref, near in around.items() if near.worth >= SELECTED}
