"""Reads a question for a place that every project of a kind has, under words that it may have nowhere."""

from __future__ import annotations

import re
from enum import StrEnum

from msgspec import Struct

from contextls.regex import compile_late


class Place(StrEnum):
    """A place that a question may be about: where a program starts, the variables that it reads, and so on."""

    START = "start"
    VARIABLES = "variables"
    TABLES = "tables"
    COLUMNS = "columns"
    MODELS = "models"
    ENDPOINTS = "endpoints"
    ROUTES = "routes"
    DEPENDENCIES = "dependencies"
    CI = "ci"
    LICENCE = "licence"


class AskedPlace(Struct, frozen=True):
    """The place that a question is about, and the table of which it wants the columns."""

    place: Place
    table: str = ""


_END = r"\s*[?.!]*\s*$"
_PROGRAM = (
    r"(?:(?:an?|my|our|the|this)\s+)?(?:[a-z]+\s+)?(?:app|application|backend|binary|cli|daemon|execution|frontend|process"
    r"|program|project|server|service|tool|worker)"
)
_STARTS = compile_late(
    r"\b(?:what|where|which)(?:['’]s|\s+(?:are|is))\s+(?:(?:its|our|the)\s+)?(?:\w+\s+){0,2}?entry[- ]?points?\b"
    rf"(?:\s+(?:for|in|of|to)\s+{_PROGRAM})?{_END}"
    rf"|\bwhere\s+does\s+{_PROGRAM}\s+(?:begin|boot|start)(?:\s+up)?{_END}"
    rf"|\bhow\s+(?:does|is)\s+{_PROGRAM}\s+(?:boot|bootstrapped|launched|start|started)(?:\s+up)?{_END}"
    r"|\bwhat\s+(?:all\s+)?(?:(?:gets|is)\s+)?(?:called|done|executed|happens|initiali[sz]ed|loaded|runs?)\s+"
    r"(?:at|during|on|upon|when)\s+(?:(?:app|application|server|the)\s+)?(?:boot|launch|start)(?:[- ]?up)?"
    rf"{_END}|\b(?:boot|start)[- ]?up\s+(?:code|flow|logic|order|process|routine|sequence){_END}",
    re.IGNORECASE,
)
_TELL = r"^\W*(?:(?:can you|give me|list|please|show me|tell me)\s+){0,2}+"
_VARIABLES = compile_late(
    rf"{_TELL}(?:(?:what|which)(?:['’]s|\s+are)?\s+)?(?:all\s+)?(?:the\s+)?env(?:ironment)?\s+var(?:iable)?s\b"
    r"(?:\s+(?:app|are|available|be|by|can|do|does|exist|for|here|i|is|it|may|must|need|needed|project|read|required|server"
    rf"|set|should|supported|the|there|this|to|use|used|we|you))*{_END}",
    re.IGNORECASE,
)
_TABLES = compile_late(
    rf"{_TELL}(?:(?:how|what|where|which)(?:['’]s|\s+(?:are|do|does|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?"
    r"(?:(?:database|db)\s+(?:schema|structure|tables)|tables\b[^\n]{0,30}?\b(?:database|db|schema))"
    rf"(?:\s+(?:are|contain|defined|does|exist|has|have|here|in|is|it|like|look|there|use|used|we))*{_END}",
    re.IGNORECASE,
)
_COLUMNS = compile_late(
    r"\b(?:columns?|fields?)\s+(?:(?:are|do|does|has|have|in|of|on|we)\s+){0,3}(?:the\s+)?[`'\"]?(?P<table>\w{2,60}+)[`'\"]?\s+"
    rf"(?:database\s+|db\s+)?table(?:\s+have|\s+has)?{_END}",
    re.IGNORECASE,
)
_ALL = rf"{_TELL}(?:(?:what|where|which)(?:['’]s|\s+(?:are|do|does|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?"
_EXIST = (
    r"(?:\s+(?:api|app|are|available|declared|defined|do|does|exist|has|have|here|in|is|it|offer|registered|server|the|there"
    rf"|this|we))*{_END}"
)
_ENDPOINTS = compile_late(
    rf"{_ALL}(?:(?:(?:api|http|rest|web)\s+){{0,2}}endpoints|(?:api|http|rest)\s+routes){_EXIST}",
    re.IGNORECASE,
)
_ROUTES = compile_late(rf"{_ALL}routes{_EXIST}", re.IGNORECASE)
_MODELS = compile_late(rf"{_ALL}(?:(?:data(?:base)?|db)\s+)?(?:entities|models){_EXIST}", re.IGNORECASE)
_DEPENDENCIES = compile_late(
    rf"{_TELL}(?:(?:what|where|which)(?:['’]s|\s+(?:are|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?(?:third[- ]party\s+)?"
    r"(?:dependencies|frameworks|libraries|tech(?:nology)?\s+stack)"
    r"(?:\s+(?:and|app|are|declared|defined|do|does|frameworks|have|here|in|is|it|libraries|listed|on|project|the|there|this|use"
    rf"|used|we))*{_END}",
    re.IGNORECASE,
)
_CI = compile_late(
    r"\b(?:what|how)\s+(?:does|is|runs?)\s+(?:(?:in|on)\s+)?(?:(?:our|the|this)\s+)?"
    r"(?:ci(?:/cd)?|continuous integration|github actions?)"
    r"(?:\s+(?:checks?|configured|do|doing|jobs?|organi[sz]ed|pipelines?|run|set|test|up|work|workflows?)){0,4}"
    rf"{_END}",
    re.IGNORECASE,
)
_LICENCE = compile_late(
    r"^\W*(?:(?:under\s+)?(?:what|which)(?:['’]s|\s+is)?|how\s+is)\s+(?:(?:our|the|this|it)\s+)?(?:\w+\s+)?licen[cs]ed?\b"
    r"(?:\s+(?:app|are|code|do|does|for|have|here|is|it|library|of|our|project|published|released|repo|software|the|this"
    rf"|under|use|used|we))*{_END}",
    re.IGNORECASE,
)
_PLACES = (
    (Place.START, _STARTS),
    (Place.VARIABLES, _VARIABLES),
    (Place.TABLES, _TABLES),
    (Place.COLUMNS, _COLUMNS),
    (Place.MODELS, _MODELS),
    (Place.ENDPOINTS, _ENDPOINTS),
    (Place.ROUTES, _ROUTES),
    (Place.DEPENDENCIES, _DEPENDENCIES),
    (Place.CI, _CI),
    (Place.LICENCE, _LICENCE),
)


def find_asked_place(question: str) -> AskedPlace | None:
    """The place that ``question`` is about; ``None`` where it is about something of this project."""
    for place, pattern in _PLACES:
        if asked := pattern.search(question):
            return AskedPlace(place, asked.groupdict().get("table") or "")
    return None
