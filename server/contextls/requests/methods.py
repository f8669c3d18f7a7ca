"""Every method of the protocol, with what it takes and answers."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from contextls.model import (
    AssembledTurn,
    ChatNode,
    ClearReport,
    CompactionView,
    CompressedText,
    Context,
    Conversation,
    FileStatus,
    GraphView,
    HistoryView,
    Imported,
    IndexReport,
    ScopeView,
    SearchResult,
    Status,
    Thread,
    TokenCounts,
    UndoAnswer,
    UpdateAnswer,
    WorkingSetView,
)
from contextls.requests.assemble import CopyParams, UpdateParams
from contextls.requests.common import RootParams
from contextls.requests.conversations import (
    AppendNode,
    CompactChat,
    ConfigureChat,
    ConversationList,
    CreateChat,
    EditNode,
    ExcludeNode,
    ExportChat,
    Exported,
    HistoryParams,
    ImportChat,
    IncludeNode,
    NodeParams,
    OneChat,
    PathParams,
    PinNode,
    Pruned,
    PruneNode,
    Tree,
)
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
from contextls.requests.results import ResultKept, ResultList, ResultParams
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
from contextls.requests.turn import AssembleParams, SetTrustParams, TrustState
from contextls.requests.working_set import ListSet, Pin, Target, Undo, UpdateSet
from contextls.requests.workspace import (
    ClearParams,
    FileStatusParams,
    MemoryChange,
    ReindexParams,
    ScopeParams,
)


class Method(Struct, frozen=True):
    """One method. ``answer`` is a type as fields have them; ``None`` for what is answered with null."""

    name: str
    params: type
    answer: Any


METHODS = {
    method.name: method
    for method in (
        Method("context/assemble", AssembleParams, Context | AssembledTurn),
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
        Method("context/scope", ScopeParams, ScopeView),
        Method("context/setTrust", SetTrustParams, TrustState),
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
        Method("context/workingSet/list", ListSet, WorkingSetView),
        Method("context/workingSet/pin", Pin, WorkingSetView),
        Method("context/workingSet/unpin", Target, WorkingSetView),
        Method("context/workingSet/exclude", Target, WorkingSetView),
        Method("context/workingSet/include", Target, WorkingSetView),
        Method("context/workingSet/update", UpdateSet, UpdateAnswer),
        Method("context/workingSet/undo", Undo, UndoAnswer),
        Method("context/conversation/create", CreateChat, Conversation),
        Method("context/conversation/list", RootParams, ConversationList),
        Method("context/conversation/configure", ConfigureChat, Conversation),
        Method("context/conversation/append", AppendNode, ChatNode),
        Method("context/conversation/branch", NodeParams, Conversation),
        Method("context/conversation/path", PathParams, Thread),
        Method("context/conversation/tree", OneChat, Tree),
        Method("context/conversation/history", HistoryParams, HistoryView),
        Method("context/conversation/exclude", ExcludeNode, ChatNode),
        Method("context/conversation/include", IncludeNode, ChatNode),
        Method("context/conversation/pin", PinNode, ChatNode),
        Method("context/conversation/prune", PruneNode, Pruned),
        Method("context/conversation/edit", EditNode, ChatNode),
        Method("context/conversation/compact", CompactChat, CompactionView),
        Method("context/conversation/result", ResultParams, ResultKept),
        Method("context/conversation/results", OneChat, ResultList),
        Method("context/conversation/import", ImportChat, Imported),
        Method("context/conversation/export", ExportChat, Exported),
        Method("context/conversation/delete", OneChat, ConversationList),
        Method("context/didFocus", FocusParams, None),
        Method("context/didChangeDiagnostics", DiagnosticsParams, None),
    )
}
# The commands of ``workspace/executeCommand``, each with the type of its one argument.
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
