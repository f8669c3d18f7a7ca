"""Parameters are read strictly, and every complaint names its field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.lsp.serving import read_argument
from contextls.model import MAX_OTHER_WORDS, Filters, Outcome
from contextls.requests.common import Place, RootParams
from contextls.requests.events import RecordParams
from contextls.requests.lookup import SearchParams
from contextls.requests.methods import METHODS
from contextls.requests.turn import AssembleParams
from contextls.schema.reader import read

from .wire import Json, span

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
field_names = st.sampled_from(
    ["query", "maxTokens", "strategy", "filters", "textDocument", "position", "range", "rootUri", "limit", "type",
     "content", "outcome", "timestamp", "sessionId", "uri", "tokenizer", "workDoneToken", "bogus"]
)  # fmt: skip
objects = st.dictionaries(field_names, json_values, max_size=6)


def copy_params(arguments: Json) -> object:
    return read_argument("contextls.copyContext", arguments)


@given(json_values | objects)
def test_whatever_comes_it_is_read_or_refused(value: Json) -> None:
    for kind in {method.params for method in METHODS.values()}:
        refused: InvalidRequestError | None = None
        try:
            read(kind, value)
        except InvalidRequestError as error:
            refused = error
        if refused is not None:
            assert refused.field
            assert str(refused).startswith(refused.field + ": expected ")


def test_every_field_of_a_request_is_read() -> None:
    asked = read(
        AssembleParams,
        {
            "query": "q",
            "maxTokens": 10,
            "sessionId": "s",
            "strategy": "debug",
            "additionalContext": "more",
            "otherWords": [f"word{at}" for at in range(MAX_OTHER_WORDS + 1)],
            "filters": {"since": 5, "eventTypes": ["error"], "entityTypes": [], "exclude": ["a.py"]},
            "textDocument": {"uri": "file:///a"},
            "position": {"line": 4, "character": 2},
            "rootUri": "file:///",
            "tokenizer": "cl100k_base",
            "workDoneToken": "t",
            "partialResultToken": 1,
        },
    )
    assert (asked.query, asked.max_tokens, asked.archetype) == ("q", 10, "debug")
    assert asked.filters == Filters(since=5, event_types=("error",), entity_types=(), exclude=("a.py",))
    assert len(asked.other_words) == MAX_OTHER_WORDS
    assert asked.place == Place("file:///a", 5, 5)


def test_an_empty_list_is_the_empty_object_of_lua() -> None:
    asked = read(AssembleParams, {"query": "q", "filters": [], "strategy": []})
    assert asked == read(AssembleParams, {"query": "q", "filters": {}, "strategy": {}})
    assert (asked.archetype, asked.strategy_overrides) == (None, {})
    assert read(RootParams, []) == read(RootParams, None) == read(RootParams, {})


def test_a_field_that_is_null_counts_as_absent() -> None:
    assert read(AssembleParams, {"query": "q", "maxTokens": None, "filters": None, "strategy": None}) == read(
        AssembleParams, {"query": "q"}
    )


@pytest.mark.parametrize(
    ("start", "end", "lines"),
    [((0, 0), (0, 5), (1, 1)), ((2, 3), (4, 1), (3, 5)), ((2, 0), (4, 0), (3, 4)), ((2, 0), (2, 0), (3, 3))],
)
def test_lines_of_a_range(start: tuple[int, int], end: tuple[int, int], lines: tuple[int, int]) -> None:
    asked = read(
        AssembleParams, {"query": "q", "textDocument": {"uri": "file:///a"}, "range": span(start, end)}
    )
    assert asked.place == Place("file:///a", *lines, selected=start != end)


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({}, "query"),
        ({"query": "q", "limit": 0}, "limit"),
        ({"query": "q", "limit": 1001}, "limit"),
        ({"query": "q", "limit": "5"}, "limit"),
        ({"query": "q", "maxTokens": 5}, "maxTokens"),
    ],
)
def test_search_names_the_bad_field(params: Json, field: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        read(SearchParams, params)
    assert caught.value.field == field


SHELL = {"command": "make", "exitCode": 2}


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"content": {}}, "type"),
        ({"type": "x"}, "content"),
        ({"type": "x", "content": "text"}, "content"),
        ({"type": "x", "content": {}, "outcome": "fine"}, "outcome"),
        ({"type": "x", "content": {}, "timestamp": -5}, "timestamp"),
        ({"type": "x", "content": {}, "timestamp": "now"}, "timestamp"),
        ({"type": "x", "content": {}, "kind": "y"}, "kind"),
        ({"type": "shell_exec", "content": {"exitCode": 0}}, "content.command"),
        ({"type": "shell_exec", "content": {**SHELL, "exitCode": "2"}}, "content.exitCode"),
        ({"type": "shell_exec", "content": {**SHELL, "stdout": 5}}, "content.stdout"),
        ({"type": "shell_exec", "content": {**SHELL, "durationMs": -1}}, "content.durationMs"),
        ({"type": "shell_exec", "content": {**SHELL, "exit_code": 2}}, "content.exit_code"),
        ({"type": "file_write", "content": {}}, "content.path"),
        ({"type": "error", "content": {"stack": "…"}}, "content.message"),
    ],
)
def test_record_names_the_bad_field(params: Json, field: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        read(RecordParams, params)
    assert caught.value.field == field


def test_a_shell_event_is_read_with_all_its_fields() -> None:
    content = {**SHELL, "stdout": "", "stderr": "no rule", "cwd": None, "durationMs": 12.5}
    asked = read(
        RecordParams, {"type": "shell_exec", "content": content, "outcome": "failure", "timestamp": 7}
    )
    assert asked.event.content == {
        "command": "make",
        "exitCode": 2,
        "stdout": "",
        "stderr": "no rule",
        "durationMs": 12.5,
    }
    assert (asked.event.outcome, asked.event.timestamp) == (Outcome.FAILURE, 7)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (None, "arguments[0].query"),
        ([], "arguments[0].query"),
        ([{"query": "a"}, {}], "arguments"),
        (["a"], "arguments[0]"),
        ([{"query": "a", "range": span((0, 0), (0, 1))}], "arguments[0].uri"),
        ([{"query": "a", "budget": 5}], "arguments[0].budget"),
        ([{"query": "a", "maxTokens": -5}], "arguments[0].maxTokens"),
    ],
)
def test_copy_names_the_bad_field(arguments: Json, field: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        copy_params(arguments)
    assert caught.value.field == field
