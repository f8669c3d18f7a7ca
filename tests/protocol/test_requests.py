"""The custom methods on a real server: their answers, and that no bad input ever goes unanswered."""

from __future__ import annotations

import concurrent.futures
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.lsp.features import COMMANDS, REQUESTS

from .test_params import json_values, objects
from .wire import Json, Wire, WireError, span

DEEP: dict[str, Any] = {}
for _ in range(100):
    DEEP = {"a": DEEP}
TYPES = {"task", "working_set", "recent", "semantic", "entity", "relation", "pattern", "custom"}


@pytest.fixture(autouse=True)
def settled(server: Wire) -> None:
    """Every test begins with a complete index: some before it may have cleared it, or asked for a new one."""
    server.ready()


def test_a_context_has_the_form_of_the_specification(server: Wire) -> None:
    context = server.assemble(
        "how is the discount computed?", maxTokens=1500, additionalContext="Prices are in euros."
    )
    assert set(context) == {
        "id",
        "content",
        "components",
        "tokenCount",
        "truncated",
        "confidence",
        "strategy",
        "metadata",
        "report",
    }
    assert "## Relevant Content" in context["content"]
    assert "def discount_for(total: float) -> float:" in context["content"]
    assert "Prices are in euros." in context["content"]
    assert 0 < context["tokenCount"] <= 1500
    for component in context["components"]:
        assert set(component) == {
            "type",
            "source",
            "content",
            "tokens",
            "relevanceScore",
            "compression",
            "why",
            "title",
            "path",
            "startLine",
            "endLine",
            "symbol",
            "language",
            "body",
        }
        assert component["type"] in TYPES
    assert set(context["metadata"]) == {
        "query",
        "eventsConsidered",
        "entitiesConsidered",
        "chunksSearched",
        "assemblyTimeMs",
    }
    assert context["strategy"]["name"] == "code"
    assert context["report"]["indexComplete"] is True
    assert context["report"]["tokenizer"] == "o200k_base"


@pytest.mark.parametrize("archetype", ["code", "debug", "explain", "review", "write"])
def test_a_strategy_can_be_named(server: Wire, archetype: str) -> None:
    assert server.assemble("cart", strategy=archetype)["strategy"]["name"] == archetype


def test_a_strategy_as_answered_can_be_sent_back(server: Wire) -> None:
    strategy = server.assemble("cart", strategy="debug")["strategy"]
    changed = {**strategy, "recencyWeight": 0.7, "shares": {**strategy["shares"]}}
    assert server.assemble("cart", strategy=changed)["strategy"] == changed


def test_a_position_names_the_active_file(server: Wire) -> None:
    uri = server.uri("shop/invoice.py")
    place: dict[str, Any] = {"textDocument": {"uri": uri}, "position": {"line": 6, "character": 4}}
    assert "invoice_total" in server.assemble("what does this do?", **place)["content"]


@pytest.mark.parametrize(
    ("strategy", "field"),
    [
        ("cod", "strategy"),
        ({"recencyWeigth": 1}, "strategy.recencyWeigth"),
        ({"recencyWeight": -1}, "strategy.recencyWeight"),
        ({"recencyWeight": "a lot"}, "strategy.recencyWeight"),
        ({"shares": {"semantic": 120}}, "strategy.shares"),
        ({"depthLimit": 1.5}, "strategy.depthLimit"),
    ],
)
def test_a_bad_strategy_is_refused_by_its_field(server: Wire, strategy: Json, field: str) -> None:
    with pytest.raises(WireError) as caught:
        server.assemble("q", strategy=strategy)
    assert caught.value.code == -32602
    assert caught.value.data["field"].startswith(field)


