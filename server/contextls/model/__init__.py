"""The plain data that crosses the engine's border: what every face sends and receives.

No protocol types and no storage types appear here. All values are frozen; times are milliseconds since the epoch;
lines are 1-based and inclusive; paths are relative to the workspace root with ``/`` between parts.

A name loads only the module that it is of: to make all these classes takes a good part of a small command's time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

# All public names of each module.
_NAMES = {
    "choices": (
        "DEFAULT_ARCHETYPE AgentRole Changes ChatFormat Detail ExportFormat InjectionFormat InjectionPosition "
        "PackFormat Role Shape TruncateStrategy UpdateAction Updater"
    ),
    "conversations": (
        "AgentResult Author ChatNode CompactionView Conversation Edge HiddenNode HistoryView Imported "
        "NewNode NodeKind Preferences ResultView ShownMessage Source SourceRole SummaryMethod Thread "
        "ToolCall ToolOutcome Trigger Truncation Usage"
    ),
    "events": "FILE_CHANGES GIT_MOVES LOOKS TROUBLE WRITES Event EventType NewEvent Outcome",
    "knowledge": (
        "DEFAULT_RELATIONS MAX_LISTED MAX_STEPS EntityView GraphView OmittedRelations Pattern PatternKind "
        "PatternUnit RelationView SearchHit SearchResult is_pattern_id"
    ),
    "manifest": "Allotment CheckedManifest ManifestBudget ManifestFault Severity",
    "pack": "Pack PackRequest PackedFile UnpackedFile",
    "piece": "PackageSource Piece PieceQuestion",
    "prompt": (
        "AssemblyReport BudgetUse Component CompressedText Context ExcludedPart IncludedPart Layer "
        "LayerItem LayerUse Metadata Omission Report TokenCounts"
    ),
    "question": (
        "MAX_FACTOR MAX_OTHER_CHARS MAX_OTHER_WORDS MAX_QUERY_CHARS Archetype AssembleRequest Boosts "
        "EditorPosition Factor Filters Section Strategy"
    ),
    "scope": "ScopeFolder ScopeView",
    "status": (
        "FILES_PER_SECOND ClearReport FileStatus IndexExtent IndexProgress IndexReport IndexWriter "
        "MemoryPart SharedBuild SharedPruning Status"
    ),
    "tasks": "TaskFrame TaskStatus",
    "turn": (
        "RESERVE_RESPONSE RESERVE_TOOLS AssembledTurn CachePrediction Circumstances GivenMessage Injection "
        "Message MessageRole Reserves TokenBudget TurnOptions TurnRequest UsedTokens"
    ),
    "working_set": (
        "AppliedUpdate ExcludedFile PinnedFile RefusedUpdate ServerEntry SetUpdate Target UndoAnswer "
        "UpdateAnswer UpdateStep WorkingSetView"
    ),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = list(_MODULES)

if TYPE_CHECKING:
    from contextls.model.choices import *
    from contextls.model.conversations import *
    from contextls.model.events import *
    from contextls.model.knowledge import *
    from contextls.model.manifest import *
    from contextls.model.pack import *
    from contextls.model.piece import *
    from contextls.model.prompt import *
    from contextls.model.question import *
    from contextls.model.scope import *
    from contextls.model.status import *
    from contextls.model.tasks import *
    from contextls.model.turn import *
    from contextls.model.working_set import *
else:

    def __getattr__(name: str) -> object:
        """Load what is offered under ``name``."""
        module = _MODULES.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{module}"), name)
        return value
