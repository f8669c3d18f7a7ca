"""The plain data that crosses the engine's border: what every face sends and receives.

No protocol types and no storage types appear here. All values are frozen; times are milliseconds since the epoch;
lines are 1-based and inclusive; paths are relative to the workspace root with ``/`` between parts.
"""

from __future__ import annotations

from contextls.model.events import (
    Event,
    EventType,
    NewEvent,
    Outcome,
)
from contextls.model.knowledge import (
    MAX_LISTED,
    MAX_STEPS,
    EntityView,
    GraphView,
    Pattern,
    PatternKind,
    PatternUnit,
    RelationView,
    SearchHit,
    SearchResult,
)
from contextls.model.prompt import (
    Component,
    CompressedText,
    Context,
    Metadata,
    Omission,
    Report,
    TokenCounts,
)
from contextls.model.question import (
    MAX_FACTOR,
    Archetype,
    AssembleRequest,
    Boosts,
    Changes,
    EditorPosition,
    Factor,
    Filters,
    Section,
    Strategy,
)
from contextls.model.status import (
    ClearReport,
    FileStatus,
    IndexProgress,
    IndexReport,
    MemoryPart,
    Status,
)
from contextls.model.tasks import (
    TaskFrame,
    TaskStatus,
)
from contextls.model.working_set import (
    ExcludedFile,
    PinnedFile,
    Role,
    Target,
    TruncateStrategy,
    WorkingSetView,
)

__all__ = [
    "MAX_FACTOR",
    "MAX_LISTED",
    "MAX_STEPS",
    "Archetype",
    "AssembleRequest",
    "Boosts",
    "Changes",
    "ClearReport",
    "Component",
    "CompressedText",
    "Context",
    "EditorPosition",
    "EntityView",
    "Event",
    "EventType",
    "ExcludedFile",
    "Factor",
    "FileStatus",
    "Filters",
    "GraphView",
    "IndexProgress",
    "IndexReport",
    "MemoryPart",
    "Metadata",
    "NewEvent",
    "Omission",
    "Outcome",
    "Pattern",
    "PatternKind",
    "PatternUnit",
    "PinnedFile",
    "RelationView",
    "Report",
    "Role",
    "SearchHit",
    "SearchResult",
    "Section",
    "Status",
    "Strategy",
    "Target",
    "TaskFrame",
    "TaskStatus",
    "TokenCounts",
    "TruncateStrategy",
    "WorkingSetView",
]
