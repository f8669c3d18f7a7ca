"""Messages and documents over the wire: shapes, trust, and complaints that name the field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import build_workspace
from .wire import Json, Wire, WireError

QUERY = "how is the discount computed?"
HISTORY = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Hello!"}]


def test_messages_carry_the_names_of_the_specification(wire: Wire) -> None:
    turn = wire.assemble(QUERY, shape="messages", history=HISTORY, model="gpt-4o", provider="openai")
    assert {
        "systemPrompt", "history", "currentMessage", "tools", "model", "provider", "modelConfig", "tokenBudget",
        "sessionLabel", "parentTurnId", "role", "toolsetName", "permissionsGranted", "sourceEventId", "workspacePath",
    } <= set(turn)  # fmt: skip
    assert [(one["role"], one["content"]) for one in turn["history"]] == [
        ("user", "hello"),
        ("assistant", "Hello!"),
    ]
    assert turn["currentMessage"]["content"].endswith(QUERY)
    assert "def discount_for" in turn["currentMessage"]["content"]
    assert set(turn["tokenBudget"]) == {
        "modelLimit", "reserveResponse", "reserveTools", "available", "used", "remaining",
    }  # fmt: skip
    again = wire.assemble(QUERY, shape="messages", history=HISTORY, model="gpt-4o")
    assert again["cache"]["cachedTokens"] > 0
    assert again["cache"]["brokenBy"] in ("", "current message")


def test_the_default_shape_is_what_it_was(wire: Wire) -> None:
    plain, named = wire.assemble(QUERY), wire.assemble(QUERY, shape="markdown")
    assert plain["content"] == named["content"]
    assert "systemPrompt" not in named


@pytest.mark.parametrize("shape", ["markdown", "tagged", "messages", "document"])
def test_what_is_not_granted_is_in_no_shape(wire: Wire, shape: str) -> None:
    def shown(*rows: str) -> set[str]:
        answer = wire.assemble(QUERY, shape=shape, permissionsGranted=rows)
        return {one["path"] for one in answer["components"] if one["source"] != "query"}

    assert shown() == set()
    assert shown("code:shop/invoice.py") == {"shop/invoice.py"}
    assert {"shop/cart.py", "shop/invoice.py"} <= shown("code:shop/**")
    with pytest.raises(WireError, match="permissionsGranted: expected rows such as code"):
        shown("all")


@pytest.mark.parametrize("shape", ["markdown", "tagged", "messages", "document"])
def test_the_tokenizer_and_the_window_of_a_model_count_in_every_shape(wire: Wire, shape: str) -> None:
    report = wire.assemble(QUERY, shape=shape, model="gpt-4")["report"]
    assert report["tokenizer"] == "cl100k_base"
    assert report["warnings"] == []
    named = wire.assemble(QUERY, shape=shape, model="gpt-4", tokenizer="o200k_base")["report"]
    assert named["tokenizer"] == "o200k_base"


@pytest.mark.parametrize("fields", [{}, {"shape": "tagged"}, {"history": HISTORY}, {"roots": "all"}])
def test_the_window_of_a_model_bounds_one_text(wire: Wire, fields: dict[str, Json]) -> None:
    reserves = {"response": 8000, "tools": 0}
    answer = wire.assemble(QUERY, model="gpt-4", maxTokens=5000, reserves=reserves, **fields)
    assert answer["tokenCount"] <= answer["report"]["assembly"]["budget"]["max"] == 192
    assert "the window of gpt-4 leaves 192 tokens; 5,000 were asked for" in answer["report"]["warnings"]
    unasked = wire.assemble(QUERY, model="gpt-4", reserves=reserves, **fields)
    assert unasked["tokenCount"] <= unasked["report"]["assembly"]["budget"]["max"] == 192
    assert not any("were asked for" in each for each in unasked["report"]["warnings"])


TURN_FIELDS: dict[str, Json] = {
    "role": "manager",
    "workerTask": "count",
    "provider": "openai",
    "modelConfig": {"temperature": 0},
    "tools": [{"name": "grep"}],
    "injection": {"format": "summary"},
    "layerBudgets": {"memory": 10},
    "truncationStrategy": "rollingWindow",
    "minimumRecentNodes": 2,
    "sessionLabel": "s",
    "parentTurnId": "t",
    "toolsetName": "u",
    "sourceEventId": "v",
}
DOCUMENT_FIELDS: dict[str, Json] = {
    "tokenBuffer": 100,
    "buffer": "total = ",
    "separator": "\n",
    "bufferModeSystemContext": True,
}


@pytest.mark.parametrize(
    ("shape", "idle"),
    [
        ("markdown", {**TURN_FIELDS, **DOCUMENT_FIELDS, "circumstances": {"platform": "chat"}}),
        (
            "tagged",
            {**TURN_FIELDS, **DOCUMENT_FIELDS, "circumstances": {"platform": "chat"}, "dependencies": True},
        ),
        ("messages", {**DOCUMENT_FIELDS, "dependencies": True, "task": "count", "taskLine": True}),
        ("document", {"circumstances": {"platform": "chat"}, "reserves": {"response": 100}}),
    ],
)
def test_a_parameter_without_effect_is_named(wire: Wire, shape: str, idle: dict[str, Json]) -> None:
    told = wire.assemble(QUERY, shape=shape, model="gpt-4o", **idle)["report"]["warnings"]
    assert sorted(told) == sorted(f"`{name}` has no effect in the shape `{shape}`" for name in idle)
    quiet = {"taskLine": False, "dependencies": False, "bufferModeSystemContext": False, "buffer": ""}
    assert wire.assemble(QUERY, shape=shape, model="gpt-4o", **quiet)["report"]["warnings"] == []


def test_a_parameter_that_needs_another_is_named(wire: Wire) -> None:
    told = wire.assemble(QUERY, reserves={"response": 100}, history=HISTORY, dependencies=True)["report"][
        "warnings"
    ]
    assert told == [
        "`reserves` has no effect without `model`",
        "`dependencies` has no effect after a history",
    ]


@pytest.mark.parametrize("shape", ["markdown", "tagged", "messages", "document"])
@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"nodeId": "n-1"}, "conversationId"),
        ({"role": "worker"}, "workerTask"),
        ({"history": HISTORY, "conversationId": "chat-1"}, "history"),
        ({"permissionsGranted": ["all"]}, "permissionsGranted"),
    ],
)
def test_what_is_refused_in_one_shape_is_refused_in_all(
    wire: Wire, shape: str, fields: dict[str, Json], field: str
) -> None:
    with pytest.raises(WireError, match=f"^{field}: expected"):
        wire.assemble(QUERY, shape=shape, **fields)


def test_tags_over_the_wire(wire: Wire) -> None:
    (wire.root / "AGENTS.md").write_text("Say please.\n")
    wire.request("context/setTrust", {"trusted": True})
    answer = wire.assemble(QUERY, shape="tagged", sessionId="s-1")
    assert "systemPrompt" not in answer
    assert '<system path="AGENTS.md">\nSay please.\n</system>' in answer["content"]
    assert "Session: `s-1`" in answer["content"]
    assert answer["content"].endswith(f"<user>\n{QUERY}\n</user>")
    account = answer["report"]["assembly"]
    assert account["budget"]["used"] == answer["tokenCount"]
    assert "AGENTS.md" in [part["path"] for part in account["included"]]
    again = wire.assemble(QUERY, shape="tagged", history=[{"role": "user", "content": answer["content"]}])
    assert "shown in turn 1, unchanged" in again["content"]
    wire.request("context/setTrust", {"trusted": False})
    assert "Say please." not in wire.assemble(QUERY, shape="tagged")["content"]


def test_a_document_over_the_wire(wire: Wire) -> None:
    turn = wire.assemble(
        QUERY, shape="document", history=HISTORY, buffer="total = ", injection={"maxTokens": 0}
    )
    assert turn["content"] == "helloHello!total = "
    assert turn["tokenBudget"]["reserveResponse"] == 1024


def test_trust_is_told_and_taken_back(wire: Wire) -> None:
    (wire.root / "AGENTS.md").write_text("Say please.\n")
    uri = wire.root.as_uri()

    def prompt() -> str:
        text: str = wire.assemble(QUERY, shape="messages")["systemPrompt"]
        return text

    assert "Say please." not in prompt()
    assert wire.request("context/setTrust", {"rootUri": uri, "trusted": True}) == {
        "rootUri": uri,
        "trusted": True,
    }
    assert "Say please." in prompt()
    wire.request("context/setTrust", {"trusted": False})
    assert "Say please." not in prompt()


@pytest.mark.parametrize("options", [{"trusted": True}, {"contextls": {"trusted": True}}])
def test_a_client_passes_the_trust_of_its_user(
    start: Callable[..., Wire], tmp_path: Path, options: dict[str, object]
) -> None:
    root = build_workspace(tmp_path / "shop")
    (root / "AGENTS.md").write_text("Say please.\n")
    wire = start()
    wire.initialize(root, options=options)
    wire.ready()
    assert "Say please." in wire.assemble(QUERY, shape="messages")["systemPrompt"]
    wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": {"trusted": False}}})
    assert "Say please." not in wire.assemble(QUERY, shape="messages")["systemPrompt"]


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        ({"shape": "verse"}, "shape: expected one of markdown, messages, document, tagged"),
        ({"shape": "messages", "role": "boss"}, "role: expected one of manager, worker, unified"),
        ({"shape": "messages", "role": "worker"}, "workerTask: expected what the worker is to do"),
        (
            {"shape": "messages", "history": [{"role": "robot", "content": ""}]},
            "history[0].role: expected one of",
        ),
        ({"shape": "messages", "history": [{"role": "user"}]}, "history[0].content: expected a string"),
        ({"shape": "messages", "reserves": {"response": 128000}}, "reserves: expected less than"),
        ({"shape": "tagged", "reserves": {"response": 128000}}, "reserves: expected less than"),
        ({"reserves": {"response": 128000}}, "reserves: expected less than"),
        (
            {"shape": "messages", "circumstances": {"time": "rubbish"}},
            "circumstances.time: expected a time in ISO 8601",
        ),
        (
            {"shape": "messages", "injection": {"position": "top"}},
            "injection.position: expected one of system",
        ),
        (
            {"shape": "messages", "layerBudgets": {"cellar": 1}},
            "layerBudgets.cellar: expected one of workspace",
        ),
        (
            {"shape": "messages", "permissionsGranted": ["all"]},
            "permissionsGranted: expected rows such as code",
        ),
        (
            {"shape": "messages", "minimumRecentNodes": 0},
            "minimumRecentNodes: expected a whole number, 1 or more",
        ),
    ],
)
def test_a_field_that_is_wrong_is_named(wire: Wire, params: dict[str, object], complaint: str) -> None:
    with pytest.raises(WireError) as raised:
        wire.assemble(QUERY, **params)
    assert raised.value.code == -32602
    assert complaint in str(raised.value)


def test_what_cannot_fit_is_an_error_with_numbers_and_the_server_lives_on(wire: Wire) -> None:
    with pytest.raises(WireError) as raised:
        wire.assemble(QUERY, shape="messages", maxTokens=20, model="gpt-4o")
    assert raised.value.code == -32803
    assert "20 are available" in str(raised.value)
    assert wire.assemble(QUERY, shape="messages")["components"]


def test_what_was_retrieved_for_a_turn_can_be_brought_up_to_date(wire: Wire) -> None:
    turn = wire.assemble(QUERY, shape="messages", model="gpt-4o")
    event = {"type": "shell_exec", "content": {"command": "pytest shop", "exitCode": 1}}
    updated = wire.request("context/update", {"contextId": turn["id"], "event": event})
    assert "pytest shop" in updated["content"]
    assert "systemPrompt" not in updated


def test_a_stored_conversation_is_the_history(wire: Wire) -> None:
    chat = wire.request("context/conversation/create", {"title": "talk"})["id"]
    for author, content in (("human", "hello"), ("model", "Hello!")):
        wire.request(
            "context/conversation/append", {"conversationId": chat, "author": author, "content": content}
        )
    turn = wire.assemble(QUERY, shape="messages", conversationId=chat, model="gpt-4o")
    assert [(one["role"], one["content"]) for one in turn["history"]] == [
        ("user", "hello"),
        ("assistant", "Hello!"),
    ]
    predicted = turn["cache"]["cachedTokens"]
    kept = wire.request(
        "context/conversation/result",
        {
            "conversationId": chat,
            "nodeId": turn["history"][-1]["nodes"][-1],
            "usage": {"inputTokens": 100, "cachedInputTokens": 60},
            "stopReason": "end",
            "predictedCachedTokens": predicted,
        },
    )
    assert kept["result"]["usage"]["cachedInputTokens"] == 60
