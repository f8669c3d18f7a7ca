"""A segment as named arrays, as its file holds them, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from contextls.memory.index.segments.name_tables import NameTables
from contextls.memory.index.segments.segment import Segment
from contextls.store.inverted_index import InvertedIndex
from contextls.store.texts import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray


def take_column(arrays: Mapping[str, NDArray[Any]], name: str, kind: str) -> object:
    """The column that ``put_column`` put among ``arrays``; ``kind`` is the name of its type. Raises ``LookupError``."""
    group = _GROUPS.get(kind)
    if group is None:
        return arrays[name]
    parts = group[0].__annotations__
    return group[0](**{part: take_column(arrays, f"{name}.{part}", parts[part]) for part in group[1]})


_COLUMNS = {name: kind for name, kind in Segment.__annotations__.items() if not name.startswith("_")}
_GROUPS: Mapping[str, tuple[type, tuple[str, ...]]] = {
    TextColumn.__name__: (TextColumn, ("data", "offsets")),
    InvertedIndex.__name__: (InvertedIndex, ("keys", "starts", "owners", "counts")),
    NameTables.__name__: (NameTables, ("names", "squeezed", "words", "spellings")),
}
_STORED = [name for name in _COLUMNS if name not in ("id", "recent_outlines", "damaged")]


def to_arrays(segment: Segment) -> dict[str, NDArray[Any]]:
    """The columns of a segment as named arrays."""
    arrays: dict[str, NDArray[Any]] = {}
    for name in _STORED:
        put_column(arrays, name, getattr(segment, name))
    return arrays


def put_column(arrays: dict[str, Any], name: str, value: object) -> None:
    """Put a column that may consist of several arrays among named ones."""
    group = _GROUPS.get(type(value).__name__)
    if group is None:
        arrays[name] = value
        return
    for part in group[1]:
        put_column(arrays, f"{name}.{part}", getattr(value, part))


def from_arrays(arrays: Mapping[str, NDArray[Any]], number: int) -> Segment:
    """The segment ``number`` of these columns. Raises ``LookupError`` or ``ValueError`` when they make no sense."""
    values: dict[str, Any] = {}
    for name in _STORED:
        values[name] = take_column(arrays, name, _COLUMNS[name])
    segment = Segment(**values, id=number)
    files, chunks = len(segment.paths), len(segment)
    per_file = (
        segment.path_order,
        segment.language_codes,
        segment.versions,
        segment.digests,
        segment.file_kinds,
    )
    per_chunk = (
        *(segment.chunk_files, segment.kind_codes, segment.end_lines, segment.lengths, segment.vectors),
        *(segment.sizes, segment.fingerprints, segment.signs),
    )
    ends = (segment.first_chunks, segment.blocks.offsets, segment.outlines.offsets)
    if (
        {files} != {len(column) for column in per_file}
        or {chunks} != {len(column) for column in per_chunk}
        or {files + 1} != {len(column) for column in ends}
        or segment.signs.shape[1] != -(-segment.vectors.shape[1] // 64)
    ):
        raise ValueError("its columns are of different lengths")
    return segment
