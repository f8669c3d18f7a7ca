"""Names that sound secret: the one list of them, for assignments, flags, headers, tags and JSON fields alike."""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct, convert, json

from contextls.package_data import read_packaged
from contextls.regex import compile_late
from contextls.toml_text import parse_toml

# Every such name holds one of these, in small letters.
STEMS = (
    b"pass", b"pw", b"secret", b"token", b"key", b"auth", b"cred", b"salt", b"psk", b"otp", b"senha", b"contrase",
    b"kennwort", b"wachtwoord", b"haslo", b"mdp", b"bearer", b"jwt", b"_pat",
)  # fmt: skip


class Strength(IntEnum):
    """The certainty that a value given to a name is a secret."""

    NONE = 0
    WEAK = 1  # key, auth: only what no human wrote
    SHOUTED = 2  # FAL_KEY: hexadecimal as well
    TOKEN = 3  # api_key, secret: what is mixed
    PASSWORD = 4  # password: what is no word


_LISTS = Path(__file__).with_name("names.toml")
STORED = Path(__file__).with_name("names.json")
_SPLIT = compile_late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z\u00df-\u00ff]+|\d+")
_GLUED = compile_late(
    r"(?:.*(?:password|passwd|passphrase|passcode|passwort|pwd)|(?!.*(?:by|com|sur|over|tres|encom)pass).{2,}pass)\d*$"
)
_GLUED_TOKEN = compile_late(
    r".*(?:token|secret|apikey|secretkey|accesskey|privatekey|authkey|masterkey|signingkey|encryptionkey)\d*$"
)


class NameLists(Struct, frozen=True):
    """The words of ``names.toml``, which says what each list is for; ``names.json`` has them too, as it is sooner read."""

    password: frozenset[str]
    token: frozenset[str]
    weak: frozenset[str]
    key_owner: frozenset[str]
    about: frozenset[str]
    not_secret: frozenset[str]
    no_secret_name: frozenset[str]
    value: frozenset[str]
    no_value: frozenset[str]
    called: tuple[str, ...]


@cache
def name_lists() -> NameLists:
    """The lists, read once."""
    return json.decode(read_packaged(STORED), type=NameLists)


def read_name_lists() -> NameLists:
    """The lists as they are written, to be stored."""
    return convert(parse_toml(read_packaged(_LISTS)), NameLists)


@cache
def _sure_names() -> frozenset[str]:
    return name_lists().password | name_lists().token


def name_words(name: str) -> list[str]:
    """The words of a name, in small letters: ``db``, ``password`` for ``dbPassword``."""
    return [word.lower() for word in _SPLIT.findall(name)]


@lru_cache(maxsize=8192)
def strength_of(name: str) -> Strength:
    """The certainty that a name's value is a secret."""
    lists, sure = name_lists(), _sure_names()
    words = name_words(name)
    if "".join(words) in lists.no_secret_name:
        return Strength.NONE
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in lists.value):
        words.pop()
    if "".join(words[-2:]) in lists.password:
        return Strength.PASSWORD
    if words and words[-1] == "seed" and not lists.token.isdisjoint(words):
        return Strength.TOKEN
    if not words or words[-1] in lists.about or not lists.not_secret.isdisjoint(words):
        return Strength.NONE
    last = words[-1]
    if last in lists.password or _GLUED.match(last):
        return Strength.PASSWORD
    if last in lists.token or _GLUED_TOKEN.match(last):
        return Strength.TOKEN
    if last == "key" and not lists.key_owner.isdisjoint(words[:-1]):
        return Strength.TOKEN
    if last in lists.weak or last.endswith("key") or not sure.isdisjoint(words):
        return Strength.WEAK
    return Strength.NONE
