"""``context/scope`` over the wire: saved for every client, told to those who show it, strict about its fields."""

from __future__ import annotations

import pytest

from .wire import Wire, WireError

QUERY = "how is the discount computed?"


def test_a_scope_limits_the_questions_that_follow(wire: Wire) -> None:
    whole = wire.assemble(QUERY)
    assert wire.request("context/scope")["folders"] == []
    view = wire.request("context/scope", {"scope": ["shop"]})
    assert [each["path"] for each in view["folders"]] == ["shop"]
    assert wire.request("context/status")["scope"] == ["shop"]
    limited = wire.assemble(QUERY)
    assert all(each["path"].startswith("shop/") for each in limited["components"] if each["path"])
    assert any(warning.startswith("scope: only shop (") for warning in limited["report"]["warnings"])
    assert wire.assemble(QUERY, scope=[])["content"] == whole["content"]
    found = wire.request("context/search", {"query": "discount", "scope": ["README.md"]})
    assert {hit["path"] for hit in found["hits"]} <= {"README.md"}
    assert wire.request("context/scope", {"scope": []})["folders"] == []
    assert wire.assemble(QUERY)["content"] == whole["content"]


@pytest.mark.parametrize("scope", ["shop", [1], {"a": 1}, ["nowhere"], ["../.."]])
def test_what_is_no_scope_is_refused_and_changes_nothing(wire: Wire, scope: object) -> None:
    with pytest.raises(WireError, match="scope"):
        wire.request("context/scope", {"scope": scope})
    with pytest.raises(WireError, match="scope"):
        wire.assemble(QUERY, scope=scope)
    assert wire.request("context/scope")["folders"] == []
