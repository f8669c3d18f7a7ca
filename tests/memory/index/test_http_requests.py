"""Reading HTTP requests from a question: the method, and the fixed segments of the path."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.query.http_requests import MAX_REQUESTS, fixed_segments, requests_in
from contextls.memory.index.query.search_query import prepare_query
from contextls.memory.index.terms import TermSplitter


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what handles POST /user/login?", ["POST /user/login"]),
        ('10.0.0.1 - - "GET /api/songs HTTP/1.1" 500 12', ["GET /api/songs"]),
        ("DELETE https://shop.example/api/orders/42?force=1 gives 403", ["DELETE /api/orders"]),
        ("PUT /folders/3fa85f64-5717-4562-b3fc-2c963f66afa6/name", ["PUT /folders/name"]),
        (
            "GET /users/:id/posts/{post} and GET /users/<int:id>/posts",
            ["GET /users/posts", "GET /users/posts"],
        ),
        ("PUT api/orders/ship on an order that isn't paid", ["PUT /api/orders/ship"]),
        ("where does the /invoices endpoint live?", ["/invoices"]),
        ("POST /login, then POST /login again", ["POST /login"]),
    ],
)
def test_a_request_is_read(text: str, told: list[str]) -> None:
    assert [str(one) for one in requests_in(text)] == told


@pytest.mark.parametrize(
    "text",
    [
        "why is /tmp/cache never emptied?",
        "which handler reads /etc/app/config.yml?",
        "get /login working again",
        "GET / is slow",
        "see https://example.org/docs/routes for the endpoint",
        "either/or in the router",
    ],
)
def test_what_is_no_request_is_none(text: str) -> None:
    assert requests_in(text) == ()


def test_of_requests_that_were_served_none_is_meant() -> None:
    served = (
        "The prices are gone\n\nThey were here yesterday.\n\n"
        'INFO: 10.0.0.1 - "GET /api/users?orderBy=name HTTP/1.1" 200\n307 "GET /api/songs HTTP/1.1"\n'
    )
    failed = 'INFO: 10.0.0.1 - "PUT /api/prices HTTP/1.1" 422\n'
    splitter, vector = TermSplitter(), np.zeros(4, np.float32)
    assert prepare_query(served, splitter, vector).requests == ()
    assert [str(one) for one in prepare_query(served + failed, splitter, vector).requests] == [
        "PUT /api/prices"
    ]
    alone = served.rpartition("307")[0]
    assert [str(one) for one in prepare_query(alone, splitter, vector).requests] == ["GET /api/users"]


@given(st.text(alphabet="GETPOS /:{}<>*.-_ab1\"'\n?#@^$", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    requests = requests_in(text + " route")
    assert len(requests) <= MAX_REQUESTS
    assert all(one.segments == fixed_segments("/".join(one.segments)) for one in requests)
