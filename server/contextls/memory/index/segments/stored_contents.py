"""Contents that segments hold already: a file that was moved, copied or brought back is not parsed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from contextls.code.model import Chunk, ParsedFile
from contextls.code.worker_tasks import language_of
from contextls.errors import StoreError
from contextls.memory.index.segments.arrays import from_arrays
from contextls.memory.index.segments.outlines import loads
from contextls.memory.index.segments.segment import Segment
from contextls.store.array_file import map_arrays
from contextls.workspace.read import DIGEST_BYTES

# The number of copies of one content that are tried; a workspace may have thousands, and most of them serve any path.
MAX_COPIES = 8


class StoredContent(Struct, frozen=True):
    """One file of a segment, which lies in the file ``place``: what it was parsed to, whatever its path."""

    place: str
    segment: Segment
    number: int

    @property
    def path(self) -> str:
        """The path of the file when it was stored."""
        return self.segment.paths[self.number]

    @property
    def outline(self) -> str:
        """As ``outlines.dumps`` wrote it."""
        return self.segment.outline(self.number).decode("utf-8", "replace")

    def read(self, path: str) -> ParsedFile | None:
        """The result of parsing it at ``path``; ``None`` where that is another language, or what is stored is damaged.

        References and imports are only in the outline.
        """
        segment, number = self.segment, self.number
        language, text, outline = segment.language(number), segment.text(number), self.outline
        if number in segment.damaged or language != language_of(path, "".join(text.texts[:1])):
            return None
        first = int(segment.first_chunks[number])
        said = loads(path, language, 0, outline.encode)
        return ParsedFile(
            language=language,
            chunks=tuple(
                Chunk(
                    segment.chunk_kinds[int(segment.kind_codes[at])],
                    symbol,
                    int(segment.start_lines[at]),
                    int(segment.end_lines[at]),
                    content,
                    header,
                )
                for at, (symbol, header, content) in enumerate(zip(*text, strict=True), first)
            ),
            definitions=said.definitions,
            references=(),
            imports=(),
            problems=(),
            doc=said.doc,
        )


class StoredContents:
    """The files of some segments by the digest of their bytes, those that no longer count among them."""

    def __init__(self) -> None:
        self._places: Sequence[str] = ()
        self._opened: dict[str, Segment | None] = {}
        # The first half of each digest in ascending order, and below the content that each is of.
        self._halves = np.zeros(0, np.uint64)
        self._order = np.zeros(0, np.intp)
        self._starts = np.zeros(1, np.int64)

    def find(self, places: Sequence[str], digest: str, path: str) -> Iterator[StoredContent]:
        """Files with these bytes in the segments at ``places``, those at ``path`` first; of many others a few."""
        if places != self._places:
            self._look_at(places)
        wanted = bytes.fromhex(digest)
        first, last = self._range(wanted)
        if first == last:
            return
        for place, segment in self._opened.items():
            if segment is not None:
                same = (at for at in segment.find(path) if segment.digests[at].tobytes() == wanted)
                yield from (StoredContent(place, segment, at) for at in same)
        for at in range(first, min(last, first + MAX_COPIES)):
            content = self._content(int(self._order[at]), wanted)
            if content is not None and content.path != path:
                yield content

    def _look_at(self, places: Sequence[str]) -> None:
        self._places = places
        self._opened = {place: self._opened.get(place) or _open(place) for place in places}
        digests = [each.digests if each else np.zeros((0, DIGEST_BYTES), np.uint8) for each in self._segments]
        halves = np.ascontiguousarray(np.concatenate(digests)).view(np.uint64)[:, 0]
        self._order = np.argsort(halves, kind="stable")
        self._halves = halves[self._order]
        self._starts = np.cumsum([0, *map(len, digests)])

    @property
    def _segments(self) -> list[Segment | None]:
        return list(self._opened.values())

    def _range(self, digest: bytes) -> tuple[int, int]:
        """The range of the contents whose digests begin as this one does."""
        half = np.frombuffer(digest, np.uint64, 1)[0]
        return int(np.searchsorted(self._halves, half)), int(np.searchsorted(self._halves, half, "right"))

    def _content(self, number: int, digest: bytes) -> StoredContent | None:
        which = int(np.searchsorted(self._starts, number, "right")) - 1
        segment, inside = self._segments[which], number - int(self._starts[which])
        if segment is None or segment.digests[inside].tobytes() != digest:
            return None
        return StoredContent(self._places[which], segment, inside)


def _open(place: str) -> Segment | None:
    """The segment at ``place``; ``None`` for one that is gone meanwhile, or makes no sense."""
    try:
        return from_arrays(map_arrays(Path(place)), 0)
    except (StoreError, LookupError, ValueError, TypeError, OverflowError):
        return None
