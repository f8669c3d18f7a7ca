"""Which questions are about the work at hand, and which only sound like it."""

from __future__ import annotations

import pytest

from contextls.assembly.targets.work_question import Work, WorkQuestion, read_work


@pytest.mark.parametrize(
    ("kind", "queries"),
    [
        (Work.STANDING, "continue|continue where I left off|What was I doing?|where were we?|what next?"),
        (Work.STANDING, "what did I do recently, and what is left to do?"),
        (Work.STANDING, "what have I been doing today?|what did I do yesterday?|what happened?|what's next?"),
        (Work.STANDING, "does it pass now?|do the tests pass?|is the build green?|what did I change, and does it pass?"),
        (Work.CHANGES, "what did I change?|what changed?|show my changes|what have I changed today?|summarize my changes"),
        (Work.CHANGES, "resolve the conflict|fix the merge conflicts|can you sort out the conflicts?"),
        (Work.COMMITS, "what did we commit recently?|show me the last commits|what changed in the last commits?"),
        (Work.COMMITS, "list the last 10 commits|what was committed this week?|what is in the latest commit?"),
        (Work.MESSAGE, "write a commit message|suggest a commit message for the staged changes|good commit title, please"),
        (Work.DESCRIPTION, "write a PR description|describe this pull request|draft the body of the merge request"),
        (Work.DESCRIPTION, "write the pull request description|open a PR|write a title for my PR"),
        (Work.REVIEW, "review my changes|review this branch|check my diff for bugs"),
        (Work.FAILURE, "why does it time out?|why does the test hang?|why does it throw?|why does it panic?"),
        (Work.FAILURE, "why does it not compile?|why doesn't it compile?|it does not compile|why won't the build run?"),
        (Work.FAILURE, "what crashed|it doesnt compile|the tests dont pass|why wont it build"),
        (Work.FAILURE, "why can’t I build this?|the tests don't pass|why do our tests not pass?|it cannot even start"),
        (Work.FAILURE, "make the tests pass|make the build green|what broke?|what just failed?|explain the error"),
        (Work.FAILURE, "why did the last run fail?|what is the last error?|why does the build fail?|show the failing test"),
    ],
)  # fmt: skip
def test_work_is_recognised_by_how_people_ask(kind: Work, queries: str) -> None:
    for query in queries.split("|"):
        assert read_work(query, ()) == WorkQuestion(kind, alone=True), query


@pytest.mark.parametrize(
    "query",
    [
        "fix the failing test",
        "fix it",
        "fix the failing test or command",
        "what went wrong?",
        "debug this error",
        "fix the type errors",
        "fix the lint errors",
    ],
)
def test_a_repair_of_nothing_named_means_the_last_failure(query: str) -> None:
    assert read_work(query, (), wants_repair=True) == WorkQuestion(Work.FAILURE, alone=True)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("what did I change in the parser?", Work.CHANGES),
        ("what did I change in sort?", Work.CHANGES),
        ("continue with the discount where I left off", Work.STANDING),
        ("why does the login test fail?", Work.FAILURE),
        ("why does the page crash?", Work.FAILURE),
        ("which step ran last?", Work.STANDING),
        ("why does the server not start?", Work.FAILURE),
        ("why does the parser not build a tree?", None),
        ("make the test runner pass its options on", None),
        ("explain the error handling", None),
        ("review the changes to the parser", Work.REVIEW),
        ("please review the parser", Work.REVIEW),
        ("can you do a code review of parser.py?", Work.REVIEW),
        ("what files did I touch in the parser?", Work.CHANGES),
        ("what did we commit to the parser?", Work.COMMITS),
    ],
)
def test_who_names_code_besides_wants_that_code_too(query: str, kind: Work) -> None:
    assert read_work(query, ()) == WorkQuestion(kind, alone=False)


@pytest.mark.parametrize(
    "query",
    [
        "how does a loan continue after a renewal?",
        "where is the message of a commit parsed?",
        "how are failed logins counted?",
        "add a title to the export",
        "when does the state of a parcel change?",
        "how is the next due date computed?",
        "how are conflicts resolved?",
        "resolve conflicts of two bookings by their dates",
        "when is a transaction committed?",
        "what happens in the middle of the parse loop?",
        "where do we commit the offset?",
        "what has to change together when the version is bumped?",
        "we want one more font, what needs touching?",
        "who calls last_users(), and what does that touch?",
        "when somebody writes a review, on whose page does it turn up?",
        "I imported 300 reviews and nobody sees them",
    ],
)
def test_a_question_about_code_is_none_about_work(query: str) -> None:
    assert read_work(query, ()).kind is None


def test_names_in_backticks_are_searched_for() -> None:
    assert not read_work("fix `run`", ["run_all"], wants_repair=True).alone
