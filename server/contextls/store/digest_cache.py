"""A cache of what was found out about texts, by the digest of each: a file that may vanish or be damaged at any time."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from contextls.errors import StoreError
from contextls.workspace.regular_file import STATE_BYTES, read_bytes
from contextls.workspace.whole_file import replace_file

DIGEST_BYTES = 16
_HEAD = struct.Struct(f"<{DIGEST_BYTES}sI")  # a digest, and how many bytes of its value follow


def load_values(path: Path) -> dict[bytes, bytes]:
    """The values by digest; none where the file is missing, damaged or of another format."""
    try:
        raw = read_bytes(path, STATE_BYTES)
    except OSError:
        return {}
    seal, records = raw[:DIGEST_BYTES], raw[DIGEST_BYTES:]
    return dict(_read(records)) if seal == _seal(records) else {}


def save_values(path: Path, values: Mapping[bytes, bytes]) -> None:
    """Put the last ones of ``values`` that fit into 16 MB in the place of what is kept.

    Where they cannot be written, nothing changes.
    """
    kept: list[bytes] = []
    left = STATE_BYTES - DIGEST_BYTES
    for digest, value in reversed(list(values.items())):
        record = _HEAD.pack(digest, len(value)) + value
        left -= len(record)
        if left < 0:
            break
        kept.append(record)
    records = b"".join(reversed(kept))
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(path, (_seal(records), records), sync=False)


def delete_values(path: Path) -> None:
    """Forget everything. Raises ``StoreError``."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"cannot delete {path}: {error.strerror}") from error


def _read(records: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at < len(records):
        digest, length = _HEAD.unpack_from(records, at)
        at += _HEAD.size + length
        yield digest, records[at - length : at]


def _seal(records: bytes) -> bytes:
    return blake2b(records, digest_size=DIGEST_BYTES, person=b"digest cache 1").digest()
