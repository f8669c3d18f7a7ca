"""Tells whether a value given to a name is a secret: neither a placeholder, a reference, code nor words."""

from __future__ import annotations

import re

from contextls.regex import compile_late
from contextls.text.secrets.names import name_lists, name_words
from contextls.text.secrets.randomness import (
    alternations,
    entropy,
    is_gibberish,
    is_mixed_case,
    is_random,
    is_scrambled,
    is_words,
)

MARK = "[redacted:"

_PLACEHOLDER = compile_late(
    r"x{4,}|\*{3,}|\.{3}|…|example|sample|dummy|placeholder|change[-_ ]?(?:me|it)|replace[-_ ]?(?:me"
    r"|with|this)"
    r"|\b(?:your|my|some|any)[-_ ]|redacted|12345678|abcdefgh|(?-i:^(?:your|my)[A-Z])|[-_ ]here$"
    r"|^<.*>$|^\[.*\]$|^%[^%]+%$|^__.*__$"
    r"|^(?:insert|enter|fill|put|add|paste|type|set|use|the)[-_ ]|^(?:todo|fixme|tbd|n/a)\b",
    re.IGNORECASE,
)
# What only says how long a value has to be: min8chars, at-least-12-characters, 8_to_64_digits.
_SIZE = r"(?:\d{1,2}|128|255|256)"
_LENGTH = compile_late(
    r"(?:(?:at[-_ ]?)?(?:min|max|minimum|maximum|least|most|exactly)[-_. ]{0,2})?"
    rf"{_SIZE}(?:(?:[-_ ]?(?:to|or)[-_ ]?|-){_SIZE})?\+?"
    r"[-_ ]?(?:char|character|letter|digit|number|symbol|zeichen|caract[eè]re|caratteri|teken)s?"
    r"(?:[-_ ]?(?:min|max|minimum|maximum|long|required))?",
    re.IGNORECASE,
)
# What is filled in later: ${X}, $(x), {{ x }}, #{x}, %(x)s, {x}, <%= x %>, $X at the start of a word.
_INTERPOLATION = compile_late(
    r"\$\{|\$\(|\{\{|#\{|%\(|^%[sdvq]$|[:/@= ]%[sdvq](?![A-Za-z0-9])|<%|<[a-z][\w -]*>"
    r"|\{[A-Za-z_][\w.\[\]()'\"!:]*\}|\{\d?\}|\\\(|\\[1-9]"
    r"|(?:^|[\s:/=@,-])\$[A-Za-z_][A-Za-z_0-9]{2,}|^\$\d$|^@@?[A-Za-z_.]+@?$|^@?env:[A-Z_]+$",
)
_LOCATION = compile_late(
    r"[a-z][a-z0-9+.-]*:/|\.{0,2}/[\w.@%+/-]*+$|~/|[A-Za-z]:\\|\\\\|(?>(?:[\w.-]++/){2,})[\w.-]*+$|arn:"
    r"|[\w.-]+@[\w-]+\.[\w.]+$",
    re.IGNORECASE,
)
_CODE = compile_late(
    r"(?:self|this|props|state|config|settings|options|opts|args|params|env|process|os|req|request"
    r"|ctx|context|cls"
    r"|data|event|user|account|secrets?|vars?|local|module|app|session)\b[.\[]|[\w.]+\(.*\)?;?$"
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
    r"|&?[A-Za-z_]\w*\[.*\]$|lambda\b|function\b|=>",
)
# What a form demands of its fields: required|string|min:8.
_DEMANDS = compile_late(r"[a-z_]{3,}+(?::[\w,./-]++)?(?>(?:\|[a-z_]{3,}+(?::[\w,./-]++)?)+)")
# How often something may be done: 20/m/ip, 5/5m/key.
_RATE = r"\d{1,6}/\d{0,3}(?:s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|month|year)s?(?:/[a-z_]{1,20})?"
_RATES = compile_late(rf"{_RATE}(?>(?:[,;] ?{_RATE})*)")
# Letters of a script that puts no blanks between words, and what may stand among them in a text that people read.
_UNSPACED = compile_late(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u9fff\uac00-\ud7af]")
_AMONG_THEM = compile_late(r"\d{1,3}|[^\w\s]*+[A-Za-z]{2,30}(?>(?:-[A-Za-z]{2,30})*)[^\w\s]*+|[^\w\s]++")
_ASCII = compile_late(r"[\x21-\x7e]++")
_MIN_UNSPACED_CHARS = 8
# Capitals that stand for words, and words.
_JOINED_WORDS = compile_late(
    r"(?:[A-Z]{2,4}(?:[-_]|(?=[A-Z][a-z]{2})))?(?>(?:[A-Z][a-z]{2,}+[-_]?|[A-Z][a-z]$)+)"
)
# What a word for a secret may add to its beginning: lozink-om.
_MAX_ENDING_CHARS = 2
# Patterns and escapes: what is between the quotes describes text.
_PATTERN = compile_late(
    r"\\[dwsSDWbBxu]|\(\?|\[\^?[a-zA-Z0]-|\.[*+]|\$\)|\)\$|\)[*+?]|^[a-z]{2,20}[_-]\?[a-z]{2,20}$"
)
_TYPES = compile_late(
    r"(?:[iu]?(?:nt)?(?:8|16|32|64|128)|u?int(?:8|16|32|64|ptr)_?t?|float(?:32|64)|uuid\d?|base(?:32"
    r"|58|64)(?:url)?|utf-?\d+"
    r"|sha-?\d+|md5|hs\d+|rs\d+|es\d+|aes-?\d+.*|oauth2?|http2?|ipv[46]|v\d+(?:\.\d+)*"
    r"|[A-Z]\w*\d?<.*|rfc\d+|x509|pkcs\d+|ed25519"
    r"|\d{4}-\d\d-\d\d.*|\d+(?:ms|s|m|h|d|px|em|rem|kb|mb|gb|[.]\d+.*))",
    re.IGNORECASE,
)
_SENTENCE = compile_late(r"[\w .,:;!?()'&/-]*[.:?!]|[&*!].*|\w+=\w*")
_UUID = compile_late(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


def is_placeholder(value: str) -> bool:
    """Whether the value only says where a secret goes, or how long it has to be."""
    return (
        bool(_PLACEHOLDER.search(value))
        or value.lower() in name_lists().no_value
        or len(set(value)) < 4
        or _LENGTH.fullmatch(value) is not None
        or _is_name(value)
    )


def _is_name(value: str) -> bool:
    """Whether the value is what a secret is called: by code (AWSSecretKey), or by a form in some language."""
    word, lists = value.lower(), name_lists()
    if word.isalpha() and any(
        word.startswith(stem) and len(word) <= len(stem) + _MAX_ENDING_CHARS for stem in lists.called
    ):
        return True
    if not _JOINED_WORDS.fullmatch(value):
        return False
    words = name_words(value)
    while len(words) > 1 and words[-1] in lists.about:
        words.pop()
    return "".join(words[-2:]) in lists.token or (len(words) > 1 and words[-1] in lists.token)


def _is_unspaced(value: str) -> bool:
    """Whether the value is a text that people read, of words without blanks between them."""
    return len(_UNSPACED.findall(value)) >= _MIN_UNSPACED_CHARS and all(
        map(_AMONG_THEM.fullmatch, _ASCII.findall(value))
    )


def is_reference(value: str) -> bool:
    """Whether the value names a secret that is elsewhere: a variable, a path, an address."""
    return bool(_INTERPOLATION.search(value)) or bool(_LOCATION.match(value) and not _is_base64(value))


def is_password(value: str, *, lenient: bool = False) -> bool:
    """Whether a value given to a name like ``password`` is one. ``lenient`` where nothing but a value can stand."""
    # What most values fail comes first: whether nobody means something else by it takes ten patterns to tell.
    return len(value) >= (4 if lenient else 5) and _is_no_word(value, lenient) and is_literal(value)


def _is_no_word(value: str, lenient: bool) -> bool:
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    if is_words(value) and not is_mixed_case(value):
        if not value.isalnum():
            return is_gibberish(value)
        return (letters and digits and (lenient or len(value) >= 8)) or is_gibberish(value)
    if letters and digits:
        return not _is_unspaced(value)
    if letters and not value.isalpha():
        is_signed = bool(re.search(r"[!#%^&*?+=$@~]", value))
        return is_signed and not _SENTENCE.fullmatch(value) and not _is_unspaced(value)
    if letters:
        # Random values hold no accented letters: the pairs of letters between those say nothing.
        return is_mixed_case(value) or (value.isascii() and is_gibberish(value))
    return value.isdigit() and len(value) >= (6 if lenient else 8)


def is_token(value: str, *, bare: bool = False) -> bool:
    """Whether a value given to a name like ``api_key`` is one. ``bare`` without quotes: it may as well be code."""
    return len(value) >= 8 and value.isascii() and _is_mixed(value, bare) and is_literal(value)


def _is_mixed(value: str, bare: bool) -> bool:
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
        mixed = alternations(value) >= 2 or bool(re.search(r"[!#%^&*?+=$@~]", value))
        return entropy(value) >= (3.0 if len(value) >= 16 else 2.6) and (
            mixed or gibberish or is_mixed_case(value)
        )
    return letters and (gibberish or (len(value) >= 12 and is_mixed_case(value)))


def is_strong_token(value: str) -> bool:
    """Whether a value is a secret although its name hardly says so: ``key``, ``auth``, ``code``."""
    return (
        len(value) >= 20
        and (is_scrambled(value) or (len(value) >= 24 and is_mixed_case(value, share=0.42)))
        and is_literal(value)
    )


def is_literal(value: str) -> bool:
    """Whether the value stands for itself: no placeholder, reference, code, pattern nor name of a type."""
    return not (
        MARK in value
        or is_placeholder(value)
        or is_reference(value)
        or (_CODE.match(value) and not is_scrambled(value))
        or _PATTERN.search(value)
        or _DEMANDS.fullmatch(value)
        or _TYPES.fullmatch(value)
        or _RATES.fullmatch(value)
    )


def _is_base64(value: str) -> bool:
    return len(value) >= 16 and bool(re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", value)) and is_scrambled(value)
