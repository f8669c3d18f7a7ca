"""Reads what an answer is for: to change code, to add some, or to find the tests that there are."""

from __future__ import annotations

from msgspec import Struct

from contextls.assembly.wording.analogue_phrase import AnaloguePhrase, read_analogue
from contextls.assembly.wording.name_questions import asks_for_users
from contextls.assembly.wording.signals import Intent
from contextls.memory.index.query.asked_kinds import looks_up_tests
from contextls.memory.index.query.clauses import WISHES


class Purpose(Struct, frozen=True):
    """The use that an answer is put to; several of these may hold."""

    # Existing code is changed, or its users are looked for.
    changes: bool = True
    # Something new is added, or code is changed.
    builds: bool = True
    # Existing tests are looked for.
    looks_up_tests: bool = False
    # Existing code that something new is to be like.
    analogue: AnaloguePhrase | None = None


def read_purpose(text: str, intent: Intent) -> Purpose:
    """Read the question ``text``, which asks for the kind of help ``intent``."""
    changes = intent is Intent.ACTION or asks_for_users(text)
    analogue = read_analogue(text)
    return Purpose(
        changes=changes,
        builds=changes or analogue is not None or WISHES.search(text) is not None,
        looks_up_tests=looks_up_tests(text),
        analogue=analogue,
    )
