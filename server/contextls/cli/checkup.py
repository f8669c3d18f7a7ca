"""The checks of ``contextls doctor``: this installation, its folders, the other programs it needs, and one workspace."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct

from contextls import __version__
from contextls.agents.table import AGENTS
from contextls.cli.agent_setup import ENTRY, user_file
from contextls.engine import Engine
from contextls.errors import ContextlsError
from contextls.isolation import find_program
from contextls.settings import Settings
from contextls.settings_file import read_user_settings
from contextls.settings_file import user_file as settings_file
from contextls.standalone import list_package_sources, workspace_list
from contextls.text.gate import clean
from contextls.user_files import read_small_file

_PACKAGES = (
    "lancedb",
    "pyarrow",
    "numpy",
    "tree-sitter",
    "bpe-openai",
    "pygls",
    "lsprotocol",
    "typer",
    "rich",
)
_MIN_FREE_BYTES = 1_000_000_000
_MAX_WARNINGS = 5


class Verdict(StrEnum):
    """The grades of a finding."""

    GOOD = "good"
    HINT = "hint"
    PROBLEM = "problem"


class Finding(Struct, frozen=True):
    """One thing that was looked at; ``advice`` says what to do about it."""

    about: str
    verdict: Verdict
    what: str
    advice: str = ""


def look_at_all(root: Path) -> Iterator[Finding]:
    """Look at everything, in the order of the page."""
    yield from _installation()
    settings, findings = _settings()
    yield from findings
    yield from _folders()
    yield _git()
    yield _agents()
    yield from _package_sources(settings)
    yield from _workspace(root, settings)


def _installation() -> Iterator[Finding]:
    yield Finding("contextls", Verdict.GOOD, f"{__version__} in {Path(__file__).parents[1]}")
    yield Finding(
        "Python",
        Verdict.GOOD,
        f"{platform.python_version()} ({sys.executable}), {platform.platform(terse=True)}",
    )
    found = {name: _version(name) for name in _PACKAGES}
    missing = [name for name, number in found.items() if not number]
    listed = ", ".join(f"{name} {number}" for name, number in found.items() if number)
    if missing:
        yield Finding(
            "packages",
            Verdict.PROBLEM,
            f"missing: {', '.join(missing)}; {listed}",
            "install contextls again with its dependencies: pipx reinstall contextls",
        )
    else:
        yield Finding("packages", Verdict.GOOD, listed)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _settings() -> tuple[Settings, list[Finding]]:
    file = settings_file()
    user = read_user_settings()
    findings = [Finding("settings", Verdict.PROBLEM, each, f"mend {file}") for each in user.warnings]
    what = str(file) if file.exists() else f"the defaults; {file} would change them"
    return user.settings, findings or [Finding("settings", Verdict.GOOD, what)]


def _folders() -> Iterator[Finding]:
    state = workspace_list().parent
    known = _count_known()
    if not os.access(_nearest(state), os.W_OK):
        yield Finding(
            "state",
            Verdict.PROBLEM,
            f"{state} cannot be written",
            "free it, or point CONTEXTLS_HOME elsewhere",
        )
    else:
        yield Finding("state", Verdict.GOOD, f"{state}, {known} known workspace" + "s" * (known != 1))
    free = shutil.disk_usage(_nearest(state)).free
    what = f"{free / 1e9:.1f} GB free"
    if free < _MIN_FREE_BYTES:
        yield Finding("disk", Verdict.PROBLEM, what, "make room: an index that cannot be written is not kept")
    else:
        yield Finding("disk", Verdict.GOOD, what)


def _nearest(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.exists())


def _count_known() -> int:
    try:
        return len(read_small_file(workspace_list()).splitlines())
    except (OSError, UnicodeDecodeError):
        return 0


def _git() -> Finding:
    program = find_program("git")
    if program is None:
        return Finding(
            "git", Verdict.HINT, "not found", "install it for history, uncommitted changes and authors"
        )
    return Finding("git", Verdict.GOOD, program)


def _agents() -> Finding:
    installed = [agent.title for agent in AGENTS.values() if _is_set_up(user_file(agent))]
    if installed:
        return Finding("agents", Verdict.GOOD, f"hooks for {', '.join(installed)}")
    return Finding(
        "agents", Verdict.GOOD, "no hooks", "contextls hook claude-code --install, where you use an agent"
    )


def _package_sources(settings: Settings) -> Iterator[Finding]:
    """Code of others that takes part in prompts; nothing is said where there is none."""
    for source in list_package_sources():
        asked = "*" in settings.package_sources or source.name in settings.package_sources
        what = f"{source.name} of the package {source.package}{'' if asked else ', turned off'}"
        if source.problem and asked:
            advice = f"mend or uninstall {source.package}, or leave {source.name} out of packageSources"
            yield Finding("source", Verdict.PROBLEM, f"{what}: {source.problem}", advice)
        else:
            yield Finding("source", Verdict.GOOD, what)


def _is_set_up(file: Path) -> bool:
    try:
        return ENTRY in read_small_file(file)
    except (OSError, UnicodeDecodeError):
        return False


def _workspace(root: Path, settings: Settings) -> Iterator[Finding]:
    try:
        engine = Engine.open(root, settings)
    except ContextlsError as error:
        yield Finding("workspace", Verdict.PROBLEM, str(error))
        return
    healed: list[str] = []
    engine.listen(healed.append)
    try:
        engine.prepare()
        found = engine.status()
    except ContextlsError as error:
        yield Finding(
            "workspace", Verdict.PROBLEM, str(error), "contextls clear --index, then contextls index"
        )
        return
    finally:
        engine.close()
    yield Finding("workspace", Verdict.GOOD, found.root)
    size = f"{found.files:,} files, {found.chunks:,} chunks, {found.index_bytes / 1e6:.1f} MB in {found.index_location}"
    if found.state == "empty":
        yield Finding("index", Verdict.HINT, "none yet", "contextls index")
    elif found.state == "ready":
        yield Finding("index", Verdict.GOOD, size)
    else:
        yield Finding("index", Verdict.HINT, f"{found.state}; {size}", "contextls index brings it up to date")
    left_out = ", ".join(f"{reason} {number:,}" for reason, number in found.skipped.items())
    yield Finding("left out", Verdict.GOOD, left_out or "nothing")
    yield Finding("events", Verdict.GOOD, f"{found.events:,} in {found.state_location}")
    yield Finding("models", Verdict.GOOD, f"embedder {found.embedder}, tokenizer {found.tokenizer}")
    yield from _warnings((*healed, *found.warnings))


def _warnings(warnings: Sequence[str]) -> Iterator[Finding]:
    different = list(dict.fromkeys(warnings))
    for warning in different[:_MAX_WARNINGS]:
        yield Finding("warning", Verdict.HINT, warning)
    if len(different) > _MAX_WARNINGS:
        yield Finding("warning", Verdict.HINT, f"{len(different) - _MAX_WARNINGS} more")


def anonymous(text: str, root: Path) -> str:
    """``text`` without secrets, and without what names a person or a project: home, user, workspace."""
    home = str(Path.home())
    for name, sign in ((str(root), "<workspace>"), (home, "~")):
        if len(name) > 1:
            text = text.replace(name, sign)
    for name, sign in ((root.name, "<workspace>"), (Path(home).name, "<user>")):
        if len(name) > 2:
            text = text.replace(name, sign)
    return clean(text)
