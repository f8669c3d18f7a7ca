"""Texts after secret names that are names themselves: what something is looked up by, and what a macro is given."""

from __future__ import annotations

from contextls.regex import compile_late
from contextls.text.secrets.randomness import is_drawn, is_scrambled

# A call up to its first argument. GetBytes, get_password_hash and the like take the value itself.
_LOOKUP = compile_late(
    r"(?:\b(?:get(?!\w*(?:bytes|hash))|find|query|select|locat|by)\w*|\$|\bjquery)\(\s{0,40}",
)


def is_lookup(call: str) -> bool:
    """Whether a call, up to its first argument, finds something by a name: ``document.querySelector(``."""
    return _LOOKUP.search(call.lower()) is not None


def is_constant(name: str) -> bool:
    """Whether a macro or a constant of an enumeration is called so: ``SESSION_KEY("Timeout")``."""
    return name.isupper() and "_" in name


def is_machine_made(value: str) -> bool:
    """Whether the value is a secret even where most values are names."""
    return is_scrambled(value) or is_drawn(value)