BAD_ASSEMBLE: list[tuple[Any, str]] = [
    (None, "params"),
    ([], "query"),
    ([1], "params"),
    ("text", "params"),
    ({}, "query"),
    ({"query": None}, "query"),
    ({"query": ""}, "query"),
    ({"query": " \n"}, "query"),
    ({"query": 5}, "query"),
    ({"query": ["a"]}, "query"),
    ({"query": "\ud800"}, "query"),
    ({"query": "q", "max-tokens": 5}, "max-tokens"),
    ({"query": "q", "maxtokens": 5}, "maxtokens"),
    ({"query": "q", "maxTokens": -1}, "maxTokens"),
    ({"query": "q", "maxTokens": 0}, "maxTokens"),
    ({"query": "q", "maxTokens": "4000"}, "maxTokens"),
    ({"query": "q", "maxTokens": 4000.0}, "maxTokens"),
    ({"query": "q", "maxTokens": True}, "maxTokens"),
    ({"query": "q", "maxTokens": 10**30}, "maxTokens"),
    ({"query": "q", "sessionId": 1}, "sessionId"),
    ({"query": "q", "strategy": 1}, "strategy"),
    ({"query": "q", "strategy": ""}, "strategy"),
    ({"query": "q", "strategy": ["code"]}, "strategy"),
    ({"query": "q", "additionalContext": {}}, "additionalContext"),
    ({"query": "q", "filters": [1]}, "filters"),
    ({"query": "q", "filters": {"sinse": 1}}, "filters.sinse"),
    ({"query": "q", "filters": {"since": -1}}, "filters.since"),
    ({"query": "q", "filters": {"since": "now"}}, "filters.since"),
    ({"query": "q", "filters": {"eventTypes": "error"}}, "filters.eventTypes"),
    ({"query": "q", "filters": {"exclude": ["a", 1]}}, "filters.exclude[1]"),
    ({"query": "q", "textDocument": "file:///a"}, "textDocument"),
    ({"query": "q", "textDocument": {}}, "textDocument.uri"),
    ({"query": "q", "textDocument": {"uri": 1}}, "textDocument.uri"),
    ({"query": "q", "textDocument": {"uri": "file:///a", "version": "1"}}, "textDocument.version"),
    ({"query": "q", "position": {"line": 1, "character": 1}}, "textDocument"),
    ({"query": "q", "textDocument": {"uri": "file:///a"}, "position": {"line": 1}}, "position.character"),
    (
        {"query": "q", "textDocument": {"uri": "file:///a"}, "position": {"line": -1, "character": 0}},
        "position.line",
    ),
    ({"query": "q", "textDocument": {"uri": "file:///a"}, "position": 3}, "position"),
    ({"query": "q", "textDocument": {"uri": "file:///a"}, "range": {}}, "range.start"),
    ({"query": "q", "textDocument": {"uri": "file:///a"}, "range": span((2, 1), (2, 0))}, "range.end"),
    (
        {
            "query": "q",
            "textDocument": {"uri": "file:///a"},
            "position": {"line": 0, "character": 0},
            "range": span((0, 0), (0, 0)),
        },
        "range",
    ),
    ({"query": "q", "rootUri": "/not/a/uri"}, "rootUri"),
    ({"query": "q", "rootUri": "https://x/"}, "rootUri"),
    ({"query": "q", "tokenizer": 5}, "tokenizer"),
    ({"query": "q", "workDoneToken": 1.5}, "workDoneToken"),
]


