"""Messages about wrong values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contextls.errors import InvalidRequestError
from contextls.text.gate import clean

KEY = "AKIA" + "IKBPIQHUVCZOZTBV"


@pytest.mark.parametrize("before", ["\n", "\r\n", "\t", "\x1b[0m\x7f", "\u2028", "\U000e0001", "\\", "'", ""])
@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text], lambda text: {text: text}])
def test_a_secret_behind_an_escape_is_recognised(before: str, wrap: Callable[[str], object]) -> None:
    assert KEY not in clean(str(InvalidRequestError("path", "a path", wrap(f"{before}{KEY}/"))))


def test_a_value_is_shown_as_it_came_but_for_signs() -> None:
    shown = str(InvalidRequestError("path", "a path", "a\\n \n\té\u2028"))
    assert shown == "path: expected a path, got 'a\\\\n \u240a\u2409é\ufffd'"
