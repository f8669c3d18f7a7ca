"""Bombs in manifests and in the working set: nesting, aliases, entities, numbers, lengths."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ..cli.conftest import Run, write_workspace

LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
ENTITIES = (
    '<?xml version="1.0"?>\n<!DOCTYPE p [<!ENTITY a "xxxxxxxxxx">'
    + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">'
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>\n<project><artifactId>&i;</artifactId></project>"
)
DEEP = 100_000
# A working set above 256,000 bytes is not parsed at all, so that most stay below that.
BOMBS: Mapping[str, tuple[str, str]] = {
    "aliases in the working set": (".context/working-set.yml", LAUGHS + "files: *i\n"),
    "aliases that hold themselves": (".context/working-set.yml", "files: &a [*a, {path: *a}]\n"),
    "merge keys": (".context/working-set.yml", "x: &x {a: 1}\n" + "files:\n" + "  - {<<: *x, path: a}\n" * 9_000),
    "a nested working set": (".context/working-set.yml", "files: " + "[" * DEEP),
    "nested maps in the working set": (".context/working-set.yml", "files: " + "{a: " * 60_000),
    "a tag that builds an object": (".context/working-set.yml", "files: !!python/object/apply:os.system ['touch pwned']\n"),
    "a working set of one long line": (".context/working-set.yml", "files: [" + "a, " * 80_000 + "]"),
    "many documents": (".context/working-set.yml", "---\n" * 60_000),
    "an anchor for every line": (".context/working-set.yml", "".join(f"k{n}: &k{n} v\n" for n in range(15_000))),
    "nested package.json": ("package.json", '{"dependencies": ' * DEEP),
    "a nested list in package.json": ("package.json", "[" * DEEP + "]" * DEEP),
    "a number without end": ("package.json", '{"version": ' + "9" * 900_000 + "}"),
    "a key a hundred thousand times": ("package.json", "{" + '"name": "x",' * 60_000 + '"name": "y"}'),
    "nested pyproject.toml": ("pyproject.toml", "x = " + "[" * DEEP),
    "nested tables in pyproject.toml": ("pyproject.toml", "x = " + "{a = " * DEEP),
    "dotted keys in pyproject.toml": ("pyproject.toml", "a" + ".a" * DEEP + " = 1\n"),
    "dotted tables in Cargo.toml": ("Cargo.toml", "[" + "a." * DEEP + "a]\n"),
    "a date out of range in Cargo.toml": ("Cargo.toml", "[package]\nversion = 9999-99-99T99:99:99Z\n"),
    "a number without end in Cargo.toml": ("Cargo.toml", "[package]\nversion = " + "9" * 200_000 + "\n"),
    "entities in pom.xml": ("pom.xml", ENTITIES),
    "an entity from a file": (
        "pom.xml",
        '<!DOCTYPE p [<!ENTITY e SYSTEM "file:///etc/hostname">]><project><artifactId>&e;</artifactId></project>',
    ),
    "an entity from a host": (
        "App.csproj",
        '<!DOCTYPE p [<!ENTITY % e SYSTEM "http://127.0.0.1:9/x">%e;]><Project><PropertyGroup/></Project>',
    ),
    "nested pom.xml": ("pom.xml", "<a>" * DEEP),
    "attributes in pom.xml": ("pom.xml", "<project " + " ".join(f'a{n}="x"' for n in range(60_000)) + "/>"),
    "requirements on one line": ("requirements.txt", "a" * 900_000),
    "requirements that nest": ("requirements.txt", "a[" * 200_000 + "\n-r requirements.txt\n"),
    "go.mod without end": ("go.mod", "module x\nrequire (\n" + "\tx/y v1\n" * 90_000),
    "a Gemfile of quotes": ("Gemfile", "gem '" * 180_000),
}  # fmt: skip


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory, contextls: Run) -> Callable[[str], tuple[str, float]]:
    """Index and ask in a workspace with one bomb; the bombs of one file name take turns in one workspace."""
    root = write_workspace(tmp_path_factory.mktemp("bombs") / "workspace")

    def explode(bomb: str) -> tuple[str, float]:
        name, text = BOMBS[bomb]
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        began = time.monotonic()
        done = contextls("assemble", "how is kelvin converted? which packages?", cwd=root, check=0)
        path.unlink()
        assert not list(root.rglob("pwned"))
        assert "Traceback" not in done.stderr
        return done.stdout, time.monotonic() - began

    return explode


FAST = (
    "aliases in the working set",
    "a nested working set",
    "nested package.json",
    "nested pyproject.toml",
    "entities in pom.xml",
)


@pytest.mark.parametrize(
    "bomb", [*FAST, *(pytest.param(name, marks=pytest.mark.long) for name in BOMBS if name not in FAST)]
)
def test_a_bomb_costs_nothing_but_itself(outcomes: Callable[[str], tuple[str, float]], bomb: str) -> None:
    prompt, seconds = outcomes(bomb)
    assert "celsius_from_kelvin" in prompt
    assert seconds < 60
    assert len(prompt) < 100_000
    if Path("/etc/hostname").is_file():
        assert Path("/etc/hostname").read_text().strip() not in prompt
