"""One prompt from several workspaces: each piece with its root, one budget, and what each root hides stays hidden."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.engine import Engine
from contextls.engine.several import Ask, assemble_several, name_roots, share_tokens
from contextls.errors import InvalidRequestError
from contextls.model import AssembleRequest, Context, EditorPosition, Target

from .memory.workspaces import opened, write

QUERY = "when is a session expired?"
API = {
    "src/session.py": "class ApiSession:\n    def is_expired(self, now):\n        return now > self.limit  # apimark\n",
    "src/store.py": "".join(
        f"def save_session_{n}(session):\n    return session.save({n})\n\n\n" for n in range(60)
    ),
    "private.py": "def expire_session():\n    return 'the private way'\n",
    ".contextlsignore": "ignored/\n",
    "ignored/session.py": "class IgnoredSession:\n    def is_expired(self):\n        return True\n",
    "tokens.py": "def session_token():\n    return 'ghp_0123456789abcdefABCDEF0123456789abcd'\n",
}
WEB = {"src/cookie.py": "def is_session_expired(cookie):\n    return cookie is None  # webmark\n"}
ZOO = {"animals.py": "def feed_penguin(fish):\n    return fish\n"}


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Engine]]:
    base = tmp_path_factory.mktemp("roots")
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(opened(write(base / name, files)))
            for name, files in (("api", API), ("web", WEB), ("zoo", ZOO))
        }


def ask(engines: Mapping[str, Engine], query: str = QUERY, budget: int = 4000, **fields: Any) -> Context:  # noqa: ANN401
    def asking(engine: Engine) -> Ask:
        async def answer(request: AssembleRequest, name: str) -> Context:
            return engine.assemble_part(request, name)

        return answer

    asks = {name: asking(engine) for name, engine in engines.items()}
    return asyncio.run(assemble_several(AssembleRequest(query, budget, **fields), asks, "o200k_base"))


def test_each_piece_says_of_which_root_it_is(engines: Mapping[str, Engine]) -> None:
    context = ask(engines)
    assert context.content.startswith(f"{QUERY}\n\n# ")
    assert context.content.count(QUERY) == 1
    assert "### `api/src/session.py:1-3` `ApiSession`" in context.content
    assert "### `web/src/cookie.py:1-2` `is_session_expired`" in context.content
    assert {"api/src/session.py", "web/src/cookie.py"} <= {each.path for each in context.components}
    assert "zoo: nothing of it is likely to answer" in context.report.warnings
    assert "penguin" not in context.content
    account = context.report.assembly
    assert account is not None
    assert (account.budget.used, account.budget.max) == (context.token_count, 4000)
    assert {"api/src/session.py:1-3", "web/src/cookie.py:1-2"} <= {part.path for part in account.included}


@given(
    budget=st.integers(64, 2500),
    query=st.sampled_from([QUERY, "give me an overview", "who saves a session?"]),
)
def test_all_roots_together_never_take_more_than_the_budget(
    engines: Mapping[str, Engine], budget: int, query: str
) -> None:
    context = ask(engines, query, budget)
    assert context.token_count <= budget


def test_a_small_root_is_not_starved_by_a_large_one(engines: Mapping[str, Engine]) -> None:
    context = ask(engines, budget=300)
    assert "webmark" in context.content
    assert "apimark" in context.content


def test_what_a_root_hides_stays_hidden(engines: Mapping[str, Engine]) -> None:
    private = Target("private.py")
    engines["api"].working_set.exclude(private)
    try:
        context = ask(engines, "how do I expire a session, and what is the session_token?")
    finally:
        engines["api"].working_set.include(private)
    assert "the private way" not in context.content
    assert "IgnoredSession" not in context.content
    assert "ghp_0123" not in context.content


def test_a_scope_of_one_root_is_no_error_in_the_others(engines: Mapping[str, Engine]) -> None:
    context = ask(engines, scope=("src",))
    assert {each.path for each in context.components} <= {
        "api/src/session.py", "api/src/store.py", "web/src/cookie.py", None,
    }  # fmt: skip
    assert any(warning.startswith("zoo: scope: expected a folder") for warning in context.report.warnings)
    with pytest.raises(InvalidRequestError) as refused:
        ask(engines, scope=("nowhere",))
    assert refused.value.field == "scope"


def test_of_several_workspaces_none_says_that_it_lacks_the_place(engines: Mapping[str, Engine]) -> None:
    async def at_the_cursor(request: AssembleRequest, name: str) -> Context:
        position = EditorPosition("animals.py", 1, 1)
        return engines["zoo"].assemble_part(replace(request, position=position), name)

    async def elsewhere(request: AssembleRequest, name: str) -> Context:
        return engines["api"].assemble_part(request, name)

    asks: dict[str, Ask] = {"api": elsewhere, "zoo": at_the_cursor}
    context = asyncio.run(
        assemble_several(AssembleRequest("explain this function", 4000), asks, "o200k_base")
    )
    assert "feed_penguin" in context.content
    assert "in an editor" not in context.content
    assert "api: nothing of it is likely to answer" in context.report.warnings


def test_where_no_workspace_knows_the_place_it_is_said_once(engines: Mapping[str, Engine]) -> None:
    content = ask(engines, "explain this function").content
    assert content.count("no cursor, selection or file came with it") == 1


def test_roots_of_the_same_name_are_told_apart() -> None:
    assert name_roots([Path("/a/app"), Path("/b/app"), Path("/b/site")]) == ["a/app", "b/app", "site"]
    assert name_roots([Path("/a/x/app"), Path("/b/x/app")]) == ["a/x/app", "b/x/app"]


@given(
    st.lists(st.tuples(st.integers(0, 5_000), st.floats(0, 1)), min_size=1, max_size=6),
    st.integers(0, 10_000),
)
def test_shares_never_exceed_the_room_nor_what_is_wanted_and_leave_nothing_that_is_wanted(
    wants: list[tuple[int, float]], room: int
) -> None:
    shares = share_tokens(wants, room)
    assert sum(shares) <= room
    assert all(0 <= share <= wanted for share, (wanted, _) in zip(shares, wants, strict=True))
    left = room - sum(shares)
    assert left <= len(wants) or shares == [wanted for wanted, _ in wants]


def test_the_question_stands_once_where_every_root_is_cut(tmp_path: Path) -> None:
    query = "who saves a session?"
    with ExitStack() as stack:
        several = {
            name: stack.enter_context(opened(write(tmp_path / name, files)))
            for name, files in (("api", API), ("web", {**WEB, "src/keep.py": API["src/store.py"]}))
        }
        context = ask(several, query, 800)
    assert {"api/src/store.py", "web/src/keep.py"} <= {each.path for each in context.components}
    assert context.content.count(query) == 1
