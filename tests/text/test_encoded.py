"""Long runs of base64 and hexadecimal characters give way to a note; everything else stays."""

import base64
import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.text.encoded import MIN_ENCODED_CHARS, leave_out_encoded

BYTES = b"".join(sha256(bytes([number])).digest() for number in range(188))[:6_000]
BASE64 = base64.b64encode(BYTES).decode()
NOTE = "… (8,000 characters of encoded data)"


@pytest.mark.parametrize(
    "around",
    [
        '   "image/png": "{}",\n',
        ".otter {{ background: url(data:image/png;base64,{}) }}\n",
        '<img src="data:image/png;base64,{}">',
        "const OTTER = '{}';",
        "{}",
    ],
)
def test_a_note_stands_in_the_place_of_encoded_data(around: str) -> None:
    assert leave_out_encoded(around.format(BASE64)) == around.format(NOTE)


@pytest.mark.parametrize(
    "encoded",
    [
        BYTES[:200].hex(),
        BYTES[:200].hex().upper(),
        base64.urlsafe_b64encode(BYTES).decode(),
        base64.b64encode(BYTES[:601]).decode(),  # ends with "=="
    ],
)
def test_every_usual_alphabet_is_known(encoded: str) -> None:
    assert leave_out_encoded(f'"{encoded}"') == f'"… ({len(encoded):,} characters of encoded data)"'


def test_escaped_ends_of_lines_belong_to_the_data() -> None:
    notebook = json.dumps({"text": "\n", "image/png": base64.encodebytes(BYTES).decode()}, indent=1)
    short = json.loads(leave_out_encoded(notebook))
    assert short["image/png"].startswith("… (")
    assert len(short["image/png"]) < 60
    assert json.loads(leave_out_encoded(json.dumps("\n" + BASE64))) == "\n" + NOTE


@pytest.mark.parametrize(
    "text",
    [
        BASE64[: MIN_ENCODED_CHARS - 1],
        "=" * 400,
        "-" * 400,
        "/" * 400,
        "x" * 400,
        "\\n".join(f"org/example/shop/cart/Item{number}Factory" for number in range(20)),
        "/api/v1/" + "customers/orders/lines/" * 20,
        "test_that_a_cart_2_" * 20,
        "0" * 400,
        "src/main/java/com/acme/" * 8 + "Otter.java",
        "swim and dive " * 100,
        "swim(otter);dive(otter);" * 100,
    ],
)
def test_readable_text_is_not_taken_for_encoded_data(text: str) -> None:
    assert leave_out_encoded(text) == text


@given(
    st.lists(st.sampled_from([BASE64, BYTES[:200].hex(), "\n", "\\n", "\\", '"', " ", "x", "=", "é"])).map(
        "".join
    )
)
def test_leaving_out_encoded_data_keeps_all_lines_and_is_idempotent(text: str) -> None:
    short = leave_out_encoded(text)
    assert short.count("\n") == text.count("\n")
    assert len(short) <= len(text)
    assert leave_out_encoded(short) == short
