"""Which chunks of headers only declare functions: what these do stands elsewhere."""

from __future__ import annotations

from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.regex import compile_late

_HEADERS = (".h", ".hh", ".hpp", ".hxx")
_COMMENT = compile_late(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?")
# What ends a prototype before its semicolon.
_PROTOTYPE = compile_late(
    r"\)\s*+(?:(?:const|noexcept|override|final)\b\s*+)*(?:=\s*+(?:0|default|delete)\s*+)?$"
)
_BODY = compile_late(r"\)\s*+(?:(?:const|noexcept|override|final)\b\s*+)*\{")
# Of so many statements most have to be prototypes.
MIN_STATEMENTS, MIN_SHARE = 3, 0.6


def only_declares(ref: ChunkRef, view: IndexView) -> bool:
    """Whether a chunk is a list of prototypes in a header of C or C++, without a body of any."""
    if not view.path(ref).endswith(_HEADERS):
        return False
    text = _COMMENT.sub("", view.row(ref).text)
    *statements, _ = text.split(";")
    if len(statements) < MIN_STATEMENTS or _BODY.search(text):
        return False
    return sum(_PROTOTYPE.search(each) is not None for each in statements) >= MIN_SHARE * len(statements)
