"""The few thousand chunks that a question is about, and what speaks for each of them.

What is not among them costs nothing: the rest of a prompt works on these rows, however large the workspace is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.ranking.lexical import QuestionTerms
from contextls.memory.index.ranking.nearness import Nearness
from contextls.memory.index.segments.number_sets import distinct, runs
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The number of chunks that lead by their words, and by their vectors; all chunks of a smaller workspace.
LEADING_ROWS = 4096
# The rarity (natural logarithm) of a word that one chunk in 20 holds.
RARE = 3.0


class Rows(Struct, frozen=True, eq=False):
    """Living chunks (m, ascending ``numbers``) and what is known of each.

    ``files`` are the numbers of their files, ``kinds`` those of ``ChunkNumbers.kinds_of_chunks``. ``words`` are BM25F
    scores, ``similar`` how near the vector is to the question's, ``meaning`` what of that counts, ``own`` words and meaning
    together on one scale. ``holds`` (m, terms) says which of the terms of the question each holds.
    """

    numbers: NDArray[np.int64]
    files: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    words: NDArray[np.float32]
    similar: NDArray[np.float32]
    meaning: NDArray[np.float32]
    own: NDArray[np.float32]
    holds: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.numbers)

    def places(self, numbers: NDArray[np.int64]) -> NDArray[np.intp]:
        """The positions of chunks in these rows, which have all of them."""
        return np.searchsorted(self.numbers, numbers)

    def has(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The marks of the chunks that are among these."""
        if not len(self):
            return np.zeros(len(numbers), np.bool_)
        same: NDArray[np.bool_] = self.numbers[np.minimum(self.places(numbers), len(self) - 1)] == numbers
        return same

    def take(self, places: NDArray[np.intp]) -> Rows:
        """The rows at ``places``, which ascend."""
        return Rows(*(getattr(self, name)[places] for name in self.__struct_fields__))

    def order_with(self, other: Rows) -> NDArray[np.intp]:
        """The order of these and, after them, those of ``other``."""
        return np.argsort(np.concatenate([self.numbers, other.numbers]), kind="stable")

    def join(self, other: Rows) -> Rows:
        """These rows and those of ``other``, which are all different."""
        order = self.order_with(other)
        return Rows(
            *(
                np.concatenate([getattr(self, name), getattr(other, name)])[order]
                for name in self.__struct_fields__
            )
        )


class FileValues(Struct, frozen=True, eq=False):
    """A number for each of some files (ascending), 0 for any other."""

    files: NDArray[np.int64]
    values: NDArray[np.float32]

    def of(self, files: NDArray[np.int64]) -> NDArray[np.float32]:
        """The number of each of ``files``."""
        if not len(self.files):
            return np.zeros(len(files), np.float32)
        at = np.minimum(np.searchsorted(self.files, files), len(self.files) - 1)
        return np.where(self.files[at] == files, self.values[at], np.float32(0))


class RowReader(Struct, frozen=True, eq=False):
    """Reads rows: ``words`` and ``nearness`` of any chunks, on one scale.

    ``best_words`` is the best score of words of all, ``weight`` what the best of vectors counts compared with it, 0 where
    vectors do not count.
    """

    numbers: ChunkNumbers
    words: QuestionTerms
    nearness: Nearness
    best_words: float
    weight: float

    def read(self, numbers: NDArray[np.int64]) -> Rows:
        """The rows of these living chunks, whose numbers ascend."""
        return self.complete(numbers, *self.words.read(numbers))

    def complete(
        self, numbers: NDArray[np.int64], words: NDArray[np.float32], holds: NDArray[np.bool_]
    ) -> Rows:
        """The rows of chunks whose words were read."""
        files, similar = self.numbers.files(numbers), self.nearness.of(numbers)
        meaning = self._meaning(similar)
        return Rows(
            numbers=numbers,
            files=files,
            kinds=self.numbers.kinds_of_chunks(numbers),
            words=words,
            similar=similar,
            meaning=meaning,
            own=words / np.float32(self.best_words) + meaning,
            holds=holds,
        )

    def _meaning(self, similar: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.weight:
            return np.zeros(len(similar), np.float32)
        mean = np.float32(self.nearness.mean)
        spread = np.float32(self.weight / max(self.nearness.best - float(mean), 1e-6))
        meaning: NDArray[np.float32] = spread * np.maximum(similar - mean, 0)
        return meaning


def leading_chunks(
    numbers: ChunkNumbers, words: QuestionTerms, nearness: Nearness, count: int
) -> NDArray[np.int64]:
    """The numbers of the living chunks that lead by their words or their vectors, ascending; all where they are few."""
    if len(numbers) <= count:
        return numbers.all_living()
    return distinct(np.concatenate([words.best(count), nearness.nearest]))


def file_evidence(rows: Rows) -> FileValues:
    """The sum of the squared scores of each file's chunks, 1 for the best file: several good chunks say more."""
    files, of_row = runs(rows.files)
    sums = np.bincount(of_row, rows.own * rows.own, len(files))
    best = float(sums.max(initial=0)) or 1.0
    return FileValues(files, (sums / best).astype(np.float32))


def path_agreement(numbers: ChunkNumbers, words: QuestionTerms, *, of_report: bool = False) -> FileValues:
    """How far path and question name the same thing, in 0..2, for each file whose path shares a word with the question.

    A report has many words, the name of the project among them: those that are common here name no file.
    """
    rarity = words.rarity
    telling = {term: min(1.0, rare / RARE) for term, rare in words.bare_rarity.items()} if of_report else {}
    found = [segment.path_words.agreement(rarity, telling) for segment in numbers.view.segments]
    files = [part + start for (part, _), start in zip(found, numbers.file_starts.tolist(), strict=False)]
    if not files:
        return FileValues(np.zeros(0, np.int64), np.zeros(0, np.float32))
    return FileValues(np.concatenate(files), np.concatenate([values for _, values in found]))
