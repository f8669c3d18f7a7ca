"""Installed packages as sources of a prompt: only where they are asked for, read only, within their own folder."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contextls.cancellation import cancellable
from contextls.engine import Engine
from contextls.errors import CancelledError, InvalidRequestError
from contextls.model import AssembleRequest, Context, Section
from contextls.workspace.dependencies import find_dependency

from .memory.workspaces import opened, write
from .repositories import git

PACKAGES = ".venv/lib/python3.12/site-packages"
FILES = {
    "app.py": "import fetcher\n\n\ndef load_page(url):\n    return fetcher.get_page(url)\n",
    "packages/api/package.json": '{"name": "@acme/api"}',
    ".gitignore": ".venv/\nnode_modules/\n",
    ".venv/pyvenv.cfg": "home = /usr\n",
    f"{PACKAGES}/fetcher/__init__.py": "def get_page(url, retries=7):\n    '''Retry with backoff.'''\n    return url\n",
    f"{PACKAGES}/fetcher/secret.py": "TOKEN = 'ghp_0123456789abcdefABCDEF0123456789abcd'  # to get_page\n",
    f"{PACKAGES}/fetcher/.env": "GET_PAGE_PASSWORD=hidden\n",
    f"{PACKAGES}/fetcher/.context/working-set.yml": "files:\n  - path: pinned.py\n    priority: 1\n",
    f"{PACKAGES}/fetcher/pinned.py": "HOSTILE = 'read me in every prompt'\n",
    f"{PACKAGES}/other/__init__.py": "def get_page_other():\n    return 'another package'\n",
    f"{PACKAGES}/yaml/__init__.py": "def load(text):\n    return text\n",
    f"{PACKAGES}/PyYAML-6.0.dist-info/top_level.txt": "_yaml\nyaml\n",
    "node_modules/left-pad/index.js": "module.exports = function leftPad(text, width) { return text.padStart(width) }\n",
    "node_modules/@acme/ui/button.js": "export function drawButton() { return 1 }\n",
}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    root = write(tmp_path / "app", FILES)
    outside = write(tmp_path / "outside", {"secret.py": "def get_page_outside():\n    return 'OUTSIDE'\n"})
    (root / PACKAGES / "fetcher" / "linked").symlink_to(outside)
    (root / PACKAGES / "fetcher" / "linked.py").symlink_to(outside / "secret.py")
    (root / PACKAGES / "evil").symlink_to(outside)
    (root / "node_modules" / "@acme" / "api").symlink_to(root / "packages" / "api")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Start")
    with opened(root) as engine:
        yield engine


def ask(engine: Engine, query: str = "how does fetcher get_page retry?", **fields: Any) -> Context:  # noqa: ANN401
    return engine.assemble(AssembleRequest(query, 4000, **fields))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("fetcher", f"{PACKAGES}/fetcher"),
        ("PyYAML", f"{PACKAGES}/yaml"),
        ("pyyaml", f"{PACKAGES}/yaml"),
        ("left-pad", "node_modules/left-pad"),
        ("@acme/ui", "node_modules/@acme/ui"),
        ("@acme/api", None),  # a package of the workspace itself
        ("evil", None),
        ("nothing", None),
        ("", None),
        ("..", None),
        ("../fetcher", None),
        ("fetcher/../other", None),
        ("fetcher/linked", None),
        ("fetcher\0", None),
    ],
)
def test_a_package_is_found_by_its_name_and_never_outside_of_itself(
    engine: Engine, name: str, path: str | None
) -> None:
    assert find_dependency(engine.root, name) == path


def test_a_package_answers_only_where_it_is_asked_for(engine: Engine) -> None:
    plain = ask(engine)
    assert PACKAGES not in plain.content
    assert "retries=7" not in plain.content
    for fields in ({"dependencies": True}, {"scope": ("dependency:fetcher",)}):
        context = ask(engine, **fields)
        assert f"### `{PACKAGES}/fetcher/__init__.py:1-3` `get_page`" in context.content
        assert "retries=7" in context.content
        assert "### `app.py:" in context.content
        assert "another package" not in context.content
        assert context.token_count <= 4000
    assert PACKAGES not in ask(engine, "how is a page loaded?", dependencies=True).content
    assert ask(engine).content == plain.content


def test_nothing_but_its_code_is_shown(engine: Engine) -> None:
    context = ask(engine, "how does fetcher get_page retry, with which TOKEN?", dependencies=True)
    content = context.content
    assert "ghp_0123" not in content
    assert "hidden" not in content
    assert "OUTSIDE" not in content
    assert not any(each.type is Section.WORKING_SET for each in context.components)
    assert "uncommitted" not in content
    assert "Start" not in content


def test_a_row_speaks_of_its_files_by_their_place_in_the_workspace(engine: Engine) -> None:
    def shown(row: str) -> set[str]:
        context = ask(engine, dependencies=True, permissions_granted=(row,))
        return {one.path for one in context.components if one.path}

    assert shown("code:/app.py") == {"app.py"}
    assert shown(f"code:/{PACKAGES}/*/__init__.py") == {f"{PACKAGES}/fetcher/__init__.py"}


def test_it_enters_neither_the_index_nor_the_memory_of_the_workspace(engine: Engine) -> None:
    before = engine.status()
    ask(engine, dependencies=True)
    after = engine.status()
    assert (after.files, after.chunks, after.events) == (before.files, before.chunks, before.events)
    assert engine.search("get_page retry").hits == engine.search("get_page retry", scope=()).hits
    assert all(PACKAGES not in hit.path for hit in engine.search("get_page retry", 50).hits)
    cache = Path(after.index_location) / "dependencies"
    assert cache.is_dir()
    engine.clear()
    assert not cache.exists()


def test_a_saved_scope_holds_packages_too(engine: Engine) -> None:
    view = engine.scope.save(["dependency:left-pad", "app.py"])
    assert [each.path for each in view.folders] == ["app.py", "dependency:left-pad"]
    assert engine.status().scope == ("app.py", "dependency:left-pad")
    assert "padStart" in ask(engine, "how does leftPad pad a text?").content
    assert "padStart" not in ask(engine, "how does leftPad pad a text?", scope=()).content
    engine.scope.save([])
    assert "padStart" not in ask(engine, "how does leftPad pad a text?").content


@pytest.mark.parametrize("name", ["nothing", "evil", "../outside", ""])
def test_what_is_not_installed_is_refused_by_name(engine: Engine, name: str) -> None:
    with pytest.raises(InvalidRequestError, match="node_modules") as refused:
        ask(engine, scope=(f"dependency:{name}",))
    assert refused.value.field == "scope"


def test_a_package_that_is_too_large_is_refused_and_a_folder_of_it_is_not(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contextls.engine.dependencies.MAX_FILES", 2)
    write(engine.root, {f"{PACKAGES}/fetcher/small/one.py": "def get_page_small():\n    return 1\n"})
    with pytest.raises(InvalidRequestError, match="name a folder of it"):
        ask(engine, scope=("dependency:fetcher",))
    assert "get_page_small" in ask(engine, scope=("dependency:fetcher/small",)).content


def test_a_package_is_not_counted_again_for_each_question(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is too large: what reads an index of it reads its folders, too."""
    monkeypatch.setattr("contextls.engine.dependencies.MAX_FILES", 2)
    folder = engine.root / PACKAGES / "fetcher" / "inner"
    write(folder, {f"{name}.py": "x = 1\n" for name in "abc"})
    looked: list[str] = []
    watching = True
    sys.addaudithook(
        lambda event, given: looked.append(str(given[0])) if watching and event == "os.scandir" else None
    )

    def warned() -> bool:
        looked.clear()
        warnings = ask(engine, dependencies=True).report.warnings
        return any("a package of at most 2 files" in warning for warning in warnings)

    assert warned()
    assert str(folder) in looked
    assert warned()
    assert str(folder) not in looked
    write(engine.root, {f"{PACKAGES}/fetcher/more.py": "y = 1\n"})  # as a new version does
    assert warned()
    assert str(folder) in looked
    watching = False


def test_what_changed_in_a_package_is_seen_at_the_next_question(engine: Engine) -> None:
    ask(engine, dependencies=True)
    write(
        engine.root, {f"{PACKAGES}/fetcher/__init__.py": "def get_page(url, retries=12):\n    return url\n"}
    )
    assert "retries=12" in ask(engine, dependencies=True).content


def test_a_saved_package_that_is_gone_is_a_warning(engine: Engine) -> None:
    engine.scope.save(["dependency:left-pad"])
    (engine.root / "node_modules/left-pad/index.js").unlink()
    (engine.root / "node_modules/left-pad").rmdir()
    context = ask(engine)
    assert "app.py" in context.content
    assert any("dependency:left-pad does not answer" in warning for warning in context.report.warnings)


def test_a_cancelled_question_does_not_wait_for_the_index_of_a_package(engine: Engine) -> None:
    token = threading.Event()
    token.set()
    with cancellable(token), pytest.raises(CancelledError):
        ask(engine, dependencies=True)
    assert "retries=7" in ask(engine, dependencies=True).content
