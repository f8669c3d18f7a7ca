"""Values of several words: a passphrase goes, what people read and what code joins together stay."""

from __future__ import annotations

import pytest

from contextls.text.redact import is_secret_field, redact


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('DB_PASSWORD = "Mellon77 friend enter"', 'DB_PASSWORD = "[redacted:secret]"'),
        ('ADMIN_PASSPHRASE = "purple monkey dishwasher lamp"', 'ADMIN_PASSPHRASE = "[redacted:secret]"'),
        ("export DB_PASSWORD='correct horse battery'", "export DB_PASSWORD='[redacted:secret]'"),
        ("SMTP_PASS = 'x9!kQ2#mm z'", "SMTP_PASS = '[redacted:secret]'"),
        ('passwd: "two words"', 'passwd: "[redacted:secret]"'),
        ('{"secretKey": "Zx81 kk29s"}', '{"secretKey": "[redacted:secret]"}'),
        (r"$ DB_PASSWORD=\"Mellon77 friend enter\" make", r"$ DB_PASSWORD=\"[redacted:secret]\" make"),
        ("psql --password 'correct horse battery' -U bob", "psql --password '[redacted:secret]' -U bob"),
        ("PASSWORD='correct horse battery' ./run.sh", "PASSWORD='[redacted:secret]' ./run.sh"),
        ('root_password: "Correct Horse Battery Staple"', 'root_password: "[redacted:secret]"'),
        ('password = SecretStr("Mellon77 friend enter")', 'password = SecretStr("[redacted:secret]")'),
    ],
)
def test_a_quoted_passphrase_goes_whole(before: str, after: str) -> None:
    assert redact(before).text == after


@pytest.mark.parametrize(
    "text",
    [
        'password: "Password is required"', 'PASSWORD_LABEL = "Your password"', '"password": "Please enter a password"',
        'password_hint = "Enter at least eight characters"', '"forgotPassword": "Forgot your password?"',
        '"password": "At least 8 characters, 1 number"', 'errors["password"] = "too short"', 'help="the API key"',
        '"password": "Field required"', '"resetPassword": "Account Recovery Administration"',
    ],
)  # fmt: skip
def test_labels_and_messages_of_forms_are_not_redacted(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        '"password": "Passwort vergessen?"', '"password": "neues Kennwort eingeben"',
        '"password": "mindestens acht Zeichen"', '"password": "Mot de passe oublié"',
        '"password": "saisir le mot de passe"', '"password": "nouveau mot de passe"',
        '"password": "contraseña olvidada"', '"password": "Nueva contraseña"', '"password": "Wachtwoord vergeten"',
        '"password": "Nollaa salasanasi"', '"password": "Atur Ulang Sandi"', '"password": "Забыли пароль?"',
    ],
)  # fmt: skip
def test_forms_in_other_languages_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        'token = "an opaque token"', 'secret: "the name of the secret"', "session secret: 'keyboard cat'",
        'api_key: "OpenAI GPT4 key"', 'jwt: "HS256 RS256"',
        'wifi_password: "WPA3 Enterprise"', 'pwd: "print working directory"',
        "{ pass: 'all green', fail: 'some red' }", '"minipass": "^5.0.0 || ^6.0.2"', 'password: "pass show email/work"',
        'secret = "openssl rand -hex 32"', "password = input('Login of admin1 on host22: ')",
        'describe("password", "rejects short ones")', '@option("--password", help="database login")',
        'password: """Represents one word or two."""',
    ],
)  # fmt: skip
def test_descriptions_and_commands_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        'password = "a" + b + "c"', 'password = "purple monkey " + suffix + " lamp"',
        'password = "purple monkey %s" % suffix',
        'password = "purple monkey".upper()', 'token = f"Bearer {x} y"', 'password = f"purple {monkey} lamp"',
        'PASSWORD="$(cat /run/secrets/db password)"', "PASSWORD=`pass show db`", 'PASSWORD="$FIRST monkey lamp"',
        "sql = \"SELECT pw FROM users WHERE password = '\" + given + \"' LIMIT 1\"",
        'url = "?password=" + pw + "&lamp shade="',
        'print("token: " + token + " for more")', 'echo "password="; read x; echo "purple monkey"',
        'cout << "password: " << "purple monkey" << end;',
    ],
)  # fmt: skip
def test_code_that_computes_a_passphrase_is_not_redacted(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("password", "purple monkey dishwasher", True),
        ("dbPassword", "Mellon77 friend enter", True),
        ("password", "Please enter a password", False),
        ("token", "end of file", False),
        ("path", "purple monkey dishwasher", False),
    ],
)
def test_a_field_of_an_event_may_hold_a_passphrase(name: str, value: str, secret: bool) -> None:
    assert is_secret_field(name, value) is secret
