"""The plain data that crosses the engine's border: what every face sends and receives.

No protocol types and no storage types appear here. All values are frozen; times are milliseconds since the epoch;
lines are 1-based and inclusive; paths are relative to the workspace root with ``/`` between parts.

A name loads only the module that it is of: to make all these classes takes a good part of a small command's time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextls.model.choices import (
        AgentRole,
        Changes,
        ChatFormat,
        Detail,
        ExportFormat,
        InjectionFormat,
        InjectionPosition,
        PackFormat,
        Role,
        Shape,
        TruncateStrategy,
        UpdateAction,
        Updater,
    )
    from contextls.model.conversations import (
        AgentResult,
        Author,
        ChatNode,
        CompactionView,
        Conversation,
        Edge,
        HiddenNode,
        HistoryView,
        Imported,
        NewNode,
        NodeKind,
        Preferences,
        ResultView,
        ShownMessage,
        Source,
        SourceRole,
        SummaryMethod,
        Thread,
        ToolCall,
        ToolOutcome,
        Trigger,
        Truncation,
        Usage,
    )
    from contextls.model.events import (
        FILE_CHANGES,
        GIT_MOVES,
        LOOKS,
        TROUBLE,
        WRITES,
        Event,
        EventType,
        NewEvent,
        Outcome,
    )
    from contextls.model.knowledge import (
        DEFAULT_RELATIONS,
        MAX_LISTED,
        MAX_STEPS,
        EntityView,
        GraphView,
        OmittedRelations,
        Pattern,
        PatternKind,
        PatternUnit,
        RelationView,
        SearchHit,
        SearchResult,
        is_pattern_id,
    )
    from contextls.model.manifest import (
        Allotment,
        CheckedManifest,
        ManifestBudget,
        ManifestFault,
        Severity,
    )
    from contextls.model.pack import (
        Pack,
        PackedFile,
        PackRequest,
        UnpackedFile,
    )
    from contextls.model.piece import (
        PackageSource,
        Piece,
        PieceQuestion,
    )
    from contextls.model.prompt import (
        AssemblyReport,
        BudgetUse,
        Component,
        CompressedText,
        Context,
        ExcludedPart,
        IncludedPart,
        Layer,
        LayerItem,
        LayerUse,
        Metadata,
        Omission,
        Report,
        TokenCounts,
    )
    from contextls.model.question import (
        MAX_FACTOR,
        MAX_OTHER_CHARS,
        MAX_OTHER_WORDS,
        MAX_QUERY_CHARS,
        Archetype,
        AssembleRequest,
        Boosts,
        EditorPosition,
        Factor,
        Filters,
        Section,
        Strategy,
    )
    from contextls.model.scope import ScopeFolder, ScopeView
    from contextls.model.status import (
        ClearReport,
        FileStatus,
        IndexExtent,
        IndexProgress,
        IndexReport,
        IndexWriter,
        MemoryPart,
        SharedBuild,
        SharedPruning,
        Status,
    )
    from contextls.model.tasks import (
        TaskFrame,
        TaskStatus,
    )
    from contextls.model.turn import (
        AssembledTurn,
        CachePrediction,
        Circumstances,
        GivenMessage,
        Injection,
        Message,
        MessageRole,
        Reserves,
        TokenBudget,
        TurnOptions,
        TurnRequest,
        UsedTokens,
    )
    from contextls.model.working_set import (
        AppliedUpdate,
        ExcludedFile,
        PinnedFile,
        RefusedUpdate,
        ServerEntry,
        SetUpdate,
        Target,
        UndoAnswer,
        UpdateAnswer,
        UpdateStep,
        WorkingSetView,
    )

_NAMES = {
    "choices": (
        "AgentRole Changes ChatFormat Detail ExportFormat InjectionFormat InjectionPosition PackFormat Role Shape "
        "TruncateStrategy UpdateAction Updater"
    ),
    "conversations": (
        "AgentResult Author ChatNode CompactionView Conversation Edge HiddenNode "
        "HistoryView Imported NewNode NodeKind Preferences ResultView ShownMessage Source "
        "SourceRole SummaryMethod Thread ToolCall ToolOutcome Trigger Truncation Usage"
    ),
    "events": ("FILE_CHANGES GIT_MOVES LOOKS TROUBLE WRITES Event EventType NewEvent Outcome"),
    "knowledge": (
        "DEFAULT_RELATIONS MAX_LISTED MAX_STEPS EntityView GraphView OmittedRelations Pattern PatternKind PatternUnit "
        "RelationView SearchHit SearchResult is_pattern_id"
    ),
    "pack": ("Pack PackRequest PackedFile UnpackedFile"),
    "manifest": ("Allotment CheckedManifest ManifestBudget ManifestFault Severity"),
    "piece": ("PackageSource Piece PieceQuestion"),
    "prompt": (
        "AssemblyReport BudgetUse Component CompressedText Context ExcludedPart IncludedPart Layer "
        "LayerItem LayerUse Metadata Omission Report TokenCounts"
    ),
    "question": (
        "MAX_FACTOR MAX_OTHER_CHARS MAX_OTHER_WORDS MAX_QUERY_CHARS Archetype AssembleRequest Boosts EditorPosition "
        "Factor Filters Section Strategy"
    ),
    "scope": ("ScopeFolder ScopeView"),
    "status": (
        "ClearReport FileStatus IndexExtent IndexProgress IndexReport IndexWriter MemoryPart SharedBuild SharedPruning"
        " Status"
    ),
    "tasks": ("TaskFrame TaskStatus"),
    "turn": (
        "AssembledTurn CachePrediction Circumstances GivenMessage Injection "
        "Message MessageRole Reserves TokenBudget "
        "TurnOptions TurnRequest UsedTokens"
    ),
    "working_set": (
        "AppliedUpdate ExcludedFile PinnedFile RefusedUpdate ServerEntry SetUpdate Target UndoAnswer UpdateAnswer "
        "UpdateStep WorkingSetView"
    ),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names below
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return value


__all__ = [
    "DEFAULT_RELATIONS",
    "FILE_CHANGES",
    "GIT_MOVES",
    "LOOKS",
    "MAX_FACTOR",
    "MAX_LISTED",
    "MAX_OTHER_CHARS",
    "MAX_OTHER_WORDS",
    "MAX_QUERY_CHARS",
    "MAX_STEPS",
    "TROUBLE",
    "WRITES",
    "AgentResult",
    "AgentRole",
    "Allotment",
    "AppliedUpdate",
    "Archetype",
    "AssembleRequest",
    "AssembledTurn",
    "AssemblyReport",
    "Author",
    "Boosts",
    "BudgetUse",
    "CachePrediction",
    "Changes",
    "ChatFormat",
    "ChatNode",
    "CheckedManifest",
    "Circumstances",
    "ClearReport",
    "CompactionView",
    "Component",
    "CompressedText",
    "Context",
    "Conversation",
    "Detail",
    "Edge",
    "EditorPosition",
    "EntityView",
    "Event",
    "EventType",
    "ExcludedFile",
    "ExcludedPart",
    "ExportFormat",
    "Factor",
    "FileStatus",
    "Filters",
    "GivenMessage",
    "GraphView",
    "HiddenNode",
    "HistoryView",
    "Imported",
    "IncludedPart",
    "IndexExtent",
    "IndexProgress",
    "IndexReport",
    "IndexWriter",
    "Injection",
    "InjectionFormat",
    "InjectionPosition",
    "Layer",
    "LayerItem",
    "LayerUse",
    "ManifestBudget",
    "ManifestFault",
    "MemoryPart",
    "Message",
    "MessageRole",
    "Metadata",
    "NewEvent",
    "NewNode",
    "NodeKind",
    "Omission",
    "OmittedRelations",
    "Outcome",
    "Pack",
    "PackFormat",
    "PackRequest",
    "PackageSource",
    "PackedFile",
    "Pattern",
    "PatternKind",
    "PatternUnit",
    "Piece",
    "PieceQuestion",
    "PinnedFile",
    "Preferences",
    "RefusedUpdate",
    "RelationView",
    "Report",
    "Reserves",
    "ResultView",
    "Role",
    "ScopeFolder",
    "ScopeView",
    "SearchHit",
    "SearchResult",
    "Section",
    "ServerEntry",
    "SetUpdate",
    "Severity",
    "Shape",
    "SharedBuild",
    "SharedPruning",
    "ShownMessage",
    "Source",
    "SourceRole",
    "Status",
    "Strategy",
    "SummaryMethod",
    "Target",
    "TaskFrame",
    "TaskStatus",
    "Thread",
    "TokenBudget",
    "TokenCounts",
    "ToolCall",
    "ToolOutcome",
    "Trigger",
    "TruncateStrategy",
    "Truncation",
    "TurnOptions",
    "TurnRequest",
    "UndoAnswer",
    "UnpackedFile",
    "UpdateAction",
    "UpdateAnswer",
    "UpdateStep",
    "Updater",
    "Usage",
    "UsedTokens",
    "WorkingSetView",
    "is_pattern_id",
]
