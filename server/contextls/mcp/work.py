"""Tools for the work at hand: events, tasks and pins, read and written."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.mcp.answers import (
    ActivityAnswer,
    EventAnswer,
    EventItem,
    PinAnswer,
    PinItem,
    RefusedItem,
    TaskAnswer,
    UpdateSetAnswer,
)
from contextls.mcp.budget import Listing
from contextls.model import EventType, Filters, Outcome
from contextls.regex import compile_late
from contextls.requests.common import read_age
from contextls.requests.events import RecordParams
from contextls.standalone import summarize_event

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.mcp.call import Call
    from contextls.mcp.params import RecentActivity, RecordEvent, TaskPop, TaskPush, UpdateWorkingSet
    from contextls.model import Event, TaskFrame, WorkingSetView

_EVENTS = 200  # looked up for one page
_EVENT_ID = compile_late(r"event-[0-9]{1,18}")
_OUTPUT_LINES = 30
_OUTPUT_CHARS = 2_000


async def list_activity(call: Call, params: RecentActivity) -> Listing[EventItem]:
    """List events, newest first, with the end of the output of failures."""
    if params.cursor is not None and not _EVENT_ID.fullmatch(params.cursor):
        raise InvalidRequestError("cursor", "the nextCursor of the answer before", params.cursor)
    workspace = await call.workspace(params.root)
    age = None if params.since is None else read_age(params.since)
    since = None if age is None else int(time.time() * 1000) - age
    filters = Filters(since=since, event_types=params.types or None)

    def look(engine: Engine) -> tuple[tuple[Event, ...], tuple[str, ...]]:
        goals = tuple(one.goal for one in engine.tasks.path())
        return engine.events(_EVENTS, filters, before=params.cursor), goals

    found, goals = await workspace.ask(look)
    items = [_event_item(one) for one in found]
    return Listing(
        items,
        lambda page, cursor: ActivityAnswer(goals, page, cursor),
        lambda count: items[count - 1].id,
        more=len(found) == _EVENTS,
    )


async def record(call: Call, params: RecordEvent) -> EventAnswer:
    """Keep an event; answered once it is durable."""
    event = RecordParams(type=params.type, content=params.content, outcome=params.outcome).event
    workspace = await call.workspace(params.root)
    receipt = await asyncio.wrap_future(call.live.intake.add(workspace, event))
    return EventAnswer(receipt.id, receipt.reason)


async def push_task(call: Call, params: TaskPush) -> TaskAnswer:
    """Begin a task below the current one."""
    workspace = await call.workspace(params.root)
    return await workspace.change(lambda engine: _task(engine.tasks.push(params.goal), engine))


async def pop_task(call: Call, params: TaskPop) -> TaskAnswer:
    """Complete the current task."""
    workspace = await call.workspace(params.root)
    return await workspace.change(lambda engine: _task(engine.tasks.pop(params.result), engine))


async def update_set(call: Call, params: UpdateWorkingSet) -> UpdateSetAnswer:
    """Do what a model asks for, all of it or nothing."""
    workspace = await call.workspace(params.root)
    updates = [one.wanted for one in params.updates]
    done = await workspace.change(lambda engine: engine.working_set.update(updates))
    now = describe_pins(done.working_set)
    refused = tuple(RefusedItem(one.path, one.reason) for one in done.refused)
    return UpdateSetAnswer(done.applied, refused, now.pins, now.excluded, now.warnings)


def describe_pins(view: WorkingSetView) -> PinAnswer:
    """The working set in short."""
    pins = (PinItem(one.target, one.priority, one.by.value, one.why, one.problem) for one in view.files)
    excluded = (one.target for one in view.excluded)
    return PinAnswer(tuple(pins), tuple(excluded), view.warnings)


def _task(frame: TaskFrame, engine: Engine) -> TaskAnswer:
    current = engine.tasks.peek()
    return TaskAnswer(frame.goal, frame.status.value, None if current is None else current.goal)


def _event_item(event: Event) -> EventItem:
    moment = datetime.fromtimestamp(event.timestamp / 1000, UTC).isoformat(timespec="seconds")
    return EventItem(
        event.id, moment.replace("+00:00", "Z"), event.type, summarize_event(event), _output(event)
    )


def _output(event: Event) -> str:
    """The end of what a failure printed."""
    if event.outcome is not Outcome.FAILURE:
        return ""
    names = ("stdout", "stderr") if event.type == EventType.SHELL_EXEC else ("message", "stack")
    said = "\n".join(str(event.content[name]).strip() for name in names if event.content.get(name))
    lines = said.splitlines()[-_OUTPUT_LINES:]
    return "\n".join(lines)[-_OUTPUT_CHARS:]
