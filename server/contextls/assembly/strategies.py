"""Named strategies (archetypes) and how a request overrides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.model import Section, Strategy


def _shares(recent: int, semantic: int, entity: int, relation: int, pattern: int) -> Mapping[Section, int]:
    return {
        Section.RECENT: recent,
        Section.SEMANTIC: semantic,
        Section.ENTITY: entity,
        Section.RELATION: relation,
        Section.PATTERN: pattern,
    }


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


def strategy_for(archetype: str, overrides: Mapping[str, Any]) -> Strategy:
    """The preset with wire-named ``overrides`` on top. Raises ``InvalidRequestError`` naming the field."""
    presets = archetypes()
    if archetype not in presets:
        raise InvalidRequestError("strategy", "one of " + ", ".join(presets), archetype)
    strategy = presets[archetype]
    for name, value in overrides.items():
        strategy = _overridden(strategy, name, value)
    return strategy


_WEIGHTS = {
    "recencyWeight": "recency_weight",
    "relevanceWeight": "relevance_weight",
    "salienceWeight": "salience_weight",
}
_LIMITS = {"depthLimit": ("depth_limit", 0, 5), "maxChunks": ("max_chunks", 0, 200)}


def _overridden(strategy: Strategy, name: str, value: object) -> Strategy:
    if name == "shares":
        return replace(strategy, shares=_checked_shares(value))
    if name in _WEIGHTS:
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 1:
            raise InvalidRequestError(f"strategy.{name}", "a number from 0 to 1", value)
        return _with(strategy, _WEIGHTS[name], float(value))
    if name in _LIMITS:
        field, least, most = _LIMITS[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise InvalidRequestError(f"strategy.{name}", f"a whole number from {least} to {most}", value)
        return _with(strategy, field, value)
    raise InvalidRequestError(f"strategy.{name}", "one of " + ", ".join(["shares", *_WEIGHTS, *_LIMITS]))


def _with(strategy: Strategy, field: str, value: Any) -> Strategy:  # noqa: ANN401 - checked by the caller
    return replace(strategy, **{field: value})


def _checked_shares(value: object) -> Mapping[Section, int]:
    sections = [section for section in Section if section not in (Section.TASK, Section.CUSTOM)]
    names = ", ".join(sections)
    if not isinstance(value, Mapping) or set(value) != set(map(str, sections)):
        raise InvalidRequestError("strategy.shares", f"an object with exactly {names}", value)
    if any(not isinstance(share, int) or isinstance(share, bool) or share < 0 for share in value.values()):
        raise InvalidRequestError("strategy.shares", "whole percentages, 0 or more", dict(value))
    if sum(value.values()) != 100:
        raise InvalidRequestError("strategy.shares", "percentages that add up to 100", dict(value))
    return {section: value[section.value] for section in sections}
