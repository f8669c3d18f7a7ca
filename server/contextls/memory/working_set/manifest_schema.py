"""The JSON schema of a manifest, for editors that complete and check YAML; made of what the reader goes by."""

from __future__ import annotations

from typing import Any

from contextls.memory.working_set.budget import HISTORY, PARTS
from contextls.memory.working_set.entries import MAX_ENTRIES, MAX_INCLUDES, MAX_LINES, PRIORITY
from contextls.memory.working_set.target_text import MAX_PATH_CHARS
from contextls.model import Role, TruncateStrategy
from contextls.settings import MAX_TOKENS, MIN_TOKENS

Schema = dict[str, Any]


def manifest_schema() -> Schema:
    """The schema of ``.context/working-set.yml`` and of what it includes; fields that it does not name are allowed."""
    pinned = _path(
        "A file, a folder (`docs/`), a symbol (`a.py#Cart.total`), lines (`a.py:10-40`) or a pattern (`src/**/*.py`), "
        "relative to the workspace."
    )
    excluded = _path(
        "A file, a folder or a symbol that no prompt shows anything of, relative to the workspace."
    )
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Working set of contextls",
        "description": "What every prompt of this workspace shall hold, and what none may.",
        "type": ["object", "null"],
        "properties": {
            "protocol": {
                "description": "The specification that the file follows.",
                "type": ["string", "null"],
                "pattern": r"^CONTEXT-ASSEMBLY/0\.",
                "default": "CONTEXT-ASSEMBLY/0.1",
            },
            "budget": _budget(),
            "include": _include(),
            "files": _list(
                "What is pinned; the highest priority comes first.", [pinned, _entry(pinned)]
            ),
            "exclude": _list("What is kept out of every prompt.", [excluded, _object({"path": excluded})]),
            "metadata": {
                "description": "Kept up to date where it is there.",
                "type": ["object", "null"],
                "properties": {"last_updated": {"type": ["string", "null"]}, "assembled_by": {"type": ["string", "null"]}},
            },
        },
    }  # fmt: skip


def _budget() -> Schema:
    share = r"^[0-9]{1,2}(\.[0-9]{1,4})? ?%$|^100(\.0{1,4})? ?%$"
    allotment = {
        "description": "Tokens such as 3000, or a share such as 25%.",
        "anyOf": [{"type": "null"}, _whole(0), {"type": "string", "pattern": share}],
    }
    words = {part: f"What pins of the role {part} may take." for part in map(str, Role)}
    words[HISTORY] = "What the history of a conversation may take."
    parts = {part: {**allotment, "description": words[part]} for part in PARTS}
    return {
        "description": "How large prompts may be.",
        "type": ["object", "null"],
        "properties": {
            "max_tokens": _or_empty(_whole(MIN_TOKENS), "Tokens of prompt and response together."),
            "reserved_for_response": _or_empty(_whole(0), "Tokens of them that are kept free for the response."),
            "effective": _or_empty(_whole(MIN_TOKENS), "Tokens that are left for the prompt."),
            "allocation": {
                "description": "What each part of a prompt may take.",
                "type": ["object", "null"],
                "properties": parts,
                "additionalProperties": False,
            },
        },
    }  # fmt: skip


def _include() -> Schema:
    file = {"type": "string", "pattern": r"\S"}
    return {
        "description": "Other files of this kind, relative to this one; contextls only reads them.",
        "anyOf": [{"type": "null"}, file, {"type": "array", "items": file, "maxItems": MAX_INCLUDES}],
    }


def _entry(path: Schema) -> Schema:
    return _object(
        {
            "path": path,
            "priority": {
                "description": f"What is higher comes first and is given up last; {PRIORITY:g} when absent.",
                "type": ["number", "null"],
                "minimum": 0,
                "maximum": 1,
            },
            "role": _one_of("As what it is read; context when absent.", list(map(str, Role))),
            "truncate_strategy": _one_of(
                "What goes when there is too little room; middle when absent.", list(map(str, TruncateStrategy))
            ),
            "max_lines": {
                "description": "A hard limit of lines.",
                "type": ["integer", "null"],
                "minimum": 1,
                "maximum": MAX_LINES,
            },
            "added_by": _one_of("Who put it there: a model, else a person.", ["model", "user"]),
            "why": {"description": "Why a model put it there.", "type": ["string", "null"]},
        }
    )  # fmt: skip


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": ["path"]}


def _list(description: str, items: list[Schema]) -> Schema:
    return {
        "description": description,
        "type": ["array", "null"],
        "items": {"anyOf": items},
        "maxItems": MAX_ENTRIES,
    }


def _path(description: str) -> Schema:
    return {"description": description, "type": "string", "minLength": 1, "maxLength": MAX_PATH_CHARS}


def _one_of(description: str, words: list[str]) -> Schema:
    return {"description": description, "enum": [*words, None]}


def _whole(least: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": MAX_TOKENS}


def _or_empty(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description, "type": [schema["type"], "null"]}
