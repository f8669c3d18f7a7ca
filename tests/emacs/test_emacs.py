"""A real Emacs with the package, against a real server: what `contextls-tests.el` states."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..neovim.conftest import make_project

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "editors" / "emacs"
TESTS = Path(__file__).with_name("contextls-tests.el")
NAMES = re.findall(r"^\(ert-deftest contextls-tests-([\w-]+)", TESTS.read_text("utf-8"), re.MULTILINE)
README = (PACKAGE / "README.md").read_text("utf-8")
MAKE = {
    "shop/main.c": "int main(void) { return totl; }\n",
    "Makefile": "all:\n\t@echo 'shop/main.c:1:25: error: totl undeclared' >&2; exit 1\n",
}
MAX_SECONDS = 120.0


@dataclass(frozen=True)
class Run:
    """One run of all tests in Emacs: which passed, and what Emacs printed."""

    passed: dict[str, bool]
    output: str


def emacs(home: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Emacs in batch mode, as somebody runs it whose home is ``home``."""
    program = shutil.which("emacs")
    assert program, "Emacs is missing; run: make editors"
    return subprocess.run(
        [program, "--batch", *arguments],
        env={**os.environ, "HOME": str(home), **variables},
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=MAX_SECONDS,
        check=False,
        # Written to a server that has just ended, Emacs hears so; in batch mode the signal would end it.
        restore_signals=False,
    )


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The tests that were asked for, in one Emacs on one project with one server."""
    asked = [item.name for item in request.session.items if item.path == Path(__file__)]
    names = " ".join(f"contextls-tests-{name}" for name in NAMES if f"test_in_emacs[{name}]" in asked)
    home = tmp_path_factory.mktemp("emacs")
    project = make_project(tmp_path_factory.mktemp("work") / "shop project", MAKE)
    scripts = Path(sys.executable).parent
    outcomes = home / "outcomes.json"
    ended = emacs(
        home,
        *("-L", str(PACKAGE), "--eval", f'(setq contextls-program "{scripts / "contextls"}")'),
        *("-l", str(TESTS), "--eval", f'(contextls-tests-run "{outcomes}" \'({names}))'),
        CONTEXTLS_TEST_PROJECT=str(project),
        CONTEXTLS_TEST_RUFF=str(scripts / "ruff"),
    )
    assert outcomes.exists(), f"Emacs ended with {ended.returncode}: {ended.stdout}"
    return Run(json.loads(outcomes.read_text("utf-8")), ended.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_in_emacs(run: Run, name: str) -> None:
    assert run.passed[f"contextls-tests-{name}"], run.output


def test_the_lines_for_init_lead_to_the_commands(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "contextls").symlink_to(REPOSITORY)
    lines = re.findall(r"^```elisp\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[0]
    asked = '(message "%s %s" contextls-mode (key-binding (kbd "C-c x a")))'
    ended = emacs(tmp_path, "--quick", "--eval", f"(progn {lines} {asked})")
    assert ended.stdout == "t contextls-assemble\n"


def test_the_package_installs_and_loads_at_the_first_command(tmp_path: Path) -> None:
    installed = emacs(
        tmp_path, "--quick", "--load", "package", "--eval", f'(package-install-file "{PACKAGE}")'
    )
    assert installed.returncode == 0, installed.stdout
    assert "rror" not in installed.stdout
    asked = "(message \"%s %s\" (featurep 'contextls) (commandp 'contextls-copy))"
    bound = '(global-set-key (kbd "C-c x") \'contextls-command-map)'
    found = '(message "%s" (key-binding (kbd "C-c x w")))'
    ended = emacs(tmp_path, "--quick", "--eval", f"(progn (package-initialize) {asked} {bound} {found})")
    assert ended.stdout == "nil t\ncontextls-copy\n"


def test_the_readme_names_every_command_and_option() -> None:
    code = "".join(path.read_text("utf-8") for path in PACKAGE.glob("*.el"))
    commands = re.findall(r"^\(defun (contextls-[a-z]+) ", code, re.MULTILINE)
    options = re.findall(r"^\(defcustom ([\w-]+)", code, re.MULTILINE)
    assert len(commands) > 10
    assert [name for name in [*commands, *options] if f"`{name}`" not in README] == []
