"""A source of pieces for prompts: the tickets of a tracker, here a few that stand in this file."""

from __future__ import annotations

from collections.abc import Iterator

from contextls import Piece, PieceQuestion

TICKETS = {
    "LIB-7": "A reader who paid a fine twice wants one payment back.",
    "LIB-12": "The fine for a late book is capped at 10 since May; the old letters still say 20.",
}


def find_tickets(question: PieceQuestion) -> Iterator[Piece]:
    """The tickets that share words with the question, those that share most first."""
    asked = set(question.query.lower().split())
    for number, text in TICKETS.items():
        shared = asked & set(text.lower().split())
        if len(shared) > 2:
            yield Piece(
                number, text, relevance=len(shared) / len(asked), why="shares words with the question"
            )
