"""An extractive summary: facts of old turns as lines that fit a number of tokens, and a first line that says what it is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from contextls.memory.conversations.facts import Fact, FactKind, find_facts
from contextls.memory.conversations.grouping import Turn
from contextls.model import Author
from contextls.text.kept_ends import keep_both_ends
from contextls.text.own_words import find_own_words
from contextls.text.tokens import Tokenizer

TITLES = {
    FactKind.REQUEST: "Requests",
    FactKind.DECISION: "Decisions",
    FactKind.FILE: "Files",
    FactKind.COMMAND: "Commands",
    FactKind.ERROR: "Errors",
    FactKind.QUESTION: "Open questions",
}
# When there is not room for all, one line after the other enters in this order of kinds, the newest of each kind first.
_TURN_TAKING = (
    FactKind.DECISION,
    FactKind.QUESTION,
    FactKind.FILE,
    FactKind.COMMAND,
    FactKind.ERROR,
    FactKind.REQUEST,
)
# The largest share of the room for earlier summaries, written by a model or a client about still older turns.
_EARLIER_SHARE = 0.5
# The characters of old turns that are sent to a configured model.
_TRANSCRIPT = 100_000
_SPEAKERS = {Author.HUMAN: "the user", Author.MODEL: "the assistant", Author.TOOL: "a tool"}
# Tokens of a line break and of what may join differently at it.
_SEAM = 2


class EarlierSummary(Struct, frozen=True):
    """A summary of the turns up to ``last_turn`` by ``author``: a user or a model."""

    text: str
    author: str
    last_turn: int


def summarize_by_rules(
    turns: Sequence[Turn],
    max_tokens: int,
    counter: Tokenizer,
    earlier: EarlierSummary | None = None,
    after: Turn | None = None,
) -> str:
    """A summary of turns in at most ``max_tokens``; empty when not even its first line fits.

    ``after`` is the turn after them, which stays as it is.
    """
    opening = _opening(turns)
    if not turns or counter.count(opening) > max_tokens:
        return ""
    quoted = _earlier_lines(earlier, int(max_tokens * _EARLIER_SHARE), counter)
    facts = find_facts([turn for turn in turns if earlier is None or turn.number > earlier.last_turn], after)
    kept = _choose(facts, max_tokens - counter.count(opening) - counter.count(quoted), counter)
    while True:
        text = _write(opening, quoted, facts, kept)
        if counter.count(text) <= max_tokens:
            return text
        if kept:
            kept = kept[:-1]
        elif quoted:
            quoted = ""
        else:
            return opening


def write_transcript(turns: Sequence[Turn], earlier: EarlierSummary | None) -> str:
    """Turns as a model reads them that is asked for a summary; what is too long loses its middle."""
    parts = [] if earlier is None else [f"Summary up to turn {earlier.last_turn}:\n{earlier.text}"]
    for turn in turns:
        if earlier is None or turn.number > earlier.last_turn:
            parts += [
                f"Turn {turn.number}, {_SPEAKERS[node.author]}:\n{find_own_words(node.content)}"
                for node in turn.nodes
            ]
    return keep_both_ends("\n\n".join(parts), _TRANSCRIPT // 2)


def _opening(turns: Sequence[Turn]) -> str:
    if not turns:
        return ""
    first, last = turns[0].number, turns[-1].number
    which = f"turn {first}" if first == last else f"turns {first} to {last}"
    return f"Extracted from {which} by rules, without a model: every line is quoted from the conversation."


def _earlier_lines(earlier: EarlierSummary | None, max_tokens: int, counter: Tokenizer) -> str:
    if earlier is None or not earlier.text.strip():
        return ""
    title = f"Up to turn {earlier.last_turn}, as summarised by {earlier.author}:\n"
    room = max_tokens - counter.count(title) - _SEAM
    if room <= 0:
        return ""
    return title + counter.prefix(earlier.text.strip(), room)


def _choose(facts: Sequence[Fact], room: int, counter: Tokenizer) -> list[int]:
    """The indexes of the facts that fit, those that matter most first."""
    waiting = {
        kind: [index for index, fact in enumerate(facts) if fact.kind is kind] for kind in _TURN_TAKING
    }
    # By the newest turn that says so, as what was repeated is still true; within a turn, people speak first.
    for indexes in waiting.values():
        indexes.sort(key=lambda index: -facts[index].turns[-1])
    kept: list[int] = []
    titled: set[FactKind] = set()
    while any(waiting.values()):
        for kind in _TURN_TAKING:
            if not waiting[kind]:
                continue
            index = waiting[kind].pop(0)
            cost = counter.count(_line(facts[index])) + _SEAM
            if kind not in titled:
                cost += counter.count(f"{TITLES[kind]}:") + _SEAM
            if cost <= room:
                room -= cost
                titled.add(kind)
                kept.append(index)
    return kept


def _write(opening: str, quoted: str, facts: Sequence[Fact], kept: Sequence[int]) -> str:
    lines = [opening]
    if quoted:
        lines += ["", quoted]
    chosen = set(kept)
    for kind, title in TITLES.items():
        told = [fact for index, fact in enumerate(facts) if index in chosen and fact.kind is kind]
        if told:
            lines += ["", f"{title}:", *map(_line, told)]
    left_out = len(facts) - len(chosen)
    if left_out:
        lines += ["", f"({left_out:,} further {'line' if left_out == 1 else 'lines'} left out)"]
    return "\n".join(lines)


def _line(fact: Fact) -> str:
    noun = "turn" if len(fact.turns) == 1 else "turns"
    return f"- {fact.text} ({noun} {', '.join(map(str, fact.turns))})"
