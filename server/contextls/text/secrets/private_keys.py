"""Private keys in armour, wherever its lines ended up: in diffs, logs, listings, string literals, or cut in half."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from contextls.regex import compile_late
from contextls.text.secrets.values import MARK

KIND = "private-key"

_BEGIN = compile_late(
    r"-{4,5}\s?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-{4,5}|(?:\A|\n)Private-Lines: \d+"
    r"|---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----"
)
_END = compile_late(r"-{4,5}\s?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-{4,5}")
_ANY_BEGIN = compile_late(r"-----BEGIN [A-Z0-9 ]{0,40}-----")
# The beginning of the encoded key itself: PKCS #1, PKCS #8, SEC 1, OpenSSH, PEM in base64 (but neither certificates nor
# public keys).
_BODY = compile_late(
    r"(?<![A-Za-z0-9+/])(?:MI[IG][A-Za-z0-9+/]{2,4}(?:IBAAK[BC]|IBAD|gEAM)"
    r"|MI[HG][A-Za-z0-9+/]{1,2}AgEAM|MH[cQ]CAQEE|MC4CAQAw|b3BlbnNzaC1rZXkt"
    r"|LS0tLS1CRUdJTi(?:B[^DQ]|BQUklWQVRF|BQR1AgUFJJVk|BQ(?=UklW)))[A-Za-z0-9+/=]{8,}+"
)
ARMOUR = (b"private key", b"private-lines")
BODIES = (
    b"miie",
    b"miib",
    b"miic",
    b"miij",
    b"miif",
    b"miig",
    b"miid",
    b"migh",
    b"migk",
    b"mihc",
    b"mihu",
    b"mhcc",
    b"mhqc",
    b"mc4c",
    b"mig2",
    b"b3bl",
    b"ls0t",
)
_CHUNK = compile_late(r"[A-Za-z0-9+/]{16,}+={0,2}")
_HEADERS = compile_late(
    r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject|Public-Lines|Encryption)\s?:[^\n\\]{0,200}"
)
_FILLER = compile_late(r"(?>(?:\\+[nrt]|[\s\"'`+,>#*|\\])*)")
_LAST = compile_late(r"(?>(?:\\+[nrt]|[\s\"'`+,>#*|\\])*)=?[A-Za-z0-9+/=]{2,15}(?=\\n|\s|[\"'`]|-----END|$)")
_DOTS = compile_late(r"(?>(?:\\+[nrt]|[\s.…])*)")
_QUOTES = ("'", '"', "`")
_MAX_ARMOUR_CHARS = 80
# What a tool puts before a line, and what a header adds once.
_WIDEST_GAP, _WIDEST_FIRST_GAP = 160, 420
_MAX_CHARS = 60_000


def private_key_spans(
    text: str, *, armour: Iterable[int], bodies: Iterable[int]
) -> Iterator[tuple[int, int, str]]:
    """Find private keys: whole ones, ones without an end, ones without a beginning.

    ``armour`` says where any of ``ARMOUR`` is, ``bodies`` where any of ``BODIES`` is.
    """
    done = 0
    places = list(armour)
    for begin in _near(_BEGIN, text, places):
        if begin.start() < done:
            continue
        end = _end_of_body(text, begin.end(), _WIDEST_FIRST_GAP)
        if end > begin.end():
            done = end
            yield begin.start(), end, KIND
    for ending in _near(_END, text, places):
        if ending.start() >= done and (start := _start_of_body(text, ending.start(), done)) < ending.start():
            done = ending.end()
            yield start, ending.end(), KIND
    for at in bodies:
        if at >= done and _BODY.match(text, at) and (end := _end_of_body(text, at, 0)) - at >= 60:
            done = end
            yield at, end, KIND


def _near(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """Find the matches of the pattern around any of the places, in order."""
    done = 0
    for at in places:
        match = (
            pattern.search(text, max(done, at - _MAX_ARMOUR_CHARS), at + _MAX_ARMOUR_CHARS)
            if at >= done
            else None
        )
        if match:
            done = match.end()
            yield match


def _end_of_body(text: str, at: int, first_gap: int) -> int:
    """The end of the encoded lines that begin at ``at``, with the line that ends the armour."""
    end, gap, limit = at, max(first_gap, 1), at + _MAX_CHARS
    for header in _HEADERS.finditer(text, at, at + first_gap):
        end, gap = header.end(), _WIDEST_GAP
    first = end
    while end < limit:
        chunk = _CHUNK.search(text, end, end + gap + 17)
        begin = chunk.start() if chunk else min(len(text), end + gap)
        ending = _END.search(text, end, begin + 80)
        if ending and ending.start() <= begin:
            # Between two constants of code that hold the marks there is no key, and none where dots stand for it.
            is_none = text[at : at + 1] in _QUOTES or _DOTS.fullmatch(text, at, ending.start())
            return at if end == first and is_none else ending.end()
        whole = _CHUNK.match(text, begin)
        if whole is None or not _is_gap(text[end:begin]) or not _is_encoded(whole[0]):
            break
        end, gap = whole.end(), _WIDEST_GAP
    if end == first:
        return at
    last = _LAST.match(text, end) or _FILLER.match(text, end)
    filler = _FILLER.match(text, last.end()) if last else None
    ending = _END.match(text, filler.end()) if filler else None
    if ending:
        return ending.end()
    return last.end() if last and last.re is _LAST else end


def _start_of_body(text: str, at: int, done: int) -> int:
    """The beginning of the encoded lines that end before ``at``."""
    start = at
    for chunk in reversed(list(_CHUNK.finditer(text, max(done, at - 8_000), at))):
        between = text[chunk.end() : start]
        if len(between) > _WIDEST_GAP or not _is_gap(between) or not _is_encoded(chunk[0]):
            break
        start = chunk.start()
    return start


def _is_gap(between: str) -> bool:
    """Whether this may stand between two lines of a key: the end of a line, and what a tool put before the next."""
    if MARK in between or _ANY_BEGIN.search(between):
        return False
    return between.count("\n") <= 3 and len(between) <= _WIDEST_GAP


def _is_encoded(chunk: str) -> bool:
    sorts = any(map(str.isdigit, chunk)) + any(map(str.isupper, chunk)) + any(map(str.islower, chunk))
    return sorts == 3 or (sorts == 2 and len(chunk) >= 60)
