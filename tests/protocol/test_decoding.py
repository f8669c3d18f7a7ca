"""JSON of any length."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contextls.lsp.decoding import _IN_ONE_GO, MAX_VALUES, decode


@pytest.mark.parametrize("filling", [" ", "x" * _IN_ONE_GO])
def test_both_ways_of_decoding_agree(filling: str) -> None:
    value: dict[str, Any] = {
        "text": f'ä€😀\\"\n\u0000{filling}',
        "half": "\ud800",
        "numbers": [0, -1, 1.5, 1e300, 12345678901234567890],
        "others": [True, False, None, [], {}, [[{}]]],
    }
    body = json.dumps(value).encode()
    assert decode(body) == value
    assert decode(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) == value
    with pytest.raises(ValueError, match=r"Expecting|Extra|delimiter"):
        decode(body + b"}")
    with pytest.raises(ValueError, match=r"Unterminated|Expecting"):
        decode(body[:-3])


def test_a_message_of_too_many_values_is_refused() -> None:
    assert len(decode(json.dumps([1] * (MAX_VALUES - 10) + [filler := "x" * _IN_ONE_GO]).encode())) > 1
    assert filler
    with pytest.raises(ValueError, match="values"):
        decode(json.dumps([1] * (MAX_VALUES + 1)).encode())


def test_endless_nesting_is_an_error() -> None:
    for size in (1_000, 2 * _IN_ONE_GO):
        with pytest.raises((RecursionError, ValueError)):
            decode(b"[" * size)
