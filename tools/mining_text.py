"""What the prose around code says, cleaned: comments, docstrings, headings, names."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OPENERS = r"///?!?|//!?|/\*\*?!?|\*+/|\*+(?!/)|#+!?|--+ ?[|^]?|;+|\{- ?[|]?|%+|--\[=*\["
_MARKERS = re.compile(rf"(?m)^[ \t]*({_OPENERS})[ \t]?|[ \t]*(\*+/|-\}}|\]=*\])[ \t]*$")
_TAGS = (
    "param|return|returns|throws|see|since|author|type|example|ingroup|group|method|category|deprecated|internal|private|"
    "protected|public|api|memberof|function|name|class|static|const|property|readonly|default|template"
)
_HEADINGS = "Parameters|Returns|Args|Arguments|Raises|Examples?|Yields|Notes?|See Also|# Examples?"
_CUT = re.compile(
    rf"(?m)^\s*([@\\]({_TAGS})\b|:(param|returns?|type|raises|rtype|ivar)\b|({_HEADINGS})\s*:?\s*$|"
    r">>>|```|<p>|<pre|-{3,}|={3,})"
)
_LEAD = re.compile(r"^\s*[@\\](brief|summary|short|description|desc)\s+", re.MULTILINE)
_SKIP = re.compile(
    r"(?i)copyright|licen[sc]ed|spdx|all rights reserved|^\s*(todo|fixme|xxx|hack|eslint|jshint|istanbul|nolint|noqa|"
    r"pylint|type:|prettier|@ts-|clang-format|coverage|go:|\+build|region|endregion|see |inheritdoc|\{@inherit|"
    r"constructor\.?$|auto-?generated|deprecated)"
)


def prose(raw: str, *, limit: int = 40) -> str:
    """The first sentence of a comment or docstring, at most ``limit`` words; "" where it is not worth learning from."""
    text = _MARKERS.sub("", raw).strip().strip("\"'").strip()
    text = re.sub(r"</?(summary|remarks|para|c|code|see|b|i|em|tt|strong)\b([^>]*)>", _keep_reference, text)
    text = _LEAD.sub("", text)
    # GTK style: "name:", then a line "@parameter: ..." each, then the description.
    text = re.sub(r"\A\s*\w+:\s*\n(?=\s*(@\w+:|\n))|^\s*@\w+:.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\A\s*/?\bO\([^)]*\)/?\.?\s*", "", text)
    cut = _CUT.search(text)
    if cut:
        text = text[: cut.start()]
    text = text.strip().split("\n\n")[0]
    text = re.sub(r"\{@?\w+\s+([^}]*)\}", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r":\w+:`~?([^`]*)`", r"\1", text)
    text = re.sub(r"https?://\S+", "", text)
    text = re.sub(r"<[^>]{1,40}>", " ", text)
    text = re.sub(r"\s+", " ", text.replace("`", "")).strip()
    sentence = re.split(r"(?<=[a-z\d)\]'\"][.!?:])\s+(?=[A-Z(])", text, maxsplit=1)[0]
    words = sentence.split()
    letters = sum(c.isascii() and (c.isalpha() or c == " ") for c in sentence)
    if len(words) < 3 or letters < 0.75 * len(sentence) or _SKIP.search(sentence):
        return ""
    return " ".join(words[:limit])


def _keep_reference(found: re.Match[str]) -> str:
    reference = re.search(r'(?:cref|langword)="(?:\w:)?([^"]*)"', found.group(2) or "")
    return reference.group(1) if reference else " "


def plain_name(name: str) -> str:
    """The last part of a qualified name, lower-cased, letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.rpartition(".")[2].lower())


def sections(path: str, source: str, suffix: str) -> Iterator[dict[str, str]]:
    """Heading -> section of Markdown and reStructuredText, the headings above it included."""
    if re.search(r"(?i)licen[cs]e|changelog|changes|news|history|authors|contribut", path):
        return
    trail: list[tuple[int, str]] = []
    for level, title, body in _markdown(source) if suffix != ".rst" else _restructured(source):
        trail = [entry for entry in trail if entry[0] < level] + [(level, title)]
        heading = " ".join(text for _, text in trail[-2:])
        if len(body) > 150 and 1 < len(heading.split()) < 20:
            yield {
                "kind": "section",
                "language": "prose",
                "path": path,
                "name": "",
                "doc": heading,
                "body": body[:3000],
            }


def _markdown(source: str) -> Iterator[tuple[int, str, str]]:
    pieces = re.split(r"(?m)^(#{1,6})[ \t]+(.+?)[ \t#]*$", source)
    for marks, title, body in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        yield len(marks), re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*_]", r"\1", title), body.strip()


def _restructured(source: str) -> Iterator[tuple[int, str, str]]:
    order: list[str] = []
    pieces = re.split(r"(?m)^([^\s.].{2,100})\n([=\-~^\"'#*+]{3,})$", source)
    for title, rule, body in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        if rule[0] not in order:
            order.append(rule[0])
        yield order.index(rule[0]), re.sub(r":\w+:`~?([^`]*)`|[`*]", r"\1", title).strip(), body.strip()
