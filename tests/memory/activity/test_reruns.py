"""A run answers for what failed before, however the two were called: by a script, in a folder, or through a filter."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.events.failures import open_failures
from contextls.model import NewEvent

from ..workspaces import NOW, opened, write

JEST = """\
FAIL test/cart.test.js
  ● cart › counts every piece

    expect(received).toBe(expected) // Object.is equality

    Expected: 600
    Received: 300

      at Object.toBe (test/cart.test.js:5:47)

PASS test/fees.test.js
Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 1 passed, 2 total
"""
JEST_PASSED = "PASS test/cart.test.js\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n"
JEST_TOTALS = "Tests:       1 failed, 1 passed, 2 total\nRan all test suites.\n"
PYTEST = """\
_________________________________ test_total __________________________________

    def test_total():
>       assert total([(300, 2)]) == 600
E       assert 300 == 600

tests/test_cart.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - assert 300 == 600
1 failed, 1 passed in 0.16s
"""
GO = """\
--- FAIL: TestTotalCountsEveryPiece (0.00s)
    cart_test.go:7: Total() = 300, want 600
FAIL
FAIL\texample.com/shop/cart\t0.002s
ok  \texample.com/shop/fees\t0.001s
FAIL
"""
CARGO = """\
test fees::tests::is_free ... ok
test cart::tests::counts_every_piece ... FAILED

failures:

---- cart::tests::counts_every_piece stdout ----

thread 'cart::tests::counts_every_piece' (4711) panicked at src/cart.rs:18:9:
assertion `left == right` failed
  left: 300
 right: 600

failures:
    cart::tests::counts_every_piece

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
"""
TSC = "src/cart.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n"
NEXT = """\
Failed to compile.

./src/cart.ts:3:5
Type error: Type 'string' is not assignable to type 'number'.
"""
NOXFILE = """
import nox

nox.options.sessions = ["tests"]


@nox.session(python=["3.11", "3.12"])
@nox.parametrize("extra", ["a", "b"])
def tests(session: nox.Session, extra: str) -> None:
    session.install("-e", ".", f"shop[{extra}]")  # as users do
    session.run("pytest", "-q", *(session.posargs or ["tests"]), env={"EXTRA": extra})


@nox.session(name="type-check", default=False)
def types(
    session,
):
    session.run("mypy", *session.posargs)
    session.run("ruff", "check", ".")
