"""Technical words of other languages and the English words of code for them: tables that come with the package.

A line of a table reads ``English words = words of the language``; ``_`` joins a phrase of several words. Where it begins
with ``?`` the words are function words: never searched, but their English says what kind of question it is. Where it
begins with ``~`` they are endings: ``~tion = ción`` reads "validación" as "validation". docs/relevance.md tells more.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

import Stemmer
from msgspec import Struct

from contextls.memory.index.words.german import German
from contextls.memory.index.words.morphology import Morphology
from contextls.memory.index.words.romance import Romance
from contextls.package_data import read_packaged
from contextls.regex import compile_late

TABLES = Path(__file__).with_name("bridge")
# Read with spaces between words, and of which a stemmer exists; the others are told by their script.
SPACED = ("german", "french", "spanish", "portuguese", "italian")
MAX_PHRASE_WORDS = 4
# What a word may stand for; what comes later in a table is further away.
MAX_MEANINGS = 3
# Compounds are tried at every letter, with the same parts again and again.
MAX_REMEMBERED = 10_000

HAN_OR_KANA = "\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff66-\uff9f"
_KANA = compile_late("[\u3041-\u30ff\uff66-\uff9f]")
_HAN = compile_late("[\u3400-\u4dbf\u4e00-\u9fff]")
_CYRILLIC = compile_late("[\u0400-\u04ff]")
_LETTERS = compile_late(r"[^\W\d_]+")
MAX_WORD_CHARS = 40
_MIN_MISSPELT_CHARS = 5
# A word is not read by its ending where less than this is left of it.
_MIN_BASE_CHARS = 3
_ASKING = frozenset(("where", "why", "how", "what", "when", "who", "which"))
# The number of further function words that tell the language of a sentence.
_PLAINLY = 2
_Meanings = dict[tuple[str, ...], tuple[str, ...]]
_MORPHOLOGIES: Mapping[str, Morphology] = {"german": German()} | {
    name: Romance(name) for name in SPACED if name != "german"
}


class Language(Struct, frozen=True, eq=False):
    """A language and its table: English words by those of the language, as written and by their stems.

    ``function_words`` are found by their letters without accents. ``endings`` pairs an ending with its English one, the
    longest first; ``longest`` is the length of the longest word. ``morphology`` knows what ``stem`` does not.
    """

    name: str
    function_words: Mapping[str, str]
    written: Mapping[tuple[str, ...], tuple[str, ...]]
    stemmed: Mapping[tuple[str, ...], tuple[str, ...]]
    endings: tuple[tuple[str, str], ...]
    longest: int
    stem: Callable[[str], str] | None
    morphology: Morphology

    def function_word(self, word: str) -> str | None:
        """The English of a function word, which may be nothing; ``None`` for any other word."""
        spellings = (fold(word) if self.stem else word, *self.morphology.other_spellings(word))
        return next((self.function_words[each] for each in spellings if each in self.function_words), None)

    def meanings(self, *words: str) -> tuple[str, ...]:
        """The English for a word or a phrase in lower case, the likeliest first; empty where the table has none."""
        if max(map(len, words)) > MAX_WORD_CHARS:
            return ()
        return self._find(words) or (self._find_changed(words[0]) if len(words) == 1 else ())

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
    def _find_changed(self, word: str) -> tuple[str, ...]:
        """The English for the singular of a word, or for the verb of which it is a form."""
        singulars = (self._find((one,)) for one in self.morphology.singulars(word))
        verbs = map(self._find_infinitive, self.morphology.infinitives(word))
        return next(filter(None, chain(singulars, verbs)), ())

    def _find_infinitive(self, verb: str) -> tuple[str, ...]:
        stem = self.stem or str
        return self.written.get((verb,)) or self.stemmed.get((fold(stem(verb)),), ())

    def is_particle(self, word: str) -> bool:
        """Whether a verb may have parted with ``word``."""
        return word in self.morphology.particles

    def join(self, particle: str, verb: str) -> tuple[str, ...]:
        """The English for a verb that parted with ``particle``: "ein" and "schaltet"."""
        infinitives = self.morphology.rejoin(particle, verb)
        return next(filter(None, map(self._find_infinitive, infinitives)), ())

    def read_compound(self, word: str, occurs: Callable[[str], bool]) -> tuple[str, ...]:
        """The English for the parts of a compound, each of which is in the table or occurs in the workspace."""
        for heads, tail in self.morphology.split_compound(word):
            last = self._read_part(tail, occurs)
            for head in heads if last else ():
                if first := self._read_part(head, occurs) or self.read_compound(head, occurs):
                    return (*first, *last)
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
        """The spellings that an English cousin of the word may have: accents off, endings changed, a "c" for a "k"."""
        plain = fold(word)
        bases = [plain] + [
            plain[: -len(ending)] + english
            for ending, english in self.endings
            if plain.endswith(ending) and len(plain) - len(ending) >= _MIN_BASE_CHARS
        ]
        for base in bases:
            yield base
            if "k" in base:
                yield base.replace("k", "c")

    def borrowed(self, word: str) -> Iterator[str]:
        """The English words that the word may be a form of."""
        return self.morphology.borrowed(word)

    def _read_part(self, part: str, occurs: Callable[[str], bool]) -> tuple[str, ...]:
        return self._find((part,))[:1] or ((part,) if occurs(part) else ())

    def _stems(self, word: str) -> tuple[str, ...]:
        stem = self.stem or str
        forms = (fold(stem(form)) for form in self.morphology.without_infixes(word))
        return fold(stem(word)), stem(fold(word)), *forms


def fold(word: str) -> str:
    """``word`` in lower case, accents off."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def language_by_script(text: str) -> Language | None:
    """The language that the letters of ``text`` tell; ``None`` for Latin ones."""
    if text.isascii():
        return None
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
    written: _Meanings = {}
    stemmed: _Meanings = {}
    endings: list[tuple[str, str]] = []
    for kind, english, item in _read_table(name):
        if kind == "?":
            functions.setdefault(fold(item) if stem else item, english)
        elif kind == "~":
            endings.append((fold(item), english))
        else:
            words = tuple(_LETTERS.findall(item.replace("_", " ").lower()))
            _add(written, words, english)
            for stems in _stem_all(words, stem) if stem else ():
                _add(stemmed, stems, english)
    endings.sort(key=lambda pair: -len(pair[0]))
    longest = max(map(len, (*functions, *(key[0] for key in written))))
    return Language(
        name=name.capitalize(),
        function_words=functions,
        written=written,
        stemmed=stemmed,
        endings=tuple(endings),
        longest=longest,
        stem=stem,
        morphology=_MORPHOLOGIES.get(name, Morphology()),
    )


def _read_table(name: str) -> Iterator[tuple[str, str, str]]:
    """Each word of a table: the sign that its line begins with, "" for none, its English and the word itself."""
    for line in read_packaged(TABLES / f"{name}.txt").splitlines():
        english, _, foreign = line.partition("=")
        if line.startswith("#"):
            continue
        sign = line[:1] if line[:1] in ("?", "~") else ""
        english = english.removeprefix(sign).strip()
        for item in foreign.split():
            yield sign, english, item


def _stem_all(words: tuple[str, ...], stem: Callable[[str], str]) -> Iterable[tuple[str, ...]]:
    """The stems of ``words``, also as those type them who leave accents off."""
    plain = tuple(map(fold, map(stem, words)))
    if all(map(str.isascii, words)):
        return (plain,)
    return dict.fromkeys((plain, tuple(map(stem, map(fold, words)))))


def _add(table: _Meanings, key: tuple[str, ...], english: str) -> None:
    fresh = tuple(english.split())
    known = table.get(key)
    table[key] = fresh if known is None else tuple(dict.fromkeys((*known, *fresh)))[:MAX_MEANINGS]