@pytest.mark.parametrize(("params", "field"), BAD_ASSEMBLE)
def test_bad_input_is_answered_and_the_server_lives_on(server: Wire, params: Json, field: str) -> None:
    with pytest.raises(WireError) as caught:
        server.request("context/assemble", params)
    assert caught.value.code == -32602
    assert caught.value.data["field"] == field
    assert caught.value.message.startswith(f"{field}: expected ")
    assert server.request("context/search", {"query": "cart"})["hits"]
    assert not server.calls("window/showMessage")


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("context/assemble", {"query": "q", "maxTokens": 1}, "maxTokens"),
        ("context/assemble", {"query": "q", "rootUri": "file:///elsewhere"}, "rootUri"),
        (
            "context/assemble",
            {"query": "q", "textDocument": {"uri": "file:///etc/passwd"}},
            "textDocument.uri",
        ),
        ("context/assemble", {"query": "q", "boosts": {"paths": {"a": "2"}}}, "boosts.paths.a"),
        ("context/assemble", {"query": "q", "boosts": {"paths": {"a": 11}}}, "boosts.paths.a"),
        ("context/assemble", {"query": "q", "boosts": {"sections": {"code": 2}}}, "boosts.sections.code"),
        ("context/assemble", {"query": "q", "filters": {"paths": "src"}}, "filters.paths"),
        ("context/update", {"contextId": "context-1"}, "event"),
        ("context/update", {"contextId": "context-1", "event": {"type": "note"}}, "event.content"),
        ("context/update", {"event": {"type": "note", "content": {}}}, "contextId"),
        ("context/compress", {"text": "a"}, "maxTokens"),
        ("context/compress", {"text": "a", "maxTokens": 5, "path": "a", "language": "b"}, "path"),
        ("context/countTokens", {"text": "a", "texts": ["b"]}, "text"),
        ("context/countTokens", {"texts": ["b", 5]}, "texts[1]"),
        ("context/archetypes", {"name": "code"}, "name"),
        ("context/search", {"query": "q", "rootUri": "file:///elsewhere"}, "rootUri"),
        ("context/search", {"query": " "}, "query"),
        ("context/search", {"query": "too long " * 20_000}, "query"),
        ("context/search", {"query": "q", "limit": -1}, "limit"),
        ("context/search", None, "params"),
        ("context/status", {"verbose": True}, "verbose"),
        ("context/status", {"rootUri": 5}, "rootUri"),
        ("context/recordEvent", {"type": "error", "content": {}}, "content.message"),
        ("context/recordEvent", {"type": "file_write", "content": {"path": "../../x"}}, "content.path"),
        ("context/recordEvent", {"type": "file_write", "content": {"path": "/etc/passwd"}}, "content.path"),
        (
            "context/recordEvent",
            {"type": "file_write", "content": {"path": "file:///etc/passwd"}},
            "content.path",
        ),
        ("context/recordEvent", {"type": "file_read", "content": {"path": "git://x/a.py"}}, "content.path"),
        ("context/recordEvent", {"type": "a", "content": {"b": [0, "\ud800"]}}, "content.b[1]"),
        ("context/recordEvent", {"type": "a", "content": {"b": float("nan")}}, "content.b"),
        ("context/recordEvent", {"type": "a", "content": DEEP}, "content.a.a"),
        ("workspace/executeCommand", {"command": "contextls.copyContext"}, "arguments[0].query"),
        ("workspace/executeCommand", {"command": "contextls.reindex", "arguments": [5]}, "arguments[0]"),
        (
            "workspace/executeCommand",
            {"command": "contextls.showStatus", "arguments": [{"a": 1}]},
            "arguments[0].a",
        ),
    ],
)
def test_every_method_names_the_bad_field(server: Wire, method: str, params: Json, field: str) -> None:
    with pytest.raises(WireError) as caught:
        server.request(method, params)
    assert caught.value.code == -32602
    assert caught.value.data["field"].startswith(field)
    assert server.request("context/status")["state"] == "ready"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.sampled_from([*REQUESTS, *(f"workspace/executeCommand {command}" for command in COMMANDS)]),
    json_values | objects | objects.map(lambda fields: {"query": "cart", **fields}),
)
def test_every_request_gets_exactly_one_answer(server: Wire, method: str, params: Json) -> None:
    name, _, command = method.partition(" ")
    before = len(server.received)
    msg_id = server.send(name, {"command": command, "arguments": [params]} if command else params)
    try:
        server.answer(msg_id)
    except WireError as error:
        refused = error
        assert refused.code == -32602, refused
    server.request("context/search", {"query": "fence"})
    assert sum("method" not in each and each["id"] == msg_id for each in server.received[before:]) == 1


def test_a_missing_params_is_answered(server: Wire) -> None:
    for method in ("context/assemble", "context/search", "context/recordEvent"):
        with pytest.raises(WireError) as caught:
            server.request(method)
        assert caught.value.code == -32602


