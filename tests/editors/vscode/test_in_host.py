"""The suites of ``editors/vscode/test``, each a test here; those selected run once, in one extension host."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from contextls.engine import Engine

from .host_tests import RESULTS, SUITES, HostRun, run_host_tests
from .installed import EXTENSION
from .sample import build_workspace
from .vscode_server import ServerOptions, VSCodeServer

FILES = sorted(path.name for path in (EXTENSION / "test").glob("*.test.ts"))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("host") / "results.jsonl"


@pytest.fixture(scope="module")
def server_options(
    request: pytest.FixtureRequest, results: Path, extension_settings: dict[str, str]
) -> ServerOptions:
    selected = [
        name for name in FILES if any(item.name == f"test_suite[{name}]" for item in request.session.items)
    ]
    environment = {RESULTS: str(results), SUITES: " ".join(selected or FILES)}
    return ServerOptions(settings=extension_settings, environment=environment, automation=True)


@pytest.fixture(scope="module")
def host_run(
    extension: Path,
    vscode_server: VSCodeServer,
    browser: Browser,
    results: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> HostRun:
    workspace = build_workspace(tmp_path_factory.mktemp("host") / "shop")
    with closing(Engine.open(workspace)) as engine:
        engine.index()  # so that no suite asks before the code is known
    # Nobody looks: what is drawn costs more than what is tested.
    page = browser.new_page(viewport={"width": 800, "height": 500}, reduced_motion="reduce")
    return run_host_tests(vscode_server, page, extension, workspace, results)


@pytest.mark.parametrize("suite", FILES)
def test_suite(suite: str, host_run: HostRun) -> None:
    own = [outcome for outcome in host_run.outcomes if outcome.suite == suite]
    failed = "\n\n".join(f"{outcome.title}\n{outcome.message}" for outcome in own if not outcome.passed)
    assert not failed, f"{suite}:\n{failed}\nthe extension's log ends:\n{host_run.log[-12_000:]}"
    assert own, f"no test of {suite} ran; {host_run.ended}; the host said:\n{host_run.said[-4000:]}"
    assert host_run.ended.startswith("exit"), f"{host_run.ended} after: {own[-1].title}"


def test_the_run_ends_well(host_run: HostRun) -> None:
    lost = [outcome for outcome in host_run.outcomes if outcome.suite not in FILES]
    assert not lost, f"failures outside of any suite: {lost}"
    assert host_run.ended == "exit 0", f"{host_run.ended}; the host said:\n{host_run.said[-4000:]}"
