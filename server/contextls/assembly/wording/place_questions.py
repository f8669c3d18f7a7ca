"""Reads a question for a place that every project of a kind has, under words that it may have nowhere."""

from __future__ import annotations

import re
from enum import StrEnum

from msgspec import Struct

from contextls.regex import compile_cued


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
    RUN = "run"
    TESTS = "tests"
    DEPLOYMENT = "deployment"
    MIGRATIONS = "migrations"
    VERSION = "version"
    PORT = "port"
    TRANSLATIONS = "translations"


class AskedPlace(Struct, frozen=True):
    """The place that a question is about, and the table of which it wants the columns, or what it wants the version of."""

    place: Place
    thing: str = ""
    # The question goes on.
    more: bool = False


_END = r"\s*[?.!]*\s*$"
_PROGRAM = (
    r"(?:(?:an?|my|our|the|this)\s+)?(?:[a-z]+\s+)?(?:app|application|backend|binary|cli|daemon|execution|frontend|process"
    r"|program|project|server|service|tool|worker)"
)
_STARTS = compile_cued(
    r"(?:\b(?:what|where|which)(?:['’]s|\s+(?:are|is))\s+(?:(?:its|our|the)\s+)?(?:\w+\s+){0,2}?entry[- ]?points?\b"
    rf"(?:\s+(?:for|in|of|to)\s+{_PROGRAM})?"
    rf"|\bwhere\s+does\s+{_PROGRAM}\s+(?:begin|boot|start)(?:\s+up)?"
    rf"|\bhow\s+(?:does|is)\s+{_PROGRAM}\s+(?:boot|bootstrapped|launched|start|started)(?:\s+up)?"
    r"|\bwhat\s+(?:all\s+)?(?:(?:gets|is)\s+)?(?:called|done|executed|happens|initiali[sz]ed|loaded|runs?)\s+"
    r"(?:at|during|on|upon|when)\s+(?:(?:app|application|server|the)\s+)?(?:boot|launch|start)(?:[- ]?up)?"
    r"|\b(?:boot|start)[- ]?up\s+(?:code|flow|logic|order|process|routine|sequence))"
    rf"(?:,?\s+(?P<more>and\b[^\n]{{1,120}}+)$|{_END})",
    "start begin boot launch entry",
    re.IGNORECASE,
)
_TELL = r"^\W*(?>(?:(?:can you|give me|list|please|show me|tell me)\s+){0,2})"
_VARIABLES = compile_cued(
    rf"{_TELL}(?:(?:what|which)(?:['’]s|\s+are)?\s+)?(?:all\s+)?(?:the\s+)?env(?:ironment)?\s+var(?:iable)?s\b"
    r"(?:\s+(?:app|are|available|be|by|can|do|does|exist|for|here|i|is|it|may|must|need|needed|project|read|required|server"
    rf"|set|should|supported|the|there|this|to|use|used|we|you))*{_END}",
    "env",
    re.IGNORECASE,
)
_TABLES = compile_cued(
    rf"{_TELL}(?:(?:how|what|where|which)(?:['’]s|\s+(?:are|do|does|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?"
    r"(?:(?:database|db)\s+(?:schema|structure|tables)|tables\b[^\n]{0,30}?\b(?:database|db|schema))"
    rf"(?:\s+(?:are|contain|defined|does|exist|has|have|here|in|is|it|like|look|there|use|used|we))*{_END}",
    "database db tables",
    re.IGNORECASE,
)
_COLUMNS = compile_cued(
    r"\b(?:columns?|fields?)\s+(?:(?:are|do|does|has|have|in|of|on|we)\s+){0,3}(?:the\s+)?[`'\"]?(?P<thing>\w{2,60}+)[`'\"]?\s+"
    rf"(?:database\s+|db\s+)?table(?:\s+have|\s+has)?{_END}",
    "column field",
    re.IGNORECASE,
)
_ALL = rf"{_TELL}(?:(?:what|where|which)(?:['’]s|\s+(?:are|do|does|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?"
_EXIST = (
    r"(?:\s+(?:api|app|are|available|declared|defined|do|does|exist|has|have|here|in|is|it|offer|registered|server|the|there"
    rf"|this|we))*{_END}"
)
_ENDPOINTS = compile_cued(
    rf"{_ALL}(?:(?:(?:api|http|rest|web)\s+){{0,2}}endpoints|(?:api|http|rest)\s+routes)"
    r"(?:\s+(?:for|of)\s+(?:the\s+)?(?:[a-z]\w{1,30}\s+)?(?P<thing>[a-z][\w-]{1,40}+))?"
    rf"(?:{_EXIST}|,?\s+(?P<more>(?:and|incl|with)\b[^\n]{{1,120}}+)$)",
    "endpoints routes",
    re.IGNORECASE,
)
_ROUTES = compile_cued(rf"{_ALL}routes{_EXIST}", "routes", re.IGNORECASE)
_MODELS = compile_cued(
    rf"{_ALL}(?:(?:data(?:base)?|db)\s+)?(?:entities|models){_EXIST}", "models entities", re.IGNORECASE
)
_DEPENDENCIES = compile_cued(
    rf"{_TELL}(?:(?:what|where|which)(?:['’]s|\s+(?:are|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?(?:third[- ]party\s+)?"
    r"(?:dependencies|frameworks|libraries|tech(?:nology)?\s+stack)"
    r"(?:\s+(?:and|app|are|declared|defined|do|does|frameworks|have|here|in|is|it|libraries|listed|on|project|the|there|this|use"
    rf"|used|we))*{_END}",
    "dependencies frameworks libraries stack",
    re.IGNORECASE,
)
_CI = compile_cued(
    r"\b(?:what|how)\s+(?:does|is|runs?)\s+(?:(?:in|on)\s+)?(?:(?:our|the|this)\s+)?"
    r"(?:ci(?:/cd)?|continuous integration|github actions?)"
    r"(?:\s+(?:checks?|configured|do|doing|jobs?|organi[sz]ed|pipelines?|run|set|test|up|work|workflows?)){0,4}"
    rf"{_END}",
    "ci continuous actions action",
    re.IGNORECASE,
)
_LICENCE = compile_cued(
    r"^\W*(?:(?:under\s+)?(?:what|which)(?:['’]s|\s+is)?|how\s+is)\s+(?:(?:our|the|this|it)\s+)?(?:\w+\s+)?licen[cs]ed?\b"
    r"(?:\s+(?:app|are|code|do|does|for|have|here|is|it|library|of|our|project|published|released|repo|software|the|this"
    rf"|under|use|used|we))*{_END}",
    "licen",
    re.IGNORECASE,
)
_HOW_TO = (
    r"^\W*(?:(?:and|but|hi|ok|okay|so)\b\W*)?(?:what(?:['’]s|\s+is)\s+the\s+(?:best\s+)?(?:command|way)\s+to|which\s+command"
    r"|how\s+(?:do|does|can|could|should|would|to)(?:\s+(?:i|one|we|you))?)\s+"
)
_IT = (
    r"(?:\s+(?:all|and|app|application|backend|computer|dependencies|dev|development|docker|e2e|environment|for"
    r"|from|frontend|here|in|integration|it|laptop|local|locally|machine|mode|my|on|our|project|repo|repository|run|scratch"
    r"|server|site|source|start|the|thing|things|this|to|unit|up|website|with|work|working))*"
)
_RUN = compile_cued(
    rf"{_HOW_TO}(?:build|compile|install|launch|run|serve|set|setup|start){_IT}{_END}"
    rf"|{_HOW_TO}get\s+(?:it|(?:the|this)(?:\s+\w+)?)(?:\s+up\s+and)?\s+(?:running|working){_IT}{_END}",
    "build compile install launch run serve set start get",
    re.IGNORECASE,
)
_TESTS = compile_cued(
    rf"{_HOW_TO}(?:execute|launch|run|start){_IT}(?:\s+(?:a|any|single|some|specs|suite|test|tests))+{_IT}{_END}"
    rf"|\bhow\s+(?:are|is)\s+(?:all\s+)?(?:our\s+|the\s+)?tests?(?:\s+suite)?\s+(?:executed|run){_END}",
    "test spec suite",
    re.IGNORECASE,
)
_DEPLOYMENT = compile_cued(
    rf"{_HOW_TO}deploy{_IT}(?:\s+(?:production|prod))?{_END}"
    r"|\b(?:how|where)\s+(?:is|are|does)\s+(?:it|the\s+\w+|this(?:\s+\w+)?|we)\s+(?:being\s+|get\s+)?"
    rf"(?:deployed|hosted|packaged|released|shipped){_END}",
    "deploy host packaged released shipped",
    re.IGNORECASE,
)
_MIGRATION = r"(?:(?:a|an|new|the|our)\s+){0,2}(?:(?:database|db|schema|sql)\s+)?migrations?"
_MIGRATIONS = compile_cued(
    rf"{_HOW_TO}(?:add|apply|create|do|execute|generate|make|run|write)\s+{_MIGRATION}{_IT}{_END}"
    rf"|\bhow\s+(?:are|do|does|is)\s+{_MIGRATION}\s+(?:get\s+)?(?:applied|created|done|executed|handled|made|run|work){_END}",
    "migration",
    re.IGNORECASE,
)
_VERSION = compile_cued(
    r"\b(?:what|which)(?:['’]s|\s+is)?\s+(?:the\s+)?(?:(?:minimum|required|supported)\s+)?"
    r"(?:versions?\s+of\s+(?P<thing>[.\w#+-]{1,30}?)|(?P<other>[.\w#+-]{1,30}?)\s+versions?)"
    r"(?:\s+(?:app|are|can|do|does|for|here|i|is|it|minimum|must|need|needed|on|our|project|repo|require|required|run|running"
    rf"|should|support|supported|target|the|this|to|use|used|using|we|you))*{_END}",
    "version",
    re.IGNORECASE,
)
_PORT = compile_cued(
    r"\b(?:on\s+)?(?:what|which)(?:['’]s|\s+is)?\s+(?:(?:the|default|http)\s+)*ports?"
    r"(?:\s+(?:api|app|backend|bind|by|default|do|does|expose|exposed|is|it|listen|listening|on|open|project|run|running|serve"
    rf"|server|service|the|this|to|use|used|we))*{_END}",
    "port",
    re.IGNORECASE,
)
_TRANSLATIONS = compile_cued(
    r"^\W*(?:where|in\s+(?:what|which)\s+(?:file|files|folder))\s+(?:are|do|is)\s+(?:all\s+)?(?:(?:our|the|ui)\s+){0,2}"
    r"(?:i18n|l10n|language|locale|locali[sz]ation|translation)s?(?:\s+(?:catalogs?|files?|messages|strings))?"
    rf"(?:\s+(?:defined|kept|live|located|saved|stored))?{_END}",
    "i18n l10n language locale locali translation",
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
    (Place.TESTS, _TESTS),
    (Place.MIGRATIONS, _MIGRATIONS),
    (Place.DEPLOYMENT, _DEPLOYMENT),
    (Place.RUN, _RUN),
    (Place.VERSION, _VERSION),
    (Place.PORT, _PORT),
    (Place.TRANSLATIONS, _TRANSLATIONS),
)
_ONE_VARIABLE = compile_cued(
    r"\b(?:what|which)(?:['’]s\s+the|\s+is\s+the)?\s+env(?:ironment)?\s+var(?:iable)?s?\b",
    "env",
    re.IGNORECASE,
)


def asks_for_variable(question: str) -> bool:
    """Whether ``question`` wants an environment variable for something: "which env var sets the bitrate?"."""
    return _ONE_VARIABLE.search(question) is not None


def find_asked_place(question: str) -> AskedPlace | None:
    """The place that ``question`` is about; ``None`` where it is about something of this project."""
    for place, pattern in _PLACES:
        if asked := pattern.search(question):
            said = asked.groupdict()
            return AskedPlace(
                place, said.get("thing") or said.get("other") or "", more=bool(said.get("more"))
            )
    return None