def test_search_answers_with_places(server: Wire) -> None:
    result = server.request("context/search", {"query": "discount of an order", "limit": 3})
    best = result["hits"][0]
    assert set(best) == {"path", "startLine", "endLine", "language", "kind", "symbol", "score", "text"}
    lines = (server.root / best["path"]).read_text().splitlines(keepends=True)
    assert "".join(lines[best["startLine"] - 1 : best["endLine"]]) == best["text"]
    assert "discount" in best["text"]
    assert len(result["hits"]) <= 3
    assert (result["query"], result["indexComplete"]) == ("discount of an order", True)


def test_status_tells_what_there_is(server: Wire) -> None:
    status = server.request("context/status", {"rootUri": server.root.as_uri()})
    assert Path(status["root"]) == server.root.resolve()
    assert status["languages"]["python"] == 2
    assert status["files"] >= 3
    assert status["chunks"] >= status["files"]


def test_a_shell_event_reaches_the_prompt(server: Wire) -> None:
    content = {
        "command": "make freight",
        "exitCode": 2,
        "stderr": "freight rate is missing",
        "durationMs": 12.5,
    }
    answer = server.request("context/recordEvent", {"type": "shell_exec", "content": content})
    assert isinstance(answer["id"], str)
    prompt = server.assemble("why did make freight fail?")["content"]
    assert "make freight" in prompt
    assert "freight rate is missing" in prompt


def test_an_event_as_a_notification(server: Wire) -> None:
    content = {"message": "UmbrellaError: no umbrella", "stack": "at shop"}
    server.notify("context/recordEvent", {"type": "error", "content": content, "outcome": "failure"})
    server.notify("context/recordEvent", {"type": "error", "content": {}})
    assert server.request("context/recordEvent", {"type": "note", "content": {"text": "behind it"}})["id"]
    assert "UmbrellaError" in server.assemble("fix the umbrella error")["content"]


def test_filters_leave_out_old_events_and_other_types(server: Wire) -> None:
    event = {
        "type": "error",
        "content": {"message": "old giraffe"},
        "timestamp": 1000,
        "sessionId": "long-ago",
    }
    assert server.request("context/recordEvent", event)["id"]
    assert "old giraffe" not in server.assemble("giraffe", filters={"since": 2000})["content"]
    assert "old giraffe" not in server.assemble("giraffe", filters={"eventTypes": ["file_read"]})["content"]


def test_an_unknown_tokenizer_is_estimated_and_named(server: Wire) -> None:
    report = server.assemble("cart", tokenizer="abacus-9")["report"]
    assert report["tokenizerExact"] is False
    assert server.assemble("cart", tokenizer="cl100k_base")["report"]["tokenizerExact"] is True


def test_progress_of_a_question_goes_by_the_clients_token(server: Wire) -> None:
    mine = "mine"
    server.assemble("cart", workDoneToken=mine)
    kinds = [each["value"]["kind"] for each in server.calls("$/progress") if each["token"] == mine]
    assert kinds == ["begin", "end"]


def test_a_question_is_cancelled_by_its_progress_token(server: Wire) -> None:
    for number in range(50):
        token = f"cancelled {number}"
        msg_id = server.send("context/assemble", {"query": f"question {number}", "workDoneToken": token})
        server.notify("window/workDoneProgress/cancel", {"token": token})
        try:
            server.answer(msg_id)
        except WireError as error:
            cancelled = error
            break
    assert cancelled.code == -32800
    kinds = [each["value"]["kind"] for each in server.calls("$/progress") if each["token"] == token]
    assert kinds == ["begin", "end"]


