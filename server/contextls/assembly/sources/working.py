"""What is being worked on: the uncommitted changes, as hunks by symbol."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contextls.assembly.items import Item, recency
from contextls.assembly.reasons import joined, spelled, words_of
from contextls.assembly.shapes.markdown import hunk_block
from contextls.assembly.signals import Intent, Signals
from contextls.memory.failures import latest_failure
from contextls.memory.history.hunks import Hunk
from contextls.model import Changes, Event, EventType, Section

MOST_HUNKS = 40
# A change that is asked for counts a little less than the one before it, and more than any event (0.95).
LEAST_ASKED = 0.96
_STEP = 0.0001
# What share of the question's words a change holds that is shown though nobody asked for changes.
LEAST_MATCHED = 0.5
# A change that nobody was seen to make (before the server ran, say) counts as half a day old.
_UNSEEN_MS = 12 * 60 * 60 * 1000
_ABOUT_CHANGES = re.compile(
    r"\b(my|the|these|this|uncommitted|working|current|recent) (\w+ )?(changes?|diff|edits?|work)\b"
    r"|\b(review|commit message|what (did|have) i)\b",
    re.IGNORECASE,
)


def asked_items(hunks: Sequence[Hunk], scope: Changes) -> list[Item]:
    """Items for the changes that the request names: nothing counts for more, and they are read in their order."""
    how = "uncommitted" if scope is Changes.ALL else str(scope)
    return [
        Item(
            section=Section.RECENT,
            source=f"{hunk.path}:{hunk.start_line}-{hunk.end_line}",
            text=hunk_block(hunk, how),
            relevance=max(LEAST_ASKED, 1.0 - _STEP * number),
            recency=1.0,
            salience=1.0,
            paths=(hunk.path,),
            why=f"{how} change",
        )
        for number, hunk in enumerate(hunks)
    ]


def hunk_items(hunks: Sequence[Hunk], events: Sequence[Event], signals: Signals, now: int) -> list[Item]:
    """Items for the changes that the question is most likely about.

    A change matters when the question speaks of changes, or when it is in a file that was changed before the last failure
    and the question is about a failure. Any other must hold half of the question's words, or it would only take room.
    """
    asked = bool(_ABOUT_CHANGES.search(signals.question.text))
    failure = latest_failure(events, now) if signals.intent is Intent.FIX else None
    causes = {event.content.get("path") for event in failure.changes} if failure else set()
    written: dict[object, int] = {}
    for event in events:
        if event.type in (EventType.FILE_EDIT, EventType.FILE_WRITE):
            path = event.content.get("path")
            written[path] = max(event.timestamp, written.get(path, 0))
    words = [word for word in signals.keywords if len(word) > 2]
    items = []
    for hunk in hunks:
        text = f"{hunk.path} {hunk.symbol} {hunk.text}".lower()
        held = [word for word in words if word in text]
        matched = len(held) / len(words) if words else 0.0
        meant = asked or hunk.path in causes
        if not meant and matched < LEAST_MATCHED:
            continue
        before = "before the latest failure" if hunk.path in causes else ""
        items.append(
            Item(
                section=Section.RECENT,
                source=f"{hunk.path}:{hunk.start_line}-{hunk.end_line}",
                text=hunk_block(hunk),
                relevance=min(1.0, 0.9 + 0.5 * matched) if meant else 0.5 * matched,
                recency=recency(written.get(hunk.path, now - _UNSEEN_MS), now),
                salience=0.9 if hunk.path in causes else 0.6 if asked else 0.3,
                paths=(hunk.path,),
                why=joined(["uncommitted change", before, words_of(spelled(held, signals.question.text))]),
            )
        )
    best = sorted(items, key=lambda item: (-item.relevance, -item.recency, item.source))
    return best[:MOST_HUNKS]
