"""The words of a question that only ask to be told: "walk me through …", "how does … work?"."""

from __future__ import annotations

import re

from contextls.memory.index.terms import STOP_WORDS
from contextls.regex import compile_late

_POLITE = r"(?>(?:(?:please|kindly|hi|hello|hey|ok|okay|so|now|just|briefly|quickly)\b[,!.]?\s+)*)"
_WANT = r"i(?:['’]d\s+like|\s+would\s+like|\s+want|\s+need|['’]m\s+trying|\s+am\s+trying)\s+"
_YOU = rf"(?:(?:can|could|would|will)\s+(?:you|someone|anyone|anybody)\s+|{_WANT}you\s+to\s+)"
_OVERVIEW = r"(?:overview|summary|explanation|description|tour|walk-?through|rundown|breakdown|introduction)"
_TELL_ME = (
    r"(?:show|tell|teach|remind)\s+(?:me|us)(?>(?:\s+(?:again|about))*)"
    r"|(?:walk|talk|guide|take|run)\s+(?:me|us)\s+through"
    r"|help\s+(?:me|us)\s+(?:to\s+)?(?:understand|learn|see|find(?:\s+out)?|figure\s+out)"
    rf"|(?:give|write)\s+(?:(?:me|us)\s+)?(?:an?|the|some)\s+(?:[a-z-]+\s+){{0,2}}?{_OVERVIEW}\s+(?:of|about|on)"
)
# "Write tests for Request" is about tests for Request, and not about what is written.
_WRITE = (
    r"(?:write|add|create|make|generate)(?:\s+(?:me|us))?(?:\s+(?:an?|some|more|the|missing))?"
    r"(?=\s+(?:(?:unit|integration|regression|new)\s+)?(?:test|spec)s?(?:\s+cases?)?\s+(?:for|of)\s+(?!(?:this|that|it|these|those|them)\b)\S+\s*$)"
)
# "explain analyze" and "describe table" may be about commands.
_EXPLAIN = (
    r"(?:explain|describe|clarify|outline|summari[sz]e)(?:\s+(?:to|for)\s+(?:me|us))?"
    r"(?=\s+(?:how|what|why|when|where|which|who|whether|the|an?|this|that|these|those|our|my|its|all|every|each)\b"
    r"|(?:\s+\S+){2}|\s+\S*[`_.:(])"
)
_FRAMING = compile_late(
    rf"\s*+{_POLITE}(?:(?>{_YOU}?){_POLITE}(?:{_TELL_ME}|{_WRITE}|{_EXPLAIN})|{_WANT}to\s+(?:understand|learn|know))\s+(?=\S)",
    re.IGNORECASE,
)
# "How does routing work?" is about routing.
_WORKS = compile_late(
    r"(?<=\s)(?<!\bof\s)(?<!\bthe\s)(?<!\ba\s)(?<!\bat\s)(?<!\bto\s)works?"
    r"(?:\s+(?:exactly|here|internally|in\s+detail|under\s+the\s+hood))?\s*[.!?]*\s*$",
    re.IGNORECASE,
)
_HOW = compile_late(r"\bhow\s[^.!?\n]*+[.!?]*\s*$", re.IGNORECASE)
# "How far does it jump back?" is about a jump, and not about what is far. "Long" is a type of code, and says too little to
# mislead.
_MEASURE = compile_late(
    r"\bhow\s+(?:close|far|often|soon)\s(?=(?:am|an?|are|can|could|did|do|does|had|has|have|is|it|may|might|must|shall"
    r"|should|that|the|they|this|was|we|were|will|would|you|i)\b)",
    re.IGNORECASE,
)
# "Which setting controls how long it waits?" is about how long it waits.
_CONTROLS = compile_late(
    r"(?<=\s)(?:control|govern)(?:s|l?ed)?\s+(?=(?:how|if|that|what|when|where|whether|which|who|why)\s)",
    re.IGNORECASE,
)
# "What's the difference between an agent and a scenario?" is about both, and about no diff.
_DIFFERENCE = compile_late(
    r"^\W{0,9}(?:what(?:['’]?s|\s{1,9}is)\s{1,9}the\s{1,9})?difference\s{1,9}between\s{1,9}(?=\S[^\n]*\sand\s)",
    re.IGNORECASE,
)
_WORD = compile_late(r"\w+")


def without_framing(question: str) -> str:
    """``question`` without its framing: of "explain how tokens expire" that is "how tokens expire".

    Where nothing else is asked, as in "explain this", it stays.
    """
    framing = _FRAMING.match(question)
    rest = _CONTROLS.sub("", question[framing.end() :] if framing else question)
    if _HOW.search(rest):
        rest = _WORKS.sub("", rest).rstrip()
    return question if STOP_WORDS.issuperset(_WORD.findall(rest.lower())) else rest


def without_difference(question: str) -> str:
    """``question`` without its asking for a difference: what is left are the two things that differ."""
    return _DIFFERENCE.sub("", question)


def without_measures(question: str) -> str:
    """``question`` without the adverbs that ask for an amount: of "how often does it retry" that is "how does it retry"."""
    return _MEASURE.sub("how ", question)
