"""Finds the entities that a text mentions: by names, paths, ``path:line``, module paths and nearly right names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum

from msgspec import Struct

from contextls import cancellation
from contextls.memory.index.query.places import Place
from contextls.memory.index.query.traces import find_in_workspace
from contextls.memory.index.segments.name_tables import squeeze
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.knowledge.entities.catalogue import Catalogue
from contextls.memory.knowledge.entities.model import Entity, EntityType
from contextls.memory.knowledge.entities.names import NameIndex
from contextls.regex import compile_late

MIN_NAME_CHARS = 3  # shorter names are rarely meant as a mention ("a", "is")
MAX_PER_NAME = 4
# A name that more files have tells none of them: `mod.rs`, `index.md`.
MAX_NAMESAKES = 3
MAX_MENTIONS = 24
MAX_PERSON_WORDS = 4
MAX_WORDS = 64
MAX_FUZZY = 6
MAX_TEXT_WORDS = 300
MIN_PAIR_CHARS = 8

_SCOPES = compile_late(r"::|->|[.#]")
_WORD = compile_late(r"[A-Za-z][A-Za-z0-9]+")
# Written like code, more than a word with or without a capital: ``parseHeader``, ``MAX_AGE``, ``Cart.add``, ``run()``.
SHAPED = compile_late(r"[a-z0-9][A-Z]|_|\w[.:]\w|\(\)$")
_NAMED_LIKE_CODE = frozenset({EntityType.PACKAGE, EntityType.PERSON, EntityType.COMMAND, EntityType.ERROR})
_FOLDER_FILES = ("__init__", "index", "mod", "lib")


class MentionMatch(IntEnum):
    """The ways in which a word means an entity; the first is the surest."""

    EXACT = 0
    FOLDED = 1
    QUALIFIED = 2
    SPLIT = 3
    FUZZY = 4


class Mention(Struct, frozen=True):
    """An entity that a text mentions."""

    entity: Entity
    match: MentionMatch


class MentionFinder:
    """Finds mentions among the entities of one moment."""

    def __init__(self, catalogue: Catalogue, names: NameIndex) -> None:
        self._catalogue = catalogue
        self._names = names
        self._snapshot = catalogue.graph.snapshot
        self._fuzzy_left = MAX_FUZZY

    def find(
        self, words: Iterable[str], *, text: str = "", places: Sequence[Place] = (), loose: bool = False
    ) -> list[Mention]:
        """The entities that ``words`` mention, surest first; at most four per word and 24 in all.

        ``text`` is looked through for names written as separate words, ``places`` are paths with lines and frames of stack
        traces in it. ``loose`` lets every word be a misspelt name, not only those that look like code, and the name of many
        files mean the first of them.
        """
        self._fuzzy_left = MAX_FUZZY
        found: dict[str, tuple[MentionMatch, int, Entity]] = {}

        def note(match: MentionMatch, order: int, entity: Entity) -> None:
            known = found.get(entity.id)
            if known is None or (match, order) < known[:2]:
                found[entity.id] = (match, order, entity)

        asked = list(dict.fromkeys(word for raw in words if (word := raw.strip().removesuffix("()"))))
        at = [entity for place in places[:MAX_WORDS] for entity in self._at(place)]
        for order, entity in enumerate(at):
            note(MentionMatch.EXACT, order - len(at), entity)
        for order, word in enumerate(asked[:MAX_WORDS]):
            cancellation.check()
            for match, entity in self._of_word(word, loose=loose):
                note(match, order, entity)
        for order, joined in enumerate(_join_words(text)):
            for entity in self._find_squeezed(joined):
                note(MentionMatch.SPLIT, MAX_WORDS + order, entity)
        ranked = sorted(found.values(), key=lambda one: (one[0], one[1], *_standing(one[2])))
        return [Mention(entity, match) for match, _, entity in ranked[:MAX_MENTIONS]]

    def _of_word(self, word: str, *, loose: bool) -> list[tuple[MentionMatch, Entity]]:
        if len(word) < MIN_NAME_CHARS or len(word) > 300:
            return []
        files = list(self._files(word))
        crowded = len(files) > MAX_NAMESAKES and not loose
        found = [*([] if crowded else files), *self._symbols(word), *self._others(word)]
        if not found and not crowded:
            found = [(MentionMatch.SPLIT, entity) for entity in self._find_squeezed(word)]
        if not found and not crowded and self._fuzzy_left and (loose or SHAPED.search(word)):
            self._fuzzy_left -= 1
            found = [(MentionMatch.FUZZY, entity) for entity in self._alike(_SCOPES.split(word)[-1])]
        best: dict[str, tuple[MentionMatch, Entity]] = {}
        for match, entity in found:
            if entity.id not in best or match < best[entity.id][0]:
                best[entity.id] = (match, entity)
        ranked = sorted(best.values(), key=lambda pair: (pair[0], *_standing(pair[1])))
        return ranked[:MAX_PER_NAME]

    def _files(self, word: str) -> Iterator[tuple[MentionMatch, Entity]]:
        asked = word.removeprefix("./").strip("/")
        if not asked or ("/" not in asked and "." not in asked):
            return
        paths = self._catalogue.graph.all_imports.paths
        if asked in paths:
            yield MentionMatch.EXACT, self._catalogue.file(asked)
            return
        hits = sorted(paths.ending_with(asked))
        if not hits:
            parts = [part for part in re.split(r"[/.\\]|::", asked) if part]
            hits = self._modules(parts)
        for path in hits[:MAX_PER_NAME]:
            yield MentionMatch.QUALIFIED, self._catalogue.file(path)

    def _modules(self, parts: Sequence[str]) -> list[str]:
        """Files that a module path means: ``shop.prices`` and ``shop/prices`` are ``…/shop/prices.py``."""
        if len(parts) < 2:
            return []
        tail = "/".join(parts).lower()
        candidates = [path for path in self._names.find_files(parts[-1]) if path in self._snapshot.outlines]
        hits = [path for path in candidates if f"/{path.rpartition('.')[0].lower()}".endswith(f"/{tail}")]
        if hits:
            return hits
        index = self._catalogue.graph.all_imports.paths
        for folder in index.folders_ending_with("/".join(parts)):
            hits += [
                path
                for path in index.files_of(folder)
                if path.rpartition("/")[2].partition(".")[0] in _FOLDER_FILES
            ]
        return hits

    def _symbols(self, word: str) -> Iterator[tuple[MentionMatch, Entity]]:
        parts = [part for part in _SCOPES.split(word) if part]
        if not parts or len(parts[-1]) < MIN_NAME_CHARS:
            return
        items = self._snapshot.symbols.find_named(parts[-1])
        if len(parts) == 1:
            for item in items:
                exact = item.definition.name == parts[0]
                yield MentionMatch.EXACT if exact else MentionMatch.FOLDED, self._catalogue.symbol(item)
            return
        suffix = ".".join(parts)
        qualified = [
            (match, item)
            for item in items
            if (match := _match_qualified(item, suffix, parts[-2])) is not None
        ]
        # `requests.get` is not every `get` of the workspace; the only one may be it.
        for match, item in qualified or [(MentionMatch.SPLIT, item) for item in items if len(items) == 1]:
            yield match, self._catalogue.symbol(item)

    def _others(self, word: str) -> Iterator[tuple[MentionMatch, Entity]]:
        catalogue = self._catalogue
        package = catalogue.packages().all().get(word.lower())
        if package is not None:
            yield (
                MentionMatch.EXACT if package.name == word else MentionMatch.FOLDED,
                catalogue.package(package),
            )
        ran = catalogue.event_stats.commands.get(" ".join(word.split()))
        if ran is not None:
            yield MentionMatch.EXACT, catalogue.command(ran)
        if word[0].isupper():
            for name, share in catalogue.history.people():
                if word.lower() == name.lower():
                    yield MentionMatch.EXACT, catalogue.person(name, share)
                elif _is_part(word, name):
                    yield MentionMatch.SPLIT, catalogue.person(name, share)
            for raised in catalogue.errors():
                if re.match(rf"(?:[\w.]+\.)?{re.escape(word)}\b", raised.message):
                    yield MentionMatch.QUALIFIED, catalogue.error(raised)

    def _find_squeezed(self, word: str) -> list[Entity]:
        last = _SCOPES.split(word)[-1]
        if len(squeeze(last)) < MIN_NAME_CHARS:
            return []
        symbols = self._snapshot.symbols
        items = [item for name in self._names.written_as(last) for item in symbols.find_named(name)]
        entities = [self._catalogue.symbol(item) for item in items]
        return sorted(entities, key=lambda entity: (-entity.salience, entity.id))[:MAX_PER_NAME]

    def _alike(self, word: str) -> list[Entity]:
        found: list[Entity] = []
        for name, _ in self._names.alike(word):
            found += [
                self._catalogue.symbol(item)
                for item in self._snapshot.symbols.find_named(name)[:MAX_PER_NAME]
            ]
            called = [path for path in self._names.find_files(name) if path in self._snapshot.outlines]
            found += [self._catalogue.file(path) for path in called[:1]] if not found else []
            if len(found) >= MAX_PER_NAME:
                break
        return found[:MAX_PER_NAME]

    def _at(self, place: Place) -> list[Entity]:
        """The files that a place means, and the definition there that it names, else the innermost around its line."""
        called = self._catalogue.graph.all_imports.paths.ending_with(place.path.rpartition("/")[2])
        found = []
        # By the same rule as everywhere else: a path of the user's own machine need not be one of the workspace.
        for path in [one.path for one in find_in_workspace([place], called)][:2]:
            inner = None
            definitions = self._snapshot.outlines[path].definitions
            for definition in definitions:
                if place.line is not None and definition.start_line <= place.line <= definition.end_line:
                    inner = definition
            if place.name and (inner is None or inner.name != place.name):
                # The trace may be of another version, whose lines are others.
                inner = next((each for each in definitions if each.name == place.name), inner)
            if inner is not None:
                found.append(self._catalogue.symbol(Located(path, inner)))
            found.append(self._catalogue.file(path))
        return found


def _is_part(word: str, name: str) -> bool:
    """Whether ``word`` is part of a person's full name. "The" and "UNKNOWN" are no names, and a whole sentence has none."""
    parts = name.split()
    return (
        word.lower() not in STOP_WORDS
        and len(parts) <= MAX_PERSON_WORDS
        and not {word, word.lower()}.isdisjoint(parts)
    )


