"""Session files of Claude Code: one JSON record per line, linked by ``uuid`` and ``parentUuid``.

A file may be written to while it is read, and other versions of the program write other records: what is not known is
counted and left out, never an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.imports.parsed import (
    ParsedChat,
    ParsedNode,
    Shows,
    SkippedTally,
    text_of_parts,
)
from contextls.model import Author, NewNode, NodeKind, ToolCall

_PATHS = ("file_path", "notebook_path", "path")
# Records that say nothing to a model: of the program's own bookkeeping.
_SILENT = frozenset(
    (
        "file-history-snapshot",
        "progress",
        "queue-operation",
        "mode",
        "permission-mode",
        "last-prompt",
        "attachment",
    )
)
_IGNORED = "[left out: {path} is ignored in this workspace]"


def parse_session(text: str, shows: Shows) -> ParsedChat:
    """Read a session file. ``shows`` tells which files (as named by tools) may be in prompts.

    Side chains, hidden reasoning and the program's own records are left out and counted. Raises ``InvalidRequestError``
    when no record of the file says anything.
    """
    reader = _Reader(shows)
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            reader.read(line, number)
    if not reader.nodes:
        raise InvalidRequestError("content", "a session file of Claude Code: lines of JSON with messages")
    reader.name_joins()
    return ParsedChat(
        tuple(reader.nodes), title=reader.title, head=reader.nodes[-1].key, warnings=reader.tally.warnings()
    )


class _Reader:
    """Reads record after record, and remembers how they are linked."""

    def __init__(self, shows: Shows) -> None:
        self.nodes: list[ParsedNode] = []
        self.tally = SkippedTally()
        self.title = ""
        self._shows = shows
        # The node that stands for each record, also of those that were left out: what follows them follows it.
        self._last_of: dict[str, str | None] = {}
        self._ignored: dict[str, str] = {}
        # Messages that follow nothing that was read before them: what they name, who they are, whether they come first.
        self._loose: list[tuple[object, str, bool]] = []

    def read(self, line: str, number: int) -> None:
        """Read one line."""
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            self.tally.add("a line that is no JSON was left out")
            return
        if not isinstance(record, Mapping):
            self.tally.add("a line that is no record was left out")
            return
        kind, uuid = str(record.get("type")), record.get("uuid")
        if isinstance(uuid, str) and uuid in self._last_of:
            self.tally.add("a record that was there before was left out")
            return
        if kind == "summary" and isinstance(record.get("summary"), str):
            self.title = self.title or record["summary"]
            return
        parent = self._parent(record)
        last = parent
        made = list(self._nodes(record, kind))
        for place, (node, node_kind) in enumerate(made):
            key = f"{number}#{place}"
            self.nodes.append(ParsedNode(key, last, node, node_kind))
            last = key
        if isinstance(uuid, str):
            self._last_of[uuid] = last

    def name_joins(self) -> None:
        """Count what was joined to the message before it, now that all records are known."""
        first = next((who for named, who, _ in self._loose if self._is_known(named)), None)
        for named, _, is_first in self._loose:
            if self._is_known(named):
                self.tally.add(
                    "a message that names itself or a later one as its parent was joined to what came before it "
                    f"(the first is {first!r})"
                )
            elif not is_first:
                self.tally.add("a second beginning was joined to what came before it")

    def _is_known(self, uuid: object) -> bool:
        return isinstance(uuid, str) and uuid in self._last_of

    def _parent(self, record: Mapping[str, Any]) -> str | None:
        """The key of the node that a record follows; where the file names none, the one before it."""
        for name in ("parentUuid", "logicalParentUuid"):
            given = record.get(name)
            if isinstance(given, str) and given in self._last_of:
                return self._last_of[given]
        if record.get("type") in ("user", "assistant") and not record.get("isSidechain"):
            who = str(record.get("uuid"))[:40]
            self._loose.append((record.get("parentUuid"), who, not self.nodes))
        return self.nodes[-1].key if self.nodes else None

    def _nodes(self, record: Mapping[str, Any], kind: str) -> Iterator[tuple[NewNode, NodeKind]]:
        message = record.get("message")
        if kind in _SILENT or kind == "system":
            return
        if kind not in ("user", "assistant") or not isinstance(message, Mapping):
            self.tally.add(f"a record of type {kind[:40]!r} was left out")
        elif record.get("isSidechain"):
            self.tally.add("a message of a side chain (a subagent) was left out")
        elif record.get("isMeta"):
            self.tally.add("a message of the program itself was left out")
        elif record.get("isCompactSummary"):
            text = _text(message.get("content"))
            if text.strip():
                yield NewNode(Author.HUMAN, text), NodeKind.COMPACTION
        elif kind == "user":
            for node in self._of_user(message, record):
                yield node, NodeKind.MESSAGE
        else:
            yield from ((node, NodeKind.MESSAGE) for node in self._of_model(message, record))

    def _of_user(self, message: Mapping[str, Any], record: Mapping[str, Any]) -> Iterator[NewNode]:
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        said = []
        for block in blocks:
            if isinstance(block, Mapping) and block.get("type") == "tool_result":
                call = str(block.get("tool_use_id"))
                text = self._ignored.get(call) or _text(block.get("content"))
                failed = {"failed": bool(block["is_error"])} if "is_error" in block else {}
                yield NewNode(Author.TOOL, text, tool_call_id=call, metadata=failed)
            else:
                said.append(block)
        text = _text(said)
        if text.strip():
            yield NewNode(Author.HUMAN, text, trace=_trace(record))

    def _of_model(self, message: Mapping[str, Any], record: Mapping[str, Any]) -> Iterator[NewNode]:
        blocks = message.get("content")
        text, calls = [], []
        for block in blocks if isinstance(blocks, list) else [{"type": "text", "text": blocks}]:
            if not isinstance(block, Mapping):
                continue
            if block.get("type") == "tool_use":
                calls.append(self._call(block))
            elif block.get("type") in ("thinking", "redacted_thinking"):
                self.tally.add("hidden reasoning of a model was left out")
            else:
                text.append(_text([block]))
        said = "\n\n".join(filter(None, text))
        if said.strip() or calls:
            yield NewNode(Author.MODEL, said, tool_calls=tuple(calls), trace=_trace(record, message))

    def _call(self, block: Mapping[str, Any]) -> ToolCall:
        given = block.get("input")
        arguments = given if isinstance(given, Mapping) else {}
        call = str(block.get("id"))
        path = next((arguments[name] for name in _PATHS if isinstance(arguments.get(name), str)), None)
        if path is not None and not self._shows(path):
            self.tally.add("what a tool did with a file that is ignored here was left out")
            self._ignored[call] = _IGNORED.format(path=path)
            arguments = {"file_path": path}
        return ToolCall(call, str(block.get("name")), json.dumps(arguments, ensure_ascii=False))


def _text(content: object) -> str:
    """The text of what may be anything: a session file is never refused for one odd message."""
    try:
        return text_of_parts(content, "message")
    except InvalidRequestError:
        return json.dumps(content, ensure_ascii=False)


def _trace(record: Mapping[str, Any], message: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """The origin of a node, as far as the file says."""
    found = {name: record.get(name) for name in ("uuid", "timestamp", "sessionId", "gitBranch", "version")}
    for name in ("id", "model", "stop_reason", "usage"):
        found[name] = message.get(name) if message is not None else None
    return {name: value for name, value in found.items() if value}
