"""The sources that feedback may be about: what names a piece that a prompt of the workspace holds, or may have held."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from contextls.assembly.pieces.candidate import parse_span
from contextls.errors import InvalidRequestError
from contextls.memory.events.schema import event_number
from contextls.memory.feedback import MAX_SOURCE_CHARS
from contextls.memory.knowledge.relations.model import RelationType
from contextls.model import is_pattern_id
from contextls.regex import compile_late

if TYPE_CHECKING:
    from contextls.memory.knowledge.base import Knowledge
    from contextls.memory.memories import Memories

_LIST_OF_COMMITS = "commits:"
_ALWAYS_KNOWN = frozenset(
    ("commits:branch", "commits:recent", "map", "no-changes", "no-failure", "no-place", "nothing", "unsure")
)
_RELATION = compile_late(rf"(.+) (?:{'|'.join(RelationType)}) (.+)", re.DOTALL)


def check_feedback_source(source: str, memories: Memories) -> None:
    """Raise ``InvalidRequestError`` where ``source`` names no lines, event, entity, relation or habit of the workspace."""
    if len(source) > MAX_SOURCE_CHARS or not _names_piece(source, memories):
        known = "the source of a component of a prompt of this workspace, or the id of a habit"
        raise InvalidRequestError("source", known, source)


def _names_piece(source: str, memories: Memories) -> bool:
    # What a habit is made of may be events, or commits that nobody counts before a question does: its form has to do.
    if source in _ALWAYS_KNOWN or is_pattern_id(source):
        return True
    if (number := event_number(source)) is not None:
        return number <= memories.events.last_number()
    span = parse_span(source)
    path = span[0] if span else source.removeprefix(_LIST_OF_COMMITS)
    if _is_file(path, memories):
        return True
    knowledge = memories.known_now()
    ends = _RELATION.fullmatch(source)
    return all(_is_entity(end, knowledge) for end in (ends.groups() if ends else (source,)))


def _is_file(path: str, memories: Memories) -> bool:
    """Whether there is such a file, or was: a prompt may show the commit that deleted it."""
    if memories.shows(path) and os.path.lexists(memories.root / path):
        return True
    return path in memories.current().outlines or path in memories.history.snapshot().paths


def _is_entity(entity_id: str, knowledge: Knowledge) -> bool:
    return knowledge.entity(entity_id) is not None
