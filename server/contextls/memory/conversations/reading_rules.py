"""The rules by which a conversation is read: the request goes before the tree, the tree before the settings."""

from __future__ import annotations

from msgspec import Struct

from contextls.errors import ContextLimitError
from contextls.model import Preferences, Truncation
from contextls.settings import Settings

_NOTHING_ASKED = Preferences()


class ReadingRules(Struct, frozen=True):
    """The rules in force for one request."""

    truncation: Truncation
    minimum_recent_nodes: int
    token_buffer: int

    def limit(self, max_tokens: int) -> int:
        """The part of a model's limit for system context and messages. Raises ``ContextLimitError`` where none are left."""
        if self.token_buffer >= max_tokens:
            raise ContextLimitError(
                f"{self.token_buffer:,} tokens are reserved for the answer (tokenBuffer) and the limit is {max_tokens:,}; "
                "reserve less or choose a model with a larger context",
                self.token_buffer,
                max_tokens,
            )
        return max_tokens - self.token_buffer


def reading_rules(
    settings: Settings, tree: Preferences, request: Preferences = _NOTHING_ASKED
) -> ReadingRules:
    """The rules for a request on a tree."""
    recent = _first(request.minimum_recent_nodes, tree.minimum_recent_nodes, settings.minimum_recent_nodes)
    return ReadingRules(
        request.truncation or tree.truncation or Truncation(settings.truncation_strategy),
        max(1, recent),
        _first(request.token_buffer, tree.token_buffer, settings.token_buffer),
    )


def _first(request: int | None, tree: int | None, setting: int) -> int:
    if request is not None:
        return request
    return setting if tree is None else tree
