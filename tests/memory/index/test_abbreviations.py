"""Short forms that people type, and what the workspace calls the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine

from ..workspaces import opened, write
from .rewordings import read

FILES = {
    **{
        f"shop/image{number}.py": f"def show_image_{number}(permission):\n    return images[{number}]\n"
        for number in range(12)
    },
    "shop/two_factor.py": "def check_two_factor(user):\n    return user.two_factor_code\n",
    "shop/login.py": "def login(user):\n    return sso.session(user, single_sign_on=True)\n",
    "shop/config.py": "class Config:\n    def configuration(self):\n        return self.config\n",
    "shop/mods.py": "def photo(perm):\n    return perm\n",
    "shop/auth.py": "def check_auth(request):\n    return request.auth_token\n",
    **{
        f"shop/db{number}.py": f"def read_db_{number}():\n    return db.read({number})\n"
        for number in range(6)
    },
    "shop/sheet.py": "def sheet():\n    return database\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("shop"), FILES)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("where are the pics shown?", "where are the image shown?"),
        ("who has perms for it?", "who has permission for it?"),
        ("how is 2FA checked?", "how is two factor checked?"),
    ],
)
def test_a_short_form_is_read_as_what_the_workspace_writes_out(
    engine: Engine, question: str, read_as: str
) -> None:
    assert read(engine, question).text == read_as


@pytest.mark.parametrize(
    "question",
    [
        "where is the config read?",  # code says so itself
        "where is `pics` set?",
        "what does shop/pics.py do?",
        "how are the image files sorted?",
    ],
)
def test_what_is_no_short_form_here_stays_as_it_is(engine: Engine, question: str) -> None:
    assert read(engine, question).text == question


def test_a_word_that_is_only_there_as_its_short_form_is_read_as_that(engine: Engine) -> None:
    assert read(engine, "how does authentication work?").text == "how does auth work?"


def test_a_word_that_is_rarely_there_is_found_by_its_usual_short_form_too(engine: Engine) -> None:
    found = read(engine, "how do we read the database?")
    assert found.text == "how do we read the database?"
    assert "db" in found.further


def test_people_are_told_how_a_short_form_was_read(engine: Engine) -> None:
    assert read(engine, "where are the pics shown?").describe() == 'read "pics" as "image"'


@pytest.mark.parametrize("question", ["how does single sign-on work?", "how does single sign on work?"])
def test_a_term_that_is_written_out_is_found_by_its_short_form_too(engine: Engine, question: str) -> None:
    found = read(engine, question)
    assert found.text == question
    assert "sso" in found.further


def test_where_the_workspace_has_neither_form_nothing_is_read(tmp_path: Path) -> None:
    with opened(write(tmp_path, {"a.py": "def fold(sheet):\n    return sheet\n"})) as engine:
        assert read(engine, "how does single sign-on with k8s fold the sheet?").further == ()
