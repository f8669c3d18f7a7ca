"""Values that are as mixed as secrets and none: what addresses name things by, and how long a password has to be."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.text.redact import is_secret_field, redact

B62 = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
URL_CHARS = string.ascii_letters + string.digits + "-_"
identifiers = st.text(URL_CHARS, min_size=22, max_size=34)
seeds = st.integers(min_value=0)


@given(playlist=identifiers, video=st.text(URL_CHARS, min_size=11, max_size=11))
@pytest.mark.parametrize(
    "address",
    [
        "https://www.youtube.com/watch?v={video}&list=PL{playlist}", "https://youtu.be/{video}?list=PL{playlist}&t=12",
        "[the auth talk](https://www.youtube.com/watch?list=PL{playlist}&v={video})",
        '<a href="https://www.youtube.com/watch?v={video}&amp;list=OLAK5uy_{playlist}">',
        "https://www.youtube.com/channel/UC{playlist}", "https://open.spotify.com/playlist/{playlist}?si=1",
    ],
)  # fmt: skip
def test_what_an_address_names_a_thing_by_stays(address: str, playlist: str, video: str) -> None:
    text = f"Login: {address.format(video=video, playlist=playlist)}"
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"https://youtube.com/watch?v=x&key={B62}", "https://youtube.com/watch?v=x&key=[redacted:secret]"),
        (f"https://youtube.com/watch?list={B62}&token={B62}", f"https://youtube.com/watch?list={B62}&token=[redacted:secret]"),
        (f"https://youtube.com/watch?list=ghp_{B62}aB3d", "https://youtube.com/watch?list=[redacted:github-token]"),
        (f"https://youtube.com/watch?list=secret_{B62}", "https://youtube.com/watch?list=[redacted:secret]"),
        (f"youtube {B62[:30]}", "youtube [redacted:secret]"),
        (f"https://api.youtube.com/{B62}", "https://api.youtube.com/[redacted:secret]"),
        (f"reset your login: https://example.org/r?u={B62}", "reset your login: https://example.org/r?u=[redacted:secret]"),
    ],
)  # fmt: skip
def test_secrets_beside_such_a_thing_go(before: str, after: str) -> None:
    assert redact(before).text == after


@given(seed=seeds)
def test_a_key_beside_a_thing_goes(seed: int) -> None:
    key = "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=36))  # noqa: S311 - made up
    shown = redact(f"https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=sk_live_{key}&api_key={key}").text
    assert key not in shown


@pytest.mark.parametrize(
    "value",
    [
        "min8chars required", "min8chars", "Min8Chars, please", "8characters minimum", "at-least-12-characters",
        "8_to_64_digits", "12+ symbols", "minimum10letters required", "mindestens 8Zeichen",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "place", ['password = "{}"', '"password": "{}"', "DB_PASSWORD='{}'", '  secret: "{}"']
)
def test_the_required_length_of_a_password_is_not_redacted(place: str, value: str) -> None:
    text = place.format(value)
    assert redact(text).text == text


@pytest.mark.parametrize(
    "value", ["min8chars required", "min8chars", "8characters minimum", "8_to_64_digits"]
)
def test_a_field_with_the_required_length_of_a_password_is_no_secret(value: str) -> None:
    assert not is_secret_field("password", value)


@pytest.mark.parametrize(
    "value",
    [
        "min8charsX9", "chars8min horse", "min8cats required", "xmin8chars", "Mellon77 min8chars", "min8chars!9f",
        "Mellon77 friend enter", "8chars8chars", "min1234chars",
    ],
)  # fmt: skip
def test_what_only_resembles_it_goes(value: str) -> None:
    assert redact(f'password = "{value}"').text == 'password = "[redacted:secret]"'
    assert is_secret_field("password", value)
