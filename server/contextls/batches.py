"""Items in batches that are bounded in number and weight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def make_batches(
    items: Iterable[Item], weigh: Callable[[Item], int], *, max_items: int, max_weight: int
) -> Iterator[list[Item]]:
    """Batches in the order of ``items``, read as they are asked for; what is too heavy by itself is one of its own."""
    batch: list[Item] = []
    weight = 0
    for item in items:
        heavy = weigh(item)
        if batch and (weight + heavy > max_weight or len(batch) >= max_items):
            yield batch
            batch, weight = [], 0
        batch.append(item)
        weight += heavy
    if batch:
        yield batch
