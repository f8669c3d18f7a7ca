"""The signs of vectors tell which of them are likely to be near."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.segments.sign_bits import find_likeliest, pack_signs


def clustered(count: int, dimensions: int = 256) -> tuple[np.ndarray, np.ndarray]:
    """Vectors around a few topics, as those of code are, and a question near one of these."""
    random = np.random.default_rng(7)
    topics = random.normal(size=(40, dimensions))
    near = topics[random.integers(0, 40, count)] + random.normal(size=(count, dimensions))
    return near, topics[3] + random.normal(size=dimensions)


@pytest.mark.parametrize("dimensions", [1, 63, 64, 65, 100, 256, 300])
def test_vectors_of_any_length_have_as_many_words_as_they_need(dimensions: int) -> None:
    vectors = np.random.default_rng(1).normal(size=(5, dimensions))
    signs = pack_signs(vectors)
    assert signs.shape == (5, -(-dimensions // 64))
    differing = np.bitwise_count(signs[0] ^ signs).sum(axis=1)
    assert differing.tolist() == ((vectors[0] > 0) != (vectors > 0)).sum(axis=1).tolist()


def test_no_vectors_have_no_signs() -> None:
    assert pack_signs(np.zeros((0, 256), np.int8)).shape == (0, 4)
    assert pack_signs(np.zeros((3, 0), np.int8)).shape == (3, 0)


def test_the_nearest_are_among_the_likeliest_few() -> None:
    vectors, question = clustered(64_000)
    signs = pack_signs(vectors)
    alive = np.ones(64_000, np.bool_)
    first, second = find_likeliest(
        [signs[:40_000], signs[40_000:]], [alive[:40_000], alive[40_000:]], question.astype(np.float32), 250
    )
    found = {*first.tolist(), *(second + 40_000).tolist()}
    nearest = np.argsort(-(vectors @ question) / np.linalg.norm(vectors, axis=1))
    assert set(nearest[:20].tolist()) <= found
    assert len(set(nearest[:100].tolist()) & found) >= 95
    assert 11_000 <= len(found) <= 13_000


@given(st.integers(1, 300), st.integers(1, 400), st.integers(0, 1_000))
def test_only_living_chunks_are_told_of_in_order(count: int, wanted: int, seed: int) -> None:
    vectors, question = clustered(count)
    alive = np.random.default_rng(seed).random(count) < 0.5
    (found,) = find_likeliest([pack_signs(vectors)], [alive], question.astype(np.float32), wanted)
    assert alive[found].all()
    assert (np.diff(found) > 0).all()
    assert len(found) >= min(wanted, int(alive.sum()))
