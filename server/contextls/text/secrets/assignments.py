"""Values that are assigned to names that sound secret, in every way in which code, configuration and shells say so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from contextls.regex import compile_late
from contextls.text.secrets.enclosed import ACCESSORS, RETURNED, SECOND
from contextls.text.secrets.joined import Span, all_parts, end_of_continued, goes_on, parts_of_value
from contextls.text.secrets.names import Strength, strength_of
from contextls.text.secrets.passphrases import is_passphrase
from contextls.text.secrets.randomness import is_drawn, is_mixed_case, is_random, is_scrambled, is_words
from contextls.text.secrets.readings import READ_OF_A_VALUE, SCHEME, end_of_long, readings
from contextls.text.secrets.values import is_password, is_strong_token, is_token

_NAME_CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$."
_MAX_NAME_CHARS = 60
# What is never a value of a secret name, and by far most often stands where one might: short words, members of objects.
_WORDS = r"(?:[A-Za-z]?[a-z]{0,5}|[A-Za-z_]++(?>(?:\.[A-Za-z_]++)+))"
_NO_VALUE = compile_late(_WORDS)
# Those given to the name, whole; a word after a blank that does not say that a value comes; a call without a string.
_HARMLESS = (
    rf"[?!]?[ \t]{{0,9}}(?:[:=]|[=!]==?|=>)[ \t]{{1,9}}+(?:{_WORDS}[;,)\r\n]|await[ \t]"
    r"|[A-Za-z_.]++\((?![^\n]{0,80}[\"'`])(?!\s{0,40}[\"'`@$%#\w]))"
    rf"|[ \t]++(?:\{{(?!{ACCESSORS})|[}})&\],;<>]|//|/\*)"
    r"|[ \t](?![ \t]{0,9}(?:is|was|are|will|set|for|of|[aA]s|by|or|changed)\b)[ \t]{0,9}+[A-Za-z]?[a-z]{0,5}+"
    r"(?:[.,;]?[\r\n]|[.,;]?[ \t]++(?!:?=))"
    r"|\((?!\s{0,20}(?:new\b|[\w@$%#]{0,3}\\?[\"'`]|%?q[({])"
    rf"|{RETURNED})"
)
# The rest of a name, when a secret may follow it: everything else is passed over at once.
_NAME_REST = compile_late(
    rf"\w{{0,60}}+(?>(?:-\w{{1,30}}+){{0,6}})(?=[<\"'`=:>(\[\]?!*|\\\- \t\r\n+~→]|{SECOND}|\{{{ACCESSORS}|$)(?!{_HARMLESS})"
)
_ASSIGNS = frozenset("=:(")
# What OpenPGP knows a key by, which is public: the last digits of its fingerprint, or all of them.
_KEY_ID = compile_late(
    r"(?:0x)?(?:[0-9A-F]{40}|[0-9A-F]{16}|[0-9A-F]{8}|[0-9a-f]{40}|[0-9a-f]{16}|[0-9a-f]{8})"
)
_NAME_OF_KEY_ID = compile_late(
    r"(?:.*[_.-])?(?:gpg|pgp)(?:[_.-]\w{1,20}){0,2}[_-]?keys?|user\.signingkey"
    r"|--(?:recv|receive|send|refresh|search|delete|list|fingerprint|default|trusted|sign|lsign)-keys?",
    re.IGNORECASE,
)
_SYMBOL = compile_late(r"\w[!#%^*?+@~]\w")
_OWNED_KEY = compile_late(
    r"(?:api|secret|access|auth|encryption|signing|private|licen[cs]e|account|sdk|admin|service"
    r"|master)[ _-]$",
    re.IGNORECASE,
)


def assigned_values(text: str, stems: Iterable[int]) -> Iterator[Span]:
    """Find values that look like secrets and are assigned to names that sound like secrets.

    ``stems`` are the places of all ``STEMS``, in order.
    """
    done = 0
    for at in stems:
        if at < done:
            continue
        rest = _NAME_REST.match(text, at)
        if rest is None:
            continue
        done = stop = rest.end()
        head = text[max(0, at - _MAX_NAME_CHARS) : at]
        start = at - len(head) + len(head.rstrip(_NAME_CHARS))
        strength = _strength(text, start, stop)
        if strength:
            found = _value_of(text, start, stop, strength)
            if found:
                done = found[-1][1]
                yield from found


def _strength(text: str, start: int, stop: int) -> Strength:
    name = text[start:stop]
    strength = strength_of(name)
    if strength and "redacted:" in text[max(0, start - 12) : start]:
        return Strength.NONE
    if strength == Strength.WEAK:
        if start and (text[start - 1] in "?&" or name[0] == "-"):
            return Strength.TOKEN
        if name.isupper():
            return Strength.SHOUTED
        if name[:3].lower() == "key" and _OWNED_KEY.search(text, max(0, start - 12), start):
            return Strength.TOKEN
    return strength


def _value_of(text: str, start: int, stop: int, strength: Strength) -> list[Span]:
    """The value given to the name at ``start:stop``, when it is a secret: all texts that are joined to it."""
    for begin, end, lenient, quoted in readings(text, start, stop):
        phrase = text[begin : min(end, begin + READ_OF_A_VALUE)]
        if " " in phrase:
            if is_passphrase(phrase, text[start:stop], strength, plain=lenient):
                return [(begin, end)]
            continue
        whole = quoted or end - begin < READ_OF_A_VALUE
        scheme = SCHEME.match(text, begin, end)
        if scheme:
            begin, strength = scheme.end(), max(strength, Strength.TOKEN)
        while end > begin and not quoted and text[end - 1] in ".,:;":
            end -= 1
        value = text[begin : min(end, begin + READ_OF_A_VALUE)]
        if _KEY_ID.fullmatch(value) and _NAME_OF_KEY_ID.fullmatch(text, start, stop):
            continue
        if _is_secret(value, strength, lenient=lenient, quoted=quoted):
            if not quoted:
                return [(begin, end_of_continued(text, end) if whole else end_of_long(text, end))]
            return [(begin, end), *parts_of_value(text, end, beside=_is_assigned(text, start, stop, begin))]
        if quoted and goes_on(text, end):
            parts = all_parts(text, end, beside=_is_assigned(text, start, stop, begin))
            joined = value + "".join([text[slice(*part)] for part in parts])
            if parts and _is_secret(joined, strength, lenient=lenient, quoted=True):
                return [(begin, end), *parts]
    return []


def _is_assigned(text: str, start: int, stop: int, begin: int) -> bool:
    """Whether the value is that of a variable, and not the first of the words of a command."""
    return text[start] != "-" and not _ASSIGNS.isdisjoint(text[stop : min(begin, stop + _MAX_NAME_CHARS)])


def _is_secret(value: str, strength: Strength, *, lenient: bool, quoted: bool) -> bool:
    if _NO_VALUE.fullmatch(value):
        return False
    if strength == Strength.WEAK:
        return is_strong_token(value)
    if strength == Strength.SHOUTED:
        return is_strong_token(value) or (not is_words(value) and is_token(value) and is_drawn(value))
    if strength == Strength.TOKEN:
        return is_token(value, bare=not quoted and not lenient)
    if quoted or lenient:
        return is_password(value, lenient=lenient)
    return (
        (not is_words(value) or is_mixed_case(value))
        and is_password(value)
        and (
            is_random(value)
            or is_mixed_case(value)
            or is_scrambled(value, least=8)
            or bool(_SYMBOL.search(value))
        )
    )
