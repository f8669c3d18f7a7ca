"""What a question takes as its model: "add nushell, the same way fish is done" wants the places that fish has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, zip_longest

from contextls.assembly.usefulness.pool import Scored
from contextls.assembly.usefulness.worth import IMPORTS
from contextls.code.kinds import Kind
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.clauses import WISHES
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.segments.number_sets import distinct
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.memory.index.terms import STOP_WORDS, TermSplitter, hash_term
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# How relevant a place of the model is, in 0..1. Behind the best FEW each counts less, and those behind MAX_PLACES nothing.
# Chosen on the development questions (docs/relevance.md), where 0.1 or a third more or less changes little.
PLACE, FEW, MAX_PLACES = 0.7, 6, 40
BESIDE_SOURCE = 0.3
# A place holds so many words of the model, the rarest. Where even the rarest is in so many chunks, none are looked for.
WORDS, COMMON = 3, 1_000
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
# Who says what goes wrong tells where: "it isn't saved next to the file any more".
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
_NEXT_CLAUSE = compile_late(r"\b(?:I|we|that|which|when|where|whose|but)\b")
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
# A function word that stands alone behind these may be a name all the same: "a filter like where".
_LIKE = compile_late(r"(?:like|\bas|(?<!next )to|after|on)\b", re.IGNORECASE)
_ARTICLES = word_set("the our a an")
# What is drawn for the model says nothing of how it is done.
_PICTURE = ".svg"
# In these programs are put together as well: services of Symfony, beans of Spring, screens of Android.
_PUT_TOGETHER = (".yml", ".yaml", ".xml")
_SETTINGS = (FileKind.SETTINGS, FileKind.DATA)
_POINTING = word_set(
    "he her here him his i it its me mine my one ones ours she so that the them there these they this those us we what you"
)
# What goes on after it: "like where does", "like where but for dates".
_GOES_ON = word_set("and are but can do does did has is only works") | _KINDS


def weigh_analogue(ranking: Ranking, snapshot: Snapshot) -> dict[ChunkRef, float]:
    """How relevant the chunks are, in 0..1, that hold what the question takes as its model, if it does."""
    asked, view = ranking.question.kinds | {FileKind.SOURCE}, snapshot.view
    match = _find_model(ranking.question.words)
    if match is None or any(place.frame for place in ranking.question.places):
        return {}
    found = _find_function_word(match, snapshot) or _find_holding(match["what"], ranking, snapshot)
    if FileKind.TRANSLATION not in asked:
        found = [ref for ref in found if view.file_kind(ref) is not FileKind.TRANSLATION]
    found = [ref for ref in found if not view.path(ref).endswith(_PICTURE)]
    ranks = _rank(_order(found, ranking), match["what"], view)
    return {
        ref: PLACE
        * min(1.0, FEW / rank)
        * (1 if view.file_kind(ref) in asked or _is_registry(ref, view) else BESIDE_SOURCE)
        * (IMPORTS if view.kind(ref) == Kind.IMPORT else 1)
        for ref, rank in islice(ranks.items(), MAX_PLACES)
    }


def wants_new(question: str) -> bool:
    """Whether ``question`` wishes something that is not there yet, or says what it is to be like."""
    return WISHES.search(question) is not None or _find_model(question) is not None


def _is_registry(place: ChunkRef, view: IndexView) -> bool:
    """Whether ``place`` may be where a part of the program is registered, though it is no code."""
    return view.file_kind(place) in _SETTINGS and view.path(place).endswith(_PUT_TOGETHER)


def speaks_of_model(question: str) -> Callable[[str], bool]:
    """The test of a line for a word of what ``question`` takes as its model."""
    match = _find_model(question)
    wanted = frozenset(_read_model(match["what"]) if match else ())
    splitter = TermSplitter()
    return lambda line: not wanted.isdisjoint(splitter.counts(line))


def _order(places: Sequence[ChunkRef], ranking: Ranking) -> list[ChunkRef]:
    """``places`` by how well they answer the rest of the question, the best first."""
    if not places:
        return []
    scored = Scored.of(ranking, ranking.read(distinct(ranking.numbers.numbers(places))))
    refs = ranking.numbers.refs(scored.rows.numbers)
    return ranking.view.best_first(dict(zip(refs, scored.score.tolist(), strict=True)))


def _rank(places: Sequence[ChunkRef], model: str, view: IndexView) -> dict[ChunkRef, int]:
    """``places`` in turn with the rank of each, every other one in a file that is not called after the model.

    These are where it is registered and named, each of which is wanted, and are ranked among themselves. Of the model's
    own files a few places tell how it is done: these are ranked among all.
    """
    wanted, splitter = frozenset(_read_model(model)), TermSplitter()
    after: dict[str, bool] = {}
    for path in dict.fromkeys(map(view.path, places)):
        after[path] = not wanted.isdisjoint(splitter.counts(path))
    own, others = ([ref for ref in places if after[view.path(ref)] is is_own] for is_own in (True, False))
    leading, following = (own, others) if places[:1] == own[:1] else (others, own)
    in_turn = [ref for pair in zip_longest(leading, following) for ref in pair if ref is not None]
    among_others = {ref: rank for rank, ref in enumerate(others, 1)}
    return {ref: among_others.get(ref, rank) for rank, ref in enumerate(in_turn, 1)}


def _find_holding(model: str, ranking: Ranking, snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks that hold the rarest words of the model, all of them, and what of it is written as code.

    Of those, where some hold a name of several words as one, only these.
    """
    wanted = set(_read_model(model))
    uses = ranking.words.uses
    columns = [column for column, use in enumerate(uses) if use.hash in wanted and use.living]
    columns.sort(key=lambda column: (-uses[column].weight, uses[column].hash))
    if not columns or uses[columns[0]].living > COMMON:
        return []
    chunks = ranking.words.holding(uses[columns[0]])
    if len(columns) > 1:
        _, holds = ranking.words.read(chunks)
        chunks = chunks[holds[:, columns[:WORDS]].all(axis=1)]
    refs = ranking.numbers.refs(chunks)
    coded = [re.compile(rf"[<`'\"/.]{name}\b") for name in _CODE.findall(model)]
    if coded:
        refs = [ref for ref in refs if all(one.search(snapshot.view.row(ref).text) for one in coded)]
    named = _read_names_of_words(model)
    if named:
        whole = [ref for ref in refs if all(one.search(snapshot.view.row(ref).text) for one in named)]
        refs = whole or refs
    return refs


