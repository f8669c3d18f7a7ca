"""Reads what a question asks about a name: where it is defined, who uses it, or what a change of it breaks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from contextls.assembly.wording.action_words import subject_words
from contextls.regex import compile_late

_ABOUT_USERS = compile_late(
    r"\bcallers?\b|\b(call|called|used)\s+(sites?|by)\b|\bus(ers|ages?|es)\s+of\b|\busages\b|\breferences?\s+to\b"
    r"|\b(who|what|which|where|everything|every|how many)\b[^?!\n]{0,60}"
    r"\b(calls?|uses?|used|rel(y|ies)|depends?|breaks?|bites?|affect(s|ed)?"
    r"|(has|have|needs?) to (be )?(adapt|adjust|change|fix|touch|update)(e?d)?"
    r"|must be (adapt|adjust|chang|updat)ed)\b"
    r"|\bwhere\b[^?!\n]{0,60}\b(called|invoked|referenced|imported|instantiated)\b"
    r"|\b(impact|renam(e|ing)|remov(e|ing)|delet(e|ing)|deprecat(e|ing)|signature)\b",
    re.IGNORECASE,
)
# "Which layout does CartView use?" asks for what CartView needs, and for no user of it.
_ABOUT_NEEDS = compile_late(
    r"\b(?:who|what|which|how many)\s+(?:(?!(?:breaks?|if|once|that|when|which|who)\b)[\w-]{1,30}\s+){0,4}"
    r"do(?:es)?\s+(?!not\b)(?:[a-z]{1,20}\s+){0,3}[`\"']?[\w.:$#\\>-]{1,100}(?:\(\))?[`\"']?"
    r"\s+(?:\w+ly\s+|still\s+|even\s+)?"
    r"(?:call|depend|derive|extend|implement|import|inherit|invoke|override|reference|rely|subclass|use)\b",
    re.IGNORECASE,
)
# What it is that is called so: "the setting HOME_REGION", "the HOME_REGION environment variable".
_KIND = (
    r"(?:actions?|config(?:uration)?|constants?|cookies?|env(?:ironment)?|errors?|events?|exceptions?|flags?|headers?|hooks?"
    r"|jobs?|keys?|messages?|options?|permissions?|settings?|signals?)"
)
# What is asked of a name that may be a variable, a setting or an event: each place that has it.
_USED_SO = compile_late(
    rf"\b(?P<where>where\s+(?:is|are)\s+(?:(?:the\s+)?{_KIND}\s+(?:variable\s+)?)?[`\"']?"
    r"(?=[\w.:$]*(?:[a-z0-9][A-Z]|\w_\w|::|[A-Z]{3}))[\w.:$]{1,100}(?:\(\))?[`\"']?)"
    r"\s+(?:assigned|caught|checked|created|dispatched|emitted|handled|initiali[sz]ed|passed|raised|read|registered|returned"
    r"|scheduled|set|started|thrown|triggered|written)\b",
)
_ABOUT_HEIRS = compile_late(
    r"\b(who|what|which|where|list|all|every|everything|anything)\b[^?!\n]{0,60}"
    r"\b(implements?|extends?|inherits?|subclass(es)?|derives?|overrides?|conforms?)\b"
    r"|\b(implementations?|implement[eo]rs?|subclasses|subtypes)\s+of\b",
    re.IGNORECASE,
)
_ABOUT_CHANGE = compile_late(
    r"\b(breaks?|bites?|affect(s|ed)?|impact|adapt|adjust|chang(es?|ed|ing)|touch|becomes?|signature"
    r"|renam(e|ing)|remov(e|ing)|delet(e|ing)|deprecat(e|ing)|add(s|ing)?)\b",
    re.IGNORECASE,
)
_DEFINED = compile_late(
    r"\bwhere\b[^?!\n]{0,60}\b(defined|declared|implemented)\b|\bdefinitions? of\b", re.IGNORECASE
)
# "Remove `parse` from Reader" is about the method alone.
_MEMBER_OF = compile_late(
    r"(?<![\w$])(?P<member>[\w$]{1,100}+)(?:\(\))?[`'\"]?\s{1,9}(?:from|of|in|on)\s{1,9}(?:the\s{1,9})?(?:[a-z]{1,20}\s{1,9})?"
    r"[`'\"]?(?P<owner>[\w$]{1,100}+)"
    r"|(?<![\w$])(?P<of>[\w$]{1,100}+)['’]s\s{1,9}[`'\"]?(?P<its>[\w$]{1,100}+)"
)
# What follows such words and a name says how that is to change: "what breaks if parse_header raises …?"
_CHANGED = compile_late(
    r"\b(?:breaks?|broken|(?:affect|impact)(?:s|ed)?)\b[^.?!\n]{0,30}\b(?:if|when|once)\b[^.?!\n]{0,30}$",
    re.IGNORECASE,
)
_LISTING = compile_late(
    r"^\s*(?:please\s+)?(?:list|find|give|show)\s+(?:me\s+)?(?:all|every)\b", re.IGNORECASE
)
_KIND_BEFORE = compile_late(rf"(?:\b{_KIND}\s{{1,3}}(?:variables?\s{{1,3}})?){{1,3}}[`'\"]?$", re.IGNORECASE)
_KIND_BEHIND = compile_late(rf"^(?:\(\))?[`'\"]?(?:\s{{1,3}}{_KIND}\b){{1,3}}", re.IGNORECASE)
# "Rename `load` to `read`", "if `load` is renamed to `read`".
_RENAMING = compile_late(r"\brenam(?:e[ds]?|ing)\b", re.IGNORECASE)
_RENAMES = compile_late(r"\brenam(?:e|ing)\b[^.?!\n]{0,30}$", re.IGNORECASE)
_NEW_NAME = compile_late(
    r"(?:\(\))?[`'\"]?(?P<renamed>[^.?!\n]{0,30}?\srenamed)?\s{1,3}(?P<to>(?:in)?to\s{1,3}[`'\"]?(?P<new>[\w$.:#]{1,100}+))",
    re.IGNORECASE,
)
_SENTENCE_END = compile_late(r"[?!\n]|\.(?:\s|$)")
_WHERE_IS = compile_late(r"\bwhere(?: is| are|['’]s)\b", re.IGNORECASE)
_CLOSING = " ?!.()`'\""


def asks_for_users(text: str) -> bool:
    """Whether a question is about who uses, implements or extends what it names, or what a change of that breaks."""
    text = _ABOUT_NEEDS.sub(" ", text)
    return any(pattern.search(text) for pattern in (_ABOUT_USERS, _ABOUT_HEIRS, _USED_SO))


def asks_for_calls(text: str) -> bool:
    """Whether a question is about the places that use what it names, and not only about what is based on it."""
    text = _ABOUT_NEEDS.sub(" ", text)
    return bool(_ABOUT_USERS.search(text) or _USED_SO.search(text))


def asks_for_overriding(text: str) -> bool:
    """Whether overriding members matter to a question: to one about a change they do, to one about calls they do not."""
    return bool(_ABOUT_CHANGE.search(text) or _ABOUT_HEIRS.search(text))


def asks_for_change(text: str) -> bool:
    """Whether a question is about a change of what it names."""
    return _ABOUT_CHANGE.search(text) is not None


def asks_to_rename(text: str) -> bool:
    """Whether something is to be called otherwise."""
    return _RENAMING.search(text) is not None


def find_members_of(text: str) -> Iterator[tuple[str, str]]:
    """The pairs of a member and its type that a text may name: "remove `parse` from Reader"."""
    for found in _MEMBER_OF.finditer(text):
        yield found["member"] or found["its"], found["owner"] or found["of"]


def asks_for_definition(text: str, names: Iterable[str]) -> bool:
    """Whether a question asks where one of ``names`` is defined: "where is Cart?", "where is Cart implemented?"."""
    ends_with_name = text.rstrip(_CLOSING).endswith(tuple(names))
    return bool(_DEFINED.search(text) or (ends_with_name and _WHERE_IS.search(text)))


def speaks_of_names_alone(text: str, names: Iterable[str]) -> bool:
    """Whether a text asks for nothing but ``names``, as "who calls parse_header?" does."""
    text = _USED_SO.sub(r"\g<where>", _LISTING.sub("", text))
    new = _find_new_name(text, names := list(names))
    text = text if new is None else text[: new.start("to")] + text[new.end("to") :]
    for name in sorted(names, key=len, reverse=True):
        text = _without_kind(_without_change(text, name), name).replace(name, " ")
    return not subject_words(text)


def without_new_name(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """``names`` without the one that another is to be renamed to."""
    found = _find_new_name(text, names)
    return tuple(name for name in names if found is None or name != found["new"].rstrip(".:"))


def _find_new_name(text: str, names: Collection[str]) -> re.Match[str] | None:
    """The end of the phrase in a text that one of ``names`` is to be renamed ``to``."""
    for old in names:
        start = text.find(old)
        found = _NEW_NAME.match(text, start + len(old)) if start >= 0 else None
        if found and (found["renamed"] or _RENAMES.search(text[:start])):
            return found
    return None


def _without_kind(text: str, name: str) -> str:
    """A text without the words next to ``name`` that say what kind of thing it is."""
    before, _, after = text.partition(name)
    return f"{_KIND_BEFORE.sub(' ', before)}{name}{_KIND_BEHIND.sub(' ', after)}" if name in text else text


def _without_change(text: str, name: str) -> str:
    """A text that asks what a change of ``name`` breaks, without what the change is."""
    before, _, after = text.partition(name)
    if not _CHANGED.search(before):
        return text
    end = _SENTENCE_END.search(after)
    return before + name + (after[end.start() :] if end else "")
