"""``contextls index``: bring the content index up to date, or build the one that a team shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from contextls.cli.indexing import bring_up_to_date, summary
from contextls.cli.options import Json, Root
from contextls.cli.output import count, emit, emit_json, warn
from contextls.cli.session import open_engine
from contextls.cli.user_settings import user_settings
from contextls.errors import InvalidRequestError
from contextls.settings import Settings

EXAMPLES = (
    "contextls index",
    "contextls index ~/src/flask",
    "contextls index --json . | jq .chunks",
    "contextls index --shared --uri s3://acme-code/contextls",
    "contextls index --shared --prune --keep-days 30",
)
SHARING = "Shared index"
MAX_NAMED = 3
_DAYS, _COMMITS = 30, 20
_SETTING = "contextls.indexUri"


class SharingEngine(StrEnum):
    """The programs that can build a shared index."""

    LOCAL = "local"
    RAY = "ray"


def index(
    root: Root = Path(),
    as_json: Json = False,
    shared: Annotated[
        bool,
        typer.Option(
            "--shared",
            help="Build the shared index of a team for the commit that is checked out.",
            rich_help_panel=SHARING,
        ),
    ] = False,
    uri: Annotated[
        str,
        typer.Option(
            metavar="URI",
            help="Where it lies: s3://bucket/prefix or the path of a folder.",
            show_default="the setting indexUri",
            rich_help_panel=SHARING,
        ),
    ] = "",
    engine: Annotated[
        SharingEngine, typer.Option(help="Work here, or over a Ray cluster.", rich_help_panel=SHARING)
    ] = SharingEngine.LOCAL,
    sign_with: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Sign with this Ed25519 key, a PEM file.", rich_help_panel=SHARING),
    ] = None,
    prune: Annotated[
        bool,
        typer.Option("--prune", help="Take old commits out of it; build nothing.", rich_help_panel=SHARING),
    ] = False,
    keep_days: Annotated[
        int, typer.Option(min=0, help="Commits built within so many days stay.", rich_help_panel=SHARING)
    ] = _DAYS,
    keep_commits: Annotated[
        int, typer.Option(min=1, help="So many newest commits stay in any case.", rich_help_panel=SHARING)
    ] = _COMMITS,
) -> None:
    """Bring the index up to date.

    Only what changed since the last time is read again.
    """
    builds = shared or engine is not SharingEngine.LOCAL
    _check_use("--keep-days/--keep-commits", (keep_days, keep_commits) != (_DAYS, _COMMITS), "--prune", prune)
    _check_use("--sign-with", sign_with is not None, "--shared", builds)
    _check_use("--uri", bool(uri), "--shared or --prune", builds or prune)
    if not (builds or prune):
        _index(root, as_json)
        return
    settings = _settings(uri)
    try:
        if prune:
            _prune(settings, keep_days, keep_commits, as_json)
        else:
            _build(root, settings, engine, sign_with, as_json)
    except InvalidRequestError as error:
        if error.field != _SETTING or (settings.index_uri and not uri):
            raise
        otherwise = "" if uri else f", or the setting {_SETTING}"
        raise InvalidRequestError("--uri", f"{error.expected}{otherwise}", error.got) from None


def _check_use(option: str, is_given: bool, needed: str, is_there: bool) -> None:
    """Refuse an option that would count for nothing."""
    if is_given and not is_there:
        raise typer.BadParameter(f"it is for {needed} only", param_hint=option)


def _index(root: Path, as_json: bool) -> None:
    with open_engine(root) as engine:
        report = bring_up_to_date(engine)
        engine.read_history()
    _tell_problems(report.problems)
    if as_json:
        emit_json(report)
        return
    emit(summary(report))
    _tell_left_out(report.skipped)


def _tell_problems(problems: Sequence[str]) -> None:
    """Each problem in a line, and in one those that many files share: to a grammar a third of Linux looks wrong."""
    shared: dict[str, list[str]] = {}
    for problem in problems:
        place, _, reason = problem.partition(": ")
        shared.setdefault(reason, []).append(place)
    for reason, places in shared.items():
        more = len(places) - MAX_NAMED
        named = [f"{', '.join(places[:MAX_NAMED])} and {count(more, 'more file')}"] if more > 0 else places
        for each in named:
            warn(f"{each}: {reason}" if reason else each)


def _build(
    root: Path, settings: Settings, engine: SharingEngine, sign_with: Path | None, as_json: bool
) -> None:
    from contextls.engine.sharing import build_shared

    report = build_shared(root, settings, engine, sign_with)
    if as_json:
        emit_json(report)
        return
    done = "was shared already" if report.was_there else "is shared"
    files = f"{count(report.files, 'file')}, {report.analysed:,} of them new"
    emit(f"{report.commit[:12]} {done}: {files}, at {settings.index_uri}")
    if report.was_there and sign_with is not None:
        warn("it was not signed now: what is shared of a commit stays as it is; the next commit is signed")
    _tell_left_out(report.left_out)


def _prune(settings: Settings, keep_days: int, keep_commits: int, as_json: bool) -> None:
    from contextls.engine.sharing import prune_shared

    report = prune_shared(settings, keep_days, keep_commits)
    if as_json:
        emit_json(report)
        return
    emit(
        f"{count(report.commits_removed, 'commit')} and {count(report.files_removed, 'version')} of files removed; "
        f"{count(report.commits_kept, 'commit')} and {count(report.files_kept, 'version')} of files stay"
    )


def _tell_left_out(reasons: Mapping[str, int]) -> None:
    for reason, files in sorted(reasons.items(), key=lambda pair: -pair[1]):
        emit(f"  left out, {reason}: {files:,}")


def _settings(uri: str) -> Settings:
    settings = user_settings()
    return replace(settings, index_uri=uri) if uri else settings
