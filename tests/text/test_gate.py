"""The gate: what passes it holds no secret, and what has passed is not looked through again."""

from __future__ import annotations

import json
import logging
import sys
from io import StringIO

import pytest

from contextls.text.gate import CleanText, clean, clean_all, clean_json, clean_json_or_text, secret_in_name
from contextls.text.gated_stream import GatedStream

TOKEN = "gh" + "p_6bb0NvBMRpmzAEvV6skgGhnWS1we53lEXeB3"
SHOWN = "[redacted:github-token]"


@pytest.mark.parametrize("before", ["", " ", "%20", "\\n", "\\t", "\\x1b", "\\u001b", "/", '"'])
def test_a_secret_behind_an_escape_is_one(before: str) -> None:
    assert (
        clean(f"x{before and ' '}{before}{TOKEN} y") == f"x{before and ' '}{before}{SHOWN} y"
        if before
        else True
    )
    assert TOKEN not in clean(f"{before}{TOKEN}")


def test_text_that_was_redacted_is_returned_as_the_same_object() -> None:
    passed = clean(f"a {TOKEN}")
    assert clean(passed) is passed
    assert clean_json_or_text(passed) is passed
    assert clean_json({"a": [passed]})["a"][0] is passed


def test_texts_redacted_together_are_as_clean_as_one_by_one() -> None:
    texts = ["plain", f"x {TOKEN}", "def f(): return 1", TOKEN, CleanText(TOKEN)]
    assert clean_all(texts) == ["plain", f"x {SHOWN}", "def f(): return 1", SHOWN, TOKEN]


def test_names_of_fields_are_texts_too_and_other_values_stay() -> None:
    value = {TOKEN: [1, None, True, 2.5, {"a": TOKEN}], "b": (TOKEN,)}
    assert clean_json(value) == {SHOWN: [1, None, True, 2.5, {"a": SHOWN}], "b": [SHOWN]}
    untouched = {"a": ["nothing to see", 1]}
    assert clean_json(untouched) is untouched


def test_redacted_json_is_still_json() -> None:
    stored = clean_json_or_text(json.dumps({"text": f'password = "{TOKEN}"', "n": 1}))
    assert json.loads(stored)["n"] == 1
    assert TOKEN not in stored


def test_a_secret_in_a_file_name_is_noticed() -> None:
    assert secret_in_name(f"{TOKEN}.py")
    assert secret_in_name(f"dir-{TOKEN}")
    for name in (
        "test_a_rather_long_name_2.py",
        "CONTRIBUTINGGUIDELINES.md",
        "README.md",
        "a=b.txt",
        "x" * 300,
    ):
        assert not secret_in_name(name)


def test_the_log_and_tracebacks_pass_it(monkeypatch: pytest.MonkeyPatch) -> None:
    into = StringIO()
    stream = GatedStream(into)
    monkeypatch.setattr(sys, "stderr", stream)
    handler = logging.StreamHandler(stream)
    logger = logging.Logger("other people's")
    logger.addHandler(handler)
    try:
        raise ValueError(TOKEN)
    except ValueError:
        logger.exception("failed with %s", TOKEN)
    assert TOKEN not in into.getvalue()
    assert into.getvalue().count(SHOWN) >= 2
