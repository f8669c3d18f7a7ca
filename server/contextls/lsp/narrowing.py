"""What a request for a prompt restricts and boosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.lsp.fields import Fields
from contextls.model import Boosts, Filters, Section

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_filters(fields: Fields) -> Filters:
    """The field ``filters``."""
    given = fields.nested("filters", ("since", "until", "eventTypes", "entityTypes", "exclude", "paths"))
    if given is None:
        return Filters()
    return Filters(
        since=given.whole("since"),
        event_types=given.texts("eventTypes"),
        entity_types=given.texts("entityTypes"),
        exclude=given.texts("exclude") or (),
        paths=given.texts("paths") or (),
        until=given.whole("until"),
    )


def read_event_filters(fields: Fields) -> Filters:
    """The field ``filters`` where only events are asked for."""
    given = fields.nested("filters", ("since", "until", "eventTypes"))
    if given is None:
        return Filters()
    return Filters(
        since=given.whole("since"), until=given.whole("until"), event_types=given.texts("eventTypes")
    )


def read_boosts(fields: Fields) -> Boosts:
    """The field ``boosts``."""
    given = fields.nested("boosts", ("paths", "sections", "sources"))
    if given is None:
        return Boosts()
    sections = _factors(given, "sections")
    names = tuple(map(str, Section))
    for name in sections:
        if name not in names:
            raise InvalidRequestError(given.path(f"sections.{name}"), "one of " + ", ".join(names))
    return Boosts(
        paths=_factors(given, "paths"),
        sections={Section(name): factor for name, factor in sections.items()},
        sources=_factors(given, "sources"),
    )


def _factors(fields: Fields, name: str) -> Mapping[str, float]:
    given = fields.record(name) or {}
    factors = {}
    for key in given:
        factor = Fields(given, tuple(given), fields.path(name)).number(key)
        if factor is not None:
            factors[key] = float(factor)
    return factors
