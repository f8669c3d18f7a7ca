"""Texts that only speak of a secret stay, as catalogs of messages, public keys and settings have them; secrets beside go."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.text.redact import is_secret_field, redact

FINGERPRINT = "7D061A4AA61436B40713D42EFF054DACD908493A"
seeds = st.integers(min_value=0)


@pytest.mark.parametrize("word", ["Lozinka", "lozinka", "Zaporka", "Jelszó", "Heslo", "Hasło", "Salasana"])
@pytest.mark.parametrize(
    "place",
    [
        '"Password": "{}"', "password: '{}'", "login.password={}", '<string name="password">{}</string>',
        '<data name="Password" xml:space="preserve"><value>{}</value></data>', '"passcode": "{}",',
    ],
)  # fmt: skip
def test_the_word_for_a_password_in_another_language_stays(place: str, word: str) -> None:
    text = place.format(word)
    assert redact(text).text == text
    assert not is_secret_field("password", word)


@pytest.mark.parametrize(
    "text",
    [
        '"360messengerAuthToken": "360messenger API Key",', '"360messengerAuthToken": "Clé API 360messenger",',
        '"YZJ Robot Token": "YZJ-Robot-Token",', "SECRET_KEY = 'AWSSecretKey'", "ACCESS_KEY = 'AWSAccessKeyId'",
        "'password' => 'パスワードは6文字以上である必要があります。',", "enter_passcode=2段階認証用パスコードを入力",
        "reset_password=Tyhjennä salasana", "forgot_password=Zabudnuté heslo",
        '"YOUR BOT TOKEN HERE": "BOT TOKEN",\n    "chatIDNotFound": "no chat"',
        '"OneChatAccessToken": "OneChat access token",\n    "OneChatUserIdOrGroupId": "user or group",',
        '"sshPrivateKey": "-----BEGIN OPENSSH PRIVATE KEY-----\\n...\\n-----END OPENSSH PRIVATE KEY-----"',
    ],
)  # fmt: skip
def test_labels_of_a_catalog_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        f"gpg --default-key {FINGERPRINT}", "gpg --recv-keys 4AEE18F83AFDEB23", f"RELEASE_GPG_KEY: {FINGERPRINT}",
        f"ENV GPG_KEY {FINGERPRINT}", f"ENV GPG_KEYS={FINGERPRINT}", f'gpg_key = "0x{FINGERPRINT.lower()}"',
        "gpg --keyserver pgp.example.org --recv-keys AE9BC059", "git config user.signingkey 4AEE18F83AFDEB23",
        f"gpg: using RSA key {FINGERPRINT}", f"Primary key fingerprint: {FINGERPRINT}",
    ],
)  # fmt: skip
def test_what_a_public_key_is_known_by_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        'LIMITS = {"reset_password": "20/m/ip,5/m/key", "change_password": "1/m/ip,1/m/key"}',
        "Invoke-Pester -PassThru | ConvertTo-Pester4Result", "script-src 'nonce-Eft2LKpM01f69RvQoV6QJA'",
        'WS_KEY: Final[bytes] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"',
    ],
)  # fmt: skip
def test_limits_options_and_constants_of_protocols_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        'func setFrom_s3ListObjectsV2Output_s3ListObjectsOutput(a *s3.ListObjectsV2Output) {',
        "key = QueryInterface(sw9, &IID_IDirect3DSwapChain9Ex, &chain)",
        'password = "@env:AC_PASSWORD"', 'Regex("(username|password|api_?key|nzb_key)")',
        "https://github.com/HubSpot/jquery/blob/ef987223c20e480fcbfb5924d96c11cd928e1226/trim.js",
        '"pass": "style属性中のword-spacingに\'!important\'が指定されていない、または最低条件を満たしています",',
    ],
)  # fmt: skip
def test_names_of_code_and_references_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"Password": "Lozinka77"', '"Password": "[redacted:secret]"'),
        ('"Password": "Qxzvkwpt"', '"Password": "[redacted:secret]"'),
        ("reset_password=Tyhjennä7x", "reset_password=[redacted:secret]"),
        ("SECRET_KEY = 'AWSSecretKey9fK2pQ7z'", "SECRET_KEY = '[redacted:secret]'"),
        ("password: 'パスぬこ7'", "password: '[redacted:secret]'"),
        ("password: 'パスワードは90817263です'", "password: '[redacted:secret]'"),
        ('"360messengerAuthToken": "360messenger x9!kQ2#mm"', '"360messengerAuthToken": "[redacted:secret]"'),
        (f"API_KEY={FINGERPRINT}", "API_KEY=[redacted:secret]"),
        (f"SIGNING_KEY={FINGERPRINT}", "SIGNING_KEY=[redacted:secret]"),
        ("GPG_PASSPHRASE=4AEE18F83AFDEB23", "GPG_PASSPHRASE=[redacted:secret]"),
        ("GPG_KEY=x9kQ2mmZ7pLw", "GPG_KEY=[redacted:secret]"),
        ("hubspot ef987223c20e480fcbfb5924d96c11cd928e1226", "hubspot [redacted:secret]"),
        ("password: 'style属性中のMellon77が指定されていない'", "password: '[redacted:secret]'"),
        ('login("password", "Mellon77!")', 'login("password", "[redacted:secret]")'),
        ('"password": "20/m!k7ip"', '"password": "[redacted:secret]"'),
    ],
)  # fmt: skip
def test_secrets_that_resemble_them_go(before: str, after: str) -> None:
    assert redact(before).text == after


@given(seed=seeds, length=st.integers(min_value=12, max_value=40))
@pytest.mark.parametrize(
    "place",
    [
        '"YOUR TOKEN": "TOKEN",\n"apiToken": "{}"', "SECRET_KEY = 'AWSSecretKey{}'", "GPG_KEY='{}'",
        '"360messengerToken": "360messenger {}"', "gpg --passphrase {}", 'f("token", "{}")',
    ],
)  # fmt: skip
def test_a_drawn_key_in_their_place_goes(place: str, seed: int, length: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - made up
    drawn = "".join(rng.choices(string.ascii_letters + string.digits, k=length - 3))
    key = f"q7x{drawn}9Q"
    assert key not in redact(place.format(key)).text


@given(seed=seeds)
def test_a_private_key_goes_where_dots_begin_it(seed: int) -> None:
    body = "".join(random.Random(seed).choices(string.ascii_letters + string.digits + "+/", k=64))  # noqa: S311 - made up
    text = f"-----BEGIN PRIVATE KEY-----\n...\n{body}\n-----END PRIVATE KEY-----\n"
    assert body not in redact(text).text