"""
FILES = {
    "package.json": """{"scripts": {"test": "jest --coverage", "test:unit": "jest test/fees.test.js",
        "ci": "npm run lint && npm test", "lint": "eslint .", "all": "npm test; echo done"}}""",
    "c/Makefile": "prog: main.o\n\t$(CC) -o $@ $^\nclean:\n\t$(RM) prog\nlib: main.o\n\t$(AR) rcs $@ $^\n",
    "ci.sh": '#!/bin/sh\n# All tests.\ncd tests\npytest -q "$@"\necho done\n',
    "scripts/strict.sh": "set -euo pipefail\npytest\necho done\n",
    "scripts/above.sh": '#!/usr/bin/env bash\nset -e\ncd "$(dirname "${BASH_SOURCE[0]}")/.."\npytest tests\n',
    "scripts/loop.sh": "for each in one two; do\n  pytest $each\ndone\n",
    "web/package.json": '{"scripts": {"test": "vitest run"}}',
    "Makefile": "PY ?= .venv/bin/python\n\n.PHONY: test\n\ntest: build\n\t@$(PY) -m pytest -q\n\nbuild:\n\tmkdir -p out\n",
    "pyproject.toml": """
        [tool.hatch.envs.default.scripts]
        test = "pytest {args:tests}"
        [tool.hatch.envs.lint.scripts]
        check = ["ruff check .", "mypy"]
        [tool.pdm.scripts]
        test = { cmd = ["pytest", "tests"] }
        all = { composite = ["test", "mypy"] }
        [tool.poe.tasks]
        test.cmd = "pytest -q"
        check = ["test", { cmd = "mypy" }]
        """,
    "tox.ini": "[tox]\nenv_list = py311, lint\n[testenv]\ncommands = pytest {posargs:tests}\n"
    "[testenv:lint]\ncommands =\n    ruff check .\n    mypy\n[testenv:all]\ncommands = {[testenv]commands}\n",
    "noxfile.py": NOXFILE,
    "Taskfile.yml": "vars: {ALL: ./...}\ntasks:\n  test:\n    deps: [build]\n    cmds: ['go test {{.ALL}} {{.CLI_ARGS}}']\n"
    "  build: go build ./...\n  check:\n    cmds:\n      - task: test\n",
    "packages/money/package.json": '{"name": "@shop/money", "scripts": {"test": "vitest run"}}',
    "packages/money/test/cart.test.js": "",
    "justfile": "check *args:\n    cargo test {{args}}\n",
    "test/cart.test.js": "",
    "test/fees.test.js": "",
    "tests/test_cart.py": "",
    "cart/cart_test.go": "",
    "src/cart.rs": "",
    "src/cart.ts": "",
}
Run = tuple[
    str, int, str
]  # a command, its exit code and what it printed; a folder may stand before it: "web$ npm test"


def record(engine: Engine, runs: tuple[Run, ...], *, sees_output: bool = True) -> list[str]:
    """Record runs a minute apart, and name the commands of the failures that are open then."""
    for minute, (told, code, printed) in enumerate(runs):
        folder, _, command = told.rpartition("$ ")
        content: dict[str, object] = {"command": command, "exitCode": code, "cwd": str(engine.root / folder)}
        if sees_output:
            content["stdout"] = printed
        engine.record(NewEvent("shell_exec", content, timestamp=NOW + minute * 60_000))
    return [failure.command for failure in open_failures(engine.events(limit=50), NOW + 60_000)]


def settle(
    tmp_path: Path, *runs: Run, files: Mapping[str, str] = FILES, sees_output: bool = True
) -> list[str]:
    with opened(write(tmp_path, dict(files))) as engine:
        return record(engine, runs, sees_output=sees_output)


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        (("npm test", 1, JEST), "npx jest"),
        (("npm test", 1, JEST), "npx jest test/cart.test.js"),
        (("npm test", 1, JEST), "npx jest cart"),
        (("npm test", 1, JEST), "npx jest -t 'counts every piece'"),
        (("npm test", 1, JEST), "npm test -- test/cart.test.js"),
        (("npm test", 1, JEST), "npm run ci"),
        (("npx jest", 1, JEST), "yarn test"),
        (("npm run ci", 1, JEST), "node node_modules/jest/bin/jest.js test/cart.test.js"),
        (("docker compose run app npm test", 1, JEST), "npx jest test/cart.test.js"),
        (("make test", 2, PYTEST), "pytest"),
        (("make test", 2, PYTEST), "pytest -k test_total"),
        (("make test", 2, PYTEST), "tests$ pytest test_cart.py"),
        (("pytest", 1, PYTEST), "make"),
        (("tests$ pytest -q test_cart.py", 1, PYTEST), "pytest tests/test_cart.py"),
        (("tests$ pytest -q", 1, PYTEST), "pytest"),
        (("cd tests && pytest -q", 1, PYTEST), "pytest"),
        (("sh -c 'cd tests && pytest -q'", 1, PYTEST), "pytest"),
        (("pytest", 1, PYTEST), "sudo -E bash -lc \"pytest -k 'test_total'\""),
        (("./ci.sh", 1, PYTEST), "pytest"),
        (("c$ make", 2, ""), "c$ make clean prog"),
        (("c$ make clean prog", 2, ""), "make -C c"),
        (("./ci.sh", 1, PYTEST), "bash ci.sh test_cart.py"),
        (("scripts/strict.sh", 1, ""), "pytest -q"),
        (("scripts/above.sh", 1, ""), "pytest"),
        (("bash -ec 'npm test'", 1, JEST), "timeout 60s sh -c 'npx jest'"),
        (("go test ./...", 1, GO), "go test ./cart"),
        (("go test ./...", 1, GO), "cart$ go test"),
        (("go test ./...", 1, GO), "go test ./cart -run '^TestTotalCountsEveryPiece$'"),
        (("go test ./...", 1, GO), "cart$ go test ."),
        (("go test", 1, ""), "go test ./..."),
        (("go test ./cart", 1, ""), "go test ./cart/..."),
        (("just check", 101, CARGO), "cargo test"),
        (("task check", 201, GO), "go test ./cart"),
        (("task test -- -v", 201, ""), "task test"),
        (("hatch run test", 1, PYTEST), "pytest"),
        (("hatch run test", 1, ""), "hatch test"),
        (("hatch run lint:check", 1, ""), "ruff check . && mypy"),
        (("pdm run all", 1, ""), "pdm run test && mypy"),
        (("uv run poe check", 1, PYTEST), "uv run pytest tests/test_cart.py::test_total"),
        (("tox", 1, PYTEST), "tox run -e py311 -- tests/test_cart.py"),
        (("uvx tox -e all", 1, ""), "pytest tests"),
        (("tox -e lint", 1, ""), "tox"),
        (("nox", 1, PYTEST), "pytest tests/test_cart.py"),
        (("nox", 1, ""), "uvx nox -s tests-3.12"),
        (("nox", 1, PYTEST), "python -m nox --session='tests-3.11(extra=b)' -- -k test_total"),
        (("pytest tests", 1, ""), "nox -R"),
        (("nox -s type-check", 1, ""), "ruff check . && mypy"),
        (("npm -w @shop/money test", 1, ""), "packages/money$ npx vitest run"),
        (("pnpm --filter money test", 1, ""), "npm test --workspace=packages/money"),
        (("cargo test", 101, CARGO), "cargo test counts_every"),
        (("mvn test", 1, ""), "mvn -q test"),
        (("mvn -B -o compile", 1, ""), "mvn -B -o -s settings.xml test"),
        (("cargo check --message-format short", 101, ""), "cargo check"),
        (("cargo check", 101, ""), "cargo test"),
        (("go build ./...", 1, ""), "go test ./..."),
        (("go build ./...", 1, ""), "go vet ./..."),
        (("cargo check", 101, ""), "cargo clippy"),
        (("pytest --tb short", 1, ""), "pytest --maxfail 3 --color yes"),
    ],
)
def test_a_rerun_by_another_name_puts_it_right(tmp_path: Path, failed: Run, passed: str) -> None:
    assert settle(tmp_path, failed, (passed, 0, "")) == []


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        (("npm test", 1, JEST), "npm run test:unit"),
        (("npm test", 1, JEST), "npx jest test/fees.test.js"),
        (("npm test", 1, JEST), "npx jest -t 'delivery is free'"),
        (("npm test", 1, JEST), "web$ npm test"),
        (("web$ npm test", 1, ""), "npm test"),
        (("npm run ci", 1, ""), "npx jest"),
        (("sh -c 'npm test'", 1, JEST), "sh -c 'npm run build'"),
        (("./ci.sh", 1, PYTEST), "sh ci.sh test_fees.py"),
        (("scripts/loop.sh", 1, ""), "pytest"),
        (("c$ make", 2, ""), "c$ make lib"),
        (("c$ make", 2, ""), "c$ make clean"),
        (("bash -lc pytest", 1, PYTEST), "bash -lc 'ls tests'"),
        (("make test", 2, PYTEST), "make build"),
        (("make -C one test", 2, ""), "make -C two test"),
        (("pytest", 1, PYTEST), "tests$ pytest test_fees.py"),
        (("go test ./...", 1, GO), "go test ./fees -run TestTotalCountsEveryPiece"),
        (("go test ./...", 1, GO), "go test ./... -run '^TestTotal$'"),
        (("go test ./...", 1, GO), "go build ./..."),
        (("go test ./...", 1, GO), "go test ."),
        (("go test ./...", 1, GO), "go test"),
        (("go test ./cart/...", 1, ""), "go test ./cart"),
        (("task check", 201, GO), "task build"),
        (("hatch run test", 1, PYTEST), "hatch run lint:check"),
        (("tox", 1, PYTEST), "tox -e lint"),
        (("nox", 1, PYTEST), "nox -s type-check"),
        (("nox -s tests", 1, PYTEST), "nox -s tests -- tests/test_fees.py"),
        (("nox -s type-check", 1, ""), "nox"),
        (("nox -k tests", 1, ""), "nox"),
        (("npm -w @shop/money test", 1, ""), "npm test"),
        (("npm test --workspaces", 1, ""), "npm test"),
        (("uv run test", 1, ""), "uv run build"),
        (("cargo test", 101, CARGO), "cargo test --doc"),
        (("cargo test", 101, CARGO), "cargo build"),
        (("cargo run", 101, ""), "cargo build"),
        (("cargo clippy", 101, ""), "cargo build"),
        (("go build ./...", 1, ""), "go test ./cart"),
    ],
)
def test_a_run_of_something_else_leaves_it(tmp_path: Path, failed: Run, passed: str) -> None:
    assert settle(tmp_path, failed, (passed, 0, "")) == [failed[0].rpartition("$ ")[2]]


def test_without_its_output_a_failed_script_is_put_right_by_what_it_runs(tmp_path: Path) -> None:
    failed = ("npm test", 1, "")
    assert settle(tmp_path, failed, ("npx jest", 0, ""), sees_output=False) == []
    # Which of its tests had failed, nobody saw.
    assert settle(tmp_path / "2", failed, ("npx jest test/cart.test.js", 0, ""), sees_output=False) == [
        "npm test"
    ]


@pytest.mark.parametrize(
    ("line", "code", "printed", "fails"),
    [
        ("npm test 2>&1 | tail -40", 0, JEST, True),
        ("npm test 2>&1 | tail -2", 0, JEST_TOTALS, True),
        ("npm test 2>&1 | grep Tests:", 0, JEST_TOTALS, True),
        ("npx jest 2>&1 | head -50; echo exit ${PIPESTATUS[0]}", 0, "exit 1\n", True),
        ("make test || true", 0, PYTEST, True),
        ("sh -c 'npm test; echo done'", 0, JEST, True),
        ("npm run all", 0, JEST, True),
        ("./ci.sh", 0, PYTEST, True),
        ("sh ci.sh", 0, PYTEST, True),
        ("npx tsc; npm test", 0, TSC + JEST_PASSED, True),
        ("npx tsc || true; npm test", 0, TSC + JEST_PASSED, True),
        ("npx next build; echo done", 0, NEXT, True),
        ("npx next build; echo done", 0, "Compiled successfully in 2s\n", False),
        ("set -e; npx tsc; npm test", 0, TSC + JEST_PASSED, False),
        ("scripts/strict.sh", 0, PYTEST, False),
        ("bash -lc 'npm test' | tail -40", 0, JEST, True),
        ("pytest -q > out.txt 2>&1; tail out.txt", 0, PYTEST, True),
        ("npx tsc --noEmit | head -20", 0, TSC, True),
        ("set -o pipefail; go test ./... 2>&1 | tail", 1, "", True),
        ("npm test 2>&1 | tail -40", 0, JEST_PASSED, False),
        ("npm test 2>&1 | grep FAIL", 1, "", False),
        ("npx tsc --noEmit | head -20", 0, "", False),
        ("gh run view --log | tail", 0, JEST, False),
        ("cat build.log | grep error", 0, TSC, False),
    ],
)
def test_behind_a_filter_what_was_printed_says_how_it_ended(
    tmp_path: Path, line: str, code: int, printed: str, *, fails: bool
) -> None:
    assert settle(tmp_path, (line, code, printed)) == ([line] if fails else [])


def test_without_an_exit_code_what_was_printed_says_how_it_ended(tmp_path: Path) -> None:
    with opened(write(tmp_path, FILES)) as engine:

        def run(printed: str) -> list[str]:
            content = {"command": "npm test", **({"stdout": printed} if printed else {})}
            engine.record(NewEvent("shell_exec", content))
            return [each.command for each in open_failures(engine.events(), int(time.time() * 1000))]

        assert run("") == []  # it still runs
        assert run(JEST) == ["npm test"]
        assert run("") == ["npm test"]
        assert run("> jest\n") == ["npm test"]
        assert run(JEST_PASSED) == []


@pytest.mark.parametrize(
    ("failed", "passed", "settles"),
    [
        (("npm test 2>&1 | tail -40", 0, JEST), ("npm test 2>&1 | tail -30", 0, JEST_PASSED), True),
        (("npm test", 1, JEST), ("npm test 2>&1 | tail -30", 0, JEST_PASSED), True),
        (
            ("npm test", 1, JEST),
            ("npm test 2>&1 | grep Tests: ", 0, JEST_TOTALS.replace("1 failed, ", "")),
            True,
        ),
        (("npx tsc --noEmit 2>&1 | head", 0, TSC), ("npx tsc --noEmit 2>&1 | head", 0, ""), True),
        (("npm test", 1, JEST), ("npm test > out.txt 2>&1; echo done", 0, "done"), False),
        (("npm test", 1, JEST), ("npm test 2>&1 | grep -c nothing", 1, "0"), False),
    ],
)
def test_behind_a_filter_a_pass_counts_where_it_shows(
    tmp_path: Path, failed: Run, passed: Run, *, settles: bool
) -> None:
    assert settle(tmp_path, failed, passed) == ([] if settles else [failed[0]])


def test_a_script_that_cannot_be_read_is_its_name(tmp_path: Path) -> None:
    cyclic = '{"scripts": {"test": "npm run test", "lint": ["x"], "ci": {}}}'
    files = {
        "package.json": cyclic,
        "web/package.json": "[" * 100_000,
        "Makefile": "test: test\n\t$(A)\nA = $(A)$(A)\n",
    }
    for place, command in enumerate(("npm test", "npm run ci", "npm run lint", "web$ npm test", "make test")):
        root = tmp_path / str(place)
        assert len(settle(root, (command, 1, ""), files=files)) == 1
        assert settle(root, (command, 0, ""), files=files) == []


def test_no_script_is_read_out_of_an_ignored_file_or_outside_of_the_workspace(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": '{"scripts": {"test": "jest"}}', "ci.sh": "jest\n"})
    hidden = {"Makefile": "test:\n\tsecret-tool --key\n", "own.sh": "secret-tool --key\n"}
    root = write(tmp_path / "app", {".gitignore": "Makefile\nown.sh\n", **hidden})
    (root / "link.sh").symlink_to(tmp_path / "ci.sh")
    scripts = ("sh ../ci.sh", "./own.sh", f"sh {tmp_path}/ci.sh", "cd .. && ./ci.sh", "./link.sh")
    with opened(root) as engine:
        for command in ("make test", "cd .. && npm test", "npm test", *scripts):
            engine.record(NewEvent("shell_exec", {"command": command, "exitCode": 1, "cwd": str(root)}))
        assert not [
            each for each in engine.events() if "secret" in str(each.content) or "jest" in str(each.content)
        ]
