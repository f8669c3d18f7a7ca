"""The bound on every answer: neither its text nor its JSON ever has more tokens than the client can take.

Clients show a model either the one or the other, so each is held to the limit by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from contextls.standalone import count_tokens
from contextls.text.gate import clean_json
from contextls.wire import to_wire

T = TypeVar("T")
_MARK = "… (cut)"
# The share of the limit for a text at first: what JSON and the other fields add is only known afterwards.
_FIRST_SHARE = 0.8
_ATTEMPTS = 5
_SHORT = 40  # what is shorter is a name or a number, and is left whole
# No token is longer than this on average in anything that is worth reading: what is longer need not be counted.
_CHARS_PER_TOKEN = 64


class Budget(Struct, frozen=True):
    """At most ``limit`` tokens by ``tokenizer``."""

    limit: int
    tokenizer: str

    def within(self, limit: int | None) -> Budget:
        """The budget itself, or a smaller one where the client asks for less."""
        return self if limit is None else replace(self, limit=min(limit, self.limit))

    def count(self, text: str) -> int:
        """The tokens of ``text``; of one that is far too long, some number above the limit."""
        if len(text) > self.limit * _CHARS_PER_TOKEN:
            return max(self.limit + 1, len(text) // _CHARS_PER_TOKEN)
        return count_tokens((text,), self.tokenizer).total

    def holds(self, text: str) -> bool:
        """Whether ``text`` is within the limit."""
        return self.count(text) <= self.limit

    def ask_within(self, ask: Callable[[int], T], answers: Callable[[T], Iterable[object]], least: int) -> T:
        """Ask for as many tokens as let each of the ``answers`` made of what ``ask`` finds fit.

        Less is asked for until they do; after a few attempts, or with ``least`` tokens, they may not.
        """
        tokens = max(least, int(self.limit * _FIRST_SHARE))
        for _ in range(_ATTEMPTS):
            found = ask(tokens)
            used = max(self.count(write_json(to_json(each))) for each in answers(found))
            if used <= self.limit:
                break
            tokens = max(least, tokens * self.limit // used * 97 // 100)
        return found


class Listing(Struct, Generic[T], frozen=True):
    """An answer that gives as many of its items as fit.

    ``answer`` makes it of some of the items and the cursor of what follows, ``cursor`` that cursor of how many are given;
    ``more`` says that there is more after the last item.
    """

    items: Sequence[T]
    answer: Callable[[tuple[T, ...], str | None], object]
    cursor: Callable[[int], str]
    more: bool = False

    def page(self, count: int) -> object:
        """The answer with this number of first items."""
        goes_on = self.more or count < len(self.items)
        return self.answer(tuple(self.items[:count]), self.cursor(count) if goes_on and count else None)


def to_json(answer: object) -> Any:  # noqa: ANN401 - JSON
    """An answer as JSON without secrets."""
    return clean_json(to_wire(answer))


def write_json(value: Any) -> str:  # noqa: ANN401 - JSON
    """JSON as a model reads it: on one line, as written by people otherwise."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fit_answer(answer: object, budget: Budget) -> Any:  # noqa: ANN401 - JSON
    """An answer, or as much of a listing as fits, as JSON within the budget."""
    if isinstance(answer, Listing):
        return _fit_listing(answer, budget)
    return shrink(to_json(answer), budget)


def shrink(value: Any, budget: Budget) -> Any:  # noqa: ANN401 - JSON
    """``value`` with its longest strings cut, then its longest lists, until it fits."""
    while (text := write_json(value)) and not budget.holds(text):
        longest = _longest_string(value)
        if longest > _SHORT:
            value = _cut_strings(value, longest)
            continue
        items = _longest_list(value)
        if not items:
            break
        value = _cut_lists(value, items)
    return value


def _fit_listing(listing: Listing[Any], budget: Budget) -> Any:  # noqa: ANN401 - JSON
    """The page with the most items that fits; the first item is always there, cut if it must be."""
    fitting, too_many = min(1, len(listing.items)), len(listing.items) + 1
    page = to_json(listing.page(fitting))
    while too_many - fitting > 1:
        # Most pages hold a part of a long list: doubling finds it with few and short texts counted.
        middle = min(fitting * 2, (fitting + too_many) // 2) or 1
        tried = to_json(listing.page(middle))
        if budget.holds(write_json(tried)):
            fitting, page = middle, tried
        else:
            too_many = middle
    return shrink(page, budget)


def _longest_string(value: Any) -> int:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return len(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max(map(_longest_string, inner), default=0)


def _cut_strings(value: Any, longest: int) -> Any:  # noqa: ANN401 - JSON
    """Every string that is about as long as the longest one, cut by a quarter."""
    if isinstance(value, str):
        if len(value) <= max(_SHORT, longest * 3 // 4):
            return value
        return value.removesuffix(_MARK)[: max(_SHORT, longest * 3 // 4) - len(_MARK)] + _MARK
    if isinstance(value, dict):
        return {name: _cut_strings(item, longest) for name, item in value.items()}
    return [_cut_strings(item, longest) for item in value] if isinstance(value, list) else value


def _longest_list(value: Any) -> int:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return max(map(_longest_list, value.values()), default=0)
    return max(len(value), *map(_longest_list, value), 0) if isinstance(value, list) else 0


def _cut_lists(value: Any, longest: int) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {name: _cut_lists(item, longest) for name, item in value.items()}
    if isinstance(value, list):
        return [
            _cut_lists(item, longest) for item in value[: len(value) // 2 if len(value) == longest else None]
        ]
    return value