def _standing(entity: Entity) -> tuple[bool, float, str]:
    """Code before what is only named like it, then the salient."""
    return entity.type in _NAMED_LIKE_CODE, -entity.salience, entity.id


def _match_qualified(item: Located, suffix: str, owner: str) -> MentionMatch | None:
    """The way in which a dotted name means a definition: ``Cart.total``, ``shop.Cart.total``, ``cart.total``."""
    own = item.definition.qualified
    if own == suffix:
        return MentionMatch.EXACT
    if own.lower() == suffix.lower():
        return MentionMatch.FOLDED
    if f".{own.lower()}".endswith(f".{suffix.lower()}"):
        return MentionMatch.QUALIFIED
    stem = item.path.rpartition("/")[2].partition(".")[0].lower()
    if own == item.definition.name and stem == owner.lower():
        return MentionMatch.QUALIFIED
    if f".{suffix.lower()}".endswith(f".{own.lower()}") and "." in own:
        return MentionMatch.QUALIFIED
    return None


def _join_words(text: str) -> list[str]:
    """Two or three neighbouring words written as one: how a name reads in a sentence."""
    words = [word.lower() for word in _WORD.findall(text)[:MAX_TEXT_WORDS]]
    found: dict[str, None] = {}
    for size in (3, 2):
        for at in range(len(words) - size + 1):
            group = words[at : at + size]
            joined = "".join(group)
            if len(joined) >= MIN_PAIR_CHARS and not any(
                word in STOP_WORDS or len(word) < 3 for word in group
            ):
                found.setdefault(joined)
    return list(found)
