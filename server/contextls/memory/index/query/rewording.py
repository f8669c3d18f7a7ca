"""A question's words that the index does not hold, read as words that it does: misspelt ones, and other languages'.

A question that is not plainly of another language and whose words all occur stays as it is; signals are looked for in
both forms of their names, HTTP statuses by name as well, and of what is said in plain words the words of code count a
little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.memory.index.hex_ids import split_hex_ids
from contextls.memory.index.query.clauses import find_asking_sentences
from contextls.memory.index.query.existence_questions import find_existence
from contextls.memory.index.query.long_queries import gist, is_long
from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import STOP_WORDS, TermSplitter
from contextls.memory.index.words.abbreviations import find_short_forms
from contextls.memory.index.words.acronyms import find_acronyms
from contextls.memory.index.words.compounds import split_compound
from contextls.memory.index.words.correction import correct
from contextls.memory.index.words.http_statuses import status_names
from contextls.memory.index.words.known_words import KnownWords
from contextls.memory.index.words.languages import Language
from contextls.memory.index.words.named_languages import named_languages
from contextls.memory.index.words.own_names import find_own_names, without_own_names
from contextls.memory.index.words.plain_words import load_plain_words
from contextls.memory.index.words.question_words import Token, WordForm, read_tokens
from contextls.memory.index.words.readings import FURTHER, NAMED, Readings, WordReading
from contextls.memory.index.words.signal_names import other_forms
from contextls.memory.index.words.spelling import Dictionary
from contextls.memory.index.words.translation import Edit, count_content, tell_language, translate
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# The characters of a question that are read; what follows repeats it or is a log.
MAX_CHARS = 20_000
MAX_TOLD = 6
# What a word of code counts that a phrase in plain words implies, how many a phrase and a question bring, and how many of
# these are embedded with the question, too.
IMPLIED = 0.2
MAX_OF_PHRASE, MAX_IMPLIED, MAX_EMBEDDED = 3, 12, 8
# What is shown to people, in quotes.
_LABEL = compile_late(r"(?<!\w)[\"“„«‘']([^\"“”„«»‘’'\n]{3,80})[\"”“»’'](?!\w)")
MAX_LABELS = 4
_SETTINGS_FILE = compile_late(
    r"(?<![\w/.-])[\w-]{0,60}\.(?:toml|ini|ya?ml|json5?|conf|cfg|env|properties)(?![\w/(-]|\.\w)"
)
# What code has for the languages of people, none of which it names.
LANGUAGE_WORDS = ("locale", "language", "translation")
# What a word of code may end in that is two in plain words.
_PARTICLES = word_set("away back down in off on out over up")


class Rewording(Struct, frozen=True):
    """A question as it was read.

    ``text`` is what to search for; the question itself where nothing was read. ``further`` are words that may be meant as
    well, ``implied`` those of them that came with it or that plain words stand for, ``names`` whole identifiers;
    ``weights`` what each counts that is not in the question, by its spelling. ``language`` is that of the question where it
    is plainly not English, ``unread`` how much of it could not be read, in 0..1, and ``in_english`` its text with such
    words still in their places. ``own`` are the words of a report that the whole workspace is full of.
    """

    text: str
    readings: tuple[WordReading, ...] = ()
    further: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    language: str = ""
    unread: float = 0.0
    in_english: str = ""
    own: frozenset[str] = frozenset()

    @property
    def spoken(self) -> str:
        """The text to embed: of a question the sentences that ask. Words that are implied make no report of one."""
        asked = gist(self.text) if is_long(self.text) else find_asking_sentences(self.text)
        told = without_own_names(asked, self.own)
        return " ".join((split_hex_ids(told)[1], *self.implied[:MAX_EMBEDDED]))

    def describe(self) -> str:
        """The words that were read as others, in one line for people; empty where none was."""
        told = [f'"{each.word}" as "{", ".join(each.read_as)}"' for each in self.readings[:MAX_TOLD]]
        if not told:
            return ""
        more = len(self.readings) - len(told)
        language = f" ({self.language})" if self.language else ""
        return f"read {', '.join(told)}{f' and {more} more' if more else ''}{language}"


def reword(
    text: str,
    view: IndexView,
    dictionary: Callable[[], Dictionary],
    splitter: TermSplitter,
    other_words: Sequence[str] = (),
) -> Rewording:
    """Read the words of ``text`` that ``view`` does not hold. ``dictionary`` is asked for when there is one.

    ``other_words`` are what the code may have for what is said otherwise; those that it has count.
    """
    tokens = read_tokens(text[:MAX_CHARS])
    if not tokens or not len(view):
        return Rewording(text)
    words, readings = KnownWords(view, dictionary, splitter), Readings()
    language = tell_language(tokens, words)
    edits = list(
        _translate(text, tokens, language, words, readings) if language else correct(tokens, words, readings)
    )
    # A report says what happened in words of its own.
    is_report = is_long(text)
    _mention_fixed_names(text, words, readings, is_report=is_report)
    implied = _take_given(other_words, tokens, words, readings)
    if not (is_report or language):
        implied += _read_as_code(text, tokens, words, readings)
    rewording = Rewording(
        text=_edit(text, edits),
        readings=tuple(dict.fromkeys(readings.told)),
        further=tuple(dict.fromkeys(readings.further)),
        implied=tuple(implied),
        names=tuple(dict.fromkeys(readings.names)),
        weights=readings.weights,
        own=find_own_names(text, view, splitter) if is_report else frozenset(),
    )
    if language is None:
        return rewording
    return replace(
        rewording,
        language=language.name,
        unread=len(readings.unread) / max(1, count_content(tokens, language)),
        in_english=_edit(text, [edit for edit in edits if text[edit[0] : edit[1]] not in readings.unread]),
    )


def _mention_fixed_names(text: str, words: KnownWords, readings: Readings, *, is_report: bool) -> None:
    """Note the other forms of signals and, but for a report, the names in code of HTTP statuses and of quoted labels."""
    for form in other_forms(text[:MAX_CHARS]):
        if words.are_telling(form.lower()):
            readings.mention(form.lower(), FURTHER)
    for name in () if is_report else _find_names(text, words):
        readings.mention_name(name)


def _take_given(
    other_words: Sequence[str], tokens: Sequence[Token], words: KnownWords, readings: Readings
) -> list[str]:
    """Note those of ``other_words`` that are new and that the workspace has, and return them."""
    said = {token.folded for token in tokens}
    new = dict.fromkeys(word for word in other_words if word.lower() not in said)
    return _mention([word for word in new if words.are_there(word.lower())], NAMED, readings)


def _read_as_code(text: str, tokens: Sequence[Token], words: KnownWords, readings: Readings) -> list[str]:
    """Note how code writes what an English question says, and return the words that it implies."""
    for word, *parts in _split(tokens, words):
        readings.mention_name(word)
        _mention(parts, FURTHER, readings)
    implied = [
        *_mention(_join(text, tokens, words), FURTHER, readings),
        *_mention(list(find_acronyms(text, tokens, words)), NAMED, readings),
        *_mention_short(find_short_forms(text, tokens, words), readings),
    ]
    # A question that names code, a path or an option uses the words of code, and a single word means just that.
    if len(tokens) == 1 or _names_code(text, tokens):
        return implied
    return [*implied, *_mention(_imply(text, tokens, words), IMPLIED, readings)]


def _mention(found: list[str], weight: float, readings: Readings) -> list[str]:
    for word in found:
        readings.mention(word, weight)
    return found


def _mention_short(found: Iterable[str], readings: Readings) -> list[str]:
    """Note short forms, those with digits in them as the names that they are to the index."""
    short = list(found)
    for form in short:
        if not form.isalpha():
            readings.mention_name(form)
    _mention([form for form in short if form.isalpha()], NAMED, readings)
    return short


def _translate(
    text: str, tokens: Sequence[Token], language: Language, words: KnownWords, readings: Readings
) -> list[Edit]:
    """The edits that put ``text`` into English; the words that ask whether there is something are one."""
    asked = find_existence(text, language.name)
    if asked is None:
        return list(translate(text, tokens, language, words, readings))
    start, end = asked
    rest = [token for token in tokens if not start <= token.start < end]
    return sorted([(start, end, "is there "), *translate(text, rest, language, words, readings)])


def _edit(text: str, edits: Sequence[Edit]) -> str:
    parts, at = [], 0
    for start, end, read in edits:
        parts += [text[at:start], read]
        at = end
    return "".join((*parts, text[at:]))


def _find_names(text: str, words: KnownWords) -> Iterator[str]:
    """The names in code of the HTTP statuses that ``text`` gives by number, and of the labels that it quotes."""
    yield from filter(words.are_telling_as_name, status_names(text))
    for label in _LABEL.findall(text[:MAX_CHARS])[:MAX_LABELS]:
        for key in words.find_label_keys(label):
            yield "".join(words.parts(key))


def _join(text: str, tokens: Sequence[Token], words: KnownWords) -> list[str]:
    """Verbs in two words as code writes them: ``login`` for "logged in", ``signup`` for "sign up"."""
    said = {token.folded for token in tokens}
    verbs = (
        (first.folded, second.folded)
        for first, second in pairwise(tokens)
        if first.form is second.form is WordForm.PROSE
        and second.folded in _PARTICLES
        and text[first.end : second.start] in (" ", "-")
        and first.folded not in STOP_WORDS | _PARTICLES
        and len(first.word) > 1
    )
    joined = dict.fromkeys(form + end for verb, end in verbs for form in (verb, words.stem(verb)))
    return [word for word in joined if word not in said and words.are_there(word)]


def _split(tokens: Sequence[Token], words: KnownWords) -> Iterator[tuple[str, str, str]]:
    """Words that are rare here, each with the two that it stands for: "autosave", ``auto``, ``save``."""
    for word in dict.fromkeys(token.folded for token in tokens if token.form is WordForm.PROSE):
        pair = split_compound(word, words) if words.are_there(word) else None
        if pair:
            yield word, *pair


def _names_code(text: str, tokens: Sequence[Token]) -> bool:
    """Whether any of ``tokens`` is more than prose and the name of a file of settings, which anybody knows."""
    files = [found.span() for found in _SETTINGS_FILE.finditer(text)]
    return any(
        token.form is not WordForm.PROSE
        and not any(start <= token.start and token.end <= end for start, end in files)
        for token in tokens
    )


def _imply(text: str, tokens: Sequence[Token], words: KnownWords) -> list[str]:
    """The words of code for what is said in plain words, and for the languages of people that are named."""
    said = {token.folded for token in tokens}
    spoken = LANGUAGE_WORDS if named_languages(text) else ()
    implied = [word for word in spoken if word not in said and words.are_telling(word)]
    for _, code in load_plain_words().read(tokens):
        implied += (word for word in code[:MAX_OF_PHRASE] if word not in said and words.are_telling(word))
        said.update(implied)
    return implied[:MAX_IMPLIED]
