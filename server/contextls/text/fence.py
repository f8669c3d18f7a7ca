"""Markdown fences and inline code that their content cannot break out of."""

from __future__ import annotations

from contextls.regex import compile_late
from contextls.text.hidden import show_hidden

_TICKS = compile_late(r"`+")
_CONTROL = compile_late(r"[\x00-\x1f\x7f\u2028\u2029]+")
# What opens a block at the beginning of a line: a heading, a list, a quote, a fence, HTML, the target of a link.
_BLOCK = compile_late(r"#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|```|~~~|<|\[|={3,}|-{3,}|_{3,}|\*{3,}")
_NOT_INFO = compile_late(r"[^\w.+#-]")


def fence(text: str, language: str = "") -> str:
    """``text`` as a fenced code block, ending with the closing fence and no newline after it.

    The fence is at least three backticks and longer than any run of backticks in ``text``. ``language``
    becomes the info string, reduced to letters, digits and ``. + # - _``. The text keeps its bytes; a newline
    is added before the closing fence unless there is one.
    """
    longest = max(map(len, _TICKS.findall(text)), default=0) if "```" in text else 0
    ticks = "`" * max(3, longest + 1)
    ending = "" if not text or text.endswith(("\n", "\r")) else "\n"
    return f"{ticks}{_NOT_INFO.sub('', language)}\n{text}{ending}{ticks}"


def inline(text: str) -> str:
    """``text`` as inline code that cannot break out of its line or its backticks, and in which nothing hides."""
    line = name_line(text) or " "
    if "`" not in line:
        return f"`{line}`"
    ticks = "`" * (max(map(len, _TICKS.findall(line))) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def paragraph(text: str) -> str:
    """``text`` as a paragraph of one line, whatever Markdown would make of its beginning."""
    line = one_line(text)
    return f"\\{line}" if _BLOCK.match(line) else line


def quote_block(text: str) -> str:
    """The lines of ``text`` as a quote: no fence, heading or comment in it goes on after its end."""
    lines = (_CONTROL.sub(" ", line).rstrip() for line in text.splitlines())
    return "\n".join(f"> {line}".rstrip() for line in lines)


def one_line(text: str) -> str:
    """``text`` with line breaks and control characters replaced by spaces."""
    line = str(text)
    return (line if line.isprintable() else _CONTROL.sub(" ", line)).strip()


def name_line(name: str) -> str:
    """``name`` as ``one_line``, with what hides in it shown: a name that is not read as it is written lies."""
    return one_line(show_hidden(str(name)))
