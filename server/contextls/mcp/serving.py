"""Between the protocol and the tools: arguments become a request, an answer becomes text and JSON within the budget."""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any

import mcp_types as types

from contextls.errors import ContextlsError
from contextls.mcp.answers import ContextAnswer, PackAnswer
from contextls.mcp.budget import fit_answer, write_json
from contextls.mcp.tools import TOOLS, Tool
from contextls.schema.json_schema import InlineSchemas
from contextls.schema.reader import read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextls.mcp.budget import Budget
    from contextls.mcp.call import Call

log = logging.getLogger(__name__)
_DOCUMENTS = (ContextAnswer, PackAnswer)  # read as they are; everything else as JSON


@cache
def describe_tools() -> tuple[types.Tool, ...]:
    """Every tool as clients list it."""
    return tuple(map(_describe_tool, TOOLS.values()))


async def call_tool(call: Call, tool: Tool, arguments: Mapping[str, Any] | None) -> types.CallToolResult:
    """Answer one call; what goes wrong is an answer too, for the model to put right."""
    try:
        params: Any = read(tool.params, dict(arguments or {}))
        call = call.within(getattr(params, "max_tokens", None))
        answer = await tool.handler(call, params)
        value = await call.live.executors.question(lambda: fit_answer(answer, call.budget))
    except ContextlsError as error:
        return describe_failure(str(error), call.budget)
    except Exception as error:
        log.exception("%s failed", tool.name)
        return describe_failure(
            f"internal error: {type(error).__name__}; the server's log has the details", call.budget
        )
    text = _write_text(value) if tool.answer in _DOCUMENTS else write_json(value)
    return types.CallToolResult(
        content=[types.TextContent(text=text if call.budget.holds(text) else write_json(value))],
        structured_content=value,
    )


def describe_failure(message: str, budget: Budget) -> types.CallToolResult:
    """An answer that says what went wrong."""
    text = message if budget.holds(message) else message[: budget.limit]
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def _write_text(value: Mapping[str, Any]) -> str:
    """A context as a model reads it, with the warnings that it needs."""
    notes = [f"Note: {warning}" for warning in value["warnings"]]
    if not value["content"].strip() and not notes:
        notes.append("Nothing in this workspace matches the question.")
    if not value.get("indexComplete", True):
        notes.append("Note: files are still being indexed; ask again for more.")
    if value["nextCursor"]:
        notes.append(f"There is more: call again with cursor {value['nextCursor']}.")
    return "\n\n".join(filter(None, [value["content"].strip(), "\n".join(notes)]))


def _describe_tool(tool: Tool) -> types.Tool:
    schemas = InlineSchemas()
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schemas.reference(tool.params, asked=True),
        output_schema=schemas.reference(tool.answer, asked=False),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads_only,
            destructive_hint=False,
            idempotent_hint=tool.repeatable,
            open_world_hint=False,
        ),
    )
