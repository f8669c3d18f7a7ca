"""Technical words of other languages and the English words of code for them: tables that come with the package.

A line of a table reads ``English words = words of the language``; ``_`` joins a phrase of several words. Where it begins
with ``?`` the words are function words: never searched, but their English says what kind of question it is. Where it
begins with ``~`` they are endings: ``~tion = ción`` reads "validación" as "validation". docs/relevance.md tells more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

import Stemmer

from contextls.package_data import read_packaged

TABLES = Path(__file__).with_name("bridge")
# Read with spaces between words, and of which a stemmer exists; the others are told by their script.
SPACED = ("german", "french", "spanish", "portuguese", "italian")
MAX_PHRASE_WORDS = 4
# What a word may stand for; what comes later in a table is further away.
MAX_MEANINGS = 3
# Compounds are tried at every letter, with the same parts again and again.
MAX_REMEMBERED = 10_000

HAN_OR_KANA = "\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff66-\uff9f"
_KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_LETTERS = re.compile(r"[^\W\d_]+")
# Joins the parts of German compounds: "Verbindung-s-abbruch".
_JOINTS = ("", "s", "es", "n", "en", "er", "e")
_MIN_PART_CHARS = 3
MAX_WORD_CHARS = 40
_MIN_MISSPELT_CHARS = 5
# Of verbs that part with them: "schaltet … ein". The longer of two that begin alike comes first.
_PREFIXES = (
    "ab|an|auf|aus|bei|bereit|durch|ein|fehl|fest|fort|frei|heraus|herein|herunter|her|hinaus|hinein|hinunter|hinzu|hin|hoch"
    "|los|mit|nach|nieder|raus|rein|runter|statt|teil|um|voraus|vorbei|vor|weg|weiter|wieder|zurück|zusammen"
)
_PARTICLES = frozenset((*_PREFIXES.split("|"), "zu", "zurueck", "zuruck"))
_ASKING = frozenset(("where", "why", "how", "what", "when", "who", "which"))
# So many further function words tell the language of a sentence.
_PLAINLY = 2
_UMLAUT = re.compile("([aou])e")
# "ab-ge-schnitten", "ab-zu-schneiden"
_GE = re.compile(rf"^({_PREFIXES}|zu|)ge")
_ZU = re.compile(rf"^({_PREFIXES})zu")
# What the forms and participles of a German verb end in, the longest first.
_VERB_ENDINGS = (
    *("etem", "eten", "eter", "etes", "test", "ete", "est", "tem", "ten", "ter", "tes", "tet"),
    *("en", "et", "st", "te", "e", "t"),
)
_MIN_VERB_CHARS = 3
# Stems of verbs, and what becomes of them: "gibt" is of "geben".
_IRREGULAR = """
    brech brich brach | empfehl empfiehl | fahr fähr fuhr | fall fäll fiel | fang fäng fing | geb gib gab | geh ging |
    greif griff | halt häl hält hielt | häng hing | komm kam | lad läd lud | lass läss ließ liess | lauf läuf lief |
    les lies las | nehm nimm nahm | ruf rief | schieb schob | schlag schläg schlug | schließ schloss | schneid schnitt |
    schreib schrieb | seh sieh sah | sprech sprich sprach | steh stand | stoß stöß stieß | trag träg trug |
    tret trit tritt trat | weis wies | werf wirf warf | zieh zog
