"""A question as content search reads it, once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.asked_kinds import kinds_asked_for, kinds_asked_in
from contextls.memory.index.query.clauses import find_asking, is_told
from contextls.memory.index.query.framing import without_measures
from contextls.memory.index.query.http_requests import HttpRequest, requests_in
from contextls.memory.index.query.long_queries import (
    PartWeights,
    find_quoted,
    is_emphasis,
    is_long,
    names_in,
    read_report,
    weigh_terms,
)
from contextls.memory.index.query.pasted_logs import without_fields, without_served
from contextls.memory.index.query.places import Place, definitions_in
from contextls.memory.index.query.rewording import Rewording
from contextls.memory.index.query.traces import places_in
from contextls.memory.index.sides import Side
from contextls.memory.index.terms import STOP_WORDS, Term, TermSplitter
from contextls.memory.index.words.own_names import without_own_names
from contextls.regex import compile_late

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What a word counts outside of the clause that asks, and how many terms that must have. On the development questions
# (benchmarks.lines) average precision of "how" rises from 0.284 to 0.299, of all from 0.394 to 0.397; 0.2 to 0.6 do as well.
CIRCUMSTANCE = 0.4
MIN_ASKED = 2
# What a word counts that is the name of the project, or stands everywhere like it.
OWN = 0.05
# An error with a question below it is shorter than a report.
REPORT_WORDS = 60

# As PowerShell calls its functions; not Content-Type.
_COMMAND = (
    r"(?:(?:Add|Assert|Clear|Compare|Convert(?:To|From)?|Copy|Disable|Enable|Export|Find|Format|Get|Import|Install|Invoke"
    r"|Join|Measure|Move|New|Out|Publish|Read|Receive|Register|Remove|Rename|Reset|Resolve|Restart|Restore|Save|Select"
    r"|Send|Set|Show|Split|Start|Stop|Test|Uninstall|Unregister|Update|Wait|Write)-[A-Z]\w{2,80}"
    r"|[A-Z][a-z]{1,20}-[A-Z][a-z0-9]{1,40}[A-Z]\w{0,80})(?![\w-])"
)
# As PHP writes classes in full, escaped in JSON; no path of Windows, and no "\n" between two words.
_IN_NAMESPACE = (
    r"(?<![\w:\\])\\{0,2}(?>(?:[A-Z]\w{0,100}+\\{1,2}){1,12})[A-Z]\w{0,100}+"
    r"(?:(?:::|->)\w{1,100}+)?(?![\\.]\w)(?:\(\))?"
)
# Identifier-shaped: has an inner capital, an underscore, a dot or a double colon between names, is CALLED() or a command.
_IDENTIFIER = compile_late(
    rf"(?<![\w-]){_COMMAND}|{_IN_NAMESPACE}|[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?"
)
_SHAPED = compile_late(r"[a-z0-9][A-Z]|[A-Z][A-Z][a-z]|_|-|\.|::|#|->|\\|\(\)$|^[A-Z]{2,}\d*$")


class SearchQuery(Struct, frozen=True):
    """A question prepared for search.

    ``identifiers`` are the words that look like names of code, ``names`` the terms of each, by hash; ``is_symbol`` says
    that the question is nothing but such a name. ``vector`` has length 1 (or is all zero when no word is known, or when the
    embedder could not answer: ``warning`` then says why). ``places`` are the places in code that the question names,
    ``requests`` the HTTP requests that it gives, ``quoted`` what in it a program may have printed. ``emphasis`` is
    what each term of a long one counts, each outside of the asking clause, and each that the question does not hold itself,
    by hash; those left out count 1. ``further`` are words that it does not hold and may mean. ``read_as`` is the question
    with its unknown words read as known ones, and ``reading`` says which, for people; both are empty where all words are
    known. Of one in another language ``in_english`` is its text word by word, with those that could not be read, and
    ``unread`` how much of it these are, in 0..1. ``side`` is that of a web application which it is about, if it names one.
    ``asked_types`` are the names of the types that it asks to be told about, where it asks nothing else.
    """

    text: str
    terms: tuple[Term, ...]
    identifiers: tuple[str, ...]
    names: Mapping[str, tuple[int, ...]]
    is_symbol: bool
    kinds: frozenset[FileKind]
    vector: NDArray[np.float32]
    warning: str = ""
    places: tuple[Place, ...] = ()
    requests: tuple[HttpRequest, ...] = ()
    quoted: tuple[str, ...] = ()
    emphasis: Mapping[int, float] = field(default_factory=dict)
    further: tuple[str, ...] = ()
    read_as: str = ""
    reading: str = ""
    in_english: str = ""
    unread: float = 0.0
    side: Side | None = None
    asked_types: tuple[str, ...] = ()

    @property
    def is_report(self) -> bool:
        """Whether it tells a whole story: an issue report, a log, the message of a long commit."""
        return bool(self.quoted) and _tells_a_story(self.text)

    @property
    def is_long(self) -> bool:
        """Whether it is more than one sentence in one line."""
        return is_long(self.text)

    @property
    def words(self) -> str:
        """The words to go by: those of the question, or what they were read as."""
        return self.read_as or self.text


def identifiers_in(text: str) -> tuple[str, ...]:
    """The identifier-shaped words of ``text``, distinct, in order, without call parentheses."""
    found = [match.removesuffix("()") for match in _IDENTIFIER.findall(text) if _SHAPED.search(match)]
    return tuple(dict.fromkeys(name for name in found if name.strip("_") and not is_emphasis(name)))


def is_symbol_query(text: str) -> bool:
    """Whether the question is one name: ``Session``, ``Session.request``, ``parse_header``."""
    words = text.split()
    return len(words) == 1 and bool(_IDENTIFIER.fullmatch(words[0])) and words[0].lower() not in STOP_WORDS


def prepare_query(
    text: str,
    splitter: TermSplitter,
    vector: NDArray[np.float32],
    warning: str = "",
    parts: PartWeights | None = PartWeights(),  # noqa: B008 - frozen
    reworded: Rewording | None = None,
    defined: Sequence[str] = (),
    asked_types: tuple[str, ...] = (),
    side: Side | None = None,
) -> SearchQuery:
    """Prepare ``text``; ``vector`` is its embedding, ``warning`` why there is none.

    ``defined`` are words of it that are names because the workspace defines them, ``asked_types`` are the types that it
    asks to be told about.

    A long text is weighed by its ``parts``; ``None`` takes it like a short one, word by word. ``reworded`` is what its
    unknown words were read as.
    """
    reworded = reworded or Rewording(text)
    told, requests = without_fields(reworded.text), requests_in(without_served(reworded.text))
    if parts is not None and is_long(text):
        query = _prepare_report(told, splitter, vector, warning, parts)
    else:
        query = _prepare_short(told, splitter, vector, warning, requests, (*defined, *asked_types))
    query = _without_own(query, told, reworded.own, splitter)
    query = replace(query, text=reworded.text, requests=requests, asked_types=asked_types, side=side)
    is_as_written = reworded.text == text and not (reworded.further or reworded.names)
    return query if is_as_written else _with_readings(query, text, reworded, splitter)


def _tells_a_story(text: str) -> bool:
    return len(text.split(maxsplit=REPORT_WORDS)) > REPORT_WORDS


def _prepare_short(
    text: str,
    splitter: TermSplitter,
    vector: NDArray[np.float32],
    warning: str,
    requests: Sequence[HttpRequest],
    defined: Sequence[str],
) -> SearchQuery:
    symbol = is_symbol_query(text) or text.strip() in defined
    places = () if symbol else places_in(text)
    names = identifiers_in(text)
    if symbol and not names:
        names = (text.strip(),)
    told = (*definitions_in(text), *(place.name for place in places if place.name))
    methods = {request.method for request in requests}
    names = (*names, *defined, *(name for name in told if name.lower() not in STOP_WORDS))
    names = tuple(dict.fromkeys(name for name in names if name.lower() not in methods))
    terms = splitter.question_terms(without_measures(text))
    return SearchQuery(
        text=text,
        terms=terms,
        identifiers=names,
        names=_terms_of(names, splitter),
        is_symbol=symbol,
        kinds=kinds_asked_for(text),
        vector=vector,
        warning=warning,
        places=places,
        quoted=(text, *find_quoted(text)) if is_told(text) else tuple(find_quoted(text)),
        emphasis={} if names else _weigh_circumstances(text, terms, splitter),
    )


def _weigh_circumstances(text: str, terms: Sequence[Term], splitter: TermSplitter) -> dict[int, float]:
    """Weigh down the ``terms`` of ``text`` that no clause which asks holds; none where those clauses say too little."""
    asked = _hash_terms(find_asking(text), splitter)
    if len(asked) < MIN_ASKED:
        return {}
    return {term.hash: CIRCUMSTANCE for term in terms if term.hash not in asked}


def _prepare_report(
    text: str, splitter: TermSplitter, vector: NDArray[np.float32], warning: str, weights: PartWeights
) -> SearchQuery:
    report = read_report(text)
    weighed = weigh_terms(report, splitter, weights)
    names = names_in(report, weights)
    return SearchQuery(
        text=text,
        terms=tuple(term for term in splitter.question_terms(text) if term.hash in weighed),
        identifiers=names,
        names=_terms_of(names, splitter),
        is_symbol=False,
        kinds=kinds_asked_for(report.title if _tells_a_story(text) else report.told),
        vector=vector,
        warning=warning,
        places=report.places,
        quoted=report.quoted,
        emphasis=weighed,
    )


def _without_own(query: SearchQuery, text: str, own: frozenset[str], splitter: TermSplitter) -> SearchQuery:
    """``query`` with next to no weight for its ``own`` words, those that the whole workspace is full of."""
    if not own:
        return query
    rest = _hash_terms([without_own_names(text, own)], splitter)
    little = {term: min(OWN, query.emphasis.get(term, OWN)) for term in _hash_terms(own, splitter) - rest}
    names = tuple(name for name in query.identifiers if name not in own)
    emphasis = {**query.emphasis, **little}
    return replace(query, identifiers=names, names=_terms_of(names, splitter), emphasis=emphasis)


def _with_readings(query: SearchQuery, text: str, reworded: Rewording, splitter: TermSplitter) -> SearchQuery:
    """``query``, made of the words of ``reworded``, as one for ``text``: words that were read count less than its own."""
    own = _hash_terms([text], splitter) - _hash_terms([each.word for each in reworded.readings], splitter)
    further = [term for word in reworded.further for term in splitter.question_terms(word)]
    names = {name: (*splitter.stems(name), Term.of(name, whole=True)) for name in reworded.names}
    emphasis = dict(query.emphasis)
    for word, weight in reworded.weights.items():
        for term in names.get(word) or splitter.question_terms(word):
            if term.hash not in own:
                emphasis[term.hash] = weight * query.emphasis.get(term.hash, 1.0)
    terms = {term.hash: term for term in (*query.terms, *further, *chain.from_iterable(names.values()))}
    told = "" if _tells_a_story(text) else text
    return replace(
        query,
        text=text,
        kinds=query.kinds | kinds_asked_in(reworded.language, told),
        terms=tuple(terms.values()),
        emphasis=emphasis,
        further=reworded.further,
        read_as=reworded.text,
        reading=reworded.describe(),
        in_english=reworded.in_english,
        unread=reworded.unread,
    )


def _hash_terms(texts: Iterable[str], splitter: TermSplitter) -> set[int]:
    return {term.hash for text in texts for term in splitter.question_terms(text)}


def _terms_of(names: tuple[str, ...], splitter: TermSplitter) -> dict[str, tuple[int, ...]]:
    return {name: tuple(set(splitter.stem_hashes(name))) for name in names}
