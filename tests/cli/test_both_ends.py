"""Of an output that may be endless its beginning and its end are kept."""

from hypothesis import given
from hypothesis import strategies as st

from contextls.cli.both_ends import BothEnds
from contextls.text.kept_ends import keep_both_ends


@given(st.lists(st.text("abc\n", max_size=12), max_size=12), st.integers(1, 20))
def test_a_stream_keeps_what_a_text_keeps(blocks: list[str], each: int) -> None:
    kept = BothEnds(each)
    for block in blocks:
        kept.add(block.encode())
    whole = keep_both_ends("".join(blocks), each)
    assert kept.text() == whole.replace(" characters left out]", " bytes left out]")


def test_the_middle_is_left_out_and_counted() -> None:
    assert keep_both_ends("a" * 5 + "b" * 5, 5) == "aaaaabbbbb"
    assert keep_both_ends("a" * 5 + "-" * 1_234 + "b" * 5, 5) == "aaaaa\n[1,234 characters left out]\nbbbbb"
