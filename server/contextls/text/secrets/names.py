"""Names that sound secret: the one list of them, for assignments, flags, headers, tags and JSON fields alike."""

from __future__ import annotations

import re
import tomllib
from enum import IntEnum
from functools import lru_cache
from pathlib import Path

# Every such name holds one of these, in small letters.
STEMS = (
    b"pass", b"pw", b"secret", b"token", b"key", b"auth", b"cred", b"salt", b"psk", b"otp", b"senha", b"contrase",
    b"kennwort", b"wachtwoord", b"haslo", b"mdp", b"bearer", b"jwt", b"_pat",
)  # fmt: skip


class Strength(IntEnum):
    """How surely a value given to a name is a secret."""

    NONE = 0
    WEAK = 1  # key, auth: only what no human wrote
    SHOUTED = 2  # FAL_KEY: hexadecimal as well
    TOKEN = 3  # api_key, secret: what is mixed
    PASSWORD = 4  # password: what is no word


_LISTS: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "names.toml").read_text("utf-8"))
_PASSWORD_WORDS, _TOKEN_WORDS = frozenset(_LISTS["password"]), frozenset(_LISTS["token"])
_WEAK_WORDS, _KEY_OWNERS = frozenset(_LISTS["weak"]), frozenset(_LISTS["key_owner"])
_ABOUT, _NOT_SECRET, _VALUE_WORDS = (frozenset(_LISTS[name]) for name in ("about", "not_secret", "value"))
NO_VALUES = frozenset(_LISTS["no_value"])
_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z\u00df-\u00ff]+|\d+")
_GLUED = re.compile(
    r"(?:.*(?:password|passwd|passphrase|passcode|passwort|pwd)|(?!.*(?:by|com|sur|over|tres|encom)pass).{2,}pass)\d*$"
)
_GLUED_TOKEN = re.compile(
    r".*(?:token|secret|apikey|secretkey|accesskey|privatekey|authkey|masterkey|signingkey|encryptionkey)\d*$"
)


@lru_cache(maxsize=8192)
def strength_of(name: str) -> Strength:
    """How much a name says that its value is a secret."""
    words = [word.lower() for word in _SPLIT.findall(name)]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _VALUE_WORDS):
        words.pop()
    if "".join(words[-2:]) in _PASSWORD_WORDS:
        return Strength.PASSWORD
    if words and words[-1] == "seed" and not _TOKEN_WORDS.isdisjoint(words):
        return Strength.TOKEN
    if not words or words[-1] in _ABOUT or not _NOT_SECRET.isdisjoint(words):
        return Strength.NONE
    last = words[-1]
    if last in _PASSWORD_WORDS or _GLUED.match(last):
        return Strength.PASSWORD
    if last in _TOKEN_WORDS or _GLUED_TOKEN.match(last):
        return Strength.TOKEN
    if last == "key" and not _KEY_OWNERS.isdisjoint(words[:-1]):
        return Strength.TOKEN
    if last in _WEAK_WORDS or last.endswith("key") or not (_PASSWORD_WORDS | _TOKEN_WORDS).isdisjoint(words):
        return Strength.WEAK
    return Strength.NONE
