"""Whether a value looks like a secret: random enough, and neither a placeholder, a reference nor words."""

from __future__ import annotations

import re
from math import log2

from contextls.text.secrets.names import name_lists

MARK = "[redacted:"

_PLACEHOLDER = re.compile(
    r"x{4,}|\*{3,}|\.{3}|…|example|sample|dummy|placeholder|change[-_ ]?(?:me|it)|replace[-_ ]?(?:me"
    r"|with|this)"
    r"|\b(?:your|my|some|any)[-_ ]|redacted|12345678|abcdefgh|(?-i:^(?:your|my)[A-Z])|[-_ ]here$"
    r"|^<.*>$|^\[.*\]$|^%[^%]+%$|^__.*__$"
    r"|^(?:insert|enter|fill|put|add|paste|type|set|use|the)[-_ ]|^(?:todo|fixme|tbd|n/a)\b",
    re.IGNORECASE,
)
# What is filled in later: ${X}, $(x), {{ x }}, #{x}, %(x)s, {x}, <%= x %>, $X at the start of a word.
_INTERPOLATION = re.compile(
    r"\$\{|\$\(|\{\{|#\{|%\(|^%[sdvq]$|[:/@= ]%[sdvq](?![A-Za-z0-9])|<%|<[a-z][\w -]*>"
    r"|\{[A-Za-z_][\w.\[\]()'\"!:]*\}|\{\d?\}|\\\(|\\[1-9]"
    r"|(?:^|[\s:/=@,-])\$[A-Za-z_][A-Za-z_0-9]{2,}|^\$\d$|^@@?[A-Za-z_.]+@?$",
)
_LOCATION = re.compile(
    r"[a-z][a-z0-9+.-]*:/|\.{0,2}/[\w.@%+/-]*+$|~/|[A-Za-z]:\\|\\\\|(?:[\w.-]++/){2,}+[\w.-]*+$|arn:"
    r"|[\w.-]+@[\w-]+\.[\w.]+$",
    re.IGNORECASE,
)
# Words joined by separators or capitals, each with a small number behind it at most: access_token,
# oauth2-client-v2.
_WORDS = re.compile(
    r"(?:(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+)++\d{0,3}|[A-Za-z]?\d{0,4})"
    r"(?:[-_. :/](?:(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+)++\d{0,3}|[A-Za-z]?\d{0,4}))*+"
)
_CODE = re.compile(
    r"(?:self|this|props|state|config|settings|options|opts|args|params|env|process|os|req|request"
    r"|ctx|context|cls"
    r"|data|event|user|account|secrets?|vars?|local|module|app|session)\b[.\[]|[\w.]+\(.*\)?;?$"
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
    r"|&?[A-Za-z_]\w*\[.*\]$|lambda\b|function\b|=>",
)
# Patterns and escapes: what is between the quotes describes text.
_PATTERN = re.compile(r"\\[dwsSDWbBxu]|\(\?|\[\^?[a-zA-Z0]-|\.[*+]|\$\)|\)\$|\)[*+?]")
_TYPES = re.compile(
    r"(?:[iu]?(?:nt)?(?:8|16|32|64|128)|u?int(?:8|16|32|64|ptr)_?t?|float(?:32|64)|uuid\d?|base(?:32"
    r"|58|64)(?:url)?|utf-?\d+"
    r"|sha-?\d+|md5|hs\d+|rs\d+|es\d+|aes-?\d+.*|oauth2?|http2?|ipv[46]|v\d+(?:\.\d+)*"
    r"|[A-Z]\w*\d?<.*|rfc\d+|x509|pkcs\d+|ed25519"
    r"|\d{4}-\d\d-\d\d.*|\d+(?:ms|s|m|h|d|px|em|rem|kb|mb|gb|[.]\d+.*))",
    re.IGNORECASE,
)
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
# What nobody has filled in, inside a token whose prefix is known.
_BLANK = re.compile(r"[xX]{4,}|\*{3,}|\.{3}|your[-_ ]|redacted|placeholder|_here", re.IGNORECASE)
_SENTENCE = re.compile(r"[\w .,:;!?()'&/-]*[.:?!]|[&*!].*|\w+=\w*")
_PIECE = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[A-Z]")
_ALTERNATION = re.compile(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])")
_RUN = re.compile(r"[a-z]++|[A-Z]++|[0-9]++")
_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


def entropy(value: str) -> float:
    """Shannon entropy in bits per character: random base64 of 20 characters has about 4, words about 3."""
    size = len(value)
    return -sum(n / size * log2(n / size) for n in map(value.count, set(value)))


def is_placeholder(value: str) -> bool:
    """Whether the value only says where a secret goes."""
    return bool(_PLACEHOLDER.search(value)) or value.lower() in name_lists().no_value or len(set(value)) < 4


def is_reference(value: str) -> bool:
    """Whether the value names a secret that is elsewhere: a variable, a path, an address."""
    return bool(_INTERPOLATION.search(value)) or bool(_LOCATION.match(value) and not _is_base64(value))


def is_random(value: str) -> bool:
    """Letters and digits as mixed as no name has them."""
    return len(_ALTERNATION.findall(value)) >= 3 and entropy(value) >= 3.0


