"""Finds files that say in another language what one next to them says: catalogs of messages, templates, and documents.

A question about code finds their words in all of them, and the answer in none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from contextls.regex import compile_late
from contextls.text.word_set import word_set

# ISO 639-1, what catalogs have in addition (Android's are older), and the countries that stand for a language in names of
# documents.
LANGUAGES = word_set(
    """
    aa ab af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et
    eu fa ff fi fil fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj
    kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv
    ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
    tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    cn jp kr in iw ji
    ace ang arz ast bar bho bjn bqi ckb cnr dsb enm frp gsw hsb jbo kab lij ltg lzh mai nan nds oci pap pcm rom sah sat szl
    tok tzm vec vls wuu yue zgh
    """
)
_DOCUMENTS = word_set("md mdx markdown rst adoc txt html htm")
_CATALOGS = word_set(
    "json json5 yml yaml toml xml properties strings stringsdict resx arb ftl ini po xlf xliff"
)
# What mails and pages are made of.
_TEMPLATES = word_set(
    "cshtml ejs erb gohtml gotmpl haml handlebars hbs j2 jinja jinja2 liquid mjml mustache njk slim tmpl tpl twig vm"
)
# A program is a catalog in such a folder: next to `read_en.py`, `read_io.py` is not in Ido.
_PROGRAMS = word_set("js ts mjs php py rb")
_OF_LANGUAGES = compile_late(r"(?:^|[/_.-])(?:locales?|langs?|languages|i18n|l10n|intl|translations?)[/_.-]")
# Their messages in English stand in the code, or in a file that names no language.
_ONLY_TRANSLATED = word_set("po xlf xliff")
_BESIDE_UNNAMED = word_set("md mdx markdown rst adoc properties resx")
# In the place of a language, the text that the others are made of.
_UNNAMED, _FEW_LANGUAGES = ("base", "Base", "default"), 2
# A text in at least this many languages, none of them English, is a translation; the English is in the code.
_MANY_LANGUAGES = 5
# Fewer documents in a folder that have a namesake above it are a coincidence.
_MIN_NAMESAKES = 3
_CODE = compile_late(
    r"(?<![^/._-])(?P<language>[A-Za-z]{2,3})(?:[-_@](?:r?[A-Za-z]{2}|\d{3}|(?i:Arab|Cyrl|Hans|Hant|Latn(?:[-_][a-z]{5,8})?|latin|cyrillic|iqtelif|valencia|formal|informal))(?![^/._-]))"
    r"{0,2}(?=[/._-])"
)
_ENGLISH = compile_late(r"en(?![a-z])", re.IGNORECASE)


def _is_regional(code: str) -> tuple[bool, bool]:
    """Sorts English as such first, then that of the United States, which catalogs begin with most often."""
    return len(code) > 2, code[-2:].upper() != "US"


def find_translations(paths: Sequence[str]) -> list[int]:
    """The positions of the ``paths`` whose text another one has in English, or in a language that its path leaves out."""
    known = set(paths)
    families: dict[str, dict[str, int]] = defaultdict(dict)
    namesakes: dict[str, dict[int, bool]] = defaultdict(dict)
    found: set[int] = set()
    for number, path in enumerate(paths):
        extension = path.rpartition(".")[2]
        for start, end in _codes(path) if _is_translated(path, extension) else ():
            before, code, behind = path[:start], path[start:end], path[end:]
            families[f"{before}*{behind}"][code] = number
            if _ENGLISH.match(code):
                continue
            if extension in _ONLY_TRANSLATED:
                found.add(number)
            elif before[-1:] in ("", "/") and behind[0] == "/":
                if extension in _DOCUMENTS:
                    namesakes[before + code][number] = before + behind[1:] in known
            elif _is_beside_unnamed(before, behind, extension, known):
                found.add(number)
    folders = Counter(map(_folder_and_extension, paths))
    return sorted(
        found.union(
            _beside_english(families, folders), _beside_unnamed(families, known), _beside_namesakes(namesakes)
        )
    )


def speaks(path: str, languages: Collection[str]) -> bool:
    """Whether the file at ``path`` is in one of ``languages``, by their codes."""
    return any(path[start:end].lower()[:3].rstrip("-_@") in languages for start, end in _codes(path))


def is_catalog(path: str) -> bool:
    """Whether the file at ``path`` holds messages in a language of people, as far as its path says."""
    extension = path.rpartition(".")[2]
    if extension in _DOCUMENTS or extension in _TEMPLATES or not _is_translated(path, extension):
        return False
    return _OF_LANGUAGES.search(path) is not None or any(_codes(path))


def _is_translated(path: str, extension: str) -> bool:
    """Whether a file of this kind may be in a language of people."""
    if extension in _PROGRAMS:
        return _OF_LANGUAGES.search(path) is not None
    return any(extension in kinds for kinds in (_CATALOGS, _DOCUMENTS, _TEMPLATES))


def _is_beside_unnamed(before: str, behind: str, extension: str, known: Collection[str]) -> bool:
    """Whether the same file is there without a language code: ``README.md`` next to ``README.de.md``."""
    is_told_so = extension in _BESIDE_UNNAMED or before.endswith("/values-")
    return is_told_so and before[:-1] + behind in known


def _codes(path: str) -> Iterator[tuple[int, int]]:
    """The place in ``path`` of the code of a language, alone or with a region."""
    return (match.span() for match in _CODE.finditer(path) if match["language"].lower() in LANGUAGES)


def _folder_and_extension(path: str) -> tuple[str, str]:
    return path.rpartition("/")[0], path.rpartition(".")[2]


def _beside_english(
    families: Mapping[str, Mapping[str, int]], folders: Mapping[tuple[str, str], int]
) -> Iterator[int]:
    """All but the English one of the files that differ in the code of their language.

    Where there is none, ``folders`` (how many files of an extension they hold) tell whether they hold nothing else: what
    countries have, some of which are called as languages are, is no translation.
    """
    for family, members in families.items():
        english = min(filter(_ENGLISH.match, members), key=_is_regional, default=None)
        alone = "/*." in f"/{family}" and folders[_folder_and_extension(family)] == len(members)
        if english is not None or (alone and len(members) >= _MANY_LANGUAGES):
            yield from (number for code, number in members.items() if code != english)


def _beside_unnamed(families: Mapping[str, Mapping[str, int]], known: Collection[str]) -> Iterator[int]:
    """The catalogs that differ in the code of their language, of which one has a word for all of them instead."""
    for family, members in families.items():
        if len(members) >= _FEW_LANGUAGES and any(family.replace("*", each) in known for each in _UNNAMED):
            yield from (number for code, number in members.items() if not _ENGLISH.match(code))


def _beside_namesakes(namesakes: Mapping[str, Mapping[int, bool]]) -> Iterator[int]:
    """The documents of folders for a language of which most have a namesake in the folder around it."""
    for members in namesakes.values():
        same = sum(members.values())
        if same >= _MIN_NAMESAKES and 2 * same >= len(members):
            yield from members
