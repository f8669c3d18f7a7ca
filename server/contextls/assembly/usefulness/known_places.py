"""The code of the places that every project of a kind has: where it starts, its variables, tables and routes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import itemgetter

from msgspec import Struct, field

from contextls.assembly.usefulness.declared_values import find_ports, find_versions
from contextls.assembly.usefulness.manuals import DEPLOYMENT, MIGRATIONS, RUN, TESTS
from contextls.assembly.usefulness.name_words import NameWords
from contextls.assembly.usefulness.named_chunks import (
    chunks_of_files,
    first_chunks,
    sort_by_folders,
    source_defining,
)
from contextls.assembly.usefulness.starting_points import find_starting_points, is_aside
from contextls.assembly.wording.place_questions import AskedPlace, Place, find_asked_place
from contextls.code.kinds import CALLABLE
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.sides import Side, file_side
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.words.plurals import singulars
from contextls.memory.knowledge.relations import RelationGraph
from contextls.regex import compile_late

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
_DEPLOYED = compile_late(
    r"(?:^|/)(?:Dockerfile|(?:docker-)?compose\.ya?ml|Procfile|fly\.toml|render\.yaml|vercel\.json|netlify\.toml|app\.json"
    r"|Chart\.yaml|skaffold\.yaml|serverless\.ya?ml|Capfile|deploy\.(?:rb|sh|ya?ml))$"
    r"|^\.github/workflows/[^/]{0,40}(?:deploy|docker|publish|release|cd)[^/]{0,40}$"
)
_RUNS_MIGRATIONS = (
    "run_migrations",
    "runMigrations",
    "apply_migrations",
    "applyMigrations",
    "apply_migration",
    "applyMigration",
    "migrate_database",
    "migrateDatabase",
    "migrate",
)
_A_MIGRATION = compile_late(r"(?:^|/)(?:migrations?|migrate|versions)/", re.IGNORECASE)
_CATALOG = compile_late(
    r"(?:^|/)(?:i18n|intl|lang|langs|languages?|locales?|locali[sz]ation|messages|translations?)/(?:[^/]{1,40}/){0,2}?"
    r"en(?:[-_](?:GB|US))?(?:/[^/]{1,60})?\.(?:arb|ftl|js|json|php|po|properties|strings|ts|xlf|ya?ml)$",
    re.IGNORECASE,
)
_LANGUAGES = compile_late(
    r"(?:^|/)(?:(?:i18n|intl)/[^/]{1,40}|i18n|intl|locale|locali[sz]ation|translations?)\.(?:[cm]?[jt]sx?|go|kt|php|py|rb|rs)$"
)
# If more files define routes, no single one tells most of them.
MAX_ROUTERS = 6
# The chunks of routes shown for one thing.
MAX_NAMING = 6
# The files looked at, and the chunks shown of all of them.
MAX_FILES, MAX_CHUNKS = 3, 16
# The least share of a question that a list of variables must hold, and the chunks shown of such lists.
VARIABLE, MAX_LISTS = 0.2, 2
# How relevant the first of these chunks is, in 0..1, and what each further one counts of the one before.
MEANT, NEXT = 1.0, 0.97


class KnownPlace(Struct, frozen=True):
    """The chunks of the place that a question is about, with the worth of each.

    They are most of the answer if they ``lead``, and all of it if they are the ``whole``.
    """

    worth: Mapping[ChunkRef, float] = field(default_factory=dict)
    lead: bool = True
    whole: bool = False

    @classmethod
    def of(cls, found: Iterable[ChunkRef], *, whole: bool = False) -> KnownPlace:
        """The place made of the first of these chunks; repeated ones count once."""
        first = islice(dict.fromkeys(found), MAX_CHUNKS)
        worth = {ref: MEANT * NEXT**number for number, ref in enumerate(first)}
        return cls(worth, lead=bool(worth), whole=whole and bool(worth))


def find_known_place(question: str, snapshot: Snapshot, graph: RelationGraph) -> KnownPlace:
    """The place that ``question`` is about, if it is about one that is there."""
    asked = find_asked_place(question)
    if asked is None:
        return KnownPlace()
    whole = asked.place not in _READ_ON and not asked.more
    return KnownPlace.of(_find(asked, snapshot, graph), whole=whole)


def find_variables(ranking: Ranking) -> KnownPlace:
    """The parts of lists of environment variables that hold words of the question; code that reads them may say more."""
    view, words = ranking.view, NameWords(ranking.words.rarity)
    listed = [ref for path in view.paths if _ENVIRONMENT.search(path) for ref in view.chunks_of(path)]
    told = {ref: words.worth(view.row(ref).text) for ref in listed}
    least = VARIABLE * sum(ranking.words.rarity.values())
    best = [ref for ref in view.best_first(told) if told[ref] >= least][:MAX_LISTS]
    return KnownPlace({ref: MEANT * NEXT**number for number, ref in enumerate(best)}, lead=False)


def _find(asked: AskedPlace, snapshot: Snapshot, graph: RelationGraph) -> Iterable[ChunkRef]:
    match asked.place:
        case Place.START:
            return find_starting_points(snapshot, graph)
        case Place.ENDPOINTS | Place.ROUTES:
            routes = _find_routes(asked.thing, snapshot)
            return _leave_frontend(routes, snapshot) if asked.place is Place.ENDPOINTS else routes
        case Place.COLUMNS:
            return _find_table(snapshot, asked.thing)
        case Place.VERSION:
            return find_versions(asked.thing, snapshot)
        case place:
            return _FINDERS[place](snapshot)


def _find_files(names: re.Pattern[str], snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks of the files that are called so, those in fewest folders first."""
    view = snapshot.view
    paths = sort_by_folders(filter(names.search, view.paths))
    return [ref for path in paths[:MAX_FILES] for ref in view.chunks_of(path)]