"""
_STEMS = {
    changed: stem for stem, *others in (line.split() for line in _IRREGULAR.split("|")) for changed in others
}


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language and its table: English words by those of the language, as written and by their stems.

    ``function_words`` are found by their letters without accents. ``endings`` pairs an ending with its English one, the
    longest first; ``longest`` is the length of the longest word.
    """

    name: str
    function_words: Mapping[str, str]
    written: Mapping[tuple[str, ...], tuple[str, ...]]
    stemmed: Mapping[tuple[str, ...], tuple[str, ...]]
    endings: tuple[tuple[str, str], ...]
    longest: int
    stem: Callable[[str], str] | None

    def function_word(self, word: str) -> str | None:
        """The English of a function word, which may be nothing; ``None`` for any other word."""
        found = self.function_words.get(fold(word) if self.stem else word)
        if found is None and self.name == "German" and word.isascii():
            # "fuer"
            found = self.function_words.get(_UMLAUT.sub(r"\1", word.lower()))
        return found

    def meanings(self, *words: str) -> tuple[str, ...]:
        """The English for a word or a phrase in lower case, the likeliest first; empty where the table has none."""
        if max(map(len, words)) > MAX_WORD_CHARS:
            return ()
        verbs = self.name == "German" and len(words) == 1
        return self._find(words) or (self._find_verb(words[0]) if verbs else ())

    @lru_cache(maxsize=MAX_REMEMBERED)  # noqa: B019 - there are eight languages, for good
    def _find(self, words: tuple[str, ...]) -> tuple[str, ...]:
        found = self.written.get(words)
        if found or self.stem is None:
            return found or ()
        for forms in zip(*(self._stems(word) for word in words), strict=True):
            if forms in self.stemmed:
                return self.stemmed[forms]
        return ()

    @lru_cache(maxsize=MAX_REMEMBERED)  # noqa: B019 - there are eight languages, for good
    def _find_verb(self, word: str) -> tuple[str, ...]:
        forms = dict.fromkeys((word, _GE.sub(r"\1", word, count=1)))
        infinitives = chain.from_iterable(map(_infinitives, forms))
        return next(filter(None, map(self._find_infinitive, infinitives)), ())

    def _find_infinitive(self, verb: str) -> tuple[str, ...]:
        stem = self.stem or str
        return self.written.get((verb,)) or self.stemmed.get((fold(stem(verb)),), ())

    def is_particle(self, word: str) -> bool:
        """Whether the word may be what a German verb parted with."""
        return self.name == "German" and word in _PARTICLES

    def join(self, particle: str, verb: str) -> tuple[str, ...]:
        """The English for a German verb that parted with ``particle``: "ein" and "schaltet"."""
        for infinitive in (f"{_STEMS.get(verb, verb)}en", *_infinitives(verb)):
            if meanings := self._find_infinitive(particle + infinitive):
                return meanings
        return ()

    def read_compound(self, word: str, occurs: Callable[[str], bool]) -> tuple[str, ...]:
        """The English for the parts of a German compound, such as are in the table or occur in the workspace."""
        if self.name != "German" or not 2 * _MIN_PART_CHARS <= len(word) <= MAX_WORD_CHARS:
            return ()
        for cut in range(len(word) - _MIN_PART_CHARS, _MIN_PART_CHARS - 1, -1):
            tail = self._part(word[cut:], occurs)
            for joint in _JOINTS if tail else ():
                head = word[:cut].removesuffix(joint) if word[:cut].endswith(joint) else ""
                found = len(head) >= _MIN_PART_CHARS and (
                    self._part(head, occurs) or self.read_compound(head, occurs)
                )
                if found:
                    return (*found, *tail)
        return ()

    def misspelt(self, word: str) -> tuple[str, ...]:
        """The English for the word of the table that is one slip away."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        stem = fold(self.stem(word)) if self.stem else ""
        if len(stem) < _MIN_MISSPELT_CHARS:
            return ()
        stems = [key[0] for key in self.stemmed if len(key) == 1 and key[0][0] == stem[0]]
        near = process.extractOne(stem, stems, scorer=OSA.distance, score_cutoff=1)
        return self.stemmed[near[0],] if near else ()

    def cognates(self, word: str) -> Iterator[str]:
        """The spellings that an English cousin of the word may have: accents off, endings changed."""
        plain = fold(word)
        yield plain
        for ending, english in self.endings:
            if plain.endswith(ending) and len(plain) - len(ending) >= _MIN_PART_CHARS:
                yield plain[: -len(ending)] + english

    def _part(self, part: str, occurs: Callable[[str], bool]) -> tuple[str, ...]:
        return self._find((part,))[:1] or ((part,) if occurs(part) else ())

    def _stems(self, word: str) -> tuple[str, ...]:
        stem = self.stem or str
        stems = [fold(stem(word)), stem(fold(word))]
        if self.name == "German":
            stems += [fold(stem(pattern.sub(r"\1", word, count=1))) for pattern in (_GE, _ZU)]
        return tuple(stems)


def _infinitives(verb: str) -> Iterator[str]:
    """The infinitives that a form of a German verb may be of."""
    for ending in _VERB_ENDINGS:
        base = verb.removesuffix(ending)
        if not verb.endswith(ending) or len(base) < _MIN_VERB_CHARS:
            continue
        if base in _STEMS:
            yield f"{_STEMS[base]}en"
        yield f"{base}en"
        yield f"{base}n"


def fold(word: str) -> str:
    """``word`` in lower case, accents off."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def language_by_script(text: str) -> Language | None:
    """The language that the letters of ``text`` tell; ``None`` for Latin ones."""
    if _KANA.search(text):
        return load_language("japanese")
    if _HAN.search(text):
        return load_language("chinese")
    return load_language("russian") if _CYRILLIC.search(text) else None


