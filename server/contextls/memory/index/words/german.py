"""German words: umlauts typed as two letters, participles, verbs that part, compounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextls.memory.index.words.morphology import Morphology
from contextls.regex import compile_late

_UMLAUT = compile_late("([aou])e")
# The separable prefixes of verbs: "schaltet … ein". The longer of two that begin alike comes first.
_PREFIXES = (
    "ab|an|auf|aus|bei|bereit|durch|ein|fehl|fest|fort|frei|heraus|herein|herunter|her|hinaus|hinein|hinunter|hinzu|hin|hoch"
    "|los|mit|nach|nieder|raus|rein|runter|statt|teil|um|voraus|vorbei|vor|weg|weiter|wieder|zurück|zusammen"
)
# "ab-ge-schnitten", "ab-zu-schneiden"
_GE = compile_late(rf"^({_PREFIXES}|zu|)ge")
_ZU = compile_late(rf"^({_PREFIXES})zu")
# What the forms and participles of a verb end in, the longest first.
_VERB_ENDINGS = (
    *("etem", "eten", "eter", "etes", "test", "ete", "est", "tem", "ten", "ter", "tes", "tet"),
    *("en", "et", "st", "te", "e", "t"),
)
_MIN_VERB_CHARS = 3
# Participles of English verbs: "gehasht", "weggeparst", "geloggte".
_BORROWED = compile_late(rf"(?:{_PREFIXES})?ge([a-z]{{3,20}}?)e?t(?:e[mnrs]?)?")
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
# Joins the parts of compounds: "Verbindung-s-abbruch".
_JOINTS = ("", "s", "es", "n", "en", "er", "e")
_MIN_PART_CHARS = 3
_MAX_COMPOUND_CHARS = 40


class German(Morphology):
    """The morphology of German."""

    particles = frozenset((*_PREFIXES.split("|"), "zu", "zurueck", "zuruck"))

    def other_spellings(self, word: str) -> tuple[str, ...]:
        """Umlauts typed as two letters: "fuer" for "für", which a table has as "fur"."""
        return (_UMLAUT.sub(r"\1", word.lower()),) if word.isascii() else ()

    def without_infixes(self, word: str) -> tuple[str, ...]:
        """The word as a participle without its "ge", and as an infinitive without its "zu"."""
        return _GE.sub(r"\1", word, count=1), _ZU.sub(r"\1", word, count=1)

    def infinitives(self, word: str) -> Iterator[str]:
        """The infinitives of a form of a verb, or of its participle."""
        for form in dict.fromkeys((word, _GE.sub(r"\1", word, count=1))):
            yield from _infinitives(form)

    def rejoin(self, particle: str, verb: str) -> Iterator[str]:
        """Infinitives such as "einschalten", for "ein" and "schaltet"."""
        for infinitive in (f"{_STEMS.get(verb, verb)}en", *_infinitives(verb)):
            yield particle + infinitive

    def borrowed(self, word: str) -> Iterator[str]:
        """English verbs with a German participle: "hash" of "gehasht", "parse" of "geparst", "log" of "geloggt"."""
        found = _BORROWED.fullmatch(word.lower())
        if found is None:
            return
        base = found[1]
        yield f"{base}e"
        yield base
        if base[-1] == base[-2]:
            yield base[:-1]

    def split_compound(self, word: str) -> Iterator[tuple[Sequence[str], str]]:
        """Cuts from the shortest last part to the longest; the first part is given with and without a joint."""
        if not 2 * _MIN_PART_CHARS <= len(word) <= _MAX_COMPOUND_CHARS:
            return
        for cut in range(len(word) - _MIN_PART_CHARS, _MIN_PART_CHARS - 1, -1):
            joined = word[:cut]
            heads = [joined.removesuffix(joint) for joint in _JOINTS if joined.endswith(joint)]
            yield [head for head in heads if len(head) >= _MIN_PART_CHARS], word[cut:]


def _infinitives(verb: str) -> Iterator[str]:
    for ending in _VERB_ENDINGS:
        base = verb.removesuffix(ending)
        if not verb.endswith(ending) or len(base) < _MIN_VERB_CHARS:
            continue
        if base in _STEMS:
            yield f"{_STEMS[base]}en"
        yield f"{base}en"
        yield f"{base}n"
