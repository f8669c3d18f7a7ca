"""The manifest of a commit: which version of which file belongs to it, who built it, and what its rows must sum up to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from contextls.errors import StoreError
from contextls.shared_index.arrow_columns import to_numbers
from contextls.shared_index.file_rows import CHECKSUM_BYTES, key_of
from contextls.shared_index.objects import guard

_HEAD = b"contextls"
_MAX_SIZE = 2**32 - 1


class BuiltBy(Struct, frozen=True):
    """Who built a commit, when (ms since the epoch), and with what."""

    commit: str
    prefix: str  # the folder of the repository that was built, "" for all of it
    contextls: str
    embedder: str
    host: str
    built: int


class CommitFile(Struct, frozen=True):
    """A file of a commit.

    ``blob`` is git's hash of it, ``digest`` that of its bytes on the builder's disk, ``size`` their number; ``checksum``
    is that of its row.
    """

    path: str
    blob: str
    digest: str
    size: int
    checksum: bytes

    @property
    def key(self) -> int:
        """The key of its row."""
        return key_of(self.path, self.digest)


class CommitManifest(Struct, frozen=True, dict=True):
    """Everything that makes up one commit."""

    built_by: BuiltBy
    entries: Sequence[CommitFile]

    @cached_property
    def by_path(self) -> Mapping[str, CommitFile]:
        """The entries by path."""
        return {entry.path: entry for entry in self.entries}


def dumps(manifest: CommitManifest) -> bytes:
    """The manifest as one Arrow file, compressed."""
    import pyarrow as pa

    entries = manifest.entries
    blob_bytes = len(entries[0].blob) // 2 if entries else 20
    table = pa.table(
        {
            "path": pa.array([each.path for each in entries], pa.string()),
            "blob": pa.array([bytes.fromhex(each.blob) for each in entries], pa.binary(blob_bytes)),
            "digest": pa.array([bytes.fromhex(each.digest) for each in entries], pa.binary(16)),
            "size": pa.array([min(each.size, _MAX_SIZE) for each in entries], pa.uint32()),
            "checksum": pa.array([each.checksum for each in entries], pa.binary(CHECKSUM_BYTES)),
        }
    ).replace_schema_metadata({_HEAD: json.dumps(asdict(manifest.built_by)).encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def loads(raw: bytes) -> CommitManifest:
    """The manifest that ``dumps`` wrote. Raises ``StoreError``."""
    return guard("cannot read a manifest of the shared index", lambda: _loads(raw))


def _loads(raw: bytes) -> CommitManifest:
    import pyarrow as pa

    table = pa.ipc.open_file(pa.BufferReader(raw)).read_all()
    table.validate(full=True)
    head = (table.schema.metadata or {}).get(_HEAD)
    if head is None:
        raise StoreError("a manifest of the shared index says nothing of itself")
    columns = (table.column(name).combine_chunks() for name in ("path", "blob", "digest", "size", "checksum"))
    paths, blobs, digests, sizes, checksums = columns
    return CommitManifest(
        BuiltBy(**json.loads(head)),
        tuple(
            CommitFile(path, blob.hex(), digest.hex(), size, checksum)
            for path, blob, digest, size, checksum in zip(
                paths.to_pylist(),
                blobs.to_pylist(),
                digests.to_pylist(),
                to_numbers(sizes, np.int64).tolist(),
                checksums.to_pylist(),
                strict=True,
            )
        ),
    )
