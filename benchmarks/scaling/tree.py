"""Trees of any size out of real ones: files sampled from given trees, the words of their identifiers exchanged.

A tree of more files than there are consists of *generations*. Each is all of the files with other words: every part of a
name (``get`` and ``User`` of ``getUser``) and every word of a comment stands for another word of the same trees, the same
one in all files and paths of the generation, so that imports and calls lead where they led. What languages reserve stays.
A word stands for one that is about as frequent: there are as many words as before, and as many of them are rare. The names
made of words grow with the tree.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contextls.code.languages import TEXT, default_languages

SEED = 16
MAX_BYTES = 200_000  # bytes; what is larger is data, or was generated
WORDS_FROM = 2_000  # files; they hold nearly all words of a tree
MIN_LETTERS, MIN_FILES = 4, 3  # letters of a word, and in how many files it stands at least, to be exchanged
GENERATIONS_OF_AREA = 30  # folders side by side
# Reserved in one of the languages that we parse, or known to their parsers: such words stay.
RESERVED = frozenset((Path(__file__).with_name("reserved.txt")).read_text(encoding="ascii").split())
_PART = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
# What comments say of the code, in its first words; not of its authors and licence.
_SENTENCE = re.compile(r"^\s*(?://+|#+|\*|\"\"\")\s*([A-Z][a-z]+(?: [\w'-]+){4,12})", re.MULTILINE)
_LICENSE = re.compile(
    r"Copyright|Licen[sc]e|Author|Based on|Use of|This (?:program|file)|You should|Permission"
)
_DEFINED = re.compile(r"\b(?:def|func|fn|class|struct|function|interface) ([A-Za-z_]\w{5,})")


@dataclass(frozen=True, slots=True)
class Source:
    """A file to sample: where it is, and its path below the tree, which begins with the name of that."""

    file: Path
    path: str


def list_sources(roots: Sequence[Path], seed: int = SEED) -> list[Source]:
    """The files below ``roots`` in a language that we parse, folder by folder in an order that ``seed`` says."""
    languages = default_languages()
    folders: dict[Path, list[Source]] = {}
    for root in roots:
        for file in sorted(root.rglob("*")):
            if languages.language_of(file.name) == TEXT or file.is_symlink() or not file.is_file():
                continue
            if 0 < file.stat().st_size <= MAX_BYTES:
                path = f"{root.name}/{file.relative_to(root).as_posix()}"
                folders.setdefault(file.parent, []).append(Source(file, path))
    order = sorted(folders)
    random.Random(seed).shuffle(order)  # noqa: S311 - the same tree every time
    return [source for folder in order for source in folders[folder]]


def read_words(sources: Sequence[Source]) -> list[list[str]]:
    """The words that stand in several of ``sources``, those together that are about as frequent."""
    seen: Counter[str] = Counter()
    for source in sources[:WORDS_FROM]:
        text = source.file.read_text(encoding="utf-8", errors="replace")
        seen.update({part.lower() for part in _PART.findall(text)})
    bands: dict[int, list[str]] = {}
    for word, files in sorted(seen.items()):
        if files >= MIN_FILES and len(word) >= MIN_LETTERS and word not in RESERVED:
            bands.setdefault(files.bit_length(), []).append(word)
    return [bands[band] for band in sorted(bands)]


def exchange_words(words: Sequence[Sequence[str]], generation: int, seed: int = SEED) -> Mapping[str, str]:
    """Which word stands for which in a generation; none is exchanged in the first."""
    if generation == 0:
        return {}
    choice = random.Random(f"{seed} {generation}")  # noqa: S311 - the same tree every time
    exchanged: dict[str, str] = {}
    for band in words:
        exchanged |= zip(band, choice.sample(band, len(band)), strict=True)
    return exchanged


def rewrite(text: str, exchanged: Mapping[str, str]) -> str:
    """``text`` with other words, each written as the one that it stands for: ``word``, ``Word`` or ``WORD``."""

    def other(found: re.Match[str]) -> str:
        part = found[0]
        word = exchanged.get(part.lower())
        if word is None:
            return part
        return word.upper() if part.isupper() else word.capitalize() if part[0].isupper() else word

    return _PART.sub(other, text) if exchanged else text


def write_tree(
    sources: Sequence[Source], target: Path, files: int, seed: int = SEED, *, start: int = 0
) -> None:
    """Write files number ``start`` to ``files`` of the endless tree of ``sources`` below ``target``.

    A smaller tree is the beginning of a larger one.
    """
    words = read_words(sources)
    for generation, first in enumerate(range(0, files, len(sources))):
        if first + len(sources) <= start:
            continue
        exchanged = exchange_words(words, generation, seed)
        folder = target / f"area{generation // GENERATIONS_OF_AREA:03}" / f"project{generation:04}"
        for source in sources[max(0, start - first) : files - first]:
            base, dot, suffix = source.path.rpartition(".")
            file = folder / f"{rewrite(base, exchanged)}{dot}{suffix}"
            file.parent.mkdir(parents=True, exist_ok=True)
            text = source.file.read_text(encoding="utf-8", errors="replace")
            file.write_text(rewrite(text, exchanged), encoding="utf-8")


def questions_of(sources: Sequence[Source], files: int, count: int, seed: int = SEED) -> Iterator[str]:
    """``count`` questions about a tree of ``files`` files: what comments of it say, and names that it defines."""
    words = read_words(sources)
    choice = random.Random(f"{seed} questions {files}")  # noqa: S311 - the same questions every time
    found = 0
    while found < count:
        generation, number = divmod(choice.randrange(files), len(sources))
        text = sources[number].file.read_text(encoding="utf-8", errors="replace")
        pattern = _SENTENCE if found % 2 == 0 else _DEFINED
        lines = [line for line in pattern.findall(text) if not _LICENSE.match(line)]
        if lines:
            yield rewrite(choice.choice(lines), exchange_words(words, generation, seed))
            found += 1
