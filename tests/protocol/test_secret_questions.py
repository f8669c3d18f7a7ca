"""Questions with secrets in them: what is searched, corrected, missed and told again is the question without them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from ..memory.workspaces import write
from .conftest import visit
from .wire import Json, Wire

# Misspelt words of the workspace, so that they would be corrected. Put together here, so that this file holds none itself.
RECEIVE, RENDER = "Recieve7" + "Tokeen9Xq", "renderrer" + "Pagge42x"
CONFIGURE, LIQUID = "Configurtaion" + "88zzQp", "Liquidd_" + "Rendererr_7qX"
FILES = {
    "site/login.py": (
        '"""How a user logs in."""\n\n\n'
        "def login(user, password):\n"
        '    """Log in: receive the token, or fail."""\n'
        "    return receive_token(user, password)\n\n\n"
        "def receive_token(user, password):\n    return user.token(password)\n"
    ),
    "site/render.py": (
        '"""Pages."""\n\n\n'
        "class LiquidRenderer:\n"
        '    """Renders a page of the configuration."""\n\n'
        "    def render_page(self, configuration):\n        return configuration.page\n"
    ),
}
QUESTIONS = [
    (f'why does login fail with password = "{RECEIVE}"', RECEIVE),
    (f"where does render_page use password={RENDER}", RENDER),
    (f'how is the page configured? api_key: "{CONFIGURE}"', CONFIGURE),
    (f"which class reads DB_PASSWORD={LIQUID}", LIQUID),
    (f'password = "{RECEIVE}"', RECEIVE),
]


@pytest.fixture(scope="module")
def wire(open_session: Wire, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    with visit(open_session, write(tmp_path_factory.mktemp("site"), FILES)):
        yield open_session


def check_clean(answer: Json, secret: str) -> None:
    """No part of ``secret`` in an answer, nor what a part of it may be read as."""
    said = json.dumps(answer)
    parts = [secret[at : at + 10] for at in range(len(secret) - 9)]
    assert not [part for part in parts if part in said]
    assert not [each for each in answer.get("report", {}).get("warnings", ()) if each.startswith("read ")]


@pytest.mark.parametrize(("query", "secret"), QUESTIONS)
def test_no_word_of_a_secret_is_read_as_another(wire: Wire, query: str, secret: str) -> None:
    context = wire.assemble(query, maxTokens=500)
    check_clean(context, secret)
    assert "[redacted:secret]" in context["metadata"]["query"]
    found = wire.request("context/search", {"query": query})
    check_clean(found, secret)
    check_clean({"entities": wire.request("context/entities", {"query": query})}, secret)
    for shape in ("tagged", "messages", "document"):
        check_clean(wire.assemble(query, shape=shape, maxTokens=2_000), secret)


@pytest.mark.parametrize(
    ("query", "bare"),
    [
        (f'why does login fail with password = "{RECEIVE}"', "why does login fail with password = "),
        (f"where is render_page called with password={RENDER}", "where is render_page called with password="),
    ],
)
def test_the_mark_of_a_secret_is_no_word_to_look_for(wire: Wire, query: str, bare: str) -> None:
    found, expected = (wire.request("context/search", {"query": each})["hits"] for each in (query, bare))
    assert [(each["path"], each["startLine"]) for each in found] == [
        (each["path"], each["startLine"]) for each in expected
    ]


def test_a_word_beside_a_secret_is_still_read_as_the_one_that_is_meant(wire: Wire) -> None:
    warnings = wire.assemble(f'why does recieve fail with password = "{RECEIVE}"')["report"]["warnings"]
    assert 'read "recieve" as "receive"' in warnings


def test_what_is_nowhere_is_told_without_the_secret(wire: Wire) -> None:
    context = wire.assemble(f"where is the invoice with password={RENDER} sent?")
    assert "Nothing in this workspace mentions `invoice`" in context["content"]
    check_clean(context, RENDER)
