"""Places that a question means whatever its words: where a program starts, its variables, tables and routes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from operator import itemgetter

from contextls.code.kinds import CALLABLE
from contextls.memory.index.priors import FileKind
from contextls.memory.index.sides import Side, file_side
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.regex import compile_late

_END = r"\s*[?.!]*\s*$"
_PROGRAM = (
    r"(?:(?:an?|my|our|the|this)\s+)?(?:[a-z]+\s+)?(?:app|application|backend|binary|cli|daemon|execution|frontend|process"
    r"|program|project|server|service|tool|worker)"
)
_STARTS = compile_late(
    r"\b(?:what|where|which)(?:['’]s|\s+(?:are|is))\s+(?:(?:its|our|the)\s+)?(?:\w+\s+){0,2}?entry[- ]?points?\b"
    rf"(?:\s+(?:for|in|of|to)\s+{_PROGRAM})?{_END}"
    rf"|\bwhere\s+does\s+{_PROGRAM}\s+(?:begin|boot|start)(?:\s+up)?{_END}"
    rf"|\bhow\s+(?:does|is)\s+{_PROGRAM}\s+(?:boot|bootstrapped|launched|start|started)(?:\s+up)?{_END}"
    r"|\bwhat\s+(?:all\s+)?(?:(?:gets|is)\s+)?(?:called|done|executed|happens|initiali[sz]ed|loaded|runs?)\s+"
    r"(?:at|during|on|upon|when)\s+(?:(?:app|application|server|the)\s+)?(?:boot|launch|start)(?:[- ]?up)?"
    rf"{_END}|\b(?:boot|start)[- ]?up\s+(?:code|flow|logic|order|process|routine|sequence){_END}",
    re.IGNORECASE,
)
_TELL = r"^\W*(?:(?:can you|give me|list|please|show me|tell me)\s+){0,2}+"
_VARIABLES = compile_late(
    rf"{_TELL}(?:(?:what|which)(?:['’]s|\s+are)?\s+)?(?:all\s+)?(?:the\s+)?env(?:ironment)?\s+var(?:iable)?s\b"
    r"(?:\s+(?:app|are|available|be|by|can|do|does|exist|for|here|i|is|it|may|must|need|needed|project|read|required|server"
    rf"|set|should|supported|the|there|this|to|use|used|we|you))*{_END}",
    re.IGNORECASE,
)
_TABLES = compile_late(
    rf"{_TELL}(?:(?:how|what|where|which)(?:['’]s|\s+(?:are|do|does|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?"
    r"(?:(?:database|db)\s+(?:schema|structure|tables)|tables\b[^\n]{0,30}?\b(?:database|db|schema))"
    rf"(?:\s+(?:are|contain|defined|does|exist|has|have|here|in|is|it|like|look|there|use|used|we))*{_END}",
    re.IGNORECASE,
)
_COLUMNS = compile_late(
    r"\b(?:columns?|fields?)\s+(?:(?:are|do|does|has|have|in|of|on|we)\s+){0,3}(?:the\s+)?[`'\"]?(?P<table>\w{2,60}+)[`'\"]?\s+"
    rf"(?:database\s+|db\s+)?table(?:\s+have|\s+has)?{_END}",
    re.IGNORECASE,
)
_ENDPOINTS = compile_late(
    rf"{_TELL}(?:(?:what|where|which)(?:['’]s|\s+(?:are|do|does|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?"
    r"(?:(?:api|http|rest|web)\s+){0,2}(?:endpoints|routes)"
    r"(?:\s+(?:api|app|are|available|declared|defined|do|does|exist|has|have|here|in|is|it|offer|registered|server|the|there"
    rf"|this|we))*{_END}",
    re.IGNORECASE,
)
_DEPENDENCIES = compile_late(
    rf"{_TELL}(?:(?:what|where|which)(?:['’]s|\s+(?:are|is))?\s+)?(?:all\s+)?(?:(?:our|the)\s+)?(?:third[- ]party\s+)?"
    r"(?:dependencies|frameworks|libraries|tech(?:nology)?\s+stack)"
    r"(?:\s+(?:and|app|are|declared|defined|do|does|frameworks|have|here|in|is|it|libraries|listed|on|project|the|there|this|use"
    rf"|used|we))*{_END}",
    re.IGNORECASE,
)
_CI = compile_late(
    r"\b(?:what|how)\s+(?:does|is|runs?)\s+(?:(?:in|on)\s+)?(?:(?:our|the|this)\s+)?"
    r"(?:ci(?:/cd)?|continuous integration|github actions?)"
    r"(?:\s+(?:checks?|configured|do|doing|jobs?|organi[sz]ed|pipelines?|run|set|test|up|work|workflows?)){0,4}"
    rf"{_END}",
    re.IGNORECASE,
)
_LICENCE = compile_late(
    r"^\W*(?:(?:under\s+)?(?:what|which)(?:['’]s|\s+is)?|how\s+is)\s+(?:(?:our|the|this|it)\s+)?(?:\w+\s+)?licen[cs]ed?\b"
    r"(?:\s+(?:app|are|code|do|does|for|have|here|is|it|library|of|our|project|published|released|repo|software|the|this"
    rf"|under|use|used|we))*{_END}",
    re.IGNORECASE,
)
# What languages, frameworks and tools run first.
_FIRST = compile_late(
    r"(?:^|/)(?:__main__\.py|manage\.py|[aw]sgi\.py|app\.(?:py|rb|[jt]sx?|vue)|server\.(?:py|[cm]?[jt]s)"
    r"|main\.(?:py|rb|swift|kt|[cm]?[jt]sx?)|Program\.cs|Startup\.cs|config\.ru|config/application\.rb|application\.ex"
    r"|bootstrap/app\.php|public/index\.php|src/index\.[cm]?[jt]sx?|pages/_app\.[jt]sx?|app/layout\.[jt]sx?)$"
    r"|^index\.[cm]?[jt]s$"
)
_CAPITAL_MAIN = (".cs", ".fs", ".vb")
# What starts here builds or tends the project.
_ASIDE = compile_late(
    r"(?:^|/)(?:(?:build|ci|contrib|dev|hack|scripts?|tools?|utils?|\.[^/]+)/|(?:build|seeds?)\.\w+$)",
    re.IGNORECASE,
)
_ENVIRONMENT = compile_late(
    r"(?:^|/)(?:\.?env(?:ironment)?[._-](?:dist|example|sample|template)|(?:example|sample)\.env|\.env\.[\w.]{1,40})$"
)
_SCHEMA = compile_late(
    r"(?:^|/)(?:(?:schema|structure)\.(?:prisma|rb|rs|sql)|\w{1,40}\.prisma|LATEST\.sql"
    r"|(?:database|db|drizzle)/schema\.[jt]s)$"
)
_ROUTES = compile_late(
    r"(?:^|/)(?:config/routes\.rb|routes/(?:api|web)\.php|urls\.py|router\.ex|rout(?:er?|es)/(?:index|routes|router)\.\w{2,4}"
    r"|(?:app[-_.])?rout(?:er|es|ing)\.(?:cs|dart|go|[jt]sx?|kt|py|rb|rs))$"
)
_MANIFEST = compile_late(
    r"(?:^|/)(?:package\.json|pyproject\.toml|requirements\.txt|setup\.cfg|Pipfile|go\.mod|Cargo\.toml|Gemfile|composer\.json"
    r"|pom\.xml|build\.gradle(?:\.kts)?|mix\.exs|pubspec\.ya?ml|Package\.swift|[\w.]{1,60}\.[cf]sproj)$"
)
_REQUIRED = compile_late(r"depend|requir", re.IGNORECASE)
_PIPELINE = compile_late(
    r"^(?:\.github/workflows/[^/]{1,80}\.ya?ml|\.gitlab-ci\.yml|\.circleci/config\.yml|\.travis\.yml|azure-pipelines\.yml"
    r"|Jenkinsfile|\.woodpecker\.ya?ml|\.drone\.yml|\.forgejo/workflows/[^/]{1,80}\.ya?ml|bitbucket-pipelines\.yml)$"
)
_TERMS = compile_late(r"^(?:LICEN[CS]E|UNLICENSE|COPYING)(?:[-_.][\w.-]{1,40})?$", re.IGNORECASE)
# So many files, and of all of them so many chunks.
MAX_FILES, MAX_CHUNKS = 3, 8
# How relevant the first of these chunks is, in 0..1, and what each further one counts of the one before.
MEANT, NEXT = 1.0, 0.97


def weigh_known_places(question: str, snapshot: Snapshot) -> dict[ChunkRef, float]:
    """The worth of the chunks where what ``question`` asks about stands in every project of the kind."""
    for asks, find in _PLACES:
        if asked := asks.search(question):
            found = islice(dict.fromkeys(find(snapshot, asked)), MAX_CHUNKS)
            return {ref: MEANT * NEXT**place for place, ref in enumerate(found)}
    return {}


def _find_starts(snapshot: Snapshot, _asked: re.Match[str]) -> list[ChunkRef]:
    """Functions called ``main`` and the files that run first, those in fewest folders first."""
    view = snapshot.view
    starts = {path: 1 for path in view.paths if _FIRST.search(path)}
    for item in reversed(snapshot.symbols.find_named("main")):
        is_main = item.definition.name == "main" or item.path.endswith(_CAPITAL_MAIN)
        if is_main and item.definition.kind in CALLABLE:
            starts[item.path] = item.definition.start_line
    first = _sort_by_folders(path for path in starts if not _ASIDE.search(path))
    found = [ref for path in first if (ref := view.chunk_at(path, starts[path])) is not None]
    return [ref for ref in found if view.file_kind(ref) is FileKind.SOURCE][:MAX_FILES]


def _find_files(names: re.Pattern[str], snapshot: Snapshot, _asked: re.Match[str]) -> list[ChunkRef]:
    """The chunks of the files that are called so, those in fewest folders first."""
    view = snapshot.view
    paths = _sort_by_folders(filter(names.search, view.paths))
    return [ref for path in paths[:MAX_FILES] for ref in view.chunks_of(path)]


def _find_routes(snapshot: Snapshot, asked: re.Match[str]) -> list[ChunkRef]:
    """The files and functions that are called after routes, first those of the server; many frameworks have more."""
    view = snapshot.view
    lists = [
        view.chunk_at(item.path, item.definition.start_line)
        for item in (*snapshot.symbols.find_named("routes"), *snapshot.symbols.find_named("urlpatterns"))
        if item.definition.kind in CALLABLE or item.definition.name == "urlpatterns"
    ]
    found = [*_find_files(_ROUTES, snapshot, asked), *filter(None, lists)]
    served = [ref for ref in found if view.file_kind(ref) is FileKind.SOURCE]
    return sorted(served, key=lambda ref: file_side(view.path(ref)) is Side.FRONTEND)


def _find_dependencies(snapshot: Snapshot, asked: re.Match[str]) -> list[ChunkRef]:
    """The chunks of manifests that list what is required: the first of each, then further ones."""
    seen: Counter[str] = Counter()
    found: list[tuple[int, ChunkRef]] = []
    for ref in _find_files(_MANIFEST, snapshot, asked):
        row = snapshot.view.row(ref)
        if not row.symbol or _REQUIRED.search(f"{row.symbol} {row.text}"):
            found.append((seen[row.path], ref))
            seen[row.path] += 1
    return [ref for _, ref in sorted(found, key=itemgetter(0))]


def _find_table(snapshot: Snapshot, asked: re.Match[str]) -> list[ChunkRef]:
    """The chunks of schemas in which the table begins that is asked about."""
    table = rf"\b{re.escape(asked['table'].removesuffix('s'))}s?\b"
    begins = re.compile(
        rf"\b(?:create.table|model|table)\b[^\n]{{0,60}}{table}|^\s*{table}\s*\(",
        re.IGNORECASE | re.MULTILINE,
    )
    view = snapshot.view
    return [ref for ref in _find_files(_SCHEMA, snapshot, asked) if begins.search(view.row(ref).text)]


def _find_terms(snapshot: Snapshot, _asked: re.Match[str]) -> list[ChunkRef]:
    """The beginnings of the licences: they say which it is, and few read on."""
    view = snapshot.view
    found = (view.chunk_at(path, 1) for path in sorted(filter(_TERMS.search, view.paths))[:MAX_FILES])
    return [ref for ref in found if ref is not None]


def _sort_by_folders(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: (path.count("/"), path))


_PLACES: Sequence[tuple[re.Pattern[str], Callable[[Snapshot, re.Match[str]], list[ChunkRef]]]] = (
    (_STARTS, _find_starts),
    (_VARIABLES, partial(_find_files, _ENVIRONMENT)),
    (_TABLES, partial(_find_files, _SCHEMA)),
    (_COLUMNS, _find_table),
    (_ENDPOINTS, _find_routes),
    (_DEPENDENCIES, _find_dependencies),
    (_CI, partial(_find_files, _PIPELINE)),
    (_LICENCE, _find_terms),
)
