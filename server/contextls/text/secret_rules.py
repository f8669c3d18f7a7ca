"""What secrets look like: one rule per format, and the careful reading of ``password = "…"`` assignments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2

MARK = "[redacted:"


def _always(_value: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Rule:
    """One format. The group ``secret`` of ``pattern`` is what gets replaced when ``is_secret`` agrees.

    Whatever ``pattern`` matches contains one of ``keywords``, letter case included.
    """

    kind: str
    keywords: tuple[str, ...]
    pattern: re.Pattern[str]
    is_secret: Callable[[str], bool] = _always


def entropy(value: str) -> float:
    """Shannon entropy in bits per character: random base64 of 20 characters has about 4, words about 3."""
    size = len(value)
    return -sum(n / size * log2(n / size) for n in map(value.count, set(value)))


_PLACEHOLDER = re.compile(
    r"x{4,}|\*{3,}|\.{3}|example|sample|dummy|placeholder|change[-_ ]?me|replace[-_ ]?me|your[-_ ]|redacted"
    r"|12345678|[<>{}]|\$[({A-Za-z_]|%[(sd]",
    re.IGNORECASE,
)
# Words joined by separators or capitals, each with a small number behind it at most: access_token,
# oauth2-client-v2.
_WORDS = re.compile(
    r"(?:(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+)++\d{0,3}|[A-Za-z]?\d{0,4})"
    r"(?:[-_. ](?:(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+)++\d{0,3}|[A-Za-z]?\d{0,4}))*+"
)
_ALTERNATION = re.compile(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])")
_LOCATION = re.compile(r"(?:[a-z][a-z0-9+.-]*:/|\.{0,2}/|~/|[A-Za-z]:\\)", re.IGNORECASE)


def _random(value: str) -> bool:
    return entropy(value) >= 3.0 and any(map(str.isdigit, value))


def _mixed(value: str) -> bool:
    return entropy(value) >= 3.0 and len(_ALTERNATION.findall(value)) >= 3


def _not_placeholder(value: str) -> bool:
    return not _PLACEHOLDER.search(value) and value.lower() not in _WELL_KNOWN


_WELL_KNOWN = frozenset(
    {"pass", "passwd", "password", "pwd", "secret", "user", "username", "token", "x-oauth-basic"}
)


def _rule(kind: str, keywords: str, pattern: str, is_secret: Callable[[str], bool] = _always) -> Rule:
    whole = (
        pattern if "(?P<secret>" in pattern else rf"(?<![A-Za-z0-9_])(?P<secret>{pattern})(?![A-Za-z0-9_])"
    )
    return Rule(kind, tuple(keywords.split("|")), re.compile(whole), is_secret)


_KEY_LINES = (
    # Base64 lines and armour headers with what surrounds them in source code: quotes, escapes, comment signs.
    r"(?:(?:\\[nrt]|[\s\"'`+,>#*|\\])*+"
    r"(?:[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n]{0,200}))++"
    r"(?:(?:\\[nrt]|[\s\"'`+,>#*|\\])*+[A-Za-z0-9+/=]{2,15}(?=\\n|\s|[\"'`]|-----END))?+"
)

RULES: tuple[Rule, ...] = (
    _rule("aws-access-key", "AKIA|ASIA", r"(?:AKIA|ASIA)[A-Z2-7]{16}"),
    _rule("github-token", "ghp_|gho_|ghu_|ghs_|ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _rule("github-token", "github_pat_", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    _rule("gitlab-token", "glpat-|gldt-|glrt-", r"gl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,64}"),
    _rule("slack-token", "xox", r"xox[abeoprs]-(?:[0-9A-Za-z]{1,4}-)?[0-9A-Za-z-]{10,250}", _random),
    _rule(
        "slack-webhook",
        "://",
        r"hooks\.slack\.com/(?:services|workflows)/(?P<secret>[A-Za-z0-9+/]{40,60})",
    ),
    _rule("stripe-key", "k_live_", r"[sr]k_live_[A-Za-z0-9]{16,247}"),
    _rule("stripe-key", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}"),
    _rule("google-api-key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
    _rule("google-oauth", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _rule("google-oauth", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,500}"),
    _rule("anthropic-key", "sk-", r"sk-ant-[A-Za-z0-9]{2,12}-[A-Za-z0-9_-]{40,200}"),
    _rule("openai-key", "sk-", r"sk-(?!ant-)(?:(?:proj|svcacct|admin|None)-)?[A-Za-z0-9_-]{20,250}", _mixed),
    _rule("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{34,40}"),
    _rule("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _rule("pypi-token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,1000}"),
    _rule("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    _rule("digitalocean-token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _rule("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _rule("jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}"),
    _rule(
        "private-key",
        "PRIVATE KEY",
        rf"(?P<secret>-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----{_KEY_LINES}"
        r"(?:(?:\\[nrt]|[\s\"'`+,>#*|\\])*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?+)",
    ),
    _rule(
        "url-password",
        "://",
        r"://[^\s/:@\"'<>`]{0,100}:(?P<secret>[^\s/@\"'<>`]{1,200})@(?=[\w\[$.])",
        _not_placeholder,
    ),
    _rule("connection-string", "Key=", r"(?:Access|Account)Key=(?P<secret>[A-Za-z0-9+/=]{32,100})"),
)

_NAMES = (
    "passw",
    "pwd",
    "secret",
    "token",
    "credential",
    "authorization",
    "_key",
    "apikey",
    "api-key",
    "accesskey",
)
_KEY_NAMES = ("api", "access", "private", "auth", "encryption", "signing", "account", "master", "license")
_VALUE = re.compile(
    r"[\w-]{0,40}[\"']?\]?[ \t]{0,8}(?:=>|:=|==?|:)[ \t]{0,8}"
    r"(?:[brfu]{0,2}\"(?P<double>[^\"\s]{8,250})\"|[brfu]{0,2}'(?P<single>[^'\s]{8,250})'|`(?P<back>[^`\s]{8,250})`"
    r"|(?P<bare>[A-Za-z0-9+/_.=!@#%^&*~$-]{10,250})(?=[\s;,&\"']|$))"
)
_HEADER = re.compile(
    r"[\"']?[ \t]{0,4}[:=,][ \t]{0,4}[\"']?(?:Bearer|Basic|token)[ \t]{1,4}(?P<header>[\w+/.=~-]{16,500})"
)


def assignment_values(text: str) -> Iterator[tuple[int, int]]:
    """Where values that look like secrets are assigned to names that sound like secrets."""
    lowered = _lowered(text)
    for name in _NAMES:
        at = lowered.find(name)
        while at >= 0:
            after = at + len(name)
            named = name != "_key" or lowered.endswith(_KEY_NAMES, max(0, at - 12), at)
            if named and (match := _VALUE.match(text, after) or _HEADER.match(text, after)):
                group = match.lastgroup or ""
                if _assigned_secret(match.group(group), name, group):
                    yield match.span(group)
            at = lowered.find(name, after)


def _assigned_secret(value: str, name: str, group: str) -> bool:
    if MARK in value or not _not_placeholder(value) or _WORDS.fullmatch(value) or _LOCATION.match(value):
        return False
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    if group == "bare":
        # Unquoted it may as well be code: ask for letters and digits as mixed as no name has them.
        return len(_ALTERNATION.findall(value)) >= 3 and entropy(value) >= 3.0
    if name in {"passw", "pwd"}:
        return letters and (digits or not value.isalnum()) and entropy(value) >= 2.5
    return len(value) >= 16 and letters and digits and entropy(value) >= 3.3


def _lowered(text: str) -> str:
    """``text`` in lower case with every character still in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if c.isascii() else c for c in text)
