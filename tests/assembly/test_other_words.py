"""Words that come with a question, as a model would guess them, find code that has other words than the question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import MAX_OTHER_CHARS, AssembleRequest
from contextls.settings import Settings

from ..memory.workspaces import opened, write
from ..models.endpoints import Endpoint, Trouble, serving

QUESTION = "what throws old ones away when the shelf is full?"
PLAIN = ("shelf", "parcel", "customer", "letter", "stamp", "window", "harbour", "driver")
FILES = {
    "store/bounded.py": (
        "class BoundedMapping:\n"
        '    """A mapping with an upper bound."""\n\n'
        "    def evictLeastRecent(self):\n"
        "        self._entries.popitem(last=False)\n"
    ),
    **{
        f"shop/{word}.py": (
            f"def keep_{word}(full, old):\n"
            f'    """Put the {word} on a full shelf, and away from old ones."""\n'
            f'    return full.shelf(old, away="{word}")\n'
        )
        for word in PLAIN
    },
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("shop"), FILES)) as engine:
        yield engine


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as endpoint:
        endpoint.gist = "evict, LRU"
        yield endpoint


def with_model(endpoint: Endpoint, *, other_words: bool = True) -> Settings:
    return Settings(
        workers=1,
        summarizer_endpoint=endpoint.url,
        summarizer_model="words",
        summarizer_other_words=other_words,
    )


def prompt(engine: Engine, *other_words: str, question: str = QUESTION, max_tokens: int = 800) -> str:
    return engine.assemble(AssembleRequest(question, max_tokens, other_words=other_words)).content


@pytest.mark.parametrize(
    "words", [("evict",), ("lru", "evict", "expire"), ("evictLeastRecent",), ("Eviction",)]
)
def test_what_has_the_other_words_is_shown(engine: Engine, words: tuple[str, ...]) -> None:
    assert "popitem" not in prompt(engine)
    assert "popitem" in prompt(engine, *words)


def test_a_prompt_says_which_of_them_a_piece_has(engine: Engine) -> None:
    context = engine.assemble(AssembleRequest(QUESTION, 800, other_words=("evict",)))
    (piece,) = (one for one in context.components if one.path == "store/bounded.py")
    assert "evict" in piece.why


def test_the_question_stays_the_task(engine: Engine) -> None:
    assert prompt(engine, "evict").splitlines()[0] == prompt(engine).splitlines()[0]


@given(words=st.lists(st.text("bcdfgq", min_size=9, max_size=12), max_size=8))
def test_words_that_the_workspace_does_not_hold_change_nothing(engine: Engine, words: list[str]) -> None:
    assert prompt(engine, *words) == prompt(engine)


def test_words_of_the_question_count_no_more_for_being_given_again(engine: Engine) -> None:
    assert prompt(engine, "shelf", "full") == prompt(engine)


@given(
    question=st.text(max_size=30).map(lambda text: f"full {text}"),
    words=st.lists(st.text(max_size=30), max_size=8),
    max_tokens=st.integers(64, 500),
)
def test_no_words_break_the_budget(engine: Engine, question: str, words: list[str], max_tokens: int) -> None:
    request = AssembleRequest(question, max_tokens, other_words=tuple(words))
    assert engine.assemble(request).token_count <= max_tokens


def test_a_secret_among_them_is_looked_for_nowhere(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    with opened(write(tmp_path, FILES)) as engine:
        assert token not in repr(engine.assemble(AssembleRequest(QUESTION, 800, other_words=(token,))))
        assert prompt(engine, token) == prompt(engine)


def test_too_many_characters_are_refused(engine: Engine) -> None:
    with pytest.raises(InvalidRequestError, match="otherWords: expected at most 2,000 characters"):
        prompt(engine, "a" * MAX_OTHER_CHARS, "b")


def test_a_model_of_the_user_gives_some_once_for_a_question(tmp_path: Path, endpoint: Endpoint) -> None:
    root = write(tmp_path, FILES)
    for _ in range(2):
        with opened(root, with_model(endpoint)) as engine:
            assert "popitem" in prompt(engine)
            assert "popitem" in prompt(engine, max_tokens=700)
    assert len(endpoint.chats) == 1
    assert endpoint.chats[0][1] == QUESTION


def test_a_model_is_not_asked_unless_the_user_wants_nor_where_nothing_is_said_otherwise(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    root = write(tmp_path, FILES)
    with opened(root, with_model(endpoint, other_words=False)) as engine:
        assert "popitem" not in prompt(engine)
    with opened(root, with_model(endpoint)) as engine:
        assert "popitem" not in prompt(engine, "shelf")
        prompt(engine, question="ERROR store: full, an old one stays\n" * 30)
        prompt(engine, question="continue where I left off")
    assert endpoint.chats == []


def test_a_model_that_fails_costs_a_warning_and_nothing_else(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.always = Trouble(500)
    with opened(write(tmp_path, FILES), with_model(endpoint)) as engine:
        context = engine.assemble(AssembleRequest(QUESTION, 800))
    assert context.components
    assert any(each.startswith("asked without other words: ") for each in context.report.warnings)
