"""Read the titles of documents: a heading as people read it."""

from __future__ import annotations

from contextls.regex import compile_late

MAX_NAME_CHARS = 120
_PAIRS = frozenset({("'", "'"), ('"', '"'), ("`", "`"), ("<", ">")})

_LINK = compile_late(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_IMAGE = compile_late(r"<img\b[^<>]*?\balt=[\"']([^\"'<>]*)[\"'][^<>]*>")
# As Hugo, Pandoc, kramdown and Docusaurus write it; only at the end of a line, after a title.
_ANCHOR = compile_late(r"(?<=\S) ?\{(?:/\*[^{}]*\*/|:? ?[#.][\w-][^{}]*)\}$")
_TAG = compile_late(r"</?(?:a|b|br|code|em|i|img|kbd|picture|source|span|strong|sub|sup)\b[^<>]*>")


def read_title(text: str) -> str:
    """A line as it is read: without its anchor and the addresses of links and pictures, unless nothing else is left."""
    written = without_anchor(" ".join(text.split()))
    # A badge is a picture in a link.
    bare = _LINK.sub(r"\1", _LINK.sub(r"\1", _TAG.sub("", _IMAGE.sub(r"\1", written))))
    return _without_quotes(" ".join(bare.split()) or written)[:MAX_NAME_CHARS]


def last_title(symbol: str) -> str:
    """The title of a section itself, without those of the sections around it, from the symbol of a chunk."""
    return symbol.rpartition(" > ")[2]


def without_anchor(heading: str) -> str:
    """A heading without the name for links that stands after it: ``{#name}``, ``{: .class}``, ``{/* #name */}``."""
    return _ANCHOR.sub("", heading)


def _without_quotes(title: str) -> str:
    """``title`` without the quotes around the whole of it; those around a part of it stay, however it begins or ends."""
    while len(title) > 2 and (pair := (title[0], title[-1])) in _PAIRS and not {*pair} & {*title[1:-1]}:
        title = title[1:-1].strip()
    return title
