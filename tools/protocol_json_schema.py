"""The protocol as a JSON schema (draft 2020-12): what each method takes and answers."""

from __future__ import annotations

import json

from contextls.requests.methods import COMMANDS, METHODS, NOTIFICATIONS
from contextls.schema.json_schema import Definitions

DESCRIPTION = (
    "What the methods of contextls take and answer. In what it takes, null counts as absent and fields of other names "
    "are refused; answers may come to have more fields."
)


def json_schema() -> str:
    """The text of docs/protocol.schema.json."""
    definitions = Definitions()
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of contextls",
        "description": DESCRIPTION,
        "methods": {name: definitions.method(each.params, each.answer) for name, each in METHODS.items()},
        "commands": {name: definitions.method(each.params, each.answer) for name, each in COMMANDS.items()},
        "notifications": {
            name: {"params": definitions.reference(kind, asked=False)} for name, kind in NOTIFICATIONS.items()
        },
        "$defs": dict(sorted(definitions.found.items())),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
