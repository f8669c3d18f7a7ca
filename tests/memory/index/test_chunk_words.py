"""Words that are read once for terms and vectors: the same as each of the two readers finds by itself."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.segments.chunk_words import ChunkText, ChunkWords, embedded_text
from contextls.memory.index.terms import TermSplitter, count_in, hash_term
from contextls.models.embedders.static import StaticEmbedder

CODE = st.text(alphabet="abcSTU_09 .(\n\té²漢\x1c\x85\ud800", max_size=120)
WORDS = st.text(alphabet="abcSTU_09é", max_size=12)


@cache
def table() -> StaticEmbedder:
    return StaticEmbedder.load()


@cache
def words() -> ChunkWords:
    return ChunkWords()


chunks = st.lists(
    st.builds(
        ChunkText,
        st.sampled_from(["a.py", "src/app/Main_x.java", "my dir/b.rs", "Makefile"]),
        st.one_of(WORDS, st.sampled_from(["Cart.total", "Guide > First steps", ""])),
        st.one_of(CODE, st.text(max_size=40), st.just("longWord" * 12 + " x" * 3000)),
        CODE,
    ),
    max_size=6,
)


@given(chunks)
def test_terms_are_those_of_each_field_by_itself(found: list[ChunkText]) -> None:
    splitter = TermSplitter()
    offsets, terms, counts, _ = words().count(found, None)
    assert len(offsets) == len(found) + 1
    for at, chunk in enumerate(found):
        inside = slice(offsets[at], offsets[at + 1])
        for field, text in (("body", chunk.text), ("head", chunk.head)):
            column = zip(terms[inside].tolist(), count_in(field, counts[inside]).tolist(), strict=True)
            assert {term: count for term, count in column if count} == splitter.counts(text)


@given(chunks)
def test_vectors_are_the_bytes_that_the_embedder_gives(found: list[ChunkText]) -> None:
    texts = [embedded_text(chunk.path, chunk.symbol, chunk.text) for chunk in found]
    vectors = words().count(found, table()).vectors
    assert vectors.tobytes() == table().embed_documents(texts).tobytes()


def test_what_a_chunk_holds_does_not_depend_on_those_beside_it() -> None:
    found = [ChunkText("a.py", f"name{n}", "def f(): pass\n" * n, "head words") for n in range(40)]
    together = words().count(found, table())
    for at, chunk in enumerate(found):
        alone, selected = words().count([chunk], table()), together.select(at, at + 1)
        assert [column.tolist() for column in alone] == [column.tolist() for column in selected]


def test_a_word_beyond_all_measure_is_counted_up_to_the_largest_number_of_a_field() -> None:
    _, terms, counts, _ = words().count([ChunkText("a.txt", "", "word " * 70_000, "word")], None)
    assert terms.tolist() == [hash_term("word")]
    assert count_in("body", counts).tolist() == [65_535]
    assert count_in("head", counts).tolist() == [1]
