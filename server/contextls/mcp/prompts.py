"""Prompts that a user picks by name; each brings the context of its question along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.mcp.contexts import answer_request
from contextls.model import AssembleRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextls.mcp.call import Call


class Prompt(Struct, frozen=True):
    """One prompt: what the user sees of it, its one argument, and the request that it stands for.

    ``task`` is what the model is told to do; ``{}`` in it and in ``query`` stands for the argument.
    """

    name: str
    title: str
    description: str
    argument: str
    meaning: str
    task: str
    query: str
    request: AssembleRequest
    required: bool = False
    default: str = ""


PROMPTS = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "fix",
            "Fix a problem",
            "The last failure, or a problem that you describe, with the code behind it.",
            "problem",
            "What is wrong; the last failure if absent.",
            "Fix this: {}",
            "fix {}",
            AssembleRequest(query="", archetype="debug", task_line=False),
            default="the failing test",
        ),
        Prompt(
            "explain",
            "Explain code",
            "How a symbol, a file or a mechanism works, with its code and what hangs together with it.",
            "what",
            "A symbol, a path, or a question.",
            "Explain this to a developer who is new to the workspace: {}",
            "explain {}",
            AssembleRequest(query="", archetype="explain", task_line=False),
            required=True,
        ),
        Prompt(
            "review",
            "Review my changes",
            "Changes, uncommitted or of a branch, with what they touch, who uses it and what tests it.",
            "changes",
            "staged, unstaged, all, or the branch to compare with; all if absent.",
            "Review these changes ({}). Name defects first, each with its place; then what is not tested.",
            "review my changes",
            AssembleRequest(query="", archetype="review", task_line=False),
            default="all",
        ),
        Prompt(
            "continue",
            "Continue where I left off",
            "What was being done: edits, runs, failures, tasks and uncommitted changes.",
            "goal",
            "What you want to get done next.",
            "Continue the work that was going on here. {}",
            "continue where I left off {}",
            AssembleRequest(query="", archetype="code", task_line=False),
        ),
    )
}


async def write_prompt(call: Call, name: str, arguments: Mapping[str, str]) -> tuple[str, str]:
    """The description and the text of a prompt. Raises ``InvalidRequestError``."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise InvalidRequestError("name", "one of " + ", ".join(PROMPTS), name)
    given = _read_argument(prompt, arguments)
    request = replace(prompt.request, query=prompt.query.format(given).strip())
    if prompt.name == "review":
        request = replace(request, changes=given)
    answer = await answer_request(call, request)
    text = f"{prompt.task.format(given).strip()}\n\n{answer.content}".rstrip()
    return prompt.description, text


def _read_argument(prompt: Prompt, arguments: Mapping[str, str]) -> str:
    unknown = [name for name in arguments if name != prompt.argument]
    if unknown:
        raise InvalidRequestError(f"arguments.{unknown[0]}", f"only {prompt.argument}")
    given = arguments.get(prompt.argument, "").strip()
    if prompt.required and not given:
        raise InvalidRequestError(
            f"arguments.{prompt.argument}", f"a string; it is missing. {prompt.meaning}"
        )
    return given or prompt.default
