"""A question on how to build, run, test or deploy a project gets its documents and commands, and no code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

LONG = "It goes on for a while, as a manual does, and tells more than anybody asked for. " * 12
FILES = {
    "README.md": f"# Tests of a mill ![tests](tests.svg)\n\nGrinds corn.\n\n{LONG}\n\n## Getting started\n\n"
    f"Run `bin/setup`.\n\n{LONG}\n\n## Corn\n\nRun your fingers through it.\n\n{LONG}\n",
    "CONTRIBUTING.md": "# Contributing\n\nBe kind.\n\n## Testing\n\nCall `npm test`.\n\n## Deployment\n\nPush a tag.\n",
    "package.json": '{\n  "name": "mill",\n  "scripts": {\n    "dev": "vite",\n    "test": "vitest"\n  },\n'
    '  "engines": {\n    "node": ">=22"\n  },\n  "devDependencies": {\n    "vitest": "^3.0.0"\n  }\n}\n',
    "Dockerfile": "FROM node:22-alpine\nCOPY . .\nEXPOSE 4100\n",
    ".nvmrc": "22\n",
    "bin/setup": "#!/bin/sh\nnpm install\n",
    "scripts/test.sh": "#!/bin/sh\nnpm test\n",
    "src/database.ts": "export function runMigrations() {\n  return read('migrations').forEach(run);\n}\n",
    "migrations/001_corn.sql": "-- how migrations are run\nCREATE TABLE corn (id int);\n",
    "src/test_run.ts": "export function runTests(how: How) {\n  // how the tests are run\n  return how.tests.run();\n}\n",
    "src/deploy_port.ts": "export function deployPort(port: Port) {\n  return port.listen();\n}\n",
    "src/version.ts": "export function nodeVersion(which: Which) {\n  return which.node.version;\n}\n",
    "src/locales/en.json": '{\n  "grind": "Grind"\n}\n',
    "src/locales/de.json": '{\n  "grind": "Mahlen"\n}\n',
    "src/i18n/config.ts": "",
    "src/i18n.ts": "export function translate(key: string) {\n  return messages[key];\n}\n",
    "src/translations.test.ts": "test('where translations are', () => {\n  expect(translations).toBe(where);\n});\n",
}


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("all") / "mill", FILES)) as engine:
        yield engine


def shown_for(engine: Engine, question: str) -> str:
    return engine.assemble(AssembleRequest(question)).content


def paths_for(engine: Engine, question: str) -> set[str | None]:
    return {piece.path for piece in engine.assemble(AssembleRequest(question)).components}


@pytest.mark.parametrize(
    "question",
    [
        "how do I run the tests?",
        "how do i run the unit tests locally",
        "what's the command to run the tests?",
        "how are the tests run?",
    ],
)
def test_who_wants_to_run_the_tests_gets_the_section_and_the_command(mill: Engine, question: str) -> None:
    content = shown_for(mill, question)
    assert "Call `npm test`." in content
    assert '"test": "vitest"' in content
    assert paths_for(mill, question) == {"CONTRIBUTING.md", "package.json", "scripts/test.sh"}


@pytest.mark.parametrize(
    "question",
    [
        "how do I run it locally?",
        "how do I set up the dev environment",
        "how to build this project",
        "how do I get it running?",
    ],
)
def test_who_wants_to_run_it_gets_what_the_readme_says(mill: Engine, question: str) -> None:
    content = shown_for(mill, question)
    assert "Run `bin/setup`." in content
    assert '"dev": "vite"' in content
    assert "Run your fingers" not in content
    assert paths_for(mill, question) == {"README.md", "package.json", "bin/setup"}


@pytest.mark.parametrize("question", ["how is it deployed?", "how do we deploy to production?"])
def test_who_wants_to_deploy_gets_the_image_and_the_section(mill: Engine, question: str) -> None:
    assert paths_for(mill, question) == {"Dockerfile", "CONTRIBUTING.md"}
    assert "Push a tag." in shown_for(mill, question)


def test_how_migrations_are_run_is_told_by_what_runs_them_and_by_none_of_them(mill: Engine) -> None:
    assert paths_for(mill, "how are migrations run?") == {"src/database.ts"}


@pytest.mark.parametrize("question", ["which version of node do we need?", "what node version does it use?"])
def test_versions_are_told_by_manifests_and_images(mill: Engine, question: str) -> None:
    assert paths_for(mill, question) == {".nvmrc", "package.json", "Dockerfile"}
    assert '"node": ">=22"' in shown_for(mill, question)


def test_a_version_of_a_library_is_that_of_its_requirement(mill: Engine) -> None:
    assert paths_for(mill, "which version of vitest are we using?") == {"package.json"}


@pytest.mark.parametrize("question", ["what port does it listen on?", "which port does the server use"])
def test_the_port_is_told_by_settings(mill: Engine, question: str) -> None:
    assert paths_for(mill, question) == {"Dockerfile"}


def test_a_port_that_only_code_has_is_told_by_its_name(tmp_path: Path) -> None:
    code = {"src/Defaults.cs": "class Defaults\n{\n    public const int DefaultHttpPort = 8096;\n}\n"}
    with opened(write(tmp_path / "mill", code)) as engine:
        assert paths_for(engine, "what port does it listen on?") == {"src/Defaults.cs"}


@pytest.mark.parametrize("question", ["where are the translations?", "where do the locale files live?"])
def test_translations_are_where_the_english_catalog_is(mill: Engine, question: str) -> None:
    assert paths_for(mill, question) == {"src/locales/en.json", "src/i18n.ts"}


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("how does deployPort listen?", "src/deploy_port.ts"),
        ("how do I run tests from code?", "src/test_run.ts"),
        ("which version does nodeVersion return?", "src/version.ts"),
    ],
)
def test_who_asks_about_code_with_such_words_gets_it(mill: Engine, question: str, path: str) -> None:
    assert path in paths_for(mill, question)