def test_questions_side_by_side_all_see_the_newest_text(server: Wire) -> None:
    uri = server.open("shop/cart.py")
    for number in range(10):
        line = f"# lighthouse keeper number {number}\n"
        zero = {"line": 0, "character": 0}
        server.change(uri, {"range": {"start": zero, "end": zero}, "text": line}, version=number + 2)
        ids = [server.send("context/assemble", {"query": "lighthouse keeper number"}) for _ in range(4)]
        for msg_id in ids:
            assert line.strip() in server.answer(msg_id)["content"]
    server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_the_same_question_gives_the_same_prompt(server: Wire) -> None:
    server.request("context/recordEvent", {"type": "note", "content": {"text": "behind all writes"}})
    first, second = (server.assemble("how is the discount computed?")["content"] for _ in range(2))
    assert first == second


def test_cheap_requests_are_answered_while_questions_run(server: Wire) -> None:
    questions = [server.send("context/assemble", {"query": f"question {number}"}) for number in range(20)]
    began = time.monotonic()
    refused = server.send("context/assemble", {"query": ""})
    with pytest.raises(WireError):
        server.answer(refused)
    assert time.monotonic() - began < 5
    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert all(pool.map(lambda msg_id: server.answer(msg_id)["metadata"], questions))
    order = [each.get("id") for each in server.received if "method" not in each]
    assert order.index(refused) < max(map(order.index, questions)), "it waited for all that came before"


def test_a_context_is_updated_with_an_event_again_and_again(server: Wire) -> None:
    context = server.assemble("how is the discount computed?", maxTokens=300)
    for number in range(3):
        event = {"type": "note", "content": {"text": f"pelican number {number}"}}
        context = server.request("context/update", {"contextId": context["id"], "event": event})
        assert f"pelican number {number}" in context["content"]
        assert context["tokenCount"] <= 300
    assert server.request("context/recordEvent", {"type": "note", "content": {"text": "end"}})["id"]


def test_the_same_question_is_answered_from_memory_until_something_happens(server: Wire) -> None:
    asked = "how is the heron computed?"
    server.assemble(asked)
    assert server.assemble(asked)["report"]["cached"] is True
    server.request("context/recordEvent", {"type": "error", "content": {"message": "heron is missing"}})
    after = server.assemble(asked)
    assert after["report"]["cached"] is False
    assert "heron is missing" in after["content"]


def test_paths_and_boosts_over_the_wire(server: Wire) -> None:
    answer = server.assemble(
        "discount",
        filters={"paths": ["shop/cart.py"]},
        boosts={"paths": {"shop/**": 1.5}, "sections": {"recent": 0}},
    )
    code = {each["source"].rpartition(":")[0] for each in answer["components"] if each["type"] == "semantic"}
    assert code == {"shop/cart.py"}


def test_text_is_compressed_and_counted(server: Wire) -> None:
    text = "\n".join(f"12:00:{n % 60:02d} step {n} done" for n in range(200)) + "\nerror: no heron"
    short = server.request("context/compress", {"text": text, "maxTokens": 40})
    assert (short["method"], short["truncated"]) == ("fold", True)
    assert "error: no heron" in short["text"]
    counts = server.request("context/countTokens", {"texts": [short["text"], text]})
    assert counts["counts"][0] == short["tokenCount"] <= 40 < counts["counts"][1]


def test_archetypes_are_listed_with_what_they_are_good_for(server: Wire) -> None:
    listed = server.request("context/archetypes")["archetypes"]
    assert [each["name"] for each in listed] == ["code", "debug", "explain", "review", "write"]
    assert all(each["description"] for each in listed)


def test_changes_are_one_of_three_words(server: Wire) -> None:
    context = server.assemble("review this change", changes="all")
    assert "in no git repository" in context["report"]["warnings"][0]
    with pytest.raises(WireError) as caught:
        server.assemble("review this change", changes="committed")
    assert caught.value.data["field"] == "changes"


def test_the_uri_of_a_file_is_recorded_as_its_path(server: Wire) -> None:
    for path in ("shop/cart.py", "shop/a b%c.py"):
        content = {"path": server.uri(path)}
        known = server.request("context/recordEvent", {"type": "file_read", "content": content})["id"]
        (newest, *_) = server.request("context/events", {"limit": 1})["events"]
        assert (newest["id"], newest["content"]["path"]) == (known, path)
