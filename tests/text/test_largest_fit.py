"""How much fits is found in few looks, and was always looked at."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contextls.text.largest_fit import find_largest_fit


@given(st.integers(-9, 40), st.integers(-9, 40), st.integers(0, 49))
def test_the_largest_that_fits_is_found(least: int, border: int, more: int) -> None:
    most = least + more
    assert find_largest_fit(most, lambda size: size <= border, least) == max(least, min(most, border))


@given(st.integers(-9, 9), st.integers(0, 40), st.sets(st.integers(-9, 49)))
def test_what_is_found_fits_also_where_costs_go_up_and_down(least: int, more: int, fitting: set[int]) -> None:
    found = find_largest_fit(least + more, fitting.__contains__, least)
    assert found == least or found in fitting
