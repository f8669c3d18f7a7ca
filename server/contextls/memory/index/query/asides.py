"""The parts of a question other than what it asks: greetings, who asks, who is asked, and how the answer should look.

People write to a chat as to a colleague: "Hi! I'm new to this project. Could you tell me where the queue is stored? Please
give file paths." None of that is what to search for, and each of its words would count like one that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from contextls.memory.index.query.clauses import MAX_MESSAGE_CHARS, PRONOUN
from contextls.memory.index.terms import STOP_WORDS
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# What people say to one another before they come to what they ask.
_TALK = word_set(
    """
    hi hello hey dear there folks everyone guys all good great nice morning afternoon evening day ok okay well now then
    again yes no not and but so also or oh hmm hm please pls plz kindly thanks thank thx ty cheers regards sorry advance
    help helps helping appreciate appreciated welcome luck i'm im i'd i've am we're we've i'll let's let it's that's
    there's new newbie beginner junior joined inherited just recently currently today yesterday still already actually
    really basically simply started starting onboarding team company colleague colleagues coworker boss manager friend
    wondering wonder curious lost stuck confused unclear unsure unrelated trying try tried hoping hope noticed debugging
    reading read reviewing urgent asap project codebase repo repository code base source sources software here context
    background given based according task problem question questions quick short q ask asks asked asking follow up know
    idea ideas clue see look looked looking find finding found out figure understand understanding learn tell telling
    explain explaining describe describing answer show showing give mind think thoughts guess right something thing
    things stuff someone somebody anyone anybody maybe perhaps possibly probably about around way pointers guidance me
    myself could can't cannot couldn't don't doesn't want wants need needs like have having take searched everywhere
    anywhere exactly discuss happy love quite very bit little much more claude chatgpt gpt copilot gemini cursor
    assistant bot ai tldr tl dr sure noob newb dumb silly stupid serious hire never ever understood doing forward hint
    hints thought doubt interested interesting thankful grateful
    """
)
# What they say of the answer, in sentences of their own.
_OF_ANSWERS = word_set(
    """
    answers answering reply respond response output format formatted write say below above before following point points
    provide include mention quote quotes cite citing use using keep stay focus avoid skip explanation explanations
    detail details detailed depth thorough thoroughly comprehensive complete specific precise accurate honest concise
    brief briefly simple plain terms language words sentence sentences paragraph paragraphs bullet bullets list table
    diagram markdown json step steps carefully deeply hard time overview summary summarize summarise snippet snippets
    block blocks line lines number numbers name names path paths link links relevant related important involved
    necessary needed enough useful helpful best possible sure file files folder folders function functions method
    methods class classes module modules make made up anything nothing everything invent hallucinate assume assumptions
    only exact reference references change changing changes one two three few first last whole entire per level high
    each unless otherwise instead rules rule instructions guidelines requirements constraints english german french
    spanish italian portuguese dutch polish russian chinese japanese korean every ideally fine full picture max maximum
    accordingly straight direct logic overall
    """
)
# "In which file …", and not "tell me, which file …".
_PREPOSITIONS = word_set("about after at by for from in into of on through to under until with")
# A message with code in it is a report, which is read by its parts.
_FENCE = "```"
_END = compile_late(r"(?<=[.!?])[ \t]++|(?<![ \t])[ \t]*+\n\s*+")
_WORD = compile_late(r"\w[\w'’]*")
_ASKS = compile_late(r"(?:where|when|which|who|how|what|why|whether)\b", re.IGNORECASE)
# What begins so asks itself, whatever comes next: "is the project shown where …?".
_ASKS_AT_ONCE = compile_late(
    r"(?:where|when|which|who|how|what|why|whether|is|are|was|were|does|did|has|should|must|if)\b",
    re.IGNORECASE,
)
# "You are an expert Android developer helping me with this app."
_PERSONA = compile_late(
    r"(?:(?:you\s+are|you['’]re|i\s+am|i['’]m|act\s+(?:as|like)|pretend\s+to\s+be|imagine\s+you\s+are|as)\s+(?:an?|the|my|our)\s+)"
    r"(?:[\w+#./-]+\s+){0,5}?"
    r"(?:engineer|developer|programmer|expert|assistant|architect|reviewer|coder|maintainer|mentor|teacher|specialist)\b"
    r"(?:\s+(?:who|that|with|in|on|at|for|helping|working)\b[^.!?,:\n]*)?"
    r"(?:\s*(?:[.!,:]|$)|\s+and\s+(?:answer|explain|tell\s+me)\b:?)\s*",
    re.IGNORECASE,
)
# A list's mark, and what chats call those they talk to and what these may read.
_ADDRESSED = compile_late(
    r"\A\s*(?:\d{1,2}[.)]\s+|[@#](?:workspace|codebase|project|repo|repository|contextls|vscode|code)(?![\w:./-])\s*"
    r"|/(?:ask|explain)(?![\w:./-])\s*)"
)
# "Explain this and what it calls."
_POINTS = compile_late(r"\b(?:it|this|that|these|those|them)\s*(?:,|and\b|or\b)", re.IGNORECASE)
# What tells of the program, in whatever words: "the list is right", "show line numbers".
_OF_CODE = compile_late(r"(?:the|our|when|after|if)\b|[^.!?]*\bshow(?!\s+(?:me|us)\b)", re.IGNORECASE)
_SIGN_OFF = compile_late(
    r"(?<![\s,.!])[\s,.!]*+\b(?i:thanks|thank\s+you|cheers|(?:best|kind|warm)\s+regards|regards)[,.!]?\s+[A-Z]\w{1,20}\s*\Z"
)
_MANNER = compile_late(
    r"\b(?:with|using|and)\s++(?>(?:(?:some|code|short|an?|few)\s++)*)examples?\b|\blike\s++i['’]m\s++(?:five|5)\b",
    re.IGNORECASE,
)


class _Sentence(Struct, frozen=True):
    """A sentence, and what parts it from the one before."""

    text: str
    parting: str = ""


def without_asides(question: str) -> str:
    """``question`` without what is said besides; unchanged where nothing would be left, and where it is a report."""
    if _FENCE in question or len(question) > MAX_MESSAGE_CHARS:
        return question
    message = _ADDRESSED.sub("", _SIGN_OFF.sub("", question), count=1)
    sentences = list(_split(message))
    asked = [_Sentence(_without_opening(each.text), each.parting) for each in _find_asked(sentences)]
    if not any(_says_something(each.text) for each in asked):
        return question
    return asked[0].text + "".join(each.parting + each.text for each in asked[1:])


def _split(text: str) -> Iterator[_Sentence]:
    start, parting = 0, ""
    for end in _END.finditer(text):
        yield _Sentence(text[start : end.start()], parting)
        start, parting = end.end(), end.group()
    yield _Sentence(text[start:], parting)


def _find_asked(sentences: Sequence[_Sentence]) -> list[_Sentence]:
    """The ``sentences`` that are no asides. What comes right before "it" or "that" may say what that is."""
    asked: list[_Sentence] = []
    for sentence in reversed(sentences):
        refers = bool(asked) and PRONOUN.search(asked[-1].text) is not None
        if refers or not _is_aside(sentence.text):
            asked.append(sentence)
    return asked[::-1]


def _is_aside(sentence: str) -> bool:
    """Whether ``sentence`` is about people and the answer alone, and not only in words that any question has."""
    words = _words(_MANNER.sub("", _PERSONA.sub("", sentence, count=1)))
    telling = [word for word in words if word not in STOP_WORDS and not word.isdigit()]
    is_talk = all(word in _TALK or word in _OF_ANSWERS for word in telling)
    return is_talk and not _OF_CODE.match(sentence) and bool(telling or not _ASKS_AT_ONCE.match(sentence))


def _without_opening(sentence: str) -> str:
    """``sentence`` from where it asks, if nothing but talk stands before: "I was wondering where …"."""
    persona = _PERSONA.match(sentence)
    sentence = sentence[persona.end() :] if persona else sentence
    if _ASKS_AT_ONCE.match(sentence):
        return sentence
    talks, before = False, ""
    for place in _WORD.finditer(sentence):
        word = _fold(place[0])
        if talks and _ASKS.match(sentence, place.start()):
            opening, asked = sentence[: place.start()], sentence[place.start() :]
            return sentence if before in _PREPOSITIONS or _POINTS.search(opening) else asked
        if word in _TALK:
            talks = True
        elif word not in STOP_WORDS:
            break
        before = word
    return sentence


def _says_something(sentence: str) -> bool:
    return not STOP_WORDS.issuperset(_words(sentence))


def _words(text: str) -> list[str]:
    return [_fold(word) for word in _WORD.findall(text)]


def _fold(word: str) -> str:
    return word.lower().replace("’", "'")
