"""The first words of a file about itself: its docstring, the comment that it begins with, its title."""

from __future__ import annotations

import re

from contextls.regex import compile_late

MAX_CHARS = 110
_INTERPRETER = compile_late(r"#![^\[\n]*(\n\s*|\Z)")
_DOCSTRING = compile_late(r"[rRuU]?(\"\"\"|''')(.*?)(?:\1|\Z)", re.DOTALL)
_BLOCK = compile_late(r"/\*[*!]?(.*?)(?:\*/|\Z)", re.DOTALL)
# An attribute of Rust and a directive of C begin with the mark of a comment elsewhere.
_LINES = compile_late(r"(?:[ \t]*(?:///?!?|#+(?!!?\[|\w)|--+|;+|%+)[^\n]*\n?)+")
_MARK = compile_late(r"^[ \t]*(?:///?!?|#+|--+|;+|%+|\*+)?[ \t]?", re.MULTILINE)
# Such a comment is about the text, not about the code.
_LEGAL = compile_late(
    r"copyright|licen[cs]ed?\b|spdx|all rights|-\*-|coding[:=]|eslint|generated|use strict|vim:|frozen_string",
    re.IGNORECASE,
)
# What a file consists of.
_WHOLE = compile_late(
    r"(?:(?:export|default|public|final|abstract|sealed|open)\s+)*(?:class|interface|package|module|namespace)\b"
)
_SENTENCE = compile_late(r"(.+?[.!?])(?:\s|$)", re.DOTALL)


def first_words(text: str, language: str) -> str:
    """The first sentence about a file at its beginning, in one line, or ""."""
    text = _INTERPRETER.sub("", text.lstrip("\ufeff \t\r\n"))
    for _ in range(3):  # after a licence
        if docstring := _DOCSTRING.match(text):
            return _shorten(docstring[2])
        comment = _BLOCK.match(text) or _LINES.match(text)
        if comment is None:
            return ""
        said = _MARK.sub("", comment[comment.lastindex or 0])
        if language == "markdown":
            said = said.split("\n")[0]
        behind = text[comment.end() :]
        text = behind.lstrip()
        if not _LEGAL.search(said):
            # A comment right above a function is about that, not about the file.
            breaks = comment[0][-1:].count("\n") + behind[: len(behind) - len(text)].count("\n")
            of_file = breaks >= 2 or not text or comment[0].startswith("//!") or _WHOLE.match(text)
            return _shorten(said) if of_file or language == "markdown" else ""
    return ""


def _shorten(said: str) -> str:
    paragraph = " ".join(re.split(r"\n[ \t]*\n", said.strip(), maxsplit=1)[0].split())
    sentence = _SENTENCE.match(paragraph)
    line = (sentence[1] if sentence else paragraph).rstrip(".: ")
    return line if len(line) <= MAX_CHARS else line[:MAX_CHARS].rsplit(" ", 1)[0] + "…"
