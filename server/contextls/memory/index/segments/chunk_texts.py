"""The texts of a file's chunks, and how a segment keeps them: as compressed JSON, with a checksum of what is in it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import msgspec
from msgspec import Struct

# Level of zlib: a tenth larger than the best of the nine levels, in a third of its time.
_LEVEL = 4


class ChunkTexts(NamedTuple):
    """The texts of a file's chunks: one of each for each chunk."""

    symbols: Sequence[str]
    headers: Sequence[str]
    texts: Sequence[str]


class PackedTexts(Struct, frozen=True):
    """The ``ChunkTexts`` of one file, packed in ``data``; ``checksum`` is of what they were before."""

    data: bytes
    checksum: int

    @classmethod
    def of(cls, texts: ChunkTexts) -> PackedTexts:
        """Pack ``texts``; what UTF-8 cannot say becomes a question mark."""
        try:
            said = msgspec.json.encode(texts)
        except UnicodeEncodeError:
            said = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        return cls(zlib.compress(said, _LEVEL), zlib.crc32(said))

    def unpack(self) -> ChunkTexts | None:
        """The texts; ``None`` where they are not what was packed."""
        try:
            said = zlib.decompress(self.data)
        except zlib.error:
            return None
        return ChunkTexts(*msgspec.json.decode(said)) if zlib.crc32(said) == self.checksum else None


def fingerprint(text: str) -> int:
    """A number of 64 bits: chunks that share it say the same."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")
