"""Contents that segments hold already: a file that was moved, copied or brought back is not parsed again."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from contextls.code.model import Chunk, ParsedFile
from contextls.code.worker_tasks import language_of
from contextls.errors import StoreError
from contextls.memory.index.outlines import loads
from contextls.memory.index.segment import Segment, from_arrays
from contextls.store.array_file import map_arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class StoredContent:
    """One file of a segment, which lies in the file ``place``: what it was parsed to, whatever its path."""

    place: str
    segment: Segment
    number: int

    @property
    def path(self) -> str:
        """Where the file was."""
        return self.segment.paths[self.number]

    @property
    def outline(self) -> str:
        """As ``outlines.dumps`` wrote it."""
        return self.segment.outline(self.number).decode("utf-8", "replace")

    def read(self, path: str) -> ParsedFile | None:
        """What parsing it at ``path`` would give; ``None`` where that is another language, or the stored is damaged.

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
        self._opened: dict[str, _Digests | None] = {}

    def find(self, places: Sequence[str], digest: str, path: str) -> Iterator[StoredContent]:
        """The files with these bytes in the segments at ``places``, that which was at ``path`` first."""
        if self._opened.keys() != set(places):
            self._opened = {place: self._opened.get(place) or _open(place) for place in places}
        others = []
        for content in self._all(places, bytes.fromhex(digest)):
            if content.path == path:
                yield content
            else:
                others.append(content)
        yield from others

    def _all(self, places: Iterable[str], digest: bytes) -> Iterator[StoredContent]:
        for place in places:
            if (known := self._opened[place]) is not None:
                yield from (StoredContent(place, known.segment, number) for number in known.find(digest))


class _Digests:
    def __init__(self, segment: Segment) -> None:
        self.segment = segment

    @functools.cached_property
    def _sorted(self) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
        """The first half of each digest in ascending order, and whose it is."""
        halves = np.ascontiguousarray(self.segment.digests).view(np.uint64)[:, 0]
        order = np.argsort(halves)
        return halves[order], order

    def find(self, digest: bytes) -> list[int]:
        halves, order = self._sorted
        half = np.frombuffer(digest, np.uint64)[0]
        inside = slice(int(np.searchsorted(halves, half)), int(np.searchsorted(halves, half, "right")))
        numbers: list[int] = order[inside].tolist()
        return [number for number in numbers if self.segment.digests[number].tobytes() == digest]


def _open(place: str) -> _Digests | None:
    """The segment at ``place``; ``None`` for one that is gone meanwhile, or makes no sense."""
    try:
        return _Digests(from_arrays(map_arrays(Path(place)), 0))
    except (StoreError, LookupError, ValueError, TypeError, OverflowError):
        return None
