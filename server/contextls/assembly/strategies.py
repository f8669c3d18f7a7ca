"""Named strategies (archetypes) and how a request overrides them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from contextls.assembly.pieces.sections import SHARED
from contextls.errors import InvalidRequestError
from contextls.model import Archetype, AssembleRequest, Section, Strategy


def _shares(recent: int, semantic: int, entity: int, relation: int, pattern: int) -> Mapping[Section, int]:
    return {
        Section.RECENT: recent,
        Section.SEMANTIC: semantic,
        Section.ENTITY: entity,
        Section.RELATION: relation,
        Section.PATTERN: pattern,
    }


# Percent of the budget for the changes that a request names.
CHANGES_SHARE = 60
_OWN_SHARES = frozenset({"shares", "budgetAllocation"})
_DESCRIPTIONS = {
    "code": "Questions about code and changes to it: mostly the code that answers.",
    "debug": "Something fails: what ran, what broke and what was changed before it, beside the code.",
    "explain": "How something works: code with more of what it is related to, little of what happened lately.",
    "review": "What was changed: recent edits and commits weigh more, with the code around them.",
    "write": "New code or text: what it should look like and where it belongs.",
}


def describe_archetypes() -> tuple[Archetype, ...]:
    """The presets with what each is good for, in the order in which to offer them."""
    return tuple(Archetype(name, _DESCRIPTIONS[name], preset) for name, preset in archetypes().items())


def archetypes() -> Mapping[str, Strategy]:
    """The presets by name. Shares are percentages and add up to 100."""
    presets = (
        Strategy("code", _shares(8, 72, 9, 7, 4)),
        Strategy(
            "debug", _shares(30, 52, 6, 6, 6), recency_weight=0.35, relevance_weight=0.5, salience_weight=0.15
        ),
        Strategy(
            "explain",
            _shares(4, 72, 12, 10, 2),
            recency_weight=0.05,
            relevance_weight=0.7,
            salience_weight=0.25,
        ),
        Strategy(
            "review",
            _shares(20, 60, 6, 8, 6),
            recency_weight=0.35,
            relevance_weight=0.5,
            salience_weight=0.15,
        ),
        Strategy(
            "write",
            _shares(12, 68, 10, 6, 4),
            recency_weight=0.25,
            relevance_weight=0.6,
            salience_weight=0.15,
        ),
    )
    return {preset.name: preset for preset in presets}


def wants_pointers(request: AssembleRequest) -> bool:
    """Whether a request itself asks for names and edges.

    It explains, says what each section may fill, or names entity types.
    """
    own = has_own_shares(request.strategy_overrides) or request.filters.entity_types
    return bool(own) or request.archetype == "explain"


def has_own_shares(overrides: Mapping[str, Any]) -> bool:
    """Whether a request says itself what each section may fill."""
    return bool(_OWN_SHARES & overrides.keys())


def led_by_changes(strategy: Strategy, overrides: Mapping[str, Any]) -> Strategy:
    """``strategy`` with the largest share for the changes that a request names, unless it has shares of its own."""
    recent = strategy.shares.get(Section.RECENT, 0)
    if recent >= CHANGES_SHARE or has_own_shares(overrides):
        return strategy
    rest = {section: share for section, share in strategy.shares.items() if section is not Section.RECENT}
    scaled = {section: share * (100 - CHANGES_SHARE) // (100 - recent) for section, share in rest.items()}
    left = 100 - CHANGES_SHARE - sum(scaled.values())
    largest = max(scaled, key=lambda section: scaled[section])
    scaled[largest] += left
    shares = {
        section: CHANGES_SHARE if section is Section.RECENT else scaled[section]
        for section in strategy.shares
    }
    return replace(strategy, shares=shares)


def strategy_for(archetype: str, overrides: Mapping[str, Any]) -> Strategy:
    """The preset with wire-named ``overrides`` on top. Raises ``InvalidRequestError`` naming the field."""
    presets = archetypes()
    if archetype not in presets:
        raise InvalidRequestError("strategy", "one of " + ", ".join(presets), archetype)
    strategy = presets[archetype]
    for name, value in overrides.items():
        strategy = _override(strategy, name, value)
    return strategy


_WEIGHTS = {
    "salientWeight": "salience_weight",
    "recencyWeight": "recency_weight",
    "relevanceWeight": "relevance_weight",
    "salienceWeight": "salience_weight",
}
_LIMITS = {"depthLimit": ("depth_limit", 0, 5), "maxChunks": ("max_chunks", 0, 200)}


def _override(strategy: Strategy, name: str, value: object) -> Strategy:
    if name == "shares":
        return replace(strategy, shares=_check_shares(value))
    if name == "budgetAllocation":
        return replace(strategy, shares=_check_allocation(value))
    if name in _WEIGHTS:
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 1:
            raise InvalidRequestError(f"strategy.{name}", "a number from 0 to 1", value)
        return _with(strategy, _WEIGHTS[name], float(value))
    if name in _LIMITS:
        field, least, most = _LIMITS[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise InvalidRequestError(f"strategy.{name}", f"a whole number from {least} to {most}", value)
        return _with(strategy, field, value)
    raise InvalidRequestError(
        f"strategy.{name}", "one of " + ", ".join(["shares", "budgetAllocation", *_WEIGHTS, *_LIMITS])
    )


def _with(strategy: Strategy, field: str, value: Any) -> Strategy:  # noqa: ANN401 - checked by the caller
    return replace(strategy, **{field: value})


def _check_shares(value: object) -> Mapping[Section, int]:
    """Shares by section; those that are not named get nothing of their own."""
    names = ", ".join(SHARED)
    if not isinstance(value, Mapping) or not set(value) <= set(map(str, SHARED)):
        raise InvalidRequestError("strategy.shares", f"an object with some of {names}", value)
    if any(not isinstance(share, int) or isinstance(share, bool) or share < 0 for share in value.values()):
        raise InvalidRequestError("strategy.shares", "whole percentages, 0 or more", dict(value))
    if sum(value.values()) != 100:
        raise InvalidRequestError("strategy.shares", "percentages that add up to 100", dict(value))
    return {section: value.get(section.value, 0) for section in SHARED}


# The specification's names of the sections.
_ALLOCATED = {
    "recent": Section.RECENT,
    "semantic": Section.SEMANTIC,
    "entities": Section.ENTITY,
    "relations": Section.RELATION,
    "patterns": Section.PATTERN,
}


def _check_allocation(value: object) -> Mapping[Section, int]:
    """Shares under the specification's names; what they leave of 100 is the patterns', unless these are named."""
    field = "strategy.budgetAllocation"
    if not isinstance(value, Mapping) or not set(value) <= set(_ALLOCATED):
        raise InvalidRequestError(field, "an object with some of " + ", ".join(_ALLOCATED), value)
    if any(not isinstance(share, int) or isinstance(share, bool) or share < 0 for share in value.values()):
        raise InvalidRequestError(field, "whole percentages, 0 or more", dict(value))
    left = 100 - sum(value.values())
    if left < 0 or (left and "patterns" in value):
        raise InvalidRequestError(field, "percentages that add up to 100", dict(value))
    given = {"patterns": left, **value}
    return {section: given.get(name, 0) for name, section in _ALLOCATED.items()}