def is_scrambled(value: str, *, least: int = 16) -> bool:
    """Characters drawn by a machine: small and capital letters and digits change faster than in any name.

    Of three random characters two begin a new run; in camelCase, with digits, at most one does.
    """
    core = _SEPARATORS.sub("", value)
    runs = _RUN.findall(core)
    sorts = {("a" if run[0].islower() else "A" if run[0].isupper() else "0") for run in runs}
    if (
        len(core) < least
        or len(sorts) < 3
        or len(runs) < 0.42 * len(core)
        or entropy(core) < min(3.4, 0.2 * len(core))
    ):
        return False
    return len(_ALTERNATION.findall(core)) >= 3 or (least < 16 and len(runs) >= 0.55 * len(core))


def is_gibberish(value: str) -> bool:
    """Letters that make no words: too few of their pairs are common ones."""
    pairs = known = 0
    for word in re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}", value):
        low = word.lower()
        pairs += len(low) - 1
        known += sum(low[at : at + 2] in _COMMON_PAIRS for at in range(len(low) - 1))
    return pairs >= 6 and known < 0.6 * pairs


def is_random_tail(tail: str) -> bool:
    """Whether what follows the prefix of a service is random, not words."""
    core = _SEPARATORS.sub("", tail)
    if len(core) < 10 or len(set(core)) < 6 or _BLANK.search(tail):
        return False
    if tail.isupper() and core == tail:
        # Capitals without a break are how AKIA… goes on, never how a name does.
        return True
    return is_gibberish(tail) or not is_words(tail) or (core != core.lower() and _is_choppy(core))


def is_words(value: str) -> bool:
    """Whether the value is nothing but words and small numbers."""
    return bool(_WORDS.fullmatch(value))


def is_password(value: str, *, lenient: bool = False) -> bool:
    """Whether a value given to a name like ``password`` is one. ``lenient`` where nothing but a value can stand."""
    if len(value) < (4 if lenient else 5) or not _is_literal(value):
        return False
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    if is_words(value) and not is_mixed_case(value):
        if not value.isalnum():
            return is_gibberish(value)
        return (letters and digits and (lenient or len(value) >= 8)) or is_gibberish(value)
    if letters and digits:
        return True
    if letters and not value.isalpha():
        return bool(re.search(r"[!#%^&*?+=$@~]", value)) and not _SENTENCE.fullmatch(value)
    if letters:
        return is_mixed_case(value) or is_gibberish(value)
    return value.isdigit() and len(value) >= (6 if lenient else 8)


def is_token(value: str, *, bare: bool = False) -> bool:
    """Whether a value given to a name like ``api_key`` is one. ``bare`` without quotes: it may as well be code."""
    if len(value) < 8 or not _is_literal(value):
        return False
    if _UUID.fullmatch(value):
        return True
    gibberish = len(value) >= 12 and is_gibberish(value)
    if is_words(value) and not is_mixed_case(value):
        return gibberish and not bare
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    if bare:
        return is_random(value) or is_scrambled(value, least=10) or (gibberish and is_mixed_case(value))
    if letters and digits:
        mixed = len(_ALTERNATION.findall(value)) >= 2 or bool(re.search(r"[!#%^&*?+=$@~]", value))
        return entropy(value) >= (3.0 if len(value) >= 16 else 2.6) and (
            mixed or gibberish or is_mixed_case(value)
        )
    return letters and (gibberish or (len(value) >= 12 and is_mixed_case(value)))


def is_strong_token(value: str) -> bool:
    """Whether a value is a secret although its name hardly says so: ``key``, ``auth``, ``code``."""
    return (
        len(value) >= 20
        and _is_literal(value)
        and (is_scrambled(value) or (len(value) >= 24 and is_mixed_case(value, share=0.42)))
    )


def is_drawn(value: str) -> bool:
    """Small letters and digits as random as in hexadecimal or base 36, and enough of them."""
    core = _SEPARATORS.sub("", value)
    return (
        len(core) >= 24
        and is_random_tail(value)
        and entropy(core) >= 3.2
        and sum(map(str.isdigit, core)) >= 4
    )


def is_mixed_case(value: str, *, share: float = 0.3) -> bool:
    """Whether small and capital letters change faster than in camelCase, and not where words begin."""
    core = _SEPARATORS.sub("", value)
    if len(core) < 8 or core in (core.lower(), core.upper()):
        return False
    return len(_RUN.findall(core)) >= share * len(core) and (_is_choppy(core) or is_gibberish(core))


def _is_choppy(core: str) -> bool:
    """Whether the words of camelCase would be shorter than words are: three letters on average."""
    letters = sum(map(str.isalpha, core))
    return letters < 3.2 * len(_PIECE.findall(core))


def _is_literal(value: str) -> bool:
    return not (
        MARK in value
        or is_placeholder(value)
        or is_reference(value)
        or (_CODE.match(value) and not is_scrambled(value))
        or _PATTERN.search(value)
        or _TYPES.fullmatch(value)
    )


def _is_base64(value: str) -> bool:
    return len(value) >= 16 and bool(re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", value)) and is_scrambled(value)
