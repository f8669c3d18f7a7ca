"""Halves of surrogate pairs: JSON and editors may send them, and names of files hold them. They have no UTF-8 form."""

from __future__ import annotations

from contextls.regex import compile_late

_HALF = compile_late("[\ud800-\udfff]")


def is_encodable(text: str) -> bool:
    """Whether ``text`` has a UTF-8 form: it holds no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def repair_surrogates(text: str) -> str:
    """``text`` with halves of surrogate pairs joined, and lone halves replaced by U+FFFD."""
    if is_encodable(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def replace_surrogates(text: str) -> str:
    """``text`` with each half of a surrogate pair replaced by U+FFFD; same length."""
    return text if is_encodable(text) else _HALF.sub("\ufffd", text)
