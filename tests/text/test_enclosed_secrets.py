"""Secrets that more than a sign of assignment separates from their name, and what only looks like one.

``P`` stands for a password, ``K`` for a key, ``⏎`` for the end of a line.
"""

from __future__ import annotations

import re
import time

import pytest

from contextls.text.redact import redact

PASSWORD, KEY = "Tr0ub4dor" + "99xQ", "hJ7kQ2mX" + "9pL4vB8n"
FORMS = [
    # Properties and functions
    'public string Password { get; set; } = "P";', 'public string ApiSecret {get; private set;} = "K";',
    'public string Password⏎{⏎    get;⏎    init;⏎} = @"P";', 'public string Password { get => "P"; }',
    'public string Password { get { return "P"; } }', 'var password: String { "P" }', 'var password: String { return "P" }',
    'def get_password(): return "P"', 'def get_password(self) -> str:⏎    """Said once."""⏎    return "P"⏎',
    'get password() { return "P"; }', "getPassword(): string { return 'P'; }", 'func getPassword() string {⏎\treturn "P"⏎}',
    'fn api_key(&self) -> &\'static str { "K" }', 'public String getApiKey() {⏎    return "K";⏎}', 'fun getPassword() = "P"',
    'const getPassword = () => "P";', 'const getPassword = () => { return "P"; }', 'password = lambda: "P"',
    'String password() => "P";', 'def password⏎  "P"⏎end', 'let password = || "P";',
    'val password: String by lazy { "P" }', 'val password by lazy { "P" }',
    # Pairs and lists
    'set :password, "P"', "set :api_token, 'K'", 'set(:password, "P")', 'set PASS "P"', '{password, "P"}.',
    '{api_key, <<"K">>}', '[{user, "bob"}, {password, "P"}]', 'char[] password = {"P"};', 'password = ["P"]',
    '{"password": ["P"]}', 'password = new String[] { "P" }',
    # Anchors and tags
    "db_password: &dbpw P", "token: &t K", "token: !!str K", 'password: &a "P"', "password: &a !!str P",
    "password: !!str &a P",
    # Elements
    "<password><![CDATA[P]]></password>", "<password>⏎  P⏎</password>", '<password type="x">⏎<![CDATA[ P ]]>⏎</password>',
    "<api:token>⏎\tK⏎</api:token>", '<entry key="password"><![CDATA[P]]></entry>', '<entry key="password">⏎ P⏎</entry>',
    # Lines of their own and long quotes
    "password = <<EOT⏎P⏎EOT⏎", "password = <<-EOT⏎    P⏎  EOT⏎", "password=$(cat <<EOF⏎P⏎EOF⏎)", "token = <<~'TXT'⏎  K⏎TXT⏎",
    "db.password=\\⏎P⏎", "db.password = \\⏎    P⏎", "api.token: \\⏎    K⏎",
    "local password = [[P]]", "local password = [==[P]==]", "password = ''P'';", "password = ''⏎  P⏎'';",
    # Letters that are not what they seem
    r'password = "\x54r0ub4dor99xQ"', r'password = "Tr0ub4dor\u0039\x39xQ"', 'p\u0430ssword = "P"', 'pass\u200bword = "P"',
    '"t\u043eken": "K"', 'api\u200b_key = "K"', '\uff50assword = "P"',
]  # fmt: skip
JOINED = [
    ('API_KEY = ("hJ7kQ2mX9pL4"⏎    "vB8nTr0ub4dor")', ["hJ7kQ2mX9pL4", "vB8nTr0ub4dor"]),
    (
        'API_KEY = (⏎    "hJ7kQ2mX9pL4"⏎    "vB8nTr0u"⏎    "b4dor99x"⏎)',
        ["hJ7kQ2mX9pL4", "vB8nTr0u", "b4dor99x"],
    ),
    ('PASSWORD = "hunter" + "leak11d"', ["hunter", "leak11d"]),
    ('password = "Tr0ub4" \\⏎  "dor99xQ"', ["Tr0ub4", "dor99xQ"]),
    ('$password = "Tr0ub4" . "dor99xQ";', ["Tr0ub4", "dor99xQ"]),
    ('password = "Tr0ub4" .. "dor99xQ"', ["Tr0ub4", "dor99xQ"]),
    ("api_key = 'hJ7kQ2mX9pL4' +⏎  'vB8nTr0ub4dor'", ["hJ7kQ2mX9pL4", "vB8nTr0ub4dor"]),
    ('const char *password = "Tr0ub4" "dor99xQ";', ["Tr0ub4", "dor99xQ"]),
    ("PASSWORD=Tr0ub4d\\⏎or99xQ8z⏎", ["Tr0ub4d", "or99xQ8z"]),
]
HARMLESS = [
    "public string Password { get; set; } = string.Empty;", 'public string Password { get; set; } = "";',
    'public string Password { get; set; } = "password";', "pub fn new(password: &Password) -> Self", "password: &str,",
    'set :password_field, "Enter your password"', 'set :password, "changeme"', 'set :password, ENV["DB_PASSWORD_1"]',
    'validates :password, "is too short"', '{user:u,pass:password,"x-y12":1}', "f(token, \"K\")", "{password, Secret1x}",
    'def get_password(): return "password is too short"', 'def get_password():⏎    return os.environ["DB_PASS1"]',
    'if is_token(value):⏎    return "T0kenX9yZ1"', 'self.refresh_token()⏎return "A1b2C3d4E5"',
    'password() { return "${DB_PASS1}" }',
    'if (!token()) { return "E4x1T9zQ"; }', 'getPassword(): string { return this.form.password1; }',
    "<password>${env.PASS}</password>", "<password>⏎  ${env.PASS_1}⏎</password>",
    '<label for="password">⏎  Passwort*⏎</label>',
    "<password><![CDATA[${db.password1}]]></password>", "<Password>⏎  {t('password1')}⏎</Password>",
    "</Token>⏎  v2beta1q⏎</Row>",
    "password: *default_password", "token: &token⏎  name: x", "let token: &T3x9 = self.token();", "secret: !Ref DbSecret",
    "password = <<EOT⏎${var.password1}⏎EOT⏎", "password = <<EOT⏎Enter a password please⏎EOT⏎", "password=\\⏎$(cat /run/x1)⏎",
    'password = "a" + user1.name', 'token = "Bearer " + "access_token"', 'password = "your-" + "password-here1"',
    "password=''; name='b1c2d3'; x=''", "password: [[Password1]]", 'password = ["required", "min8chars"]',
    'password: ["The password is required"]', 'val password: String by lazy { "password" }',
    'val token by lazy { Token("K1") }',
    r'PASSWORD = "[\x41-\x5a]{8}"', r'password = "\x00\x9a"', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '"Sec-WebSocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},',
]  # fmt: skip


