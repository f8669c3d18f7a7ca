"""Changes of the server to the working set of a conversation: newest output in, old output out, models' pins up or down.

Worked out of the conversation and the events whenever it is asked for, and never stored: nothing has to be kept in step,
and the file that people own is not written.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence

from msgspec import Struct

from contextls.assembly.memory_snapshot import MemorySnapshot, take_snapshot
from contextls.errors import ContextlsError
from contextls.memory.conversations.grouping import group_turns
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.visible import explain_hidden
from contextls.memory.events.exit_status import was_work
from contextls.memory.events.failures import settled_events
from contextls.memory.events.leaks import shown_events
from contextls.memory.events.sessions import PAUSE_MS
from contextls.memory.memories import Memories
from contextls.memory.working_set.entries import Entry
from contextls.model import (
    Author,
    ChatNode,
    Event,
    EventType,
    Filters,
    Outcome,
    ServerEntry,
    Target,
    TurnRequest,
    Updater,
)
from contextls.text.own_words import find_own_words

OUTPUT, RAISED, LOWERED = "output", "raised", "lowered"
# As the seed weighs the log of a terminal.
OUTPUT_PRIORITY = 0.3
MAX_OUTPUTS = 3
RAISE, LOWER = 0.2, 0.5
_LOOKED_AT = 100
_MAX_COMMAND_CHARS = 200


class _Turn(Struct, frozen=True):
    """A turn as far as it matters here: when it began (ms), and what people and models said in it."""

    began: int
    said: str


class ConversationPlace(Struct, frozen=True):
    """A conversation, the node at which it goes on, and what is asked there."""

    conversations: Conversations
    conversation: str | None
    node: str | None = None
    query: str = ""

    @classmethod
    def newest(cls, conversations: Conversations, now: int) -> ConversationPlace:
        """The current conversation: the one that changed last, if that was in this session."""
        try:
            found = next(iter(conversations.list()), None)
        except ContextlsError:
            found = None
        goes_on = found is not None and now - found.updated_at <= PAUSE_MS
        return cls(conversations, found.id if found and goes_on else None)


class ServerEntries:
    """Works out the changes of the server from the memories of one workspace."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    def of_request(self, request: TurnRequest, snapshot: MemorySnapshot) -> tuple[ServerEntry, ...]:
        """The changes that count for a question in a conversation."""
        options = request.options
        place = ConversationPlace(
            self._memories.conversations, options.conversation_id, options.node_id, request.question.query
        )
        return find_server_entries(place, snapshot, self._turns)

    def list_entries(self, conversation_id: str | None) -> tuple[ServerEntry, ...]:
        """The changes for this conversation, or for the current one. Raises ``InvalidRequestError``."""
        conversations = self._memories.conversations
        if conversation_id is not None:
            place = ConversationPlace(conversations, conversations.get(conversation_id).id)
        else:
            place = ConversationPlace.newest(conversations, int(time.time() * 1000))
        if place.conversation is None or not self._turns:
            return ()
        return find_server_entries(place, take_snapshot(self._memories, None), self._turns)

    @property
    def _turns(self) -> int:
        return self._memories.settings.working_set_turns


def find_server_entries(
    place: ConversationPlace, memories: MemorySnapshot, turns: int
) -> tuple[ServerEntry, ...]:
    """The changes for a conversation, by its last ``turns``; none for 0 turns, or without a conversation."""
    if place.conversation is None or turns == 0 or memories.working_set is None:
        return ()
    try:
        path = place.conversations.path(place.conversation, place.node)
        said = _read_turns(path, turns)
        if not said:
            return ()
        dismissed = set(memories.working_set.journal.read().dismissed)
        events = _recent_events(memories, said[0].began)
        found = [*_list_outputs(events, said), *_reweigh_pins(place.query, events, said, turns, memories)]
    except ContextlsError:  # reported where the conversation is read for its messages
        return ()
    return tuple(entry for entry in found if entry.id not in dismissed)