def _find_routes(thing: str, snapshot: Snapshot) -> list[ChunkRef]:
    """The files and functions named after routes, those of the server first; for a ``thing``, the chunks that name it.

    Empty if no thing is asked for and each part of the program has routes of its own.
    """
    view = snapshot.view
    files = (ref for ref in chunks_of_files(_ROUTES, view) if view.file_kind(ref) is FileKind.SOURCE)
    lists = (
        ref
        for item, ref in source_defining(("routes", "urlpatterns"), snapshot)
        if item.definition.kind in CALLABLE or item.definition.name == "urlpatterns"
    )
    found = [*files, *lists]
    if thing:
        named = re.compile(rf"\b{re.escape(next(singulars(thing.lower()), thing))}", re.IGNORECASE)
        found = [ref for ref in found if named.search(view.row(ref).text)][:MAX_NAMING]
    elif len({view.path(ref) for ref in found}) > MAX_ROUTERS:
        return []
    return sorted(found, key=lambda ref: file_side(view.path(ref)) is Side.FRONTEND)


def _leave_frontend(routes: Sequence[ChunkRef], snapshot: Snapshot) -> list[ChunkRef]:
    view = snapshot.view
    return [ref for ref in routes if file_side(view.path(ref)) is not Side.FRONTEND]


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


def _find_migrations(snapshot: Snapshot) -> list[ChunkRef]:
    """The functions that run migrations, and the sections and commands that say how it is done."""
    running = (
        ref
        for item, ref in source_defining(_RUNS_MIGRATIONS, snapshot)
        if item.definition.kind in CALLABLE and not _A_MIGRATION.search(item.path)
    )
    return [*islice(running, MAX_FILES), *MIGRATIONS.find(snapshot)]


def _find_deployment(snapshot: Snapshot) -> list[ChunkRef]:
    """The files for images and hosts, the pipelines that publish, and the sections and commands on deploying."""
    told = DEPLOYMENT.find(snapshot)
    view = snapshot.view
    files = sort_by_folders(path for path in view.paths if _DEPLOYED.search(path) and not is_aside(path))[
        :MAX_FILES
    ]
    return [*first_chunks(files, view), *told]


def _find_translations(snapshot: Snapshot) -> list[ChunkRef]:
    """The beginnings of the catalogs in English, and the code that chooses a language."""
    view = snapshot.view
    of_folders = {
        path.rpartition("/")[0]: path
        for path in reversed(sort_by_folders(filter(_CATALOG.search, view.paths)))
    }
    found = [
        *sort_by_folders(of_folders.values())[:MAX_FILES],
        *sort_by_folders(filter(_LANGUAGES.search, view.paths))[:MAX_FILES],
    ]
    return first_chunks(found, view)


# For these, code elsewhere says more.
_READ_ON = frozenset({Place.VARIABLES, Place.ENDPOINTS, Place.ROUTES})
_FINDERS: Mapping[Place, Callable[[Snapshot], list[ChunkRef]]] = {
    Place.VARIABLES: partial(_find_files, _ENVIRONMENT),
    Place.TABLES: partial(_find_files, _SCHEMA),
    Place.MODELS: partial(_find_files, _MODELS),
    Place.DEPENDENCIES: _find_dependencies,
    Place.CI: partial(_find_files, _PIPELINE),
    Place.LICENCE: _find_terms,
    Place.RUN: RUN.find,
    Place.TESTS: TESTS.find,
    Place.DEPLOYMENT: _find_deployment,
    Place.MIGRATIONS: _find_migrations,
    Place.PORT: find_ports,
    Place.TRANSLATIONS: _find_translations,
}
