"""The bounds of a request, and when two are the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from contextls.assembly.pieces.preface_parts import NO_PREFACE, Preface
from contextls.assembly.pieces.sent import NOTHING_SENT, SentMessages
from contextls.errors import InvalidRequestError
from contextls.model import MAX_OTHER_CHARS, MAX_QUERY_CHARS, AssembleRequest, InjectionFormat, ServerEntry
from contextls.settings import MAX_TOKENS, MIN_TOKENS

MAX_ORDERED = 1_000


class BudgetedRequest(AssembleRequest, frozen=True):
    """A question whose budget is known: its own, or what is usual in the workspace."""

    max_tokens: int


class FollowUpRequest(BudgetedRequest, frozen=True):
    """A question in a conversation: what its messages show already, ``sent``, is only pointed to.

    ``server_entries`` are what the server does to the working set there.
    """

    sent: SentMessages = NOTHING_SENT
    server_entries: tuple[ServerEntry, ...] = ()


class RetrievalRequest(FollowUpRequest, frozen=True):
    """A question whose pieces stand in a turn, and how they are written."""

    format: InjectionFormat = InjectionFormat.RAW


class TaggedRequest(FollowUpRequest, frozen=True):
    """A question whose answer is tagged: what stands before its pieces, and whether pins keep their roles.

    Roles count only in a folder that the user trusts: its files name them.
    """

    preface: Preface = NO_PREFACE


class RootedRequest(BudgetedRequest, frozen=True):
    """A question to one of several workspaces, whose places begin with its name, ``root``.

    Of one that is ``installed`` only the code counts: nobody works on it.
    """

    root: str = ""
    installed: bool = False


def with_budget(request: AssembleRequest, usual: int) -> BudgetedRequest:
    """``request`` with the ``usual`` budget where it names none."""
    budget = usual if request.max_tokens is None else request.max_tokens
    return BudgetedRequest(**(asdict(request) | {"max_tokens": budget}))


def with_root(request: BudgetedRequest, root: str, *, installed: bool) -> RootedRequest:
    """``request`` as a question to one of several workspaces, which is called ``root``."""
    return RootedRequest(**asdict(request), root=root, installed=installed)


def server_entries_of(request: AssembleRequest) -> tuple[ServerEntry, ...]:
    """The changes of the server to the working set for ``request``; none outside of a conversation."""
    return request.server_entries if isinstance(request, FollowUpRequest) else ()


def check_request(request: AssembleRequest) -> None:
    """Raise ``InvalidRequestError`` naming the field when the query or a budget that it names is out of bounds."""
    if not request.query.strip():
        raise InvalidRequestError("query", "a question of at least one word", request.query)
    if len(request.query) > MAX_QUERY_CHARS:
        raise InvalidRequestError(
            "query", f"at most {MAX_QUERY_CHARS:,} characters; put long texts into additionalContext"
        )
    if sum(map(len, request.other_words)) > MAX_OTHER_CHARS:
        raise InvalidRequestError("otherWords", f"at most {MAX_OTHER_CHARS:,} characters in all")
    if len(request.order) > MAX_ORDERED:
        raise InvalidRequestError("order", f"at most {MAX_ORDERED:,} sources")
    if request.max_tokens is not None:
        check_budget(request.max_tokens)


def check_budget(max_tokens: int, least: int = MIN_TOKENS) -> None:
    """Raise ``InvalidRequestError`` unless ``max_tokens`` is a budget."""
    if not least <= max_tokens <= MAX_TOKENS:
        raise InvalidRequestError("maxTokens", f"a whole number from {least} to {MAX_TOKENS}", max_tokens)


def describe_limit(limit: int, asked: int) -> str:
    """The note that the working set bounds a prompt more closely than its request."""
    return f"the budget of the working set allows {limit:,} tokens; {asked:,} were asked for"


def request_key(request: AssembleRequest) -> str:
    """A text that is equal for equal requests, whatever the order of their keys."""
    return json.dumps(_plain(request), sort_keys=True, default=repr)


def _plain(value: Any) -> Any:  # noqa: ANN401 - any field of a request
    if isinstance(value, Struct):
        return {name: _plain(item) for name, item in asdict(value).items()}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