def _read_turns(path: Sequence[ChatNode], turns: int) -> list[_Turn]:
    """The last ``turns``, oldest first. What was retrieved for them was not said."""
    shown = [node for node in path if explain_hidden(node) is None]
    return [
        _Turn(
            turn.nodes[0].created_at,
            "\n".join(
                find_own_words(node.content) if node.author is Author.HUMAN else node.content
                for node in turn.nodes
                if node.author is not Author.TOOL
            ),
        )
        for turn in group_turns(shown)[-turns:]
    ]


def _recent_events(memories: MemorySnapshot, since: int) -> list[Event]:
    """The events of this session that prompts may show, from ``since`` on, newest first."""
    log = memories.events
    session = log.current_session()
    found = log.newest(_LOOKED_AT, Filters(since=since), session) if session else ()
    return memories.exclusion.events(shown_events(found, memories.root, memories.accepts))


def _list_outputs(events: Sequence[Event], said: Sequence[_Turn]) -> Iterable[ServerEntry]:
    """The newest run of each command: one that failed until it is settled, any other for the turn in which it ran."""
    settled = settled_events(events)
    seen: set[str] = set()
    kept = 0
    for event in events:
        if event.type != EventType.SHELL_EXEC or kept == MAX_OUTPUTS:
            continue
        command = " ".join(str(event.content.get("command", "")).split())
        if command in seen:
            continue
        seen.add(command)
        age = sum(turn.began > event.timestamp for turn in said)
        failed = event.outcome is Outcome.FAILURE
        printed = any(str(event.content.get(name) or "").strip() for name in ("stdout", "stderr"))
        if not printed or event.id in settled or not (failed or age == 0) or not was_work(event):
            continue
        kept += 1
        when = "since the last message" if age == 0 else "1 turn ago" if age == 1 else f"{age} turns ago"
        why = f"its newest output, {when}{'; it failed and was not run again' if failed else ''}"
        yield ServerEntry(event.id, OUTPUT, command[:_MAX_COMMAND_CHARS], OUTPUT_PRIORITY, why)


def _reweigh_pins(
    query: str, events: Sequence[Event], said: Sequence[_Turn], turns: int, memories: MemorySnapshot
) -> Iterable[ServerEntry]:
    """Pins of models: raised where just mentioned or worked on, lowered where neither happened for ``turns``."""
    working_set = memories.working_set
    if working_set is None:
        return
    added = {
        step.target: record.timestamp
        for record in working_set.journal.read().records
        for step in record.steps
    }
    for entry in working_set.entries():
        if entry.by is not Updater.MODEL:  # what people pinned stays as they left it
            continue
        target = entry.target
        names = _name_pattern(target)
        last = max((e.timestamp for e in events if _touches(e, target)), default=0)
        if names.search(query):
            yield _shift_weight(entry, RAISED, "named in this question")
        elif names.search(said[-1].said):
            yield _shift_weight(entry, RAISED, "named in the last turn")
        elif last > said[-1].began:
            yield _shift_weight(entry, RAISED, "worked on since the last turn began")
        elif (
            len(said) == turns
            and max(last, added.get(target.text, 0)) < said[0].began
            and not any(names.search(turn.said) for turn in said)
        ):
            yield _shift_weight(entry, LOWERED, f"not mentioned for {turns} turns")


def _shift_weight(entry: Entry, kind: str, why: str) -> ServerEntry:
    weight = min(1.0, entry.priority + RAISE) if kind == RAISED else entry.priority * LOWER
    text = entry.target.text
    return ServerEntry(f"{kind}:{text}", kind, text, round(weight, 4), why)


def _touches(event: Event, target: Target) -> bool:
    path = event.content.get("path")
    if event.type == EventType.WORKING_SET or not isinstance(path, str):
        return False
    return path == target.path or (target.folder and path.startswith(f"{target.path}/"))


def _name_pattern(target: Target) -> re.Pattern[str]:
    """A pattern for the name of a target: of a file or folder, with or without those above, or of a symbol."""
    if target.symbol:
        name = target.symbol.rpartition(".")[2]
    else:
        name = target.path if target.folder else target.path.rpartition("/")[2]
    return re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
