"""The rows in a SQLite file, read page by page without SQLite: what is left when SQLite itself refuses a damaged file.

Rows lie on the leaf pages of tables; pages above them, indexes and the header may be damaged without a row being lost.
What a page says of its own kind may be damaged too, so each page is read as such a leaf, and the caller tells rows by
their values. Format: https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from msgspec import Struct

Value = int | float | bytes | None

_MAGIC = b"SQLite format 3\0"
_USUAL_PAGE_SIZE = 4096
_LEAF_HEADER = 8
_MAX_COLUMNS = 64
_MAX_ROW_BYTES = 4_000_000
_INTEGER_BYTES = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}


class Row(Struct, frozen=True):
    """One row: its number, its values (texts and blobs alike as bytes) and the pages that it lies on."""

    number: int
    values: tuple[Value, ...]
    pages: tuple[int, ...]


class Pages(Struct, frozen=True):
    """The pages of a database by number (from 1), those of its log included."""

    by_number: Mapping[int, bytes]
    size: int

    @staticmethod
    def of(content: bytes, newer: Mapping[int, bytes], newer_size: int = 0) -> Pages:
        """The pages of a file, with ``newer`` ones from its log (of ``newer_size`` bytes each) in place of older."""
        size = newer_size or _page_size(content)
        pages = {
            start // size + 1: content[start : start + size]
            for start in range(0, len(content), size)
            if start + size <= len(content)
        }
        return Pages({**pages, **newer}, size)

    def rows(self) -> Iterator[Row]:
        """Every row of every table that can be read, in the order of the pages; never raises."""
        free = self._free_pages()
        for number in sorted(self.by_number):
            if number not in free:
                yield from self._rows_of(number)

    def _rows_of(self, number: int) -> Iterator[Row]:
        page = self.by_number[number]
        start = 100 if number == 1 else 0
        (cells,) = struct.unpack_from(">H", page, start + 3)
        first = start + _LEAF_HEADER
        if first + 2 * cells > self.size:
            return
        for pointer in struct.unpack_from(f">{cells}H", page, first):
            if pointer >= first + 2 * cells:
                row = self._row_at(number, page, pointer)
                if row is not None:
                    yield row

    def _row_at(self, number: int, page: bytes, at: int) -> Row | None:
        try:
            length, at = _varint(page, at)
            identity, at = _varint(page, at)
            if not 1 < length <= _MAX_ROW_BYTES:
                return None
            content, pages = self._content(page, at, length)
            values = _values(content)
        except (IndexError, KeyError, struct.error, ValueError):
            return None
        signed = identity - (1 << 64) if identity >> 63 else identity
        return Row(signed, values, (number, *pages))

    def _content(self, page: bytes, at: int, length: int) -> tuple[bytes, list[int]]:
        """A row's bytes, and the pages that hold what does not fit on its own."""
        most, least = self.size - 35, (self.size - 12) * 32 // 255 - 23
        if length <= most:
            return _slice(page, at, length), []
        own = least + (length - least) % (self.size - 4)
        own = own if own <= most else least
        parts, pages = [_slice(page, at, own)], []
        (following,) = struct.unpack_from(">I", page, at + own)
        left = length - own
        while left > 0:
            if following in pages:
                raise ValueError("pages in a circle")
            pages.append(following)
            further = self.by_number[following]
            parts.append(_slice(further, 4, min(left, self.size - 4)))
            left -= self.size - 4
            (following,) = struct.unpack_from(">I", further)
        return b"".join(parts), pages

    def _free_pages(self) -> set[int]:
        """The pages that hold nothing any more, as far as their list can be read."""
        header = self.by_number.get(1, b"")
        found: set[int] = set()
        if len(header) < 100:
            return found
        (trunk,) = struct.unpack_from(">I", header, 32)
        while trunk in self.by_number and trunk not in found and trunk > 1:
            page = self.by_number[trunk]
            following, count = struct.unpack_from(">II", page)
            if count > self.size // 4 - 2:
                break
            found.update((trunk, *struct.unpack_from(f">{count}I", page, 8)))
            trunk = following
        return found


def _page_size(content: bytes) -> int:
    """The page size by the header where that can be; else the one that every file of ours has."""
    if content[:16] == _MAGIC:
        (size,) = struct.unpack_from(">H", content, 16)
        size = 65_536 if size == 1 else size
        if size >= 512 and size & (size - 1) == 0 and len(content) % size == 0:
            return int(size)
    return _USUAL_PAGE_SIZE


def _values(content: bytes) -> tuple[Value, ...]:
    header, at = _varint(content, 0)
    if not 1 < header <= len(content):
        raise ValueError("a header that is longer than its row")
    kinds = []
    while at < header:
        kind, at = _varint(content, at)
        kinds.append(kind)
    if len(kinds) > _MAX_COLUMNS or at != header:
        raise ValueError("columns that no table has")
    values: list[Value] = []
    for kind in kinds:
        value, at = _value(content, at, kind)
        values.append(value)
    if at != len(content):
        raise ValueError("a row that is longer than its columns")
    return tuple(values)


def _value(content: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind == 7:
        return float(struct.unpack_from(">d", content, at)[0]), at + 8
    if kind >= 12:
        length = (kind - 12) // 2
        return _slice(content, at, length), at + length
    length = _INTEGER_BYTES[kind]
    return int.from_bytes(_slice(content, at, length), "big", signed=True), at + length


def _slice(content: bytes, at: int, length: int) -> bytes:
    if at + length > len(content):
        raise ValueError("a value beyond the end")
    return content[at : at + length]


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for step in range(8):
        byte = content[at + step]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + step + 1
    return value << 8 | content[at + 8], at + 9
