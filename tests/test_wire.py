from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.model import Component, Event, Outcome, Section, Strategy
from contextls.wire import to_wire

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_fields_become_camel_case_and_enums_their_values() -> None:
    component = Component(Section.SEMANTIC, "a.py:1-2", "text", 3, 0.5)
    assert to_wire(component) == {
        "type": "semantic",
        "source": "a.py:1-2",
        "content": "text",
        "tokens": 3,
        "relevanceScore": 0.5,
        "compression": None,
        "why": "",
        "title": "",
        "path": None,
        "startLine": None,
        "endLine": None,
        "symbol": "",
        "language": "",
        "body": "",
    }


def test_keys_of_mappings_are_data() -> None:
    strategy = Strategy("code", {Section.RECENT: 100})
    assert to_wire(strategy)["shares"] == {"recent": 100}
    event = Event("1", "note", "s", 0, {"snake_case": {"src/a.py": (1, 2)}}, Outcome.SUCCESS)
    assert to_wire(event)["content"] == {"snake_case": {"src/a.py": [1, 2]}}


def test_sets_are_sorted() -> None:
    assert to_wire({"b", "a", "c"}) == ["a", "b", "c"]


@given(plain)
def test_json_stays_as_it_is(value: object) -> None:
    assert to_wire(value) == value
    assert json.loads(json.dumps(to_wire(value))) == value


@pytest.mark.parametrize("value", [object(), b"bytes", Section, 1j])
def test_what_has_no_json_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="has no JSON form"):
        to_wire(value)
