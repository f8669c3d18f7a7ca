"""Manifests are read without running anything, whatever they hold."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.workspace.manifests import MAX_BYTES, MAX_DEPENDENCIES, is_manifest, read_manifest

PYPROJECT = """
[project]
name = "shop"
version = "2.1"
dependencies = ["httpx[http2]>=0.27; python_version > '3'", "numpy", "priv @ git+https://user:secret@host/x"]
[project.optional-dependencies]
fast = ["uvloop~=0.19"]
[dependency-groups]
dev = ["pytest>=8", {include-group = "x"}]
"""
POETRY = """
[tool.poetry]
name = "old"
[tool.poetry.dependencies]
python = "^3.11"
requests = "^2.31"
local = {path = "../local"}
[tool.poetry.group.dev.dependencies]
ruff = {version = "0.5"}
"""
GO = """module example.com/shop // comment

go 1.22

require (
	github.com/a/b v1.2.3
	golang.org/x/net v0.1.0 // indirect
)
require github.com/c/d v2.0.0+incompatible
"""
CARGO = """
[package]
name = "shop"
version = "0.3.0"
[dependencies]
serde = { version = "1", features = ["derive"] }
tokio = "1.37"
inner = { path = "inner" }
[dev-dependencies]
insta = "1"
"""
POM = """<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <artifactId>shop</artifactId><version>1.0</version>
  <dependencies>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>2.0</version></dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><scope>test</scope></dependency>
  </dependencies>
</project>"""
CSPROJ = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><PackageId>Shop</PackageId><Version>4.0</Version>
</PropertyGroup><ItemGroup><PackageReference Include="Dapper" Version="2.1" />
<PackageReference Include="Polly"><Version>8.0</Version></PackageReference></ItemGroup></Project>"""
PACKAGE = json.dumps(
    {
        "name": "@shop/web",
        "version": "1.0.0",
        "dependencies": {"react": "^18", "inner": "git+https://token@host/x.git"},
        "devDependencies": {"vitest": "1"},
    }
)


@pytest.mark.parametrize(
    ("path", "text", "named", "dependencies"),
    [
        (
            "pyproject.toml",
            PYPROJECT,
            ("python", "shop", "2.1"),
            [("httpx", ">=0.27"), ("numpy", ""), ("priv", ""), ("uvloop", "~=0.19"), ("pytest", ">=8")],
        ),
        (
            "a/pyproject.toml",
            POETRY,
            ("python", "old", ""),
            [("requests", "^2.31"), ("local", ""), ("ruff", "0.5")],
        ),
        (
            "go.mod",
            GO,
            ("go", "example.com/shop", ""),
            [
                ("github.com/a/b", "v1.2.3"),
                ("golang.org/x/net", "v0.1.0"),
                ("github.com/c/d", "v2.0.0+incompatible"),
            ],
        ),
        (
            "Cargo.toml",
            CARGO,
            ("cargo", "shop", "0.3.0"),
            [("serde", "1"), ("tokio", "1.37"), ("inner", ""), ("insta", "1")],
        ),
        ("pom.xml", POM, ("maven", "shop", "1.0"), [("org.slf4j:slf4j-api", "2.0"), ("junit:junit", "")]),
        ("src/Shop.csproj", CSPROJ, ("nuget", "Shop", "4.0"), [("Dapper", "2.1"), ("Polly", "8.0")]),
        (
            "package.json",
            PACKAGE,
            ("npm", "@shop/web", "1.0.0"),
            [("react", "^18"), ("inner", ""), ("vitest", "1")],
        ),
    ],
)
def test_each_format_gives_name_version_and_dependencies(
    path: str, text: str, named: tuple[str, str, str], dependencies: list[tuple[str, str]]
) -> None:
    manifest = read_manifest(path, text)
    assert manifest is not None
    assert (manifest.ecosystem, manifest.name, manifest.version) == named
    assert [(item.name, item.requirement) for item in manifest.dependencies] == dependencies


def test_credentials_in_addresses_stay_out() -> None:
    for path, text in (("pyproject.toml", PYPROJECT), ("package.json", PACKAGE)):
        assert "secret" not in str(read_manifest(path, text))
        assert "token" not in str(read_manifest(path, text))


def test_xml_that_defines_entities_is_refused() -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><project><artifactId>&b;</artifactId></project>'
    outside = '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><project><artifactId>&x;</artifactId></project>'
    assert read_manifest("pom.xml", bomb) is None
    assert read_manifest("pom.xml", outside) is None


def test_large_manifests_are_bounded() -> None:
    many = json.dumps({"dependencies": {f"package-{number}": "1" for number in range(2_000)}})
    manifest = read_manifest("package.json", many)
    assert manifest is not None
    assert len(manifest.dependencies) == MAX_DEPENDENCIES
    assert read_manifest("package.json", json.dumps({"name": "x" * MAX_BYTES})) is None
    assert read_manifest("package.json", "[" * 100_000) is None


NAMES = ["pyproject.toml", "package.json", "go.mod", "Cargo.toml", "pom.xml", "a.csproj"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "dependencies", "project", "version", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(st.sampled_from(NAMES), st.text(max_size=200) | JSON.map(json.dumps))
def test_no_text_makes_reading_fail(path: str, text: str) -> None:
    read_manifest(path, text)


def test_other_files_are_no_manifests() -> None:
    assert all(map(is_manifest, NAMES))
    for path in ("package.json.md", "src/pom.xml.bak", "csproj", "", "setup.py", "a/"):
        assert not is_manifest(path)
        assert read_manifest(path, PYPROJECT) is None
