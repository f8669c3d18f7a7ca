"""Numbers that were found out about texts, kept by the digest of each: a file that may vanish or be damaged at any time."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from contextls.workspace.regular_file import STATE_BYTES, read_bytes
from contextls.workspace.whole_file import replace_file

DIGEST_BYTES = 16
MAX_KEPT = 200_000
_RECORD = struct.Struct(f"<{DIGEST_BYTES}sI")


def load_numbers(path: Path) -> dict[bytes, int]:
    """The numbers by digest; none where the file is missing, damaged or of another format."""
    try:
        raw = read_bytes(path, STATE_BYTES)
    except OSError:
        return {}
    seal, records = raw[:DIGEST_BYTES], raw[DIGEST_BYTES:]
    if len(records) % _RECORD.size or seal != _seal(records):
        return {}
    return dict(_RECORD.iter_unpack(records))


def save_numbers(path: Path, numbers: Mapping[bytes, int]) -> None:
    """Put at most 200,000 numbers, the last ones, in the place of what is kept; without room on the disk nothing changes."""
    records = b"".join(_RECORD.pack(*each) for each in list(numbers.items())[-MAX_KEPT:])
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(path, (_seal(records), records), sync=False)


def _seal(records: bytes) -> bytes:
    return blake2b(records, digest_size=DIGEST_BYTES, person=b"numbers 1").digest()
