"""Finds the value given to a name, in any form that code, configuration, markup, shells and prose have for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from contextls.regex import compile_late
from contextls.text.secrets.enclosed import (
    UNQUOTED,
    Place,
    ends_method,
    is_alone,
    method_value_place,
    places_assigned,
    places_behind,
    unquoted_value,
)
from contextls.text.secrets.lookups import is_constant, is_lookup, is_machine_made
from contextls.text.secrets.randomness import is_words

_MAX_VALUE_CHARS = 4_000

SCHEME = compile_late(
    r"(?:Bearer|Basic|Token|Api-?Key|SSWS|OAuth|Bot|Splunk|GenieKey|Key|Digest|Negotiate"
    r"|Zoho-oauthtoken)(?:[ \t]+|=)",
    re.IGNORECASE,
)

# Between a name and its value. Bounded and possessive, so that no text takes more than a glance at each name.
_CLOSED = r"(?>(?: {0,5}\\?[\"'`])?)[\])]{0,2}+(?>(?:\[\d{0,6}\])?)[?!]?+(?>(?:\*\*|__|`)?)"
_ASSIGN = compile_late(
    rf"{_CLOSED}[ \t]{{0,40}}+(?P<op>\|\|=?|\?\?=?|\?:|or\b|=>|:=|:-|={{1,3}}|!==?|=~|\?=|\+=|->|→"
    rf"|:{{1,2}}|\|)"
    # The tag and the anchor of YAML; "&str =" is a type.
    r"(?>(?:\*\*|__)?)[ \t]{0,40}+(?>(?:(?:!{1,2}[\w:]{2,20}|&(?!mut\b|dyn\b)[\w-]{1,40})[ \t]+(?![=|])){0,2})"
)
_FARTHEST_DEFAULT = 100
_DEFAULT = compile_late(r"[^\n]{0,80}?(?:default|fallback|getOrElse|unwrap_or|orElse|or_else)\(\s?(?=[\"'])")
_WRAPPER = compile_late(
    r"(?>(?:(?:new[ \t]+)?[\w.:$<>!&*-]{0,50}\(\s{0,40}|\\?\r?\n[ \t]{0,40}|!{1,2}\w{2,20}[ \t]+"
    r"|ConvertTo-SecureString[ \t]+(?:-\w+[ \t]+)?){1,3})",
    re.IGNORECASE,
)
_TYPED = compile_late(r"[\w.<>\[\]|?&,'* ]{1,80}?=[ \t]{0,4}(?:[\w.:]{0,40}\()?")
_TYPE_BEFORE = compile_late(r"[ \t]+(?:As[ \t]+)?[\w.*\[\]()]{2,30}[ \t]*:?=[ \t]*")
_BLOCK = compile_late(r"[|>][+-]?\d?[ \t]*\r?\n[ \t]+")
_CONTINUED = compile_late(r"\\\r?\n[ \t]{0,40}")
_CALL = compile_late(r"\(\s{0,20}(?:new[ \t]+[\w.]{1,40}\()?")
# Behind the quote that closes a text: the text is a key, and what follows is its value.
_OF_A_KEY = compile_late(r"\\?[\"'`]\s{0,20}(?::(?!:)|=>)")
_ARGUMENT = compile_late(r"\\?[\"'`]\s{0,20},\s{0,20}(?:default\s{0,4}[=:]\s{0,4})?")
_PAIR = compile_late(
    r"(?:\\?[\"'`])?(?:[ \t]*[,;]|\s{1,4}\{(?:\s{1,20}\w{1,20}\s{1,10}=[^\n\"]{0,60}){0,3})?\s{0"
    r",40}(?:\w{1,12}:)?\\?[\"']?"
    r"(?:value|default|content|string)\\?[\"']?[ \t]*[:=][ \t]*",
    re.IGNORECASE,
)
_ATTRIBUTES = compile_late(
    r"[\"'](?:\s{1,20}[\w:-]{1,40}=(?:\"[^\"]{0,80}\"|'[^']{0,80}')){0,3}\s{1,20}(?:\w{1,20}:)?(?:va"
    r"lue|content|default)\s?=\s?",
    re.IGNORECASE,
)
_TAG = compile_late(
    r"(?:[\"']?(?:\s[^<>\n]{0,100})?>|(?=</))(?:</\w{1,30}>)?\s{0,40}(?:<(?:string"
    r"|value)>)?(?:<!\[CDATA\[\s{0,40}(?P<data>(?>(?:[^<>\s\]]|\](?!\]>)){4,4000}))\s{0,40}\]\]>\s{0,40}"
    r"|(?P<text>[^<>\s]{4,4000}+)(?P<space>\s{0,40}))</",
    re.IGNORECASE,
)
_SPACE = compile_late(r"(?:\\?[\"'`])?[ \t]{1,20}(?:(?:--plaintext|--iscrypted|--body|--value|BY|=)[ \t]+)?")
_PROSE = compile_late(
    r"(?:[ \t](?:for|of)[ \t][\w@.-]{1,40})?(?:[ \t](?:is|was|are|will be|set to|changed to)"
    r"|[ \t]?:)(?:[ \t]?:)?[ \t]{1,4}(?:now )?"
)
_OPENING = compile_late(r"(?:[a-zA-Z]{1,2}(?=[\"'])|@|\$@?|r#{1,3})?(?P<quote>\"\"\"|'''|\\?[\"'`])|%?q[({]")
# Behind these a value comes, and no text to show: not a comparison, a match, a cell of a table.
_GIVES = frozenset(["=", ":", ":=", "=>", "?=", "||", "||=", "??", "??=", "?:", "or", ":-"])
# Not those of a shell's substitution, nor of a docstring.
_QUOTES_OF_WORDS = ("'", '"')
_PHRASE = compile_late(r"\S{1,160}+(?>(?: {1,3}\S{1,160}+){1,40})")
# An operator or a call that makes another text of what stands before it; not "./run" and "&& run" of a shell.
_JOINED = compile_late(r"[ \t]{0,9}(?:[+%\[]|\.[\s\w(.]|&(?!&)|\|>|<[<>])")
# Names may follow one another closely, each with all that follows: more is read only of a value that is a secret.
READ_OF_A_VALUE = 160
# An ampersand ends it in a query, where another name follows, and in code.
_BARE = compile_late(
    r"(?=[^\s\"'`<>,;(){}\[\]|\\]{4})[^\s\"'`<>,;(){}\[\]|&\\]{1,160}+"
    r"(?>(?:&(?![\w.%-]{0,40}=|&)[^\s\"'`<>,;(){}\[\]|&\\]{1,160}+){0,4})"
)
_REST_OF_BARE = compile_late(r"[^\s\"'`<>,;(){}\[\]|&\\]{0,3840}+")
_LINE_VALUE = compile_late(r"[^\s\"'`]{4,4000}+(?=[ \t]*(?:\r?\n|$|\\\r?\n|[ \t]#))")
_LINE_HEAD = compile_late(
    r"[\s>*+|•:-]*+(?>(?P<command>(?:export|set|setx|setenv|local|readonly|declare(?: -\w+)?|ENV|ARG"
    r"|env|\$env:|-e|--env)[ \t]+)?)[\"']?",
    re.IGNORECASE,
)
_AFTER_WORD = frozenset(["", *" \"';\n\r\t\\"])
_BEFORE_WORD = frozenset(" \"';\n\t")
# A command that sets what is named next.
_SETTERS = ("set", "put", "add", "config")
_SETTING = compile_late(r"\b(?:set|put|add|config|configure)[ \t]+(?:-{1,2}\w+[ \t]+)*\S{0,80}$")


class Reading(NamedTuple):
    """A value as it may be read from a text, from ``start`` to ``end``.

    It is ``lenient`` where nothing but a value can be at that place, so that less is asked of it to count as a secret.
    """

    start: int
    end: int
    lenient: bool
    quoted: bool


def readings(text: str, start: int, stop: int) -> Iterator[Reading]:
    """All ways to read a value after a name."""
    flag = text[start : start + 1] == "-" or text[start - 2 : start] == " /"
    assign = _ASSIGN.match(text, stop)
    if assign:
        yield from _read_assigned(text, start, assign, flag=flag)
        yield from _read_around(text, stop, assign)
        return
    after = text[stop : stop + 1]
    quoted = after in "\"'`\\"
    if not quoted and (places := places_behind(text, start, stop)):
        yield from _read_enclosed(text, places)
    if after == "(" and (call := _CALL.match(text, stop)):
        called = _read_quoted(text, call.end())
        yield from _machine_made(text, called) if is_constant(text[start:stop]) else called
    if quoted:
        if (match := _ARGUMENT.match(text, stop)) is not None:
            for reading in _read_quoted(text, match.end()):
                if not _OF_A_KEY.match(text, reading.end):
                    yield reading
        if (match := _ATTRIBUTES.match(text, stop)) is not None:
            yield from _read_quoted(text, match.end())
    if quoted or after in "<>" or text[start - 1 : start] in "<:":
        yield from _read_tag(text, start, stop)
    if (quoted or after in "\n\r") and (pair := _PAIR.match(text, stop)) is not None:
        yield from _any_value(text, pair.end(), lenient=True)
    if not after.isspace() and not quoted:
        return
    yield from _read_spaced(text, start, stop, flag=flag)


def _read_around(text: str, stop: int, assign: re.Match[str]) -> Iterator[Reading]:
    """Ways to read a value that more than a sign of assignment separates from its name."""
    if places := places_assigned(text, assign.end(), assign["op"]):
        yield from _read_enclosed(text, places)
    sign = text[stop]
    if sign not in "=:" and (pair := _PAIR.match(text, stop)) is not None:
        yield from _any_value(text, pair.end(), lenient=True)
    if sign != "=" and (prose := _PROSE.match(text, stop)) is not None:
        yield from _any_value(text, prose.end(), lenient=False)


def _read_enclosed(text: str, places: Iterable[Place]) -> Iterator[Reading]:
    for at, alone in places:
        for reading in _read_quoted(text, at):
            if not alone or is_alone(text, reading.end):
                yield reading


def _read_tag(text: str, start: int, stop: int) -> Iterator[Reading]:
    """The content of an element, in its line or on a line of its own."""
    tag = _TAG.match(text, stop)
    if tag is None:
        return
    if tag["data"]:
        yield Reading(*tag.span("data"), lenient=True, quoted=True)
    # What stands between two elements, or the label of a field.
    elif not (tag["space"] and (text[start - 1 : start] == "/" or tag["text"].rstrip("*:?!").isalpha())):
        yield Reading(*tag.span("text"), lenient=True, quoted=True)


def _read_spaced(text: str, start: int, stop: int, *, flag: bool) -> Iterator[Reading]:
    """Ways to read a value that nothing but blanks or words separate from its name."""
    if text.endswith("def ", 0, start) and (method := method_value_place(text, stop)) is not None:
        yield from (found for found in _read_quoted(text, method) if ends_method(text, found.end))
    if (typed := _TYPE_BEFORE.match(text, stop)) is not None:
        yield from _read_quoted(text, typed.end())
    if (prose := _PROSE.match(text, stop)) is not None:
        yield from _any_value(text, prose.end(), lenient=False)
    if (space := _SPACE.match(text, stop)) is not None:
        # "pass" is a verb more often than a name.
        if text[start:stop].lower() != "pass" or _is_set(text, start):
            for found in _read_quoted(text, space.end(), plain=True):
                yield found._replace(lenient=found.lenient and (flag or _is_command(text, start)))
        for found in _bare(text, space.end(), lenient=False):
            lenient = flag or _is_command(text, start)
            if lenient or _line_head(text, start) is not None:
                yield found._replace(lenient=lenient)


def _read_assigned(text: str, start: int, assign: re.Match[str], *, flag: bool) -> Iterator[Reading]:
    """Ways to read a value after a sign of assignment."""
    at, op = assign.end(), assign["op"]
    if op == ":" and (typed := _TYPED.match(text, at)) is not None:
        yield from _read_quoted(text, typed.end(), plain=True)
    quoted = list(_read_quoted(text, at, plain=op in _GIVES))
    yield from quoted
    if (wrapper := _WRAPPER.match(text, at)) is not None and wrapper.end() > at:
        wrapped = _read_quoted(text, wrapper.end())
        yield from _machine_made(text, wrapped) if is_lookup(wrapper[0]) else wrapped
    if (default := _default(text, at)) is not None:
        yield from _read_quoted(text, default.end())
    first = text[at : at + 1]
    if first in "|>" and (block := _BLOCK.match(text, at)) is not None:
        yield from _whole_line(text, block.end())
    if first in UNQUOTED and (unquoted := unquoted_value(text, at, op)) is not None:
        yield Reading(*unquoted, lenient=True, quoted=True)
    if not quoted:
        yield from _read_bare(text, start, assign, flag=flag)


def _read_bare(text: str, start: int, assign: re.Match[str], *, flag: bool) -> Iterator[Reading]:
    """Ways to read a value without quotes after a sign of assignment."""
    at, op = assign.end(), assign["op"]
    query = start > 0 and text[start - 1] in "?&"
    head = _line_head(text, start)
    glued = assign.end() - assign.start() == len(op)
    if head is not None and op in {"=", ":", ":=", "?="} and (glued or op in {":", "?="} or head["command"]):
        yield from _whole_line(text, at)
    if head is not None and (continued := _CONTINUED.match(text, at)) is not None:
        for found in _whole_line(text, continued.end()):
            yield found._replace(lenient=glued or op == ":")
    scheme = SCHEME.match(text, at)
    lenient = flag or query or scheme is not None or op == ":-" or text[max(0, start - 2) : start] == "${"
    for found in _bare(text, scheme.end() if scheme else at, lenient=lenient):
        begin, end, *_ = found
        # As in a shell or a connection string: nothing around it but blanks, quotes, semicolons.
        alone = glued and op == "=" and text[end : end + 1] in _AFTER_WORD and not is_words(text[begin:end])
        before = text[start - 1 : start]
        yield found._replace(lenient=lenient or (alone and (not before or before in _BEFORE_WORD)))


def _default(text: str, at: int) -> re.Match[str] | None:
    end = text.find("(", at, at + _FARTHEST_DEFAULT)
    return _DEFAULT.match(text, at) if end >= 0 else None


def _line_head(text: str, start: int) -> re.Match[str] | None:
    """The line before the name, when that is nothing but space, marks and a command that sets variables."""
    line = text.rfind("\n", max(0, start - 120), start) + 1
    return _LINE_HEAD.fullmatch(text, max(line, start - 120), start)


def _is_command(text: str, start: int) -> bool:
    """Whether a command stands before the name that gives it a value."""
    head = _line_head(text, start)
    return (head is not None and bool(head["command"])) or _is_set(text, start)


def _is_set(text: str, start: int) -> bool:
    line = text.rfind("\n", max(0, start - 120), start) + 1
    before = text[max(line, start - 120) : start]
    return any(word in before for word in _SETTERS) and bool(_SETTING.search(before))


def _any_value(text: str, at: int, *, lenient: bool) -> Iterator[Reading]:
    found = list(_read_quoted(text, at, plain=lenient))
    yield from found or _bare(text, at, lenient=lenient)


def _read_quoted(text: str, at: int, *, plain: bool = False) -> Iterator[Reading]:
    """The value between quotes. Several words are read as lenient where a value of ``plain`` words can stand."""
    opening = _OPENING.match(text, at)
    if not opening:
        return
    begin, quote = opening.end(), opening["quote"]
    if quote is None:
        quote = ")" if opening[0].endswith("(") else "}"
    if (scheme := SCHEME.match(text, begin)) is not None:
        begin = scheme.end()
    end = _closing(text, begin, quote)
    piece = text[begin:end] if end > begin else ""
    # Undoing the escape of a quote leaves a blank before it.
    kept = piece.strip() if len(quote) == 3 else piece.rstrip(" ")
    if kept and not any(map(str.isspace, kept)):
        begin += piece.index(kept)
        yield Reading(begin, begin + len(kept), lenient=False, quoted=True)
    elif scheme is None and quote in _QUOTES_OF_WORDS and _is_whole_phrase(kept, text, end + 1):
        yield Reading(begin, begin + len(kept), lenient=plain, quoted=True)


def _machine_made(text: str, found: Iterable[Reading]) -> Iterator[Reading]:
    return (reading for reading in found if is_machine_made(text[reading.start : reading.end]))


def _is_whole_phrase(kept: str, text: str, behind: int) -> bool:
    """Whether words between quotes are a value of their own, and not a piece that code joins to others."""
    return len(kept) <= READ_OF_A_VALUE and bool(_PHRASE.fullmatch(kept)) and not _JOINED.match(text, behind)


def _closing(text: str, begin: int, quote: str) -> int:
    limit = begin + _MAX_VALUE_CHARS
    end = text.find(quote, begin, limit)
    while end > begin and quote == '"' and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1, limit)
    return end


def _bare(text: str, at: int, *, lenient: bool) -> Iterator[Reading]:
    if (match := _BARE.match(text, at)) is not None and text[match.end() : match.end() + 1] not in ("(", "["):
        yield Reading(*match.span(), lenient=lenient, quoted=False)


def end_of_long(text: str, at: int) -> int:
    """The end of a value that was read up to ``at``."""
    rest = _REST_OF_BARE.match(text, at)
    return rest.end() if rest else at


def _whole_line(text: str, at: int) -> Iterator[Reading]:
    if (match := _LINE_VALUE.match(text, at)) is not None and text[match.end() - 1] not in ",;({[":
        yield Reading(*match.span(), lenient=True, quoted=False)
