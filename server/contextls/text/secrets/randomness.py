"""Measures how random a value is: whether a machine drew its characters, or a human made words of them."""

from __future__ import annotations

import re
from math import log2

from contextls.regex import compile_late

# Words joined by separators or capitals, each with a small number after it at most, or short for one: access_token,
# oauth2-client-v2, E2E_TEST_USER.
_PART = r"(?:(?i:e2e|p2p|b2b|b2c|m2m|i18n|l10n|a11y|k8s)|(?>(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+)+)\d{0,3}|[A-Za-z]?\d{0,4})"
_WORDS = compile_late(rf"{_PART}(?>(?:[-_. :/]{_PART})*)")
# The pairs of letters that nine in ten pairs in English words and in names of code are: a first letter, then its seconds.
_COMMON_PAIRS = frozenset(
    group[0] + second
    for group in [
        "aabcdgiklmnprstuvxy",
        "babceilorsu",
        "cacdehiklorstu",
        "dacdefilorsu",
        "eabcdefgilmnpqrstvwxy",
        "faefilortu",
        "gaehilnors",
        "haeiot",
        "iabcdefglmnoprstvz",
        "keis",
        "ladeilostuy",
        "mabeimopsu",
        "nacdefgiklnostuv",
        "obcdfgiklmnoprstuvw",
        "paeiloprstuy",
        "qu",
        "racdegilmnoprstuy",
        "sacehilopstuy",
        "tacdehilmoprstuy",
        "uabcefilmnprst",
        "vaei",
        "waeio",
        "xceptx",
        "ypsy",
        "zez",
    ]
    for second in group[1:]
)
_PIECE = compile_late(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[A-Z]")
_READABLE = compile_late(r"[A-Z]?[a-z]{3,}+")
_ALTERNATION = compile_late(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])")
# Names of generated clients have the version of their API inside: RoleBindingV1alpha1Api.
_API_VERSION = compile_late(r"[vV]\d{1,2}(?:alpha|beta)\d{1,2}(?![a-z\d])")
_RUN = compile_late(r"[a-z]++|[A-Z]++|[0-9]++")
_SEPARATORS = compile_late(r"[^A-Za-z0-9]+")

# What nobody has filled in, inside a token whose prefix is known.
_JOINTS = compile_late("[^A-Za-z0-9]")
_BLANK = compile_late(r"[xX]{4,}|\*{3,}|\.{3}|your[-_ ]|redacted|placeholder|_here", re.IGNORECASE)


def letters_and_digits(value: str) -> str:
    """The value without what separates its parts."""
    return _SEPARATORS.sub("", value)


def alternations(value: str) -> int:
    """The number of changes between letters and digits; the version of an API is a word."""
    return len(_ALTERNATION.findall(_API_VERSION.sub("", value)))


def entropy(value: str) -> float:
    """Shannon entropy in bits per character: random base64 of 20 characters has about 4, words about 3."""
    size = len(value)
    return -sum(n / size * log2(n / size) for n in map(value.count, set(value)))


def is_random(value: str) -> bool:
    """Letters and digits as mixed as no name has them."""
    return alternations(value) >= 3 and entropy(value) >= 3.0


def is_scrambled(value: str, *, least: int = 16) -> bool:
    """Characters drawn by a machine: small and capital letters and digits change faster than in any name.

    Of three random characters two begin a new run; in camelCase, with digits, at most one does.
    """
    core = letters_and_digits(value)
    runs = _RUN.findall(core)
    sorts = {("a" if run[0].islower() else "A" if run[0].isupper() else "0") for run in runs}
    if (
        len(core) < least
        or len(sorts) < 3
        or len(runs) < 0.42 * len(core)
        or entropy(core) < min(3.4, 0.2 * len(core))
    ):
        return False
    return alternations(core) >= 3 or (least < 16 and len(runs) >= 0.55 * len(core))


def is_gibberish(value: str) -> bool:
    """Letters that make no words: too few of their pairs are common ones."""
    pairs = known = 0
    for word in re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}", value):
        low = word.lower()
        pairs += len(low) - 1
        known += sum(low[at : at + 2] in _COMMON_PAIRS for at in range(len(low) - 1))
    return pairs >= 6 and known < 0.6 * pairs


def is_readable(value: str) -> bool:
    """Whether most of the value is words, as in a name of code however many digits it has: s3ListObjectsV2Output."""
    words = "".join(_READABLE.findall(value))
    return len(words) >= 0.6 * len(letters_and_digits(value)) and not is_gibberish(value)


def is_random_tail(tail: str) -> bool:
    """Whether what follows the prefix of a service is random, not words."""
    core = letters_and_digits(tail)
    if len(core) < 10 or len(set(core)) < 6 or _BLANK.search(tail):
        return False
    if tail.isupper() and core == tail:
        # Capitals without a break are how AKIA… goes on, never how a name does.
        return True
    return is_gibberish(tail) or not is_words(tail) or (core != core.lower() and is_choppy(core))


def is_long_tail(tail: str) -> bool:
    """Whether what follows the name of a service is as long as a key and no words; letters and digits may be orderly."""
    longest = max(_JOINTS.split(tail), key=len)
    if len(longest) < 20 or len(set(longest)) < 4 or _BLANK.search(tail):
        return False
    kinds = any(map(str.isdigit, tail)) and any(map(str.isalpha, longest))
    return kinds or is_mixed_case(longest) or is_gibberish(longest)


def is_words(value: str) -> bool:
    """Whether the value is nothing but words and small numbers."""
    return bool(_WORDS.fullmatch(value))


def is_drawn(value: str) -> bool:
    """Small letters and digits as random as in hexadecimal or base 36, and enough of them."""
    core = letters_and_digits(value)
    return (
        len(core) >= 24
        and is_random_tail(value)
        and entropy(core) >= 3.2
        and sum(map(str.isdigit, core)) >= 4
    )


def is_mixed_case(value: str, *, share: float = 0.3) -> bool:
    """Whether small and capital letters change faster than in camelCase, and not where words begin."""
    core = letters_and_digits(value)
    if len(core) < 8 or core in (core.lower(), core.upper()):
        return False
    return len(_RUN.findall(core)) >= share * len(core) and (is_choppy(core) or is_gibberish(core))


def is_choppy(core: str) -> bool:
    """Whether the words of camelCase would be shorter than words are: three letters on average."""
    letters = sum(map(str.isalpha, core))
    return letters < 3.2 * len(_PIECE.findall(core))
