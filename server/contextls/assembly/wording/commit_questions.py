"""Questions that the commits of some code answer: who changed it last, when it came, why it was changed."""

from __future__ import annotations

import re

from contextls.regex import compile_cued, compile_late

_DONE = (
    r"add(ed)?|introduc(ed|e)|chang(ed|e)|modif(ied|y)|touch(ed)?|remov(ed|e)|renam(ed|e)|rewrit(ten|e)|replac(ed|e)"
    r"|refactor(ed)?"
)
_SOMEBODY = r"(was|were|did (we|you|they|he|she|someone|somebody|anyone|anybody))"
_SURELY = compile_cued(
    r"\bgit (blame|log)\b|\b(commit|git|change) history\b|\b(which|what|whose) commits?\b"
    # Asked, not told: "a user who changed the password" is no question.
    r"|(?:^|[.?!,;:\n][ \t]{0,8}|\b(?:and|know|see|tell me|find out)\s+)who (last |recently )?(has )?"
    r"(changed|touched|modified|edited|broke|introduced|added|removed|renamed|rewrote)\b"
    rf"|\bwhen {_SOMEBODY} .{{1,80}}\b({_DONE})\b|\bwhen did .{{1,80}}\b(last )?change\b"
    r"|\b(last|latest|recent|newest|previous) (change|edit|commit)s? (to|in|of|on)\b"
    r"|\b(has|have|what) .{0,40}\bchanged (in|about) .{1,80}\b(lately|recently|since|last)\b",
    "git history commit who when chang edit",
    re.IGNORECASE,
)
# What a program did, as often as what was done to its code.
_PERHAPS = compile_late(rf"\bwhy {_SOMEBODY} .{{1,80}}\b({_DONE})\b|\bhistory of\b", re.IGNORECASE)


def asks_for_commits(text: str, *, names_code: bool) -> bool:
    """Whether a question wants to know what commits did to some code, which it may name."""
    return bool(_SURELY.search(text)) or (names_code and bool(_PERHAPS.search(text)))
