"""The messages that a workspace shows to people in their languages, as a dictionary: their keys are the English of its code.

In a catalog for German, ``"piggy_bank": "Sparschwein"`` tells what a question for a "Sparschwein" is about; in any, the key
of a label is what the code has where the label is shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import STOP_WORDS, TermSplitter
from contextls.memory.index.translated_files import is_catalog
from contextls.memory.index.words.named_languages import named_languages
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# Only short messages (in words) with short keys (in parts) are labels for which the key stands.
MAX_WORDS, MAX_PARTS = 3, 4
# What a key says of the place of a label says nothing of what the label is about.
_PLACES = word_set(
    "btn button caption desc description dialog header hint label menu message msg placeholder pref preference sum summary"
    " text title toast tooltip"
)
# The number of chunks that are read, and of keys that are returned.
MAX_CHUNKS = 40
MAX_KEYS = 3
# "key": "message" in JSON, PHP, YAML, properties and Apple's strings; name="key">message< in Android's.
_MESSAGE = compile_late(
    r"[\"']?(?P<key>[A-Za-z][\w.-]{1,80})[\"']?[ \t]{0,9}(?::|=>|=)[ \t]{0,9}[\"']?(?P<message>[^\"'\n]{1,80})"
)
_ELEMENT = compile_late(r"name=\"(?P<key>[A-Za-z][\w.]{1,80})\"[^>\n]{0,80}>(?P<message>[^<\n]{1,80})<")
_WORD = compile_late(r"[^\W\d_]+")


def find_message_key(view: IndexView, splitter: TermSplitter, word: str, language: str) -> tuple[str, ...]:
    """The words of the key whose message in a catalog for ``language`` is ``word``, or has it among few; else none."""
    keys: Counter[str] = Counter()
    for line in _lines_with(view, splitter, word, named_languages(language)):
        key, message = _read_message(line)
        said = [each.lower() for each in _WORD.findall(message)]
        if word in said and len(said) <= MAX_WORDS:
            keys[key] += MAX_WORDS * (len(said) == 1) + 1
    parts = splitter.parts(max(keys, key=lambda key: (keys[key], -len(key)))) if keys else []
    telling = [part for part in parts if part not in _PLACES] or parts
    return tuple(telling) if len(telling) <= MAX_PARTS else ()


def find_label_keys(view: IndexView, splitter: TermSplitter, label: str) -> tuple[str, ...]:
    """The last parts of the keys, in the case of the catalogs, whose message is ``label``; those of several words alone."""
    said = _WORD.findall(label.lower())
    terms = splitter.stem_hashes(" ".join(word for word in said if word not in STOP_WORDS))
    keys: dict[str, None] = {}
    refs = (ref for ref in view.holding(terms) if is_catalog(view.path(ref)))
    for ref in islice(refs, MAX_CHUNKS):
        for line in view.row(ref).text.splitlines():
            key, message = _read_message(line)
            if key and _WORD.findall(message.lower()) == said:
                keys[key] = None
    return tuple(key for key in keys if len(splitter.parts(key)) > 1)[:MAX_KEYS]


def _read_message(line: str) -> tuple[str, str]:
    """The last part of the key and the message in a line of a catalog; "" and "" where it holds none."""
    found = _ELEMENT.search(line) or _MESSAGE.search(line)
    return (found["key"].rpartition(".")[2], found["message"]) if found else ("", "")


def _lines_with(view: IndexView, splitter: TermSplitter, word: str, codes: Iterable[str]) -> Iterator[str]:
    """The lines that hold ``word``, of catalogs whose path has one of the language's ``codes`` as a part."""
    catalog = re.compile(rf"(?:^|[/._-])(?:{'|'.join(codes)})(?:[-_][A-Za-z]{{2,4}})?(?=[./])")
    refs = view.holding(splitter.stem_hashes(word)[:1])
    paths = ((ref, view.path(ref)) for ref in refs)
    for ref in islice((ref for ref, path in paths if catalog.search(path) and is_catalog(path)), MAX_CHUNKS):
        yield from (line for line in view.row(ref).text.splitlines() if word in line.lower())
