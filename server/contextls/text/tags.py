"""Blocks between tags (``<context path="a.py">`` … ``</context>``) whose content can neither close one nor open one.

Content keeps its characters but for one: the ``<`` of what would read as one of the four tags becomes ``&lt;``, and an
``&lt;`` that stood there before becomes ``&amp;lt;``, so that ``unescape`` gives back exactly what was escaped. All else
stays as it is: HTML, comparisons, type arguments.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.look_alikes import AS_SEEN, INVISIBLE, MARKS

TAGS = ("system", "developer", "user", "context")

# A model may take these for an opening bracket or a slash, though no parser does.
_BRACKETS = "\u02c2\u1438\u16b2\u2039\u276e\u2329\u27e8\u3008\ufe64\uff1c\U0001d236"
_SLASHES = r"/\\\u2044\u2215\u2571\u29f8\uff0f\uff3c"
_CLOSING_BRACKETS = r">\u203a\uff1e"
# Marks on letters, and what is not seen between them.
_UNSEEN = MARKS + INVISIBLE
_LETTER = rf"[^\W{_BRACKETS}]"
_ENTITY = f"lt|{'|'.join(f'#x{ord(each):X}' for each in _BRACKETS)}"
_PERHAPS_TAG = compile_late(
    rf"(?P<open>[<{_BRACKETS}]|&(?P<again>(?:amp;)*)(?:{_ENTITY});)"
    rf"(?=(?P<gap>[\s{_SLASHES}{_UNSEEN}]*)(?P<name>(?:{_LETTER}|[|{_UNSEEN}])+)"
    rf"(?P<longer>[-.:]{_LETTER})?(?P<end>[\s{_SLASHES}{_CLOSING_BRACKETS}]|\Z)?)"
)
_HIDDEN = compile_late(f"[{_UNSEEN}]")
_SLASH = compile_late(f"[{_SLASHES}]")
_CAPITALIZED = frozenset(name.capitalize() for name in TAGS)
_NOT_IN_VALUE = compile_late(rf"[&\"<>\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_UNSEEN}]")
_ATTRIBUTE = compile_late('(?<![a-z])([a-z]+)="([^"<>]*)"')
_OPENING = compile_late(
    rf"^<(?P<tag>{'|'.join(TAGS)})(?P<attributes>(?: {_ATTRIBUTE.pattern})*)>(?=\n)", re.MULTILINE
)
_ENTITY_IN_VALUE = compile_late("&(?:#x(?P<code>[0-9A-F]{1,5});|amp;|quot;|lt;|gt;)")
_NAMED = {"&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;"}
_CHARACTERS = {entity: character for character, entity in _NAMED.items()}


def write_block(tag: str, text: str, attributes: Mapping[str, str]) -> str:
    """``text`` between an opening and a closing ``tag``, each on a line of its own, with no line end after them.

    ``tag`` is one of ``TAGS``; attributes that are empty are left out. A line end is added to the text unless it has one.
    """
    return f"{open_tag(tag, attributes)}\n{block_content(text)}</{tag}>"


def block_content(text: str) -> str:
    """The content of a block, without the lines of its tags."""
    return escape(text) + ("" if not text or text.endswith("\n") else "\n")


def open_tag(tag: str, attributes: Mapping[str, str]) -> str:
    """The opening tag in one line, whatever stands in the values."""
    values = ((name, _escape_value(value)) for name, value in attributes.items() if value)
    return "".join((f"<{tag}", *(f' {name}="{value}"' for name, value in values), ">"))


class TaggedBlock(Struct, frozen=True):
    """A block as it was written; ``text`` ends with a line end unless it is empty."""

    tag: str
    attributes: Mapping[str, str]
    text: str


def read_blocks(text: str) -> Iterator[TaggedBlock]:
    """The blocks of a text, in their order; one that is never closed is none."""
    place = 0
    unclosed: set[str] = set()
    while found := _OPENING.search(text, place):
        place = found.end()
        if found["tag"] in unclosed:
            continue
        end = text.find(f"\n</{found['tag']}>", place)
        if end < 0:
            unclosed.add(found["tag"])
            continue
        attributes = {name: _unescape_value(value) for name, value in _ATTRIBUTE.findall(found["attributes"])}
        yield TaggedBlock(found["tag"], attributes, unescape(text[place + 1 : end + 1]))
        place = end + 1


def escape(text: str) -> str:
    """``text`` with nothing in it that reads as one of our tags, also to a model that is generous about spelling."""
    return _PERHAPS_TAG.sub(
        lambda found: _escape_bracket(found["open"]) if _is_tag(found) else found[0], text
    )


def unescape(text: str) -> str:
    """The text that ``escape`` was given."""
    return _PERHAPS_TAG.sub(lambda found: _unescape_bracket(found) if _is_tag(found) else found[0], text)


def _is_tag(found: re.Match[str]) -> bool:
    """Whether a bracket, with what follows it, reads as an opening or closing tag of ours."""
    name = found["name"]
    if found["longer"] is not None or _as_seen(name) not in TAGS:
        return False
    if _SLASH.search(found["gap"]):
        return True
    before = found.string[found.start() - 1 : found.start()]
    is_plain = found["open"] == "<" or found["open"].endswith("lt;")
    follows_name = not found["gap"] and (before.isalnum() or before == "_")
    is_type_argument = is_plain and follows_name and name in _CAPITALIZED
    return found["end"] is not None and not is_type_argument


def _as_seen(name: str) -> str:
    """``name`` as a reader may take it: without marks and what hides, in plain small letters."""
    if name.isascii() and name.isalpha() and "I" not in name:
        return name.lower()
    plain = _HIDDEN.sub("", unicodedata.normalize("NFKD", name))
    return plain.translate(AS_SEEN).casefold()


def _escape_bracket(bracket: str) -> str:
    if bracket.startswith("&"):
        return f"&amp;{bracket[1:]}"
    return "&lt;" if bracket == "<" else f"&#x{ord(bracket):X};"


def _unescape_bracket(found: re.Match[str]) -> str:
    bracket = found["open"]
    if not bracket.startswith("&"):
        return bracket
    if found["again"]:
        return f"&{bracket[5:]}"
    return "<" if bracket == "&lt;" else chr(int(bracket[3:-1], 16))


def _unescape_value(value: str) -> str:
    return _ENTITY_IN_VALUE.sub(
        lambda found: chr(int(found["code"], 16)) if found["code"] else _CHARACTERS[found[0]], value
    )


def _escape_value(value: str) -> str:
    return _NOT_IN_VALUE.sub(lambda found: _NAMED.get(found[0]) or f"&#x{ord(found[0]):X};", value)
