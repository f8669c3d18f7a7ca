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


@pytest.mark.parametrize(
    "text",
    [
        "const password = document.querySelector('#password');",
        'let password = $("#login-password").val();',
        'this.password = page.getByLabel("Password1");',
        'const apiKey = document.getElementById("WebUIAPIKeyText").dataset.apiKey;',
        'password = preferences.get_string("Db.Password1")',
        'mode(SESSION_KEY(u"DiskIOWriteMode"_s), Mode::Cached)',
        'API_KEY("X-Api-Key2"),',
    ],
)
def test_a_name_that_something_is_looked_up_by_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'token = client.get("{B62}")', 'token = client.get("[redacted:secret]")'),
        (f'API_KEY("{B62}")', 'API_KEY("[redacted:secret]")'),
        ('password = hash("Mellon77")', 'password = hash("[redacted:secret]")'),
        ('password = UTF8.GetBytes("Mellon77");', 'password = UTF8.GetBytes("[redacted:secret]");'),
        ('hashed_password = get_password_hash("Mellon77")', 'hashed_password = get_password_hash("[redacted:secret]")'),
        ("SET PASSWORD = PASSWORD('Mellon77!');", "SET PASSWORD = PASSWORD('[redacted:secret]');"),
    ],
)  # fmt: skip
def test_a_secret_that_a_call_is_given_goes(before: str, after: str) -> None:
    assert redact(before).text == after


@pytest.mark.parametrize(
    "text",
    [
        "'password' => 'required|string|min:16|secure_password|confirmed',",
        "$rules = ['token' => 'required', 'password' => 'nullable|min:8'];",
    ],
)
def test_what_a_form_demands_of_a_password_stays(text: str) -> None:
    assert redact(text).text == text


@given(commit=st.binary(min_size=20, max_size=20).map(bytes.hex))
@pytest.mark.parametrize(
    "subject", ["Clarify the Todoist redirect", "Add a token service", "Start the frontend's login"]
)
def test_a_commit_that_is_linked_by_its_first_characters_stays(subject: str, commit: str) -> None:
    for address in (commit, f"https://github.com/a/b/commit/{commit}"):
        text = f"* {subject} ([{commit[:7]}]({address}))"
        assert redact(text).text == text


@pytest.mark.parametrize("ending", ["woff2", "png", "min.css", "js"])
def test_a_file_that_a_build_named_by_its_content_stays(ending: str) -> None:
    text = f'import style from "./login-{B62}.{ending}";'
    assert redact(text).text == text


def test_markup_of_highlighted_code_stays() -> None:
    text = '<a class="token" href="#/s:9Alamofire8DataTaskV8requestAA10URLRequestVSgvp">request</a>'
    assert redact(text).text == text


def test_constants_that_hold_the_marks_of_a_key_stay() -> None:
    text = '_START = b"-----BEGIN OPENSSH PRIVATE KEY-----"\n_END = b"-----END OPENSSH PRIVATE KEY-----"\n_NAME = "bcrypt"\n'
    assert redact(text).text == text


@pytest.mark.parametrize(
    "name", ["RememberMeTokenV1alpha1ApiFp", "RoleBindingV1beta2Api", "v2alpha1SecretList"]
)
@pytest.mark.parametrize(
    "place", ["`src/token.ts:384-399` `{}.updateToken`", "token = new {}(host)", "token: '{}'"]
)
def test_a_name_with_the_version_of_its_api_stays(place: str, name: str) -> None:
    text = place.format(name)
    assert redact(text).text == text


@given(seed=seeds, at=st.integers(0, 30))
def test_a_key_with_the_version_of_an_api_inside_goes(seed: int, at: int) -> None:
    key = "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=30))  # noqa: S311 - made up
    key = f"{key[:at]}V1alpha1{key[at:]}"
    assert key not in redact(f"api_key = '{key}'").text


@pytest.mark.parametrize(
    "name", ["E2E_TEST_AUTHENTICATE_USERNAME", "K8S_CLUSTER_NAMESPACE", "L10N_BUCKET_LOCATION"]
)
def test_a_name_behind_that_of_a_secret_stays(name: str) -> None:
    text = f'["GOOGLE_APPLICATION_CREDENTIALS",\n  "{name}"]'
    assert redact(text).text == text
