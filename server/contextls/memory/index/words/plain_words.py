"""The words that code has for what people say in plain words: a retry for "try again".

A line of the table reads ``words of code = phrase | phrase``, the likeliest word first. A phrase of several telling words is
found in whatever order they stand, one other between them; one with fewer ("at once") as it is written. All are found in
any form of their words. docs/relevance.md tells more.

``plain_words.json`` is the same table with its words stemmed ahead, which takes ten times as long as to read the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from pathlib import Path

import Stemmer
from msgspec import Struct, json

from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.words.question_words import Token, WordForm
from contextls.package_data import read_packaged
from contextls.text.word_set import word_set

TABLE = Path(__file__).with_name("plain_words.txt")
STEMMED = TABLE.with_suffix(".json")
MAX_PHRASE_WORDS = 4
# In a phrase with fewer than two words besides these and function words, order matters: "at once", "not at all", "give up".
_PARTICLES = STOP_WORDS | word_set(
    """
    all away back down every few go just like make many more most much no not off one only other out over same still
    such too two up very
    """
)
# A stemmer does not know these.
_IRREGULAR = """
    be been | become became | begin began begun | bind bound | bite bit | break broke broken | bring brought |
    build built | buy bought | catch caught | choose chose chosen | come came | deal dealt | dig dug | do did done |
    draw drew drawn | eat ate eaten | fall fell fallen | feed fed | fight fought | find found | fly flew flown |
    forget forgot forgotten | freeze froze | get got gotten | give gave given | go went | grow grew grown | hang hung |
    hear heard | hide hid hidden | hold held | keep kept | know knew known | lead led | lose lost | make made |
    mean meant | meet met | pay paid | ride rode | ring rang | rise rose | run ran | say said | see saw seen |
    sell sold | send sent | shake shook | show shown | sink sank | sit sat | sleep slept | speak spoke spoken |
    spend spent | stand stood | steal stole stolen | stick stuck | take took taken | teach taught | tear tore torn |
    tell told | think thought | throw threw thrown | wake woke woken | wear wore worn | win won | write wrote written |
    person people | child children
"""

Phrases = Mapping[str, str]
Found = tuple[tuple[int, ...], str]


class PlainWords(Struct, frozen=True):
    """A table: words of code by the stems of the phrases that people have for them, blanks between words.

    ``free`` are phrases without their function words, stems sorted; ``fixed`` are those as they are written. ``stemmer``
    is the version that made the stems.
    """

    free: Phrases
    fixed: Phrases
    stemmer: str

    def read(self, tokens: Sequence[Token]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Each phrase in the prose of ``tokens``, and its words of code; of two that share a word the longer."""
        prose = [token.folded for token in tokens if token.form is WordForm.PROSE]
        stem = plain_stemmer().stem
        stems = [stem(word) for word in prose]
        telling = [at for at, word in enumerate(prose) if word not in STOP_WORDS]
        used: set[int] = set()
        for places, words in self._find(stems, telling):
            if used.isdisjoint(places):
                used.update(places)
                yield " ".join(prose[at] for at in places), tuple(words.split())

    def _find(self, stems: Sequence[str], telling: Sequence[int]) -> Iterator[Found]:
        for size in range(MAX_PHRASE_WORDS, 1, -1):
            for places in _places_near(telling, size):
                if words := self.free.get(" ".join(sorted(stems[at] for at in places))):
                    yield places, words
        for size in range(MAX_PHRASE_WORDS, 1, -1):
            for start in range(len(stems) - size + 1):
                if words := self.fixed.get(" ".join(stems[start : start + size])):
                    yield tuple(range(start, start + size)), words
        for at in telling:
            if words := self.free.get(stems[at]):
                yield (at,), words


class PlainStemmer:
    """Stems of English words, irregular forms included."""

    def __init__(self) -> None:
        self._stemmer = Stemmer.Stemmer("english", 0)
        lines = (line.split() for line in _IRREGULAR.split("|"))
        self._base = {form: base for base, *forms in lines for form in forms}

    def stem(self, word: str) -> str:
        """The stem of ``word``, which is in lower case."""
        return str(self._stemmer.stemWord(self._base.get(word, word)))


@cache
def load_plain_words() -> PlainWords:
    """The table that comes with the package. Raises ``OSError`` when it is missing."""
    table = json.decode(read_packaged(STEMMED), type=PlainWords)
    # Another version may have other stems: those of questions would not be found.
    return table if table.stemmer == Stemmer.version() else parse_plain_words(read_packaged(TABLE))


@cache
def plain_stemmer() -> PlainStemmer:
    """The stemmer of the table and of what is looked up in it."""
    return PlainStemmer()


def parse_plain_words(text: str) -> PlainWords:
    """Read a table; a phrase in several lines has the words of all."""
    stem = cache(PlainStemmer().stem)
    free: dict[str, str] = {}
    fixed: dict[str, str] = {}
    for line in text.splitlines():
        left, _, phrases = line.partition("=")
        if line.startswith("#") or not phrases:
            continue
        words = left.split()
        for phrase in phrases.split("|"):
            said = phrase.split()
            telling = [word for word in said if word not in STOP_WORDS]
            if len(said) == 1 or len({*telling} - _PARTICLES) > 1:
                kept, key = free, " ".join(sorted(map(stem, telling)))
            else:
                kept, key = fixed, " ".join(map(stem, said))
            kept[key] = " ".join(dict.fromkeys((*kept.get(key, "").split(), *words)))
    return PlainWords(free, fixed, Stemmer.version())


def is_plain_word(word: str) -> bool:
    """Whether the table that comes with the package has ``word``, in lower case, in any form and on either side."""
    return plain_stemmer().stem(word) in _stems()


@cache
def _stems() -> frozenset[str]:
    table = load_plain_words()
    coded = {word for words in (*table.free.values(), *table.fixed.values()) for word in words.split()}
    said = chain.from_iterable(map(str.split, chain(table.free, table.fixed)))
    return frozenset(chain(map(plain_stemmer().stem, coded), said))


def _places_near(telling: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """So many places of ``telling`` each that stand together, with at most one of the others between the first and last."""
    for start in range(len(telling) - size + 1):
        for rest in combinations(telling[start + 1 : start + size + 1], size - 1):
            yield (telling[start], *rest)
