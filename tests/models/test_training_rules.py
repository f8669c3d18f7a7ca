"""What the embedder may learn from: permissive licences, and nothing that the product is measured on."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rules = _load("package_rules")
LISTED = tomllib.loads((TOOLS / "training-packages.toml").read_text())


def test_no_listed_package_is_an_excluded_project_and_all_are_pinned_and_permissive() -> None:
    permissive = {short for short, _ in rules.LICENCES} - {"refused"}
    for packages in LISTED.values():
        for name, entry in packages.items():
            rules.check_name(name)
            assert entry["version"], name
            assert entry["licence"] in permissive, name


@pytest.mark.parametrize(
    "name",
    [
        "golang-github-spf13-cobra-dev",
        "golang-github-gin-gonic-gin-dev",
        "ruby-rack",
        "ruby-rails",
        "php-monolog",
        "librust-serde-dev",
        "librust-tokio-dev",
        "libcommons-lang3-java",
        "libgoogle-gson-java",
        "haskell-aeson",
        "libfmt-dev",
        "lodash",
        "Flask",
        "telescope.nvim",
    ],
)
def test_an_excluded_project_is_refused_in_every_registry_spelling(name: str) -> None:
    with pytest.raises(rules.RefusedError, match="excluded from training"):
        rules.check_name(name)


@pytest.mark.parametrize("pair", rules.excluded_projects(), ids="/".join)
def test_a_package_is_refused_by_its_upstream_address_whatever_it_is_called(pair: tuple[str, str]) -> None:
    address = "https://github.com/" + "/".join(pair)
    for line in (
        f"Home-page: {address}",
        f'  "repository": "git+{address}.git",',
        f'repository = "{address}"',
    ):
        with pytest.raises(rules.RefusedError, match="excluded from training"):
            rules.check_upstream("some-package", f"Name: some-package\n{line}\n")
    rules.check_upstream("some-package", f"Name: some-package\nSummary: like {address} but smaller\n")


def test_files_inside_a_copy_of_an_excluded_project_are_left_out() -> None:
    assert rules.excluded_path("pkg/compat/requests/api.py")
    assert not rules.excluded_path("pkg/client/requests.py")


@pytest.mark.parametrize(
    "licence", ["GPL-3.0-only", "MPL-2.0", "EPL-1.0", "LGPL-2.1+", "", "see the web site"]
)
def test_what_is_not_permissive_or_not_stated_is_refused(licence: str) -> None:
    with pytest.raises(rules.RefusedError, match="no permissive licence"):
        rules.stated_licence("npm", "some-package", {"package/package.json": f'{{"license": "{licence}"}}'})


@pytest.mark.parametrize(
    ("licence", "short"), [("MIT", "MIT"), ("BSD-3-Clause", "BSD"), ("(MIT OR GPL-3.0)", "MIT")]
)
def test_a_permissive_licence_is_accepted_by_its_short_name(licence: str, short: str) -> None:
    metadata = {"package/package.json": f'{{"license": "{licence}"}}'}
    assert rules.stated_licence("npm", "some-package", metadata) == short
