"""Which questions speak of what the editor shows, and which only hold such a word."""

from __future__ import annotations

import pytest

from contextls.assembly.wording.editor_words import points_here, speaks_of_here_alone


@pytest.mark.parametrize(
    "query",
    [
        "explain this function",
        "what does this do?",
        "fix this",
        "add a retry here",
        "why are values lost here?",
        "what happens here if the list is empty?",
        "document the code below",
        "who calls the function above",
        "explain the code at the cursor",
        "simplify the current function",
        "this returns None sometimes, why?",
        "the importer drops the last row of a file when it ends without a newline, can this loop be the cause?",
        "was macht diese Funktion?",
        "que fait cette fonction ?",
        "¿qué hace esta función?",
        "cosa fa questo metodo?",
        "что делает эта функция",
        "这个函数是做什么的？",
        "この関数は何をしますか",
    ],
)
def test_a_question_that_points_at_the_editor(query: str) -> None:
    assert points_here(query)


@pytest.mark.parametrize(
    "query",
    [
        "how is this project organised?",
        "what does this service do?",
        "is there a rate limiter here?",
        "do we have caching here?",
        "how do I run the tests in this repo?",
        "wie ist dieses Projekt aufgebaut?",
        "where is the current user stored?",
        "how is the current branch read?",
        "turn the selected papers by 90 degrees",
        "where are values above the threshold dropped?",
        "add an endpoint before this one",
        "why did this week's release break?",
        "users are logged out after saving their profile. where does this happen?",
        "their details were changed both here and in the other address book that we keep in step",
        'where does the "Did you mean this?" text come from?',
        "what does `this` hold in a callback?",
        "why?\n\nTypeError: this is not a function\n    at total (src/cart.js:1:2)",
        "",
    ],
)
def test_a_question_about_the_whole_or_about_what_was_said(query: str) -> None:
    assert not points_here(query)


def test_a_question_about_the_place_alone_names_nothing_to_look_for() -> None:
    assert all(
        map(speaks_of_here_alone, ("explain this function", "write a test for this", "why is this slow?"))
    )
    assert not speaks_of_here_alone("why does this not rotate the log?")