def _read_names_of_words(model: str) -> list[re.Pattern[str]]:
    """The names of several words in ``model``, each in any form that code gives it: ``str reverse``, ``StrReverse``."""
    splitter = TermSplitter()
    names = (" ".join(filter(None, groups)) for groups in _NAME_OF_WORDS.findall(_cut(model)))
    parts = ([part for word in splitter.words(name) for part in splitter.parts(word)] for name in names)
    return [re.compile(r"(?:::|[\s_.:/-])?".join(map(re.escape, each)), re.IGNORECASE) for each in parts]


def _find_model(question: str) -> re.Match[str] | None:
    """Where ``question`` says what it takes as its model, in the words of the group ``what``."""
    if _ASKS.search(question) and not _WISHES.search(question):
        return None
    if _FAILS.search(question) and not WISHES.search(question):
        return None
    match = _CUE.search(question)
    if match is None or (_NAMES_EXAMPLES.match(match[0]) and _IS_A_PATH.match(match["what"])):
        return None
    return match


def _find_function_word(match: re.Match[str], snapshot: Snapshot) -> list[ChunkRef]:
    """Where the model is defined that is called by a function word, if one source file defines it so.

    Its word is everywhere, so that no other place is looked for.
    """
    name = _read_function_word(match)
    defined = snapshot.symbols.find_named(name) if name else ()
    source = [
        item
        for item in defined
        if item.definition.name == name and snapshot.files.kind(item.path) is FileKind.SOURCE
    ]
    if len({item.path for item in source}) != 1:
        return []
    found = (snapshot.view.chunk_at(item.path, item.definition.start_line) for item in source)
    return [ref for ref in dict.fromkeys(found) if ref is not None]


def _read_function_word(match: re.Match[str]) -> str:
    """The word that is all of the model, or stands in it as code, if it is one that alone says nothing."""
    quoted = _QUOTED.search(match["what"])
    if quoted:
        return quoted[1] if quoted[1].lower() in STOP_WORDS | _FILLERS else ""
    words = match["what"].split()
    if words and words[0].lower() in _ARTICLES:
        del words[0]
    cue = match.string[match.start() : match.start("what")]
    if not words or not _LIKE.search(cue) or words[0] in _POINTING:
        return ""
    alone = len(words) == 1 or words[1].lower() in _GOES_ON
    return words[0] if alone and words[0] in STOP_WORDS | _FILLERS else ""


def _read_model(words: str) -> Iterator[int]:
    """The terms of the model, by hash: names as a whole, and no word that only says what the one before it is."""
    splitter = TermSplitter()
    named = False
    for word in splitter.words(_cut(words)):
        parts = splitter.parts(word)
        tells = len(parts) > 1 or (len(word) > 1 and parts[0] not in STOP_WORDS | _FILLERS)
        if len(parts) > 1:
            yield hash_term("".join(parts))
        elif tells and not (named and parts[0] in _KINDS):
            yield splitter.stems(word)[0].hash
        named = tells


def _cut(words: str) -> str:
    """``words`` up to the next clause, but for one before the model: "like we have for PATCH", "like the one that is"."""
    ends = (clause.start() for clause in _NEXT_CLAUSE.finditer(words))
    return words[: next((end for end in ends if _tells(words[:end])), None)]


def _tells(words: str) -> bool:
    return not {word.lower() for word in _WORD.findall(words)} <= STOP_WORDS | _FILLERS
