"""The records of indexed files and of the segments that hold them: one SQLite file, the truth of what counts."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from contextls.store.database import Database
from contextls.store.index_rows import (
    CHECKED,
    COLUMNS,
    MIGRATIONS,
    STAMP,
    FilePlaces,
    FileRecord,
    SegmentRecord,
    checksum_of,
)
from contextls.store.notices import Notices
from contextls.store.times import now_ms
from contextls.store.transaction import Transaction
from contextls.text.gate import CleanText

_VECTOR_INDEX = "vectors"
_RANDOM_BITS = 20  # after the milliseconds of an id, which has 63 bits
_VALUES = ", ".join("?" * (COLUMNS.count(",") + 2))


class IndexDatabase:
    """The file records of one workspace and the index's own facts (format, embedder, completeness)."""

    def __init__(self, path: Path, notices: Notices | None = None) -> None:
        """Open or create the database; a damaged or newer one is moved aside and started over."""
        self._database = Database.cache(path, MIGRATIONS, notices)

    def generation(self) -> int:
        """The number of the newest write; 0 when there was none."""
        return self._database.decode(
            lambda: int(self._database.read("SELECT COALESCE(MAX(generation), 0) FROM files")[0][0])
        )

    def next_generation(self) -> int:
        """The number for a new write: greater than all before it, also than those of a database that was replaced."""
        return max(self.generation() + 1, now_ms())

    def changed_since(self, generation: int) -> FilePlaces:
        """The places of the files whose records were written after ``generation``, deleted ones included."""
        # All of them are read in their order on the disk: the index would have each looked up.
        newer = "generation > ?" if generation else "+generation > ?"

        def places() -> FilePlaces:
            rows = self._database.read(
                f"SELECT path, chunks, IIF(deleted, 0, segment), position, checksum, {CHECKED} FROM files WHERE {newer}",  # noqa: S608 - constants
                (generation,),
            )
            if not rows:
                return FilePlaces((), (), (), ())
            paths, chunks, segments, positions, checksums, said = zip(*rows, strict=True)
            for path, checksum, known in zip(paths, checksums, map(checksum_of, said), strict=True):
                # That of a file that was wiped has none.
                if checksum and checksum != known:
                    raise ValueError(f"what is known of {path!r} is not what was stored")
            return FilePlaces(paths, chunks, segments, positions)

        return self._database.decode(places)

    def stamps(self) -> dict[str, FileRecord]:
        """All living records by path."""
        rows = self._database.read(f"SELECT {COLUMNS} FROM files WHERE deleted = 0")  # noqa: S608 - a constant
        return {row[0]: FileRecord.of(row) for row in rows}

    def record(self, path: str) -> FileRecord | None:
        """The living record of one file."""
        rows = self._database.read(
            f"SELECT {COLUMNS} FROM files WHERE path = ? AND deleted = 0",  # noqa: S608 - a constant
            (_path_key(path),),
        )
        return FileRecord.of(rows[0]) if rows else None

    def paths(self) -> list[str]:
        """The paths of all living records."""
        return [row[0] for row in self._database.read("SELECT path FROM files WHERE deleted = 0")]

    def paths_with_content(self) -> set[str]:
        """The paths of all files that a segment holds."""
        return {row[0] for row in self._database.read("SELECT path FROM files WHERE segment > 0")}

    def count_chunks(self) -> int:
        """The number of all chunks."""
        return int(self._database.read("SELECT COALESCE(SUM(chunks), 0) FROM files WHERE deleted = 0")[0][0])

    def count_skipped(self) -> dict[str, int]:
        """The number of living records that are left out, by reason."""
        sql = "SELECT skipped, COUNT(*) FROM files WHERE deleted = 0 AND skipped != '' GROUP BY skipped"
        return {str(reason): int(count) for reason, count in self._database.read(sql)}

    def segments(self) -> dict[int, SegmentRecord]:
        """All segments by id, the oldest first."""
        rows = self._database.read(
            "SELECT id, name, bytes, files, chunks, dimensions FROM segments ORDER BY id"
        )
        return {int(row[0]): SegmentRecord(*row) for row in rows}

    def count_files(self) -> dict[int, int]:
        """The number of files of each segment that count, by id; without segments where none does."""
        sql = "SELECT segment, COUNT(*) FROM files WHERE segment > 0 GROUP BY segment"
        return {int(number): int(count) for number, count in self._database.read(sql)}

    def files_in(self, segment: int) -> list[tuple[int, str]]:
        """The positions and paths of the files that a segment holds and that count, in order."""
        sql = "SELECT position, path FROM files WHERE segment = ? ORDER BY position"
        return [(int(at), str(path)) for at, path in self._database.read(sql, (segment,))]

    def write(
        self,
        records: Iterable[FileRecord],
        segment: SegmentRecord | None = None,
        touched: Iterable[FileRecord] = (),
    ) -> int:
        """Insert or replace ``records``; of ``touched`` update only the stamp. One transaction.

        With a new ``segment``, whose id is not looked at, those of ``records`` that have chunks or an outline are in it:
        their ``segment`` is -1. Its id, 0 where there is none.
        """
        with self._database.write() as connection:
            number = 0 if segment is None else _insert_segment(connection, segment)
            rows: Sequence[tuple[object, ...]] = [
                (
                    _path_key(r.path),
                    CleanText(r.digest),
                    *r.stamp,
                    r.language,
                    r.skipped,
                    r.generation,
                    r.chunks,
                    int(r.deleted),
                    number if r.segment < 0 else r.segment,
                    r.position,
                    r.checksum(),
                )
                for r in records
            ]
            connection.executemany(
                f"INSERT OR REPLACE INTO files ({COLUMNS}, checksum) VALUES ({_VALUES})",  # noqa: S608 - constants
                rows,
            )
            connection.executemany(
                f"UPDATE files SET {' = ?, '.join(STAMP)} = ? WHERE path = ?",  # noqa: S608 - constants
                [(*t.stamp, _path_key(t.path)) for t in touched],
            )
            return number

    def move(self, segment: SegmentRecord, moves: Iterable[tuple[int, int]], old: Sequence[int]) -> int:
        """Put a new segment, whose id is not looked at, in the place of ``old``; its id. One transaction.

        ``moves`` say for each of its files, in order, in which segment and at which position it was.
        """
        with self._database.write() as connection:
            number = _insert_segment(connection, segment)
            connection.executemany(
                "UPDATE files SET segment = ?, position = ? WHERE segment = ? AND position = ? AND deleted = 0",
                [(number, at, *before) for at, before in enumerate(moves)],
            )
            connection.executemany("DELETE FROM segments WHERE id = ?", [(each,) for each in old])
            return number

    def forget_empty_segments(self) -> None:
        """Delete the records of segments none of whose files counts."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM segments WHERE id NOT IN (SELECT segment FROM files)")

    def facts(self) -> Mapping[str, str]:
        """The index's own facts by name."""
        return self._database.decode(lambda: _texts(self._database.read("SELECT key, value FROM meta")))

    def set_facts(self, facts: Mapping[str, object]) -> None:
        """Store facts; values that are not strings are stored as JSON."""
        rows = [
            (key, value if isinstance(value, str) else json.dumps(value, sort_keys=True))
            for key, value in facts.items()
        ]
        with self._database.write() as connection:
            connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    def vector_index(self) -> tuple[str, list[int]]:
        """The name of the index over vectors that counts, and the ids of the segments it covers; "" where none does."""
        try:
            name, segments = json.loads(self.facts().get(_VECTOR_INDEX, '["", []]'))
            return str(name), [int(number) for number in segments]
        except (ValueError, TypeError):
            return "", []

    def set_vector_index(self, name: str, segments: Sequence[int]) -> None:
        """Let the index ``name`` over the vectors of ``segments`` count from now on, and no other."""
        self.set_facts({_VECTOR_INDEX: [name, list(segments)]})

    def wipe(self) -> None:
        """Forget every file and fact; generations go on growing, so that other processes notice."""
        generation = self.next_generation()
        with self._database.write() as connection:
            connection.execute(
                "UPDATE files SET deleted = 1, digest = '', chunks = 0, segment = 0, checksum = 0, generation = ?",
                (generation,),
            )
            connection.execute("DELETE FROM segments")
            connection.execute("DELETE FROM meta")

    def shrink(self) -> None:
        """Give back the space of what was forgotten. Raises ``StoreError``, which says that it is deleted all the same."""
        self._database.shrink()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _insert_segment(connection: Transaction, segment: SegmentRecord) -> int:
    """The id that the new segment got: greater than all before it, and none that a database had which was replaced.

    What another process has mapped under an id must never be taken for something else.
    """
    sql = "SELECT COALESCE(MAX(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'segments'"
    free = connection.read(lambda rows: int(rows[0][0]), sql)
    number = max(free, now_ms() << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS))
    values = (
        number,
        CleanText(segment.name),
        segment.bytes,
        segment.files,
        segment.chunks,
        segment.dimensions,
    )
    connection.execute(
        "INSERT INTO segments (id, name, bytes, files, chunks, dimensions) VALUES (?,?,?,?,?,?)", values
    )
    return number


def _path_key(path: str) -> CleanText:
    """A path as a key: the ignore rules let none in whose name holds a secret."""
    return CleanText(path)


def _texts(rows: Iterable[tuple[object, ...]]) -> dict[str, str]:
    """Names and values, all of them texts. Raises ``ValueError``."""
    found = {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}
    json.loads(found.get("skipped", "null"))
    return found
