"""Rules as data: one row of a TOML file per kind of secret; ``rules.json`` has all of them, as reading TOML takes long.

A ``[[token]]`` is a secret that says by its first characters what it is. ``starts`` are those, ``rest`` is the pattern
of what follows; ``short_name`` says that even a start of three characters names a service. A ``[[form]]`` is a secret
that the text around it gives away: ``keywords`` (small letters, one of them is in everything that the pattern matches),
a ``pattern`` whose group ``secret`` is replaced, and ``looks``, the test of ``values`` that the group must pass. Both
carry examples, in the notation of tests/hardening/secret_samples.py: ``secret`` ones that must go and ``harmless`` ones
that must stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct, convert, json

from contextls.package_data import read_packaged
from contextls.text.secrets import randomness, values
from contextls.toml_text import parse_toml

_FOLDER = Path(__file__).parent
STORED = _FOLDER / "rules.json"


def _anything(_value: str) -> bool:
    return True


LOOKS: Mapping[str, Callable[[str], bool]] = {
    "anything": _anything,
    "password": lambda value: values.is_password(value, lenient=True),
    "token": values.is_token,
    "random": lambda value: randomness.is_random_tail(value) and not values.is_placeholder(value),
    "literal": lambda value: not values.is_placeholder(value) and not values.is_reference(value),
}


class TokenRule(Struct, frozen=True):
    """A secret that its first characters name."""

    kind: str
    starts: tuple[str, ...]
    rest: str
    secret: tuple[str, ...]
    harmless: tuple[str, ...]
    short_name: bool = False


class FormRule(Struct, frozen=True):
    """A secret that what surrounds it names."""

    kind: str
    keywords: tuple[str, ...]
    pattern: str
    secret: tuple[str, ...]
    harmless: tuple[str, ...]
    looks: str = "anything"


class SecretRules(Struct, frozen=True):
    """All rows of the folders ``tokens`` and ``forms``, in the order of their files."""

    token: tuple[TokenRule, ...]
    form: tuple[FormRule, ...]


def token_rules() -> tuple[TokenRule, ...]:
    """All rows of the folder ``tokens``, in the order of its files."""
    return _stored_rules().token


def form_rules() -> tuple[FormRule, ...]:
    """All rows of the folder ``forms``, in the order of its files."""
    return _stored_rules().form


@cache
def _stored_rules() -> SecretRules:
    return json.decode(read_packaged(STORED), type=SecretRules)


def read_rules() -> SecretRules:
    """The rules as they are written, to be stored."""
    rows = {"token": _read_rows("tokens", "token"), "form": _read_rows("forms", "form")}
    return convert(rows, SecretRules)


@cache
def compile_rule(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once and when first needed: most are never."""
    return re.compile(pattern)


def _read_rows(folder: str, table: str) -> list[dict[str, Any]]:
    paths = sorted((_FOLDER / folder).glob("*.toml"))
    return [row for path in paths for row in parse_toml(read_packaged(path))[table]]
