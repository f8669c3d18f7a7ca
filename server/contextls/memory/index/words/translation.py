"""Questions in other languages than English, word by word into the English of code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextls import cancellation
from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.words.known_words import KnownWords
from contextls.memory.index.words.languages import (
    MAX_PHRASE_WORDS,
    SPACED,
    Language,
    language_by_script,
    load_language,
)
from contextls.memory.index.words.question_words import Token, WordForm
from contextls.memory.index.words.readings import Readings
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# What a translated word counts against one that the question holds itself.
TRANSLATED = 0.8
# What one counts that the workspace holds in that language: more of it is for people to read than code.
HELD = 0.3
# A text is in a language if it has at least this many of its function words, or words that only its table has.
PLAIN = 2
# This many function words, and none of English, are enough even where the code spells each of them.
FLUENT = 3
# Words of two languages that share fewer letters than this are alike by chance.
_MIN_COGNATE_CHARS = 6
# Letters at the end of a word that stands in a message without them: "Sparschweins", "tirelires".
MAX_ENDING = 2

# In every other sentence of the five languages: English words that all occur are told without reading the tables.
_FREQUENT = word_set(
    """
    der die das den dem ein eine einen zu ist wird werden und wo wie wenn la les des du un une est et dans pour el los
    las del una es se por para que como um uma os da il lo gli di che per non con si
    """
)

# What ends a clause, where no comma does.
_JOINING = word_set("und oder aber sowie sondern wenn falls")
_MAX_BETWEEN = 30
_CLAUSE_END = compile_late(r"[.,:;!?()\n]")

Edit = tuple[int, int, str]


def tell_language(tokens: Sequence[Token], words: KnownWords) -> Language | None:
    """The language that a question plainly is in; ``None`` for English, and where that is open.

    It is by its function words and by those that its table knows and code does not: "die" alone is no German. That words
    stand in the workspace says little, as many a workspace holds what it shows to people of all languages.
    """
    prose = [token for token in tokens if token.form is WordForm.PROSE and token.word.isalpha()]
    by_script = language_by_script(" ".join(token.word for token in prose))
    if by_script:
        return None if all(words.hold(token.folded) for token in prose) else by_script
    spoken = {token.folded for token in prose}
    english = len(spoken & STOP_WORDS)
    foreign = spoken - STOP_WORDS
    usual = not foreign & _FREQUENT and all(word.isascii() and words.hold(word) for word in foreign)
    if usual or english >= len(foreign):
        return None
    best, most = None, max(PLAIN - 1, english)
    for name in SPACED:
        language = load_language(name)
        functions = {word for word in foreign if len(word) > 1 and language.function_word(word) is not None}
        rest = foreign - functions
        # A name of code here is asked for as it is spelled.
        known = {
            word
            for word in rest
            if language.meanings(word) and not (_is_english(word, words) or words.are_named(word))
        }
        if english and len(functions) < PLAIN and len(known) < PLAIN + english:
            continue
        telling = any(not _is_english(word, words) for word in functions | known)
        # "Wo ist der …": code spells each of these, and never all of them.
        if (telling or (not english and len(functions) >= FLUENT)) and len(functions | known) > most:
            best, most = language, len(functions | known)
    return best


def _is_english(word: str, words: KnownWords) -> bool:
    return word.isascii() and words.are_spelled(word)


def translate(
    text: str, tokens: Sequence[Token], language: Language, words: KnownWords, readings: Readings
) -> Iterator[Edit]:
    """The edits that put ``text`` into English, in order; each is noted in ``readings``."""
    at, parted = 0, _find_parted_verbs(text, tokens, language)
    while at < len(tokens):
        cancellation.check()
        token, count = tokens[at], 1
        if at in parted:
            meanings = parted[at]
            yield token.start, token.end, _write(token.word, meanings, readings) if meanings else ""
        elif token.is_wide:
            yield token.start, token.end, f" {_read_run(token.word, language, words, readings)} "
        elif token.form is WordForm.PROSE:
            count, read = _read_phrase(text, tokens[at : at + MAX_PHRASE_WORDS], language, words, readings)
            if read is not None:
                yield token.start, tokens[at + count - 1].end, read
        at += count


def count_content(tokens: Sequence[Token], language: Language) -> int:
    """The number of ``tokens`` that are more than function words of ``language``."""
    return sum(
        token.form is not WordForm.PROSE or language.function_word(token.folded) is None for token in tokens
    )


def translate_alone(word: str) -> tuple[str, ...]:
    """The English for a word of whatever language, where nothing else tells the language."""
    for name in SPACED:
        language = load_language(name)
        if meanings := language.meanings(word) or language.read_compound(word, lambda _: False):
            return meanings
    return ()


def _find_parted_verbs(text: str, tokens: Sequence[Token], language: Language) -> dict[int, tuple[str, ...]]:
    """The German verbs whose beginning stands at the end of their clause: "schaltet … ein".

    By the place of either part in ``tokens``: the English at the verb, nothing at the other.
    """
    found: dict[int, tuple[str, ...]] = {}
    first = 0
    for at, token in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        ends = after is None or after.folded in _JOINING or _CLAUSE_END.search(text, token.end, after.start)
        if not ends:
            continue
        if at > first and token.form is WordForm.PROSE and language.is_particle(token.folded):
            verb = _find_verb_of(tokens, range(max(first, at - _MAX_BETWEEN), at), language)
            if verb is not None:
                found[verb] = language.join(token.folded, tokens[verb].folded)
                found[at] = ()
        first = at + 1
    return found


def _find_verb_of(tokens: Sequence[Token], places: range, language: Language) -> int | None:
    particle = tokens[places.stop].folded
    prose = (at for at in places if tokens[at].form is WordForm.PROSE)
    return next((at for at in prose if language.join(particle, tokens[at].folded)), None)


def _read_run(run: str, language: Language, words: KnownWords, readings: Readings) -> str:
    """A run of words without spaces, by the longest match."""
    found = [run] if words.hold(run) else []
    at = 0
    while at < len(run):
        for end in range(min(len(run), at + language.longest), at, -1):
            part = run[at:end]
            function = language.function_word(part)
            meanings = language.meanings(part)
            if function is not None or meanings:
                found.append(_write(part, meanings, readings) if meanings else function or "")
                break
        else:
            end = at + 1
        at = end
    return " ".join(filter(None, found))


def _read_phrase(
    text: str, tokens: Sequence[Token], language: Language, words: KnownWords, readings: Readings
) -> tuple[int, str | None]:
    """The number of ``tokens`` that are read as one, and what they become; ``None`` leaves the first as it is."""
    prose = next((at for at, token in enumerate(tokens) if token.form is not WordForm.PROSE), len(tokens))
    spoken = [token.folded for token in tokens[:prose]]
    for count in range(prose, 1, -1):
        if meanings := language.meanings(*spoken[:count]):
            return count, _write(text[tokens[0].start : tokens[count - 1].end], meanings, readings)
    return 1, _read_word(tokens[0].word, language, words, readings)


def _read_word(written: str, language: Language, words: KnownWords, readings: Readings) -> str | None:
    word = written.lower()
    function = language.function_word(word)
    if function is not None:
        return function
    held = words.hold(word)
    meanings = language.meanings(word)
    if word in meanings or (held and not meanings and _is_english(word, words)):
        return None
    if not meanings and (key := _find_message_key(word, language, words)):
        meanings = (" ".join(key),)
    if not meanings:
        meanings = _find_cognate(word, language, words, held=held)
    if not meanings:
        meanings = language.read_compound(word, lambda part: words.hold(part) and _is_english(part, words))
    if not meanings and not held:
        meanings = _guess(word, language, words)
    if held and not meanings:
        return None
    if held:
        # It stands in comments, or in what is shown to people of that language.
        readings.mention(word, HELD)
    if meanings:
        return _write(written, meanings, readings)
    if words.are_spelled(word):
        return None
    # A word of that language which means nothing here would only blur what the others mean.
    readings.miss(written)
    return ""


def _find_message_key(word: str, language: Language, words: KnownWords) -> tuple[str, ...]:
    """The words of the key of a message that is ``word``, with or without the ending of a case or of many."""
    if language.stem is None:  # its words are written without spaces: this one is of another
        return ()
    forms = (
        word[: len(word) - cut] for cut in range(MAX_ENDING + 1) if len(word) - cut >= _MIN_COGNATE_CHARS
    )
    keys = (words.find_message_key(form, language.name) for form in forms if words.hold(form))
    return next(filter(None, keys), ())


def _find_cognate(word: str, language: Language, words: KnownWords, *, held: bool) -> tuple[str, ...]:
    """The English cousin of a word, where the workspace has it."""
    for spelling in language.cognates(word) if word.isalpha() else ():
        if spelling != word and words.hold(spelling) and (not held or _is_english(spelling, words)):
            return (spelling,)
    return ()


def _guess(word: str, language: Language, words: KnownWords) -> tuple[str, ...]:
    """An English verb that was borrowed, a word of the table that is misspelt, or a word that looks nearly the same."""
    if not word.isalpha():
        return ()
    for verb in language.borrowed(word):
        if words.are_named(verb) and words.are_spelled(verb):
            return (verb,)
    if misspelt := language.misspelt(word):
        return misspelt
    for spelling in dict.fromkeys(language.cognates(word)):
        if len(spelling) >= _MIN_COGNATE_CHARS and (near := words.nearest(spelling)):
            return (near[0].word,)
    return ()


def _write(written: str, meanings: Sequence[str], readings: Readings) -> str:
    spoken = [meaning.replace("_", " ") for meaning in meanings]
    readings.note(written, spoken, TRANSLATED)
    return " ".join(spoken)
