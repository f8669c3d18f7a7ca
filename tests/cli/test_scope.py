"""``scope`` and ``--scope``: questions about a part of a monorepo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..memory.workspaces import write
from ..monorepo import FILES
from .conftest import Run

QUESTION = "when is a session expired?"


@pytest.fixture
def monorepo(tmp_path: Path) -> Path:
    return write(tmp_path / "mono", FILES)


def test_a_scope_is_set_shown_and_cleared(inline: Run, monorepo: Path) -> None:
    set_ = inline("scope", "set", "@acme/api", "libs/auth", "--root", monorepo, check=0)
    assert set_.stdout == "libs/auth\tacme-auth\t3\npackages/api\t@acme/api\t3\n"
    assert "questions are limited to 6 of 13 files" in set_.stderr
    shown = json.loads(inline("scope", "show", "--root", monorepo, "--json", check=0).stdout)
    assert [each["path"] for each in shown["folders"]] == ["libs/auth", "packages/api"]
    assert "scope\tlibs/auth, packages/api" in inline("status", monorepo, check=0).stdout
    answer = inline("assemble", QUESTION, monorepo, check=0)
    assert "wombat" not in answer.stdout
    assert "scope: only libs/auth, packages/api (6 of 13 files)" in answer.stderr
    assert "wombat" in inline("assemble", QUESTION, monorepo, "--no-scope", check=0).stdout
    inline("scope", "clear", "--root", monorepo, check=0)
    assert "wombat" in inline("assemble", QUESTION, monorepo, check=0).stdout
    choices = inline("scope", "show", "--root", monorepo, check=0)
    assert "packages/web\t@acme/web\t3" in choices.stdout


def test_files_without_text_are_counted_everywhere_or_nowhere(inline: Run, monorepo: Path) -> None:
    write(monorepo, {"libs/auth/empty/__init__.py": ""})
    set_ = inline("scope", "set", "libs/auth", "--root", monorepo, check=0)
    answer = inline("assemble", QUESTION, monorepo, check=0)
    assert "4 of 14 files" in set_.stderr
    assert "4 of 14 files" in answer.stderr


def test_a_question_may_have_a_scope_of_its_own(inline: Run, monorepo: Path) -> None:
    answer = inline(
        "assemble", QUESTION, monorepo, "--scope", "packages/web", "--scope", "mail", check=0
    ).stdout
    assert "wombat" in answer
    assert "bilby" in answer
    assert "quokka" not in answer
    found = inline("search", "session", monorepo, "--scope", "@acme/web", check=0)
    assert "packages/web/session.py" in found.stdout
    assert "packages/api" not in found.stdout
    assert "scope: only packages/web" in found.stderr


def test_several_workspaces_answer_together(inline: Run, monorepo: Path, tmp_path: Path) -> None:
    other = write(
        tmp_path / "client", {"cookie.py": "def is_session_expired(cookie):\n    return not cookie\n"}
    )
    answer = inline("assemble", QUESTION, monorepo, "--with-root", other, check=0).stdout
    assert "`client/cookie.py:1-2` `is_session_expired`" in answer
    assert "`mono/libs/auth/session.py:" in answer
    refused = inline("assemble", QUESTION, monorepo, "--with-root", other, "--shape", "messages", check=2)
    assert "--with-root" in refused.stderr


def test_folders_count_from_where_one_is(inline: Run, monorepo: Path) -> None:
    set_ = inline("scope", "set", "auth", "--root", monorepo, cwd=monorepo / "libs", check=0)
    assert set_.stdout == "libs/auth\tacme-auth\t3\n"


def test_what_is_no_scope_is_said(inline: Run, monorepo: Path) -> None:
    refused = inline("scope", "set", "packages/apis", "--root", monorepo, check=2)
    assert "\ncontextls: FOLDER|PACKAGE: expected a folder" in refused.stderr
    assert "packages/api" in refused.stderr
    asked = inline("search", QUESTION, monorepo, "--scope", "packages/apis", check=2)
    assert "contextls: --scope: expected a folder" in asked.stderr
    both = inline("assemble", QUESTION, monorepo, "--scope", "libs", "--no-scope", check=2)
    assert "--no-scope" in both.stderr


def test_a_workspace_without_folders_offers_no_scope(inline: Run, tmp_path: Path) -> None:
    done = inline("scope", "show", tmp_path, check=0)
    assert done.stderr == "no scope: questions are about the whole workspace\n"