def fill(form: str) -> str:
    return form.replace("⏎", "\n")


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("form", FORMS)
def test_a_secret_goes_in_whatever_it_stands(form: str, ends: str) -> None:
    written = form.replace("⏎", ends)
    text = re.sub(r"\bP\b", PASSWORD, re.sub(r"\bK\b", KEY, written))
    shown = redact(text)
    assert shown.found == {"secret": 1}
    assert not any(value[-9:] in shown.text for value in (PASSWORD, KEY))
    assert shown.text.count("\n") == text.count("\n")
    assert redact(shown.text).text == shown.text


@pytest.mark.parametrize(("form", "parts"), JOINED)
def test_all_parts_of_a_secret_go(form: str, parts: list[str]) -> None:
    text = fill(form)
    shown = redact(text).text
    assert [part for part in parts if part in shown] == []
    assert shown.count("\n") == text.count("\n")
    assert redact(shown).text == shown


@pytest.mark.parametrize("form", HARMLESS)
def test_what_only_looks_like_it_stays(form: str) -> None:
    text = fill(form)
    assert redact(text).text == text


def test_what_follows_a_joined_secret_stays() -> None:
    text = f'password = "{PASSWORD}" + " is yours"\nmysql --password "{PASSWORD}" "file1.txt"\n'
    assert redact(text).text.count("[redacted:secret]") == 2
    text = f'"password": "{PASSWORD}"\n"user": "bob1x2y"\n'
    assert redact(text).text == '"password": "[redacted:secret]"\n"user": "bob1x2y"\n'


@pytest.mark.parametrize(
    "piece",
    ['password = "a" + ', 'password = ("a1" "b2" ', "token: &a ", "Password { get; ", "<password><![CDATA[",
    "password = <<E\n",
     'get_password() { return "', "password = [[", "password=''", "set :password, ", "password=\\\n", "\\x41password=",
     "p\u0430ssword = ", "pass\u200b"],
)  # fmt: skip
def test_many_beginnings_take_linear_time(piece: str) -> None:
    started = time.process_time()
    redact(piece * (40_000 // len(piece)))
    assert time.process_time() - started < 4
