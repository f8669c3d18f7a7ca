"""A scope limits questions to folders of a workspace; pins, and what is pointed at, stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import AssembleRequest, Context, EditorPosition, Event, NewEvent, Outcome, Target

from ..memory.workspaces import opened
from ..monorepo import PACKAGES, make_monorepo, mark_of

QUESTIONS = (
    "when is a session expired?",
    "how do open_session and is_expired hang together, and who uses them?",
    "which tests cover open_session?",
    "review my changes",
    "write a commit message",
    "describe my branch for a pull request",
    "what did I do lately?",
    "give me an overview of this repository",
    "continue where I left off",
    "who wrote the sessions?",
    "where is the payment gateway?",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = make_monorepo(tmp_path_factory.mktemp("mono") / "shop")
    with opened(root) as engine:
        engine.read_history()
        for package in PACKAGES:
            engine.record(NewEvent("file_write", {"path": f"{package}/session.py"}))
            engine.record(NewEvent("file_read", {"path": f"{package}/test_session.py"}))
            engine.record(
                NewEvent(
                    "error",
                    {"message": f"{mark_of(package)}error", "path": f"{package}/session.py", "line": 4},
                )
            )
        engine.record(NewEvent("note", {"text": "sessions matter everywhere"}))
        yield engine


def ask(engine: Engine, query: str, scope: tuple[str, ...] | None, **fields: Any) -> Context:  # noqa: ANN401
    return engine.assemble(AssembleRequest(query, 6000, scope=scope, **fields))


def shown(context: Context) -> set[str]:
    """The packages of which a prompt says anything."""
    return {
        package for package in PACKAGES if package in context.content or mark_of(package) in context.content
    }


@given(
    query=st.sampled_from(QUESTIONS),
    inside=st.sets(st.sampled_from(PACKAGES), min_size=1),
    archetype=st.sampled_from(["code", "debug", "explain", "review"]),
    changes=st.sampled_from([None, None, "all", "main"]),
)
def test_nothing_outside_of_a_scope_is_ever_shown(
    engine: Engine, query: str, inside: set[str], archetype: str, changes: str | None
) -> None:
    context = ask(engine, query, tuple(inside), archetype=archetype, changes=changes)
    assert shown(context) <= inside
    assert {each.path for each in context.components if each.path} <= {
        path
        for path in engine._memories.current().outlines
        if path.startswith(tuple(f"{one}/" for one in inside))
    }


@given(query=st.sampled_from(QUESTIONS[:-1]), changes=st.sampled_from([None, "all"]))
def test_a_scope_that_holds_everything_leaves_a_prompt_as_it_is(
    engine: Engine, query: str, changes: str | None
) -> None:
    everything = ("packages", "libs", "services", "README.md")
    plain = ask(engine, query, (), changes=changes)
    assert ask(engine, query, everything, changes=changes).content == plain.content


def test_code_changes_and_events_of_the_scope_are_found(engine: Engine) -> None:
    assert shown(ask(engine, "when is a session expired?", ("libs/auth",))) == {"libs/auth"}
    review = ask(engine, "review my changes", ("libs/auth",), changes="all")
    assert "+CHANGED = 'numbatchange'" in review.content
    assert "the scope leaves out changes of 3 files" in review.report.warnings
    assert "numbatcommit" in ask(engine, "write a commit message", ("libs/auth",)).content


def test_pins_count_outside_of_the_scope(engine: Engine) -> None:
    pin = Target("services/mail/session.py")
    engine.working_set.pin(pin)
    try:
        assert shown(ask(engine, "when is a session expired?", ("libs/auth",))) == {
            "libs/auth",
            "services/mail",
        }
    finally:
        engine.working_set.unpin(pin)


def test_what_is_pointed_at_stays(engine: Engine) -> None:
    scope, mail = ("libs/auth",), EditorPosition("services/mail/session.py", 9, 9)
    assert "services/mail" in shown(ask(engine, "what does services/mail/session.py do?", scope))
    assert "services/mail" in shown(ask(engine, "what does this do?", scope, position=mail))
    selected = EditorPosition("services/mail/session.py", 4, 9, selected=True)
    assert "services/mail" in shown(ask(engine, "when is a session expired?", scope, position=selected))
    trace = 'why?\nTraceback (most recent call last):\n  File "services/mail/session.py", line 8, in is_expired\nKeyError: 1'
    assert "services/mail" in shown(ask(engine, trace, scope))
    # A cursor that the question does not speak of points at nothing.
    assert shown(ask(engine, "when is a session expired?", scope, position=mail)) == {"libs/auth"}
    # A bare name means the file of the scope.
    assert shown(ask(engine, "what does session.py do?", scope)) == {"libs/auth"}


def test_where_the_last_failure_happened_stays(engine: Engine) -> None:
    output = "services/mail/session.py:8: KeyError: 'limit'\n1 failed"
    failed = engine.record(
        NewEvent(
            "shell_exec",
            {"command": "pytest services/mail", "stdout": output, "exitCode": 1},
            Outcome.FAILURE,
        )
    )
    assert isinstance(failed, Event)
    context = ask(engine, "fix the failing test", ("libs/auth",))
    assert "services/mail/session.py" in {each.path for each in context.components}
    assert not shown(context) & {"packages/api", "packages/web"}


def test_the_report_says_that_a_scope_is_on_and_what_it_hides(engine: Engine) -> None:
    context = ask(engine, "when is a session expired?", ("libs/auth",))
    (said,) = context.report.warnings
    assert said == "scope: only libs/auth (3 of 13 files)"
    hidden = ask(engine, "what is WombatSession for?", ("libs/auth",))
    assert "the scope hides what matches: packages/web/session.py" in hidden.report.warnings
    assert "wombat" not in hidden.content.split("\n", 1)[1]


def test_what_the_scope_lacks_is_said_to_be_missing_in_it(engine: Engine) -> None:
    content = ask(engine, "where is the Kubernetes cluster?", ("libs/auth",)).content
    assert "Nothing in `libs/auth` mentions `Kubernetes`" in content


def test_a_saved_scope_counts_until_it_is_cleared_and_a_question_may_have_its_own(engine: Engine) -> None:
    query = "when is a session expired?"
    everything = ask(engine, query, None).content
    engine.scope.save(["packages/api"])
    try:
        assert shown(ask(engine, query, None)) == {"packages/api"}
        assert {hit.path.rpartition("/")[0] for hit in engine.search("session").hits} == {"packages/api"}
        assert engine.search("session").scope == engine.status().scope == ("packages/api",)
        assert ask(engine, query, ()).content == everything
        assert shown(ask(engine, query, ("@acme/web",))) == {"packages/web"}
        assert len({hit.path for hit in engine.search("session", 50, ()).hits}) > 2
    finally:
        engine.scope.save([])
    assert ask(engine, query, None).content == everything


@pytest.mark.parametrize(
    "entry", ["", ".", "..", "/", "nowhere", "../shop", "package:", "a\0b", "packages/../.."]
)
def test_an_entry_that_is_nothing_here_is_refused_by_name(engine: Engine, entry: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        ask(engine, "when is a session expired?", (entry,))
    assert refused.value.field == "scope"
