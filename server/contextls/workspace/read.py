"""One file from disk to text, or the reason why it is not text."""

from __future__ import annotations

import codecs
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct

from contextls.text.encoded import leave_out_encoded
from contextls.text.notebook import text_of_file
from contextls.workspace.generated import is_generated
from contextls.workspace.regular_file import SOURCE_BYTES, NotRegularError, read_bytes

DIGEST_BYTES = 16
_BINARY_PROBE = 8_192  # bytes searched for NUL, as git does
_MINIFIED_LINE = 400  # characters per line on average; people write below 60, minifiers far above 1,000
_MINIFIED_SIZE = 4_000  # characters; below this even one line is worth having


class SourceFile(Struct, frozen=True):
    """The text of a file. ``digest`` is blake2b of the raw bytes, in hex.

    ``text`` keeps its newlines and has no byte order mark. ``noise`` is ``generated``, ``minified`` or None.
    """

    text: str
    digest: str
    noise: str | None


class Unreadable(Struct, frozen=True):
    """The reason why a file has no text: ``binary``, ``missing``, ``not a file``, or what the system said."""

    reason: str


def read_source(path: Path, *, within: Path | None = None) -> SourceFile | Unreadable:
    """The text of the file at ``path``, where no link leads out of ``within``. Never raises for what may lie on a disk."""
    try:
        raw = read_bytes(path, SOURCE_BYTES, within=within)
    except FileNotFoundError:
        return Unreadable("missing")
    except NotRegularError:
        return Unreadable("not a file")
    except OSError as error:
        return Unreadable(error.strerror or type(error).__name__)
    found = decode(raw)
    if found is None:
        return Unreadable("binary")
    text = text_of_file(path.name, found[0])
    return SourceFile(text, digest(raw), noise(text))


def read_plain(path: Path, shown: str) -> str | None:
    """The text on disk in the form of ``to_plain``; None for a file that holds none.

    Some editors take every file for UTF-8 and show U+FFFD for the rest. Where ``shown`` holds that, so does the text.
    """
    try:
        raw = read_bytes(path, SOURCE_BYTES)
    except OSError:
        return None
    found = decode(raw)
    if found is None:
        return None
    text, encoding = found
    if encoding == "latin-1" and "\ufffd" in shown:
        text = raw.decode("utf-8", "replace")
    return to_plain(text)


def to_plain(text: str) -> str:
    """A text as editor and disk compare: without a byte order mark, lines ended by LF."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def digest(raw: bytes) -> str:
    """The digest that tells whether a file changed: blake2b, 16 bytes in hex."""
    return blake2b(raw, digest_size=DIGEST_BYTES).hexdigest()


def noise(text: str) -> str | None:
    """``generated`` when the head says so, ``minified`` when lines are too long, else None.

    Encoded data makes no line long: a style sheet with a picture in it is written by people.
    """
    if is_generated(text):
        return "generated"
    return "minified" if _is_minified(text) and _is_minified(leave_out_encoded(text)) else None


def _is_minified(text: str) -> bool:
    return len(text) >= _MINIFIED_SIZE and len(text) > _MINIFIED_LINE * (text.count("\n") + 1)


def decode(raw: bytes) -> tuple[str, str] | None:
    """Text, without its byte order mark, and the name of its encoding; None for binary content."""
    if raw.startswith(codecs.BOM_UTF8):
        return raw[3:].decode("utf-8", "replace"), "utf-8-sig"
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if raw.startswith(mark):
            return raw[2:].decode(encoding, "replace"), encoding
    if b"\0" in raw[:_BINARY_PROBE]:
        return None
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "latin-1"