def asks_in_another(text: str) -> bool:
    """Whether ``text`` plainly asks something in another language: it begins with a word that asks, and goes on in it."""
    by_script = language_by_script(text)
    if by_script and by_script.stem is None:
        asking = {word for word, english in by_script.function_words.items() if english in _ASKING}
        return any(word in text for word in asking)
    words = _LETTERS.findall(text)
    if not words:
        return False
    languages = (by_script,) if by_script else map(load_language, SPACED)
    for language in languages:
        asks = language.function_word(words[0]) in _ASKING
        if asks and sum(language.function_word(word) is not None for word in words[1:]) >= _PLAINLY:
            return True
    return False


def prepare_languages() -> None:
    """Read now the tables that an unknown word in Latin letters asks for."""
    for name in SPACED:
        load_language(name)


@cache
def load_language(name: str) -> Language:
    """Read the table of a language; its name in lower case."""
    stem = Stemmer.Stemmer(name).stemWord if name in (*SPACED, "russian") else None
    functions: dict[str, str] = {}
    written: dict[tuple[str, ...], tuple[str, ...]] = {}
    stemmed: dict[tuple[str, ...], tuple[str, ...]] = {}
    endings: list[tuple[str, str]] = []
    for line in read_packaged(TABLES / f"{name}.txt").splitlines():
        english, _, foreign = line.partition("=")
        if line.startswith("#") or not foreign:
            continue
        kind, meanings = (line[0], english[1:].strip()) if line[0] in "?~" else ("", english)
        for item in foreign.split():
            if kind == "?":
                functions.setdefault(fold(item) if stem else item, meanings)
            elif kind == "~":
                endings.append((fold(item), meanings))
            else:
                parts = tuple(_LETTERS.findall(item.replace("_", " ").lower()))
                _add(written, parts, meanings)
                if stem:
                    plain = tuple(map(fold, map(stem, parts)))
                    _add(stemmed, plain, meanings)
                    if not item.isascii() and (typed := tuple(map(stem, map(fold, parts)))) != plain:
                        _add(stemmed, typed, meanings)
    endings.sort(key=lambda pair: -len(pair[0]))
    longest = max(map(len, (*functions, *(key[0] for key in written))))
    return Language(name.capitalize(), functions, written, stemmed, tuple(endings), longest, stem)


def _add(table: dict[tuple[str, ...], tuple[str, ...]], key: tuple[str, ...], meanings: str) -> None:
    fresh = tuple(meanings.split())
    known = table.get(key)
    table[key] = fresh if known is None else tuple(dict.fromkeys((*known, *fresh)))[:MAX_MEANINGS]
