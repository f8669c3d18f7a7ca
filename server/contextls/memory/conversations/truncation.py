"""Makes a history fit a budget: what may be left out, what never is, and a marker where something is missing.

Whatever the strategy: the system context is never cut, at least one message stays, the result is within the limit, and
what is missing is named. What cannot be kept so is an error with its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.errors import ContextLimitError, InvalidRequestError
from contextls.memory.conversations.turns import History, TruncatedHistory
from contextls.model import ShownMessage, Truncation
from contextls.text.tokens import Tokenizer, get_tokenizer
from contextls.text.truncate import Keep
from contextls.text.truncate import truncate as cut_lines

MIN_RECENT_NODES = 4
# The largest share of the room for the beginning: it is measured against the limit, not against what is left, so
# that the beginning stays the same while a conversation goes on, and a provider's cache still knows it.
HEAD_SHARE = 0.25


class _Unit(Struct, frozen=True):
    """Messages that stay or go together: a model's calls and their results, or one message."""

    messages: tuple[ShownMessage, ...]
    tokens: int
    nodes: tuple[str, ...]
    is_pinned: bool

    @classmethod
    def of(cls, messages: Sequence[ShownMessage]) -> _Unit:
        """The unit of these messages."""
        if len(messages) == 1:
            (message,) = messages
            return cls((message,), message.tokens, message.nodes, message.pinned)
        return cls(
            tuple(messages),
            sum(message.tokens for message in messages),
            tuple(node for message in messages for node in message.nodes),
            any(message.pinned for message in messages),
        )


def truncate(
    history: History,
    strategy: Truncation,
    limit: int,
    keep_recent: int = MIN_RECENT_NODES,
) -> TruncatedHistory:
    """The messages of ``history`` that fit into ``limit`` tokens together with its system context.

    ``keep_recent`` nodes at the end stay whatever goes (``truncateMiddle``), and so do pinned messages and a summary.
    Raises ``ContextLimitError`` when what has to stay does not fit, ``InvalidRequestError``.
    """
    if keep_recent < 1:
        raise InvalidRequestError(
            "minimumRecentNodes", "1 or more: at least one message is sent", keep_recent
        )
    room = limit - history.system_tokens
    if history.messages and room < 1:
        raise ContextLimitError(
            f"the system context alone takes {history.system_tokens:,} of {limit:,} tokens and is never truncated; "
            "shorten it or choose a model with a larger context",
            history.system_tokens,
            limit,
        )
    if history.tokens <= room:
        return TruncatedHistory(history.messages)
    counter = get_tokenizer(history.tokenizer)
    units = _units(history.messages)
    if strategy is Truncation.STOP_AT_LIMIT:
        raise ContextLimitError(
            f"the conversation takes {history.tokens + history.system_tokens:,} tokens and the limit is {limit:,} "
            "(stopAtLimit never truncates); exclude nodes, compact the conversation, or choose a larger model",
            history.tokens + history.system_tokens,
            limit,
        )
    if strategy is Truncation.ROLLING_WINDOW:
        return _rolling(units, room, counter)
    return _middle(units, room, keep_recent, counter)


def marker_text(nodes: int) -> str:
    """The text that stands where messages were left out."""
    return f"[{nodes:,} earlier {'message' if nodes == 1 else 'messages'} left out here to fit the model's context]"


def _units(messages: Sequence[ShownMessage]) -> list[_Unit]:
    units: list[list[ShownMessage]] = []
    for message in messages:
        if message.role == "tool" and units:
            units[-1].append(message)
        else:
            units.append([message])
    return [_Unit.of(unit) for unit in units]


def _middle(units: Sequence[_Unit], room: int, keep_recent: int, counter: Tokenizer) -> TruncatedHistory:
    """Beginning and end stay, the middle goes."""
    kept = _recent(units, keep_recent) | {i for i, unit in enumerate(units) if unit.is_pinned}
    _check_fits(units, kept, room, f"the {keep_recent} newest nodes and what is pinned", counter)
    fits = _fitting(units, kept, room, counter)
    head_room = int(room * HEAD_SHARE)
    for index, unit in enumerate(units):
        head_room -= unit.tokens
        if head_room < 0 or not fits(index):
            break
    for index in reversed(range(len(units))):
        if not fits(index):
            break
    return _result(units, kept, counter)


