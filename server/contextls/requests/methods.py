"""Every method of the protocol, with what it takes and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from contextls.model import (
    ClearReport,
    CompressedText,
    Context,
    FileStatus,
    GraphView,
    IndexReport,
    SearchResult,
    Status,
    TokenCounts,
    WorkingSetView,
)
from contextls.requests.assemble import AssembleParams, CopyParams, UpdateParams
from contextls.requests.common import RootParams
from contextls.requests.events import (
    DiagnosticsParams,
    EventList,
    EventsParams,
    FocusParams,
    NotRecorded,
    Recorded,
    RecordParams,
)
from contextls.requests.lookup import (
    ArchetypeList,
    EntitiesParams,
    EntityList,
    FeedbackGiven,
    FeedbackParams,
    GraphParams,
    NoParams,
    PatternList,
    PatternsParams,
    SearchParams,
)
from contextls.requests.tasks import (
    BlockTask,
    CurrentTask,
    PopTask,
    PushTask,
    ResumeTask,
    TaskChange,
    TaskList,
    TaskPath,
)
from contextls.requests.texts import CompressParams, CountParams
from contextls.requests.working_set import Pin, Target
from contextls.requests.workspace import ClearParams, FileStatusParams, MemoryChange, ReindexParams


@dataclass(frozen=True, slots=True)
class Method:
    """One method. ``answer`` is a type as fields have them; ``None`` for what is answered with null."""

    name: str
    params: type
    answer: Any


METHODS = {
    method.name: method
    for method in (
        Method("context/assemble", AssembleParams, Context),
        Method("context/update", UpdateParams, Context),
        Method("context/compress", CompressParams, CompressedText),
        Method("context/countTokens", CountParams, TokenCounts),
        Method("context/archetypes", NoParams, ArchetypeList),
        Method("context/search", SearchParams, SearchResult),
        Method("context/recordEvent", RecordParams, Recorded | NotRecorded),
        Method("context/status", RootParams, Status),
        Method("context/fileStatus", FileStatusParams, FileStatus),
        Method("context/events", EventsParams, EventList),
        Method("context/clear", ClearParams, ClearReport),
        Method("context/entities", EntitiesParams, EntityList),
        Method("context/graph", GraphParams, GraphView | None),
        Method("context/patterns", PatternsParams, PatternList),
        Method("context/feedback", FeedbackParams, FeedbackGiven),
        Method("context/task/push", PushTask, TaskChange),
        Method("context/task/pop", PopTask, TaskChange),
        Method("context/task/block", BlockTask, TaskChange),
        Method("context/task/resume", ResumeTask, TaskChange),
        Method("context/task/peek", RootParams, CurrentTask),
        Method("context/task/path", RootParams, TaskPath),
        Method("context/task/list", RootParams, TaskList),
        Method("context/workingSet/list", RootParams, WorkingSetView),
        Method("context/workingSet/pin", Pin, WorkingSetView),
        Method("context/workingSet/unpin", Target, WorkingSetView),
        Method("context/workingSet/exclude", Target, WorkingSetView),
        Method("context/workingSet/include", Target, WorkingSetView),
        Method("context/didFocus", FocusParams, None),
        Method("context/didChangeDiagnostics", DiagnosticsParams, None),
    )
}
# Of ``workspace/executeCommand``, each with the type of its one argument.
COMMANDS = {
    method.name: method
    for method in (
        Method("contextls.copyContext", CopyParams, Context),
        Method("contextls.reindex", ReindexParams, IndexReport),
        Method("contextls.showStatus", RootParams, Status),
    )
}
# What the server sends of its own accord.
NOTIFICATIONS = {"context/didChangeMemory": MemoryChange}
