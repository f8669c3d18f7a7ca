"""Keys here are made up on the spot, so that no secret scanner stumbles over this file."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contextls.text.redact import redact, redact_part

B62 = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
LONG = B62 * 8
PEM = "\n".join([LONG[:64]] * 5)
SECRETS = {
    "aws-access-key": "AKIA" + "Q2W3E4R5T6Y7U2I3",
    "github-token": "ghp_" + LONG[:36],
    "gitlab-token": "glpat-" + LONG[:20],
    "slack-token": "xoxb-" + "123456789012-" + LONG[:24],
    "stripe-key": "sk_live_" + LONG[:24],
    "google-api-key": "AIza" + LONG[:35],
    "anthropic-key": "sk-ant-" + "api03-" + LONG[:80],
    "openai-key": "sk-proj-" + LONG[:60],
    "npm-token": "npm_" + LONG[:36],
    "pypi-token": "pypi-AgE" + LONG[:70],
    "jwt": "eyJ" + LONG[:20] + ".eyJ" + LONG[:30] + "." + LONG[:43],
    "private-key": f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{PEM}\nab12==\n-----END RSA {'PRIVATE'} KEY-----",
}
CONTEXTS = ["{}", "key = '{}'", "// {}\n", '{{"k": "{}", "l": 1}}', "export X={}\n", "a\r\n{}\r\nb"]

pieces = st.one_of(
    st.sampled_from(
        [*SECRETS.values(), "password = ", '"', "'", "token: ", "://", "bob:", "@host", "\n", "\r\n",
         "=", " ", "[redacted:", "]",
         "-----BEGIN PRIVATE KEY-----",
         "-----END PRIVATE KEY-----", LONG[:40], "Authorization: Bearer ", "AccountKey=", "\\n",
         "eyJ", ".", "sk-", "İ", "\u2028", "api_key"]
    ),
    st.text(max_size=12),
)  # fmt: skip
texts = st.lists(pieces, max_size=12).map("".join)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("kind", SECRETS)
def test_known_formats_go_wherever_they_stand(kind: str, context: str) -> None:
    result = redact(context.format(SECRETS[kind]))
    breaks = "\n" * SECRETS[kind].count("\n")
    mark = f"[redacted:{kind}]"
    assert result.text == context.format(mark + breaks + mark if breaks else mark)
    assert result.found == {kind: 1}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'password = "{B62[:12]}"', 'password = "[redacted:secret]"'),
        (f"DB_PASSWORD={B62[:14]}\n", "DB_PASSWORD=[redacted:secret]\n"),
        (f"  client_secret: '{B62[:24]}'", "  client_secret: '[redacted:secret]'"),
        (f'{{"apiKey": "{B62}"}}', '{"apiKey": "[redacted:secret]"}'),
        (f"curl -H 'Authorization: Bearer {B62}'", "curl -H 'Authorization: Bearer [redacted:secret]'"),
        ("postgres://bob:s3cr3t-pw@db.local/x", "postgres://bob:[redacted:url-password]@db.local/x"),
        (f"https://{B62[:10]}:{B62[:16]}@host.tld/", f"https://{B62[:10]}:[redacted:url-password]@host.tld/"),
        (
            f"AccountName=x;AccountKey={LONG[:86]}==;E=1",
            "AccountName=x;AccountKey=[redacted:connection-string];E=1",
        ),
    ],
)
def test_assigned_values_and_addresses(before: str, after: str) -> None:
    assert redact(before).text == after


@pytest.mark.parametrize(
    "text",
    [
        'token = "access_token"', 'password = os.environ["X"]', "password = getpass.getpass()", 'secret = "changeme"',
        'token_type = "oauth2_access_token_v2"', 'PASSWORD = "your-password-here"', 'api_key="<YOUR_API_KEY_1234567890>"',
        'secret_path = "/run/secrets/db_password_2024"', "password: ${DB_PASSWORD_1}",
        "token = tokens[index + 1]",
        "postgres://user:password@localhost/db", "https://example.org:8080/a@b",
        "http://{user}:{password}@{host}",
        "const sk = disk-space-of-the-virtual-machine-1", 'key = "-----BEGIN PRIVATE KEY-----"\nprint(key)\nreturn 1',
        "def secret_santa(token: str) -> Token: ...", 'input(type="password", name="new_password_field")',
        'SECRET_NAME = "projects/acme/secrets/db"', 'sha256 = "' + "ab12" * 16 + '"', "secret_key = settings.SECRET_KEY2",
    ],
)  # fmt: skip
def test_ordinary_code_is_not_redacted(text: str) -> None:
    assert redact(text).text == text
    assert not redact(text).found


@given(text=texts)
@example(text=f"a {SECRETS['private-key']}{SECRETS['private-key']}")
@example(text='password = "password = "' + LONG)
@example(text=f"-----BEGIN PRIVATE KEY-----\\n{LONG}\\n")
def test_redacting_is_idempotent_and_keeps_all_lines(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text
    assert len(once.text.splitlines()) == len(text.splitlines())
    assert once.text.count("\n") == text.count("\n")
    assert bool(once.found) == (once.text != text)


@given(
    before=st.text(st.characters(categories=["L", "Zs"]), max_size=20).map(lambda t: t + " "),
    kind=st.sampled_from(sorted(SECRETS)),
    after=st.text(st.characters(categories=["L", "Zs"]), max_size=20).map(lambda t: "\n" + t),
)
def test_no_known_secret_survives(before: str, kind: str, after: str) -> None:
    assert SECRETS[kind] not in redact(before + SECRETS[kind] + after).text


@pytest.mark.parametrize(
    "text",
    ["password" * 50_000, "-----BEGIN PRIVATE KEY-----" * 5_000, "a" * 500_000, "://" * 100_000, "eyJ" * 100_000,
     "password=" + "aA1" * 100_000, "secret: " + "-_" * 100_000, "-----BEGIN PRIVATE KEY-----" + "n\\" * 100_000],
)  # fmt: skip
def test_hostile_text_takes_linear_time(text: str) -> None:
    redact(text[: len(text) // 100])
    assert isinstance(redact(text).text, str)


def test_a_part_goes_by_what_stands_around_it() -> None:
    text = f'x = 1\npassword = "{B62[:20]}"\ny = 2\n'
    begin = text.index(B62[:20])
    for start, end in ((begin, begin + 20), (begin + 3, begin + 9), (begin + 5, begin + 5)):
        assert redact_part(text, start, end) == "[redacted:secret]"
    assert redact_part(text, 6, begin + 2) == 'password = "[redacted:secret]'
    assert redact_part(text, 6, 14) == "password"


@given(texts, st.integers(0, 300), st.integers(0, 300))
def test_parts_add_up_to_the_whole(text: str, first: int, second: int) -> None:
    start, end = sorted((min(first, len(text)), min(second, len(text))))
    whole = redact(text).text
    assert redact_part(text, 0, len(text)) == whole
    assert redact_part(text, start, end) in whole
    assert whole.startswith(redact_part(text, 0, start))