def _rolling(units: Sequence[_Unit], room: int, counter: Tokenizer) -> TruncatedHistory:
    """The newest messages that fit; the newest one is shortened where it alone does not."""
    newest = len(units) - 1
    pinned = {i for i, unit in enumerate(units) if unit.is_pinned}
    if _cost(units, pinned | {newest}, counter) > room and newest not in pinned:
        return _shorten_newest(units, pinned, room, counter)
    kept = pinned | {newest}
    _check_fits(units, kept, room, "the newest message and what is pinned", counter)
    fits = _fitting(units, kept, room, counter)
    for index in reversed(range(len(units))):
        if not fits(index):
            break
    return _result(units, kept, counter)


def _recent(units: Sequence[_Unit], nodes: int) -> set[int]:
    """The units at the end that hold at least this number of nodes."""
    kept: set[int] = set()
    for index in reversed(range(len(units))):
        if nodes <= 0:
            break
        kept.add(index)
        nodes -= max(1, len(units[index].nodes))
    return kept


def _fitting(units: Sequence[_Unit], kept: set[int], room: int, counter: Tokenizer) -> Callable[[int], bool]:
    """A function that keeps one more unit if there is room for it, and says whether it is kept.

    It is asked from an end inwards, so that no unit splits a gap: there are never more markers than now.
    """
    largest = counter.count(marker_text(sum(len(unit.nodes) for unit in units)))
    left = room - len(_gaps(units, kept)) * largest - sum(units[index].tokens for index in kept)

    def fits(index: int) -> bool:
        nonlocal left
        if index not in kept:
            if units[index].tokens > left:
                return False
            left -= units[index].tokens
            kept.add(index)
        return True

    return fits


def _cost(units: Sequence[_Unit], kept: set[int], counter: Tokenizer) -> int:
    """The tokens of the kept units and of the markers between them."""
    markers = sum(counter.count(marker_text(len(gone))) for gone in _gaps(units, kept).values())
    return markers + sum(units[index].tokens for index in kept)


def _gaps(units: Sequence[_Unit], kept: set[int]) -> dict[int, list[str]]:
    """The nodes of each run of units that go, by the index of its first unit."""
    gaps: dict[int, list[str]] = {}
    start: int | None = None
    for index, unit in enumerate(units):
        if index in kept:
            start = None
            continue
        if start is None:
            start = index
        gaps.setdefault(start, []).extend(unit.nodes)
    return gaps


def _check_fits(units: Sequence[_Unit], kept: set[int], room: int, what: str, counter: Tokenizer) -> None:
    cost = _cost(units, kept, counter)
    if cost > room:
        raise ContextLimitError(
            f"{what} take {cost:,} tokens and {room:,} are left for the conversation; they are never cut: exclude or "
            "unpin nodes, keep fewer, or choose a model with a larger context",
            cost,
            room,
        )


def _result(units: Sequence[_Unit], kept: set[int], counter: Tokenizer) -> TruncatedHistory:
    gaps = _gaps(units, kept)
    messages: list[ShownMessage] = []
    markers: list[str] = []
    for index, unit in enumerate(units):
        if index in gaps:
            text = marker_text(len(gaps[index]))
            markers.append(text)
            messages.append(ShownMessage("user", text, (), counter.count(text)))
        if index in kept:
            messages += unit.messages
    dropped = tuple(node for gone in gaps.values() for node in gone)
    return TruncatedHistory(tuple(messages), dropped, "\n".join(markers))


def _shorten_newest(
    units: Sequence[_Unit], pinned: set[int], room: int, counter: Tokenizer
) -> TruncatedHistory:
    """The pinned messages and the newest unit, its longest message cut in the middle until all fit."""
    newest = len(units) - 1
    kept = pinned | {newest}
    unit = units[newest]
    over = _cost(units, kept, counter) - room
    while over > 0:
        longest = max(unit.messages, key=lambda message: message.tokens)
        wanted = longest.tokens - over
        if wanted < 1:
            _check_fits(units, kept, room, "the newest message and what is pinned", counter)
        text = cut_lines(longest.content, wanted, counter, Keep.ENDS).text or counter.prefix(
            longest.content, wanted
        )
        calls = longest.tokens - counter.count(longest.content)
        short = replace(longest, content=text, tokens=counter.count(text) + max(0, calls))
        unit = _Unit.of([short if message is longest else message for message in unit.messages])
        left = _cost([*units[:newest], unit], kept, counter) - room
        if left >= over:
            _check_fits(units, kept, room, "the newest message and what is pinned", counter)
        over = left
    return replace(_result([*units[:newest], unit], kept, counter), shortened=True)
