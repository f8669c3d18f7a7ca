"""No answer is above its limit, and its pages together hold everything once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.mcp.budget import Budget, Listing, fit_answer, write_json
from contextls.standalone import count_tokens

from .conftest import REPORTS
from .session import Json, Session

TOKENIZER = "o200k_base"
MAX_PAGES = 60


def tokens(text: str) -> int:
    return count_tokens((text,), TOKENIZER).total


def check(result: Json, limit: int) -> dict[str, Any]:
    """The structured answer, of which neither form is above the limit."""
    assert not result.is_error, result.content
    assert tokens(write_json(result.structured_content)) <= limit
    assert sum(tokens(block.text) for block in result.content) <= limit
    answer: dict[str, Any] = result.structured_content
    return answer


def pages(session: Session, tool: str, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """All pages of an answer."""
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while len(found) < MAX_PAGES:
        found.append(check(session.tool(tool, {**arguments, **cursor}), arguments["maxTokens"]))
        if found[-1]["nextCursor"] is None:
            return found
        cursor = {"cursor": found[-1]["nextCursor"]}
    pytest.fail(f"{tool} goes on for more than {MAX_PAGES} pages")


@settings(max_examples=6)
@given(
    limit=st.integers(500, 3_000),
    query=st.sampled_from(["report prices", "discount", "report_prices_7 quarter 3"]),
)
def test_pages_of_a_search_hold_each_piece_once(session: Session, limit: int, query: str) -> None:
    hits = [
        hit
        for page in pages(session, "search_code", {"query": query, "maxTokens": limit})
        for hit in page["hits"]
    ]
    places = [(hit["path"], hit["startLine"]) for hit in hits]
    assert len(places) == len(set(places))
    assert len({path for path, _ in places if "report_" in path}) == REPORTS or "report" not in query


@settings(max_examples=5)
@given(limit=st.integers(500, 4_000))
def test_pages_of_a_context_show_each_piece_once(session: Session, limit: int) -> None:
    arguments = {"query": "how are the prices of each quarter reported?", "maxTokens": limit}
    sources = [
        piece["source"] for page in pages(session, "assemble_context", arguments) for piece in page["pieces"]
    ]
    assert len(sources) == len(set(sources))


@settings(max_examples=5)
@given(limit=st.integers(500, 6_000))
def test_pages_of_packed_files_hold_every_line_once(session: Session, limit: int) -> None:
    asked = {"paths": ["shop/"], "allPages": True, "maxTokens": limit}
    text = "".join(page["content"] for page in pages(session, "pack_files", asked))
    for number in range(REPORTS):
        assert text.count(f"def report_prices_{number}(") == 1
        assert text.count(f"total += price_11 * {number}  #") == 1


@settings(max_examples=5)
@given(limit=st.integers(500, 2_000))
def test_pages_of_entities_and_relations_hold_each_once(session: Session, limit: int) -> None:
    found = pages(session, "find_entity", {"types": ["function"], "maxTokens": limit})
    names = [each["id"] for page in found for each in page["entities"]]
    assert len(names) == len(set(names)) == REPORTS + 2
    for page in pages(session, "related", {"name": "shop/cart.py", "depth": 3, "maxTokens": limit}):
        assert page["start"]["path"] == "shop/cart.py"


def test_pages_of_the_activity_hold_each_event_once(session: Session) -> None:
    for number in range(30):
        output = {"command": f"make {number}", "exitCode": 1, "stderr": "no such target\n" * 40}
        session.call("record_event", type="shell_exec", content=output)
    found = pages(session, "recent_activity", {"types": ["shell_exec"], "maxTokens": 1_000})
    said = [each["text"] for page in found for each in page["events"]]
    assert [text.partition(" exit")[0] for text in said] == [
        f"Executed: make {number}" for number in range(29, -1, -1)
    ]
    assert len(found) > 3


WORDS = st.text(st.sampled_from('ab \n"\\é→0{'), max_size=400)


@given(texts=st.lists(WORDS, max_size=30), limit=st.integers(60, 2_000), more=st.booleans())
def test_a_listing_is_filled_to_its_limit(texts: list[str], limit: int, more: bool) -> None:
    budget = Budget(limit, TOKENIZER)
    listing = Listing(texts, lambda page, cursor: {"items": list(page), "next": cursor}, str, more=more)
    page = fit_answer(listing, budget)
    assert tokens(json.dumps(page, ensure_ascii=False, separators=(",", ":"))) <= limit
    shown = len(page["items"])
    if shown < len(texts):
        assert shown >= 1
        assert page["next"] == str(shown)
        longer = write_json({"items": texts[: shown + 1], "next": str(shown + 1)})
        assert tokens(longer) > limit, "one more would have fitted"
    assert (page["next"] is not None) == (bool(texts) and (more or shown < len(texts)))
