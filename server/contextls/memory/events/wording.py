"""Events in one line: the same words for a prompt, a terminal and an editor."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from contextls.model import Event, EventType, Outcome, UpdateAction
from contextls.text.fence import inline, one_line
from contextls.text.kept_ends import keep_beginning

LISTED_NAMES = 6
# What a list in an editor or a terminal has room for.
MAX_LINE_CHARS = 200
Content = Mapping[str, Any]
Quote = Callable[[str], str]


def describe_event(event: Event, quote: Quote = inline) -> str:
    """Describe an event in one line; ``quote`` marks names, paths and commands, as Markdown does unless told otherwise."""
    say = _HAPPENINGS.get(event.type)
    if event.type == EventType.SHELL_EXEC:
        say = functools.partial(_describe_command, event.outcome)
    if say is not None:
        with suppress(KeyError, TypeError, ValueError):  # a client may have left a field out
            return say(event.content, quote)
    return f"{event.type}: {quote(json.dumps(event.content, ensure_ascii=False, sort_keys=True))}"


def plainly(event: Event) -> str:
    """Describe an event in one plain line of at most 200 characters."""
    return keep_beginning(" ".join(describe_event(event, one_line).split()), MAX_LINE_CHARS)


def _describe_edit(content: Content, name: Quote) -> str:
    summary = content.get("summary")
    return f"Edited: {name(content['path'])}{f' — {one_line(summary)}' if summary else ''}"


def _describe_command(outcome: Outcome | None, content: Content, name: Quote) -> str:
    code = content.get("exitCode")
    end = f" exit {code}" if code else ""
    if code is None:  # what it printed may have said how it ended
        end = {None: " (not known how it ended)", Outcome.FAILURE: " failed"}.get(outcome, "")
    return f"Executed: {name(content['command'])}{end}"


def _error(content: Content, name: Quote) -> str:
    test = f" in {name(content['test'])}" if content.get("test") else ""
    place = f" at {name(_place(content))}" if content.get("path") else ""
    return f"Error{test}: {one_line(content['message'])}{place}"


def _problem(content: Content, name: Quote) -> str:
    word = "Problem" if content["state"] == "appeared" else "Solved problem"
    origins = " ".join(str(content[field]) for field in ("source", "code") if content.get(field))
    origin = f" ({one_line(origins)})" if origins else ""
    return f"{word}: {one_line(content['message'])} at {name(_place(content))}{origin}"


def _describe_rename(content: Content, name: Quote) -> str:
    origin = f" from {name(content['from'])}" if content.get("from") else ""
    return f"Renamed: {name(content['path'])}{origin}"


def _describe_change(content: Content, name: Quote) -> str:
    names = ", ".join(name(path) for path in content["paths"][:LISTED_NAMES])
    return f"Changed on disk: {content['count']} files, such as {names}"


def _checked_out(content: Content, name: Quote) -> str:
    origin = f" from {name(content['from'])}" if content.get("from") else ""
    verb = str(content.get("action") or "checkout").capitalize()
    return f"Git {one_line(verb)}: {name(content['to'])}{origin}"


def _describe_commit(content: Content, name: Quote) -> str:
    branch = f" on {name(content['branch'])}" if content.get("branch") else ""
    return f"Committed: {one_line(content.get('subject', ''))} ({name(content['commit'][:10])}{branch})"


def _describe_stash(content: Content, _name: Quote) -> str:
    taken = content.get("action") == "pop"
    return "Took a stash back" if taken else f"Stashed: {one_line(content.get('subject', ''))}"


def _describe_rebase(content: Content, name: Quote) -> str:
    onto = f" onto {name(content['onto'])}" if content.get("onto") else ""
    return f"Rebased: {name(content.get('branch') or 'HEAD')}{onto}"


_UPDATES: Mapping[str, str] = {
    UpdateAction.ADD: "added to the working set",
    UpdateAction.REMOVE: "removed from the working set",
    UpdateAction.ADJUST: "weighed otherwise in the working set",
}


def _describe_update(content: Content, name: Quote) -> str:
    what = name(str(content.get("target") or content["path"]))
    why = f" — {one_line(content['why'])}" if content.get("why") else ""
    if content["action"] == "undo":
        return f"Undone in the working set: {what}{why}"
    done = _UPDATES[content["action"]]
    if content.get("reason"):
        return f"Proposed by a {content['by']}, refused: {what} {done}{why} ({one_line(content['reason'])})"
    priority = f", priority {content['priority']:g}" if "priority" in content else ""
    return f"By a {content['by']}: {what} {done}{priority}{why}"


_HAPPENINGS: Mapping[str, Callable[[Content, Quote], str]] = {
    EventType.FILE_READ: lambda content, name: f"Read: {name(content['path'])}",
    EventType.FILE_FOCUS: lambda content, name: f"Went back to: {name(content['path'])}",
    EventType.FILE_EDIT: _describe_edit,
    EventType.FILE_WRITE: lambda content, name: f"Wrote: {name(content['path'])}",
    EventType.FILE_RENAME: _describe_rename,
    EventType.FILE_DELETE: lambda content, name: f"Deleted: {name(content['path'])}",
    EventType.FILES_CHANGED: _describe_change,
    EventType.ERROR: _error,
    EventType.DIAGNOSTIC: _problem,
    EventType.GIT_CHECKOUT: _checked_out,
    EventType.GIT_COMMIT: _describe_commit,
    EventType.GIT_STASH: _describe_stash,
    EventType.GIT_REBASE: _describe_rebase,
    EventType.NOTE: lambda content, _name: f"Note: {one_line(content['text'])}",
    EventType.WORKING_SET: _describe_update,
}


def _place(content: Mapping[str, object]) -> str:
    line = content.get("line")
    return f"{content['path']}:{line}" if line else str(content["path"])
