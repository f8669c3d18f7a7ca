"""The small texts that git keeps in place of files that Git LFS stores elsewhere. No filter is started to compare them."""

from __future__ import annotations

import hashlib
import re

from msgspec import Struct

from contextls.regex import compile_late

_START = "version https://git-lfs.github.com/spec/"
_OID = compile_late(r"^oid sha256:([0-9a-f]{64})$", re.MULTILINE)
_SIZE = compile_late(r"^size (\d{1,18})$", re.MULTILINE)
MAX_POINTER_BYTES = 1024  # by the specification


class LfsPointer(Struct, frozen=True):
    """The content that a pointer stands for: its hash, and its size in bytes."""

    oid: str
    size: int

    def has_content(self, raw: bytes) -> bool:
        """Whether it stands for these bytes."""
        return len(raw) == self.size and hashlib.sha256(raw).hexdigest() == self.oid


def parse_pointer(text: str) -> LfsPointer | None:
    """The pointer that ``text`` is; None for any other text."""
    if not text.startswith(_START) or len(text) > MAX_POINTER_BYTES:
        return None
    oid, size = _OID.search(text), _SIZE.search(text)
    return LfsPointer(oid[1], int(size[1])) if oid is not None and size is not None else None
