"""Reads what a question takes as its model: fish in "add nushell, the same way fish is done"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from contextls.memory.index.query.clauses import WISHES
from contextls.memory.index.terms import STOP_WORDS, TermSplitter, hash_term
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_CUE = compile_late(
    r"(?:(?<!would )(?<!['’]d )(?<!\bid )(?<!something )(?<!anything )(?<!looks )(?<!look )\blike(?:\s{0,9}:)?"
    r"|\bsame (?:way|idea)(?: as| like)?|\bsame (?:\w+ )?as"
    r"|\bas (?!early|far|few|little|long|many|much|often|soon|well)\w+ as"
    r"|\bthe way|\bjust as|\bsimilar(?:ly)? to|\bmodell?ed (?:on|after)|\banalog(?:ous(?:ly)?)? to|\bnext to"
    r"|\bbesides?|\balongside)\b\s{0,9}[.\"“„«-]{0,3}(?P<what>(?:[^.,;:?!\n()\"“”„«»]|\.(?=\w)){2,80})",
    re.IGNORECASE,
)
# What a question about what there is calls "like", is an example; so is the path of a request that is "like" one.
_ASKS = compile_late(
    r"(?:^|[.,;:?!\n])[ \t]{0,9}(?:and |but |so )?(?:how|where|which|who|when|why|what)\b", re.IGNORECASE
)
_WISHES = compile_late(
    r"\b(?:add|new|support|need|want|like to|make|teach|implement|extend|hook|have to|(?:would|should|must) (?:I|we))\b",
    re.IGNORECASE,
)
# A question about what goes wrong says where it does: "it isn't saved next to the file any more".
_FAILS = compile_late(
    r"\b(?:is|are|was|were|does|has|have)n['’]t\b|\bno longer\b|\bany ?more\b|\b(?:fails?|failing|failed|broken|crash\w*)\b",
    re.IGNORECASE,
)
_NAMES_EXAMPLES = compile_late(r"like\b", re.IGNORECASE)
_IS_A_PATH = compile_late(r"\s*(?:https?:/)?/\w")
# A model that is written as code is looked for as a tag, in quotes, or as a member: <details>, `details`.
_QUOTED = compile_late(r"`(\w+)(?:\(\))?`")
_CODE = compile_late(r"[<`'](\w[\w-]{1,60})[>`']")
# A name of several words, which code writes in one form or another: `str reverse`, no-void-query-fn, form.declined.
_NAME_OF_WORDS = compile_late(r"`(\w+(?: \w+){1,4})`|(?<![\w-])(\w+(?:[-.]\w+)+)(?![\w-])")
_WORD = compile_late(r"\w+")
# Behind "and" another model is short: "like fish and zsh", and not "like fish and show it in the list".
_NEXT_CLAUSE = compile_late(r"\b(?:I|we|that|which|when|where|whose|but|and(?=(?:\s{1,9}[^\s]{1,40}){3}))\b")
# Words around the model: "like the one that we had already for people".
_FILLERS = word_set(
    """
    add added adding all already built calls case done each either every everything existing handled kind made new old one
    ones other others part people person says same setting some somebody someone something stops thing things want way work
    works
    """
)
# Behind a name these say what it is: of "the SFTP driver" code says the first word alone in many places.
_KINDS = word_set(
    """
    adapter backend class client command driver endpoint engine extension field filter format function handler matcher
    method middleware module option parser plugin provider reader service setting storage store type writer
    """
)
# A function word that stands alone after these may be a name all the same: "a filter like where".
_LIKE = compile_late(r"(?:like|\bas|(?<!next )to|after|on)\b", re.IGNORECASE)
_ARTICLES = word_set("the our a an")
_POINTING = word_set(
    "he her here him his i it its me mine my one ones ours she so that the them there these they this those us we what you"
)
# What goes on after it: "like where does", "like where but for dates".
_GOES_ON = word_set("and are but can do does did has is only works") | _KINDS


class AnaloguePhrase:
    """The words of a question for what it takes as its model."""

    def __init__(self, cue: str, words: str) -> None:
        """``cue`` leads to the model ("the same way as"), ``words`` name it, and may go on after it."""
        self._cue = cue
        self._words = words
        self._splitter = TermSplitter()

    @cached_property
    def terms(self) -> frozenset[int]:
        """The terms of the model, by hash: names as a whole, and no word that only says what the one before it is."""
        return frozenset(self._read_terms())

    def names(self, text: str) -> bool:
        """Whether ``text`` holds a word of the model."""
        return not self.terms.isdisjoint(self._splitter.counts(text))

    @cached_property
    def function_word(self) -> str:
        """The word that is all of the model, or stands in it as code, if it is one that alone says nothing."""
        quoted = _QUOTED.search(self._words)
        if quoted:
            return quoted[1] if quoted[1].lower() in STOP_WORDS | _FILLERS else ""
        words = self._words.split()
        if words and words[0].lower() in _ARTICLES:
            del words[0]
        if not words or not _LIKE.search(self._cue) or words[0] in _POINTING:
            return ""
        alone = len(words) == 1 or words[1].lower() in _GOES_ON
        return words[0] if alone and words[0] in STOP_WORDS | _FILLERS else ""

    def code_patterns(self) -> list[re.Pattern[str]]:
        """The names that the question writes as code, each as code has it: in a tag, in quotes or as a member."""
        return [re.compile(rf"[<`'\"/.]{name}\b") for name in _CODE.findall(self._words)]

    def long_name_patterns(self) -> list[re.Pattern[str]]:
        """The names of several words, each in any form that code gives it: ``str reverse``, ``StrReverse``."""
        splitter = self._splitter
        names = (" ".join(filter(None, groups)) for groups in _NAME_OF_WORDS.findall(_cut(self._words)))
        parts = ([part for word in splitter.words(name) for part in splitter.parts(word)] for name in names)
        return [re.compile(r"(?:::|[\s_.:/-])?".join(map(re.escape, each)), re.IGNORECASE) for each in parts]

    def _read_terms(self) -> Iterator[int]:
        splitter = self._splitter
        named = False
        for word in splitter.words(_cut(self._words)):
            parts = splitter.parts(word)
            tells = len(parts) > 1 or (len(word) > 1 and parts[0] not in STOP_WORDS | _FILLERS)
            if len(parts) > 1:
                yield hash_term("".join(parts))
            elif tells and not (named and parts[0] in _KINDS):
                yield splitter.stems(word)[0].hash
            named = tells


def read_analogue(question: str) -> AnaloguePhrase | None:
    """The words of ``question`` for what it takes as its model; ``None`` where it takes nothing."""
    if _ASKS.search(question) and not _WISHES.search(question):
        return None
    if _FAILS.search(question) and not WISHES.search(question):
        return None
    match = _CUE.search(question)
    if match is None or (_NAMES_EXAMPLES.match(match[0]) and _IS_A_PATH.match(match["what"])):
        return None
    return AnaloguePhrase(question[match.start() : match.start("what")], match["what"])


def _cut(words: str) -> str:
    """``words`` up to the next clause, but for one before the model: "like we have for PATCH", "like the one that is"."""
    ends = (clause.start() for clause in _NEXT_CLAUSE.finditer(words))
    return words[: next((end for end in ends if _tells(words[:end])), None)]


def _tells(words: str) -> bool:
    return not {word.lower() for word in _WORD.findall(words)} <= STOP_WORDS | _FILLERS
