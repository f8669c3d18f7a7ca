"""The code of the places that every project of a kind has: where it starts, its variables, tables and routes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from operator import itemgetter

from contextls.assembly.wording.place_questions import Place, find_asked_place
from contextls.code.kinds import CALLABLE
from contextls.memory.index.priors import FileKind
from contextls.memory.index.sides import Side, file_side
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.regex import compile_late

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
_MODELS = compile_late(r"(?:^|/)(?:\w{1,40}\.prisma|(?:database|db|drizzle)/schema\.[jt]s)$")
_ROUTES = compile_late(
    r"(?:^|/)(?:config/routes\.rb|routes/(?:api|web)[\w.]{0,20}\.php|urls\.py|router\.ex|rout(?:er?|es)/(?:index|routes|router)\.\w{2,4}"
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
# Where more files say which routes there are, none of them tells most.
MAX_ROUTERS = 6
# So many files, and of all of them so many chunks.
MAX_FILES, MAX_CHUNKS = 3, 16
# How relevant the first of these chunks is, in 0..1, and what each further one counts of the one before.
MEANT, NEXT = 1.0, 0.97


def weigh_known_places(question: str, snapshot: Snapshot) -> dict[ChunkRef, float]:
    """The worth of the chunks of the place that ``question`` is about, if it is about one."""
    asked = find_asked_place(question)
    if asked is None:
        return {}
    found = _find_table(snapshot, asked.table) if asked.table else _FINDERS[asked.place](snapshot)
    first = islice(dict.fromkeys(found), MAX_CHUNKS)
    return {ref: MEANT * NEXT**number for number, ref in enumerate(first)}


def _find_starts(snapshot: Snapshot) -> list[ChunkRef]:
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


def _find_files(names: re.Pattern[str], snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks of the files that are called so, those in fewest folders first."""
    view = snapshot.view
    paths = _sort_by_folders(filter(names.search, view.paths))
    return [ref for path in paths[:MAX_FILES] for ref in view.chunks_of(path)]


def _find_routes(snapshot: Snapshot) -> list[ChunkRef]:
    """The files and functions that are called after routes, first those of the server; none where each part has its own."""
    view = snapshot.view
    lists = [
        view.chunk_at(item.path, item.definition.start_line)
        for item in (*snapshot.symbols.find_named("routes"), *snapshot.symbols.find_named("urlpatterns"))
        if item.definition.kind in CALLABLE or item.definition.name == "urlpatterns"
    ]
    found = [*_find_files(_ROUTES, snapshot), *filter(None, lists)]
    served = [ref for ref in found if view.file_kind(ref) is FileKind.SOURCE]
    if len({view.path(ref) for ref in served}) > MAX_ROUTERS:
        return []
    return sorted(served, key=lambda ref: file_side(view.path(ref)) is Side.FRONTEND)


def _find_endpoints(snapshot: Snapshot) -> list[ChunkRef]:
    """The routes of the server alone."""
    view = snapshot.view
    return [ref for ref in _find_routes(snapshot) if file_side(view.path(ref)) is not Side.FRONTEND]


def _find_dependencies(snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks of manifests that list what is required: the first of each, then further ones."""
    seen: Counter[str] = Counter()
    found: list[tuple[int, ChunkRef]] = []
    for ref in _find_files(_MANIFEST, snapshot):
        row = snapshot.view.row(ref)
        if not row.symbol or _REQUIRED.search(f"{row.symbol} {row.text}"):
            found.append((seen[row.path], ref))
            seen[row.path] += 1
    return [ref for _, ref in sorted(found, key=itemgetter(0))]


def _find_table(snapshot: Snapshot, table: str) -> list[ChunkRef]:
    """The chunks of schemas in which the table begins that is asked about."""
    named = rf"\b{re.escape(table.removesuffix('s'))}s?\b"
    begins = re.compile(
        rf"\b(?:create.table|model|table)\b[^\n]{{0,60}}{named}|^\s*{named}\s*\(",
        re.IGNORECASE | re.MULTILINE,
    )
    view = snapshot.view
    return [ref for ref in _find_files(_SCHEMA, snapshot) if begins.search(view.row(ref).text)]


def _find_terms(snapshot: Snapshot) -> list[ChunkRef]:
    """The beginnings of the licences: they say which it is, and few read on."""
    view = snapshot.view
    found = (view.chunk_at(path, 1) for path in sorted(filter(_TERMS.search, view.paths))[:MAX_FILES])
    return [ref for ref in found if ref is not None]


def _sort_by_folders(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: (path.count("/"), path))


_FINDERS: Mapping[Place, Callable[[Snapshot], list[ChunkRef]]] = {
    Place.START: _find_starts,
    Place.VARIABLES: partial(_find_files, _ENVIRONMENT),
    Place.TABLES: partial(_find_files, _SCHEMA),
    Place.MODELS: partial(_find_files, _MODELS),
    Place.ENDPOINTS: _find_endpoints,
    Place.ROUTES: _find_routes,
    Place.DEPENDENCIES: _find_dependencies,
    Place.CI: partial(_find_files, _PIPELINE),
    Place.LICENCE: _find_terms,
}
