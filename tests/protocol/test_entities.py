"""``context/entities`` and ``context/graph`` on a real server: unsaved text counts, bad input names its field."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .conftest import build_workspace, visit
from .wire import Json, Wire, WireError


@pytest.fixture(scope="module")
def wire(open_session: Wire, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    with visit(open_session, build_workspace(tmp_path_factory.mktemp("graph") / "shop")):
        yield open_session


def test_a_call_crosses_files(wire: Wire) -> None:
    found = wire.request("context/graph", {"name": "discountFor"})
    assert found["start"]["id"] == "shop/cart.py#discount_for"
    calls = [(one["source"], one["target"]) for one in found["relations"] if one["type"] == "calls"]
    assert calls == [("shop/invoice.py#invoice_total", "shop/cart.py#discount_for")]


def test_an_unknown_entity_is_null_and_no_error(wire: Wire) -> None:
    assert wire.request("context/graph", {"name": "no_such_thing_anywhere"}) is None
    assert wire.request("context/entities", {"query": "no_such_thing_anywhere"}) == {"entities": []}


def test_without_parameters_the_most_salient_come_first(wire: Wire) -> None:
    found = wire.request("context/entities", {})["entities"]
    saliences = [entity["salience"] for entity in found]
    assert saliences == sorted(saliences, reverse=True)
    assert all(entity["match"] is None for entity in found)
    assert not any("private" in entity["id"] for entity in found), "ignored files are no entities"


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("context/entities", {"query": 3}, "query"),
        ("context/entities", {"query": " "}, "query"),
        ("context/entities", {"types": ["planet"]}, "types"),
        ("context/entities", {"types": "file"}, "types"),
        ("context/entities", {"limit": 0}, "limit"),
        ("context/entities", {"limit": 10**9}, "limit"),
        ("context/entities", {"colour": "red"}, "colour"),
        ("context/graph", None, "params"),
        ("context/graph", {}, "name"),
        ("context/graph", {"name": ["x"]}, "name"),
        ("context/graph", {"name": "Cart", "depth": 6}, "depth"),
        ("context/graph", {"name": "Cart", "depth": "2"}, "depth"),
        ("context/graph", {"name": "Cart", "limit": 0}, "limit"),
    ],
)
def test_bad_input_names_its_field(wire: Wire, method: str, params: Json, field: str) -> None:
    with pytest.raises(WireError) as caught:
        wire.request(method, params)
    assert caught.value.code == -32602
    assert caught.value.data["field"] == field


def test_a_type_that_is_none_is_told_which_there_are(wire: Wire) -> None:
    with pytest.raises(WireError, match=r"types: expected one of class, .*, got 'planet'"):
        wire.request("context/entities", {"types": ["planet"]})
