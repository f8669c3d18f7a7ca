"""Finds what a project tells its developers: sections of documents on how to do a thing, and commands that do it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from contextls.assembly.usefulness.named_chunks import chunks_of_files, first_chunks, sort_by_folders
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.regex import compile_late

# The sections and commands shown, those in the fewest folders first.
MAX_SECTIONS, MAX_COMMANDS = 4, 3
_DOCUMENT = compile_late(
    r"^(?:\.github/|docs?/(?:[^/]{1,60}/){0,2})?(?:BUILD|CONTRIBUT|DEPLOY|DEVELOP|GETTING|HACKING|INSTALL|MIGRAT|QUICK|README"
    r"|RUNNING|SETUP|TEST)[^/]{0,60}$",
    re.IGNORECASE,
)
_SCRIPTS = compile_late(
    r"(?:^|/)(?:package\.json|composer\.json|deno\.jsonc?|(?:GNU)?[Mm]akefile|\.?[Jj]ustfile|Taskfile\.ya?ml|Rakefile|tox\.ini"
    r"|noxfile\.py|mise\.toml|Procfile(?:\.dev)?|pyproject\.toml|mix\.exs)$"
)
_HEADING = compile_late(r"^#{1,6}[ \t]+([^\n]{1,200})", re.MULTILINE)
# In these files, what is not a script names packages.
_MANIFESTS = compile_late(r"(?:\.jsonc?|\.toml)$")
_TASKS = compile_late(r"\bscripts\b|\btasks\b|\bpoe\b|\bhatch\b|\bpytest\b")


class Manual(Struct, frozen=True):
    """Where a project says how to do a thing: patterns of titles, of lines that begin a command, and of paths of scripts."""

    titles: re.Pattern[str]
    commands: re.Pattern[str]
    scripts: re.Pattern[str]

    def find(self, snapshot: Snapshot) -> list[ChunkRef]:
        """The chunks that say it, documents first."""
        return [
            *islice(self._find_sections(snapshot), MAX_SECTIONS),
            *islice(self._find_commands(snapshot), MAX_COMMANDS),
            *self._find_scripts(snapshot)[:MAX_COMMANDS],
        ]

    def _find_sections(self, snapshot: Snapshot) -> Iterator[ChunkRef]:
        view = snapshot.view
        for ref in chunks_of_files(_DOCUMENT, view):
            is_document = view.file_kind(ref) is FileKind.DOCUMENT
            if is_document and any(map(self.titles.search, read_titles(ref, view))):
                yield ref

    def _find_commands(self, snapshot: Snapshot) -> Iterator[ChunkRef]:
        view = snapshot.view
        for ref in chunks_of_files(_SCRIPTS, view):
            is_of_scripts = not _MANIFESTS.search(view.path(ref)) or _TASKS.search(view.symbol(ref))
            if is_of_scripts and self.commands.search(view.row(ref).text):
                yield ref

    def _find_scripts(self, snapshot: Snapshot) -> list[ChunkRef]:
        view = snapshot.view
        return first_chunks(sort_by_folders(filter(self.scripts.search, view.paths)), view)


def read_titles(ref: ChunkRef, view: IndexView) -> list[str]:
    """The headings in a chunk of a document and above it, without the title of the document, which often holds badges."""
    row = view.row(ref)
    first, *under = row.symbol.split(" > ")
    own = _HEADING.findall(row.text)
    return [*under, *own[1:]] if row.start_line == 1 else [*(under or [first]), *own]


def _titled(words: str) -> re.Pattern[str]:
    return compile_late(rf"\b(?:{words})", re.IGNORECASE)


def _begun(names: str) -> re.Pattern[str]:
    return compile_late(rf"^[ \t]*[\"']?(?:{names})[\w:.-]{{0,40}}[\"']?[ \t]*[:=\]]", re.MULTILINE)


def _called(names: str) -> re.Pattern[str]:
    return compile_late(rf"^(?:\w{{1,20}}/)?(?:bin|scripts?)/(?:{names})[^/]{{0,30}}$")


RUN = Manual(
    _titled(
        r"build|developing\b|develop(?:ment|er)s? (?:env|guide|instal|mode|server|set|workflow)|getting started|install"
        r"|local(?:ly)?\b|prerequisit|quick ?start|requirements|run(?:ning)?\b|set(?:ting)?[- ]?up|start(?:ing)?\b"
    ),
    _begun("all|bootstrap|build|compile|dev|install|run|serve|server|setup|start|up|watch"),
    _called("bootstrap|dev|install|run|serve|setup|start"),
)
TESTS = Manual(
    _titled(r"tests?\b|testing|specs?\b"),
    _begun(r"check|e2e|integration|spec|test|unit|\[?(?:tool\.)?pytest"),
    _called(r"(?:run[-_])?tests?\b|rspec"),
)
DEPLOYMENT = Manual(
    _titled("deploy|docker|host|install|production|releas|self-host"),
    _begun("deploy|docker|image|publish|release"),
    _called("deploy|publish|release"),
)
MIGRATIONS = Manual(_titled("migrat"), compile_late(r"migrat", re.IGNORECASE), _called("migrat"))
