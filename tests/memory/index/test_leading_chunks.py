"""However large a workspace is, only the chunks that lead are weighed; what a person finds first stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.assembly.memory_snapshot import MemorySnapshot, take_snapshot
from contextls.assembly.usefulness.files_with_terms import holding_files
from contextls.engine import Engine
from contextls.memory.index.ranking.lexical import LexicalWeights, QuestionTerms, read_words
from contextls.memory.index.ranking.ranking import RankingWeights, rank
from contextls.memory.index.segments.number_sets import distinct, largest, meet, runs
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers

from ..workspaces import opened, write

THINGS = ("invoice", "parcel", "garden", "ticket", "boiler", "mirror", "carpet", "violin", "anchor", "pepper")
DEEDS = ("send", "paint", "repair", "count", "weigh", "polish", "return", "cancel", "order", "print")
ALL = 1 << 30


@pytest.fixture(scope="module")
def moment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemorySnapshot]:
    """A workspace of some hundred functions, one for each deed done to each thing, and their tests."""
    files = {}
    for thing, deed in product(THINGS, DEEDS):
        files[f"{thing}/{deed}.py"] = (
            f"def {deed}_{thing}(customer):\n"
            f'    """Do it for a customer who asked to {deed} one."""\n'
            f"    return customer.{thing}s.{deed}()\n\n\n"
            f"def undo_{deed}(customer):\n    return customer.undo({deed}_{thing})\n"
        )
        files[f"tests/test_{deed}_{thing}.py"] = (
            f"def test_{deed}_{thing}():\n    assert {deed}_{thing}(me)\n"
        )
    engine: Engine
    with opened(write(tmp_path_factory.mktemp("deeds"), files)) as engine:
        yield take_snapshot(engine._memories, 0)


def first(moment: MemorySnapshot, text: str, leading: int, limit: int = 5) -> list[tuple[str, float]]:
    query = moment.content.read_query(text)
    found = rank(moment.snapshot, query, RankingWeights(), limit, leading)
    return [(moment.snapshot.view.path(one.ref), round(one.score, 5)) for one in found]


@settings(max_examples=20)
@given(
    words=st.lists(
        st.sampled_from([*THINGS, *DEEDS, "customer", "undo", "test", "asked"]), min_size=1, max_size=5
    )
)
def test_a_workspace_with_no_more_chunks_than_lead_is_weighed_whole(
    moment: MemorySnapshot, words: list[str]
) -> None:
    text, count = " ".join(words), len(moment.snapshot.view)
    assert first(moment, text, count, 50) == first(moment, text, ALL, 50)


@settings(max_examples=20)
@given(thing=st.sampled_from(THINGS), deed=st.sampled_from(DEEDS))
def test_the_answer_leads_however_few_are_weighed(moment: MemorySnapshot, thing: str, deed: str) -> None:
    text = f"where does a customer {deed} the {thing}?"
    assert first(moment, text, 60, 1)[0][0] == first(moment, text, ALL, 1)[0][0] == f"{thing}/{deed}.py"


def test_a_named_function_leads_though_its_words_are_everywhere(moment: MemorySnapshot) -> None:
    assert first(moment, "customer undo_weigh customer", 10, 3)
    assert first(moment, "violin/weigh.py:2", 10, 1)[0][0] == "violin/weigh.py"


WORDS = ["customer", "undo", "asked", *THINGS[:3], *DEEDS[:3], "nowhere"]


@settings(max_examples=20)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), seed=st.integers(0, 1000))
def test_what_holds_a_word_is_told_the_same_whether_or_not_something_is_gone(
    moment: MemorySnapshot, words: list[str], seed: int
) -> None:
    rng, terms = np.random.default_rng(seed), moment.content.read_verbatim(" ".join(words)).terms
    whole = moment.snapshot.view
    looked_through = replace(whole)
    vars(looked_through)["whole"] = (False,) * len(whole.segments)  # nothing is gone, but it has to look
    holed = replace(whole, alive=tuple(rng.random(len(mask)) < 0.5 for mask in whole.alive))
    found: list[QuestionTerms] = []
    for view in (whole, looked_through, holed):
        numbers = ChunkNumbers.of(view)
        read = read_words(numbers, terms, LexicalWeights(), {}, view.counted)
        files = np.flatnonzero(rng.random(int(numbers.file_starts[-1])) < 0.5)
        for use, held in zip(read.uses, holding_files(numbers, read.uses, files), strict=True):
            chunks = numbers.living(numbers.join(each.chunks for each in use.postings))
            assert held.tolist() == np.isin(files, numbers.files(chunks)).tolist()
            assert use.living == len(chunks)
        found.append(read)
    assert [(use.weight, use.in_heads) for use in found[0].uses] == [
        (use.weight, use.in_heads) for use in found[1].uses
    ]


NUMBERS = st.lists(st.integers(0, 400), max_size=200)


@given(NUMBERS, NUMBERS)
def test_sets_of_numbers_are_sets(some: list[int], others: list[int]) -> None:
    left, right = (np.array(sorted(set(each)), np.int32) for each in (some, others))
    here, there = meet(left, right)
    assert left[here].tolist() == right[there].tolist() == sorted(set(some) & set(others))
    assert distinct(np.array(some, np.int64)).tolist() == sorted(set(some))
    ascending = np.array(sorted(some), np.int64)
    values, of_each = runs(ascending)
    assert values[of_each].tolist() == ascending.tolist()


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 10, 3_000]), st.sampled_from([5_000, 300_000]))
@settings(max_examples=20)
def test_the_largest_are_the_largest(seed: int, count: int, size: int) -> None:
    values = np.random.default_rng(seed).random(size, np.float32) ** 8
    if seed % 3 == 0:
        values[seed % size :] = 0
    if seed % 2 == 0:
        values = values.round(2)  # of those that are alike, the first count
    assert sorted(largest(values, count).tolist()) == sorted(
        np.argsort(-values, kind="stable")[:count].tolist()
    )
