"""The sections of a prompt, one row for each. A new section is a row here and a member of ``model.Section``."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from contextls.model import Section

# The user's own text may take this part of the budget before memories get the rest.
CUSTOM_SHARE = 50
# What is pinned may take this part of the budget before memories get the rest. A pin of priority 1 that may not be cut
# is not bound by it: it enters wherever the budget holds it at all.
PINNED_SHARE = 60

# What packages of others offer may take this part of the budget, after everything else.
PACKAGE_SHARE = 20


class SectionRow(Struct, frozen=True):
    """The rules by which a section is filled and shown. Rows stand in reading order."""

    section: Section
    title: str
    # The order in which sections are filled.
    turn: int
    # The part of the budget in percent; ``None`` where the strategy has it.
    share: int | None = None
    # Whether feedback changes the weight of its pieces.
    weighable: bool = False
    # Whether it says where to look next, and has less room in small prompts.
    pointer: bool = False
    # Whether its pieces are lines of one list.
    list: bool = False


ROWS = (
    SectionRow(Section.TASK, "Task", 0, share=100, list=True),  # each part of it has a share of its own
    SectionRow(Section.WORKING_SET, "Working Set", 2, share=PINNED_SHARE),
    SectionRow(Section.RECENT, "Recent Activity", 5, weighable=True),
    SectionRow(Section.SEMANTIC, "Relevant Content", 3, weighable=True),
    SectionRow(Section.ENTITY, "Known Entities", 4, weighable=True, pointer=True, list=True),
    SectionRow(Section.RELATION, "Relationships", 6, weighable=True, pointer=True, list=True),
    SectionRow(Section.PATTERN, "Applicable Patterns", 7, list=True),
    SectionRow(Section.PACKAGE, "From Installed Packages", 8, share=PACKAGE_SHARE),
    SectionRow(Section.CUSTOM, "Additional Context", 1, share=CUSTOM_SHARE),
)
TABLE: Mapping[Section, SectionRow] = {row.section: row for row in ROWS}
# Those whose shares of the budget are the strategy's.
SHARED = tuple(row.section for row in ROWS if row.share is None)
BY_TURN = tuple(sorted(ROWS, key=lambda row: row.turn))
