"""A little monorepo of four packages. Each file has a word of its own, so that it is seen wherever its text goes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .memory.workspaces import write
from .repositories import git

PACKAGES = ("packages/api", "packages/web", "libs/auth", "services/mail")


def _session(package: str, mark: str) -> str:
    return (
        f'"""Sessions of {package}: {mark}docs."""\n\n\n'
        f"class {mark.title()}Session:\n"
        f'    """How long a login lasts: {mark}class."""\n\n'
        f"    def is_expired(self, now):\n        return now > self.{mark}limit\n\n\n"
        f"def open_session(user):\n    return {mark.title()}Session(user)  # {mark}open\n"
    )


def _test(package: str, mark: str) -> str:
    module = package.replace("/", ".")
    return (
        f"from {module}.session import open_session\n\n\n"
        f"def test_a_session_expires():\n    assert open_session('{mark}user').is_expired(9)\n"
    )


def mark_of(package: str) -> str:
    """A word that stands in files of this package alone."""
    return {
        "packages/api": "quokka",
        "packages/web": "wombat",
        "libs/auth": "numbat",
        "services/mail": "bilby",
    }[package]


FILES: Mapping[str, str] = {
    "README.md": "# Shop\n\nFour packages, one for each thing that sessions are needed for.\n",
    "packages/api/package.json": '{"name": "@acme/api"}',
    "packages/web/package.json": '{"name": "@acme/web"}',
    "libs/auth/pyproject.toml": '[project]\nname = "acme-auth"\n',
    "services/mail/Cargo.toml": '[package]\nname = "mail"\n',
    **{f"{package}/session.py": _session(package, mark_of(package)) for package in PACKAGES},
    **{f"{package}/test_session.py": _test(package, mark_of(package)) for package in PACKAGES},
}


def make_monorepo(root: Path) -> Path:
    """Write it below ``root``, each package with a commit of its own and a change that is not committed."""
    write(root, {path: text for path, text in FILES.items() if path.count("/") == 0})
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Begin")
    for package in PACKAGES:
        write(root, {path: text for path, text in FILES.items() if path.startswith(f"{package}/")})
        git(root, "add", "-A")
        git(root, "commit", "-qm", f"Open sessions with a {mark_of(package)}commit")
    git(root, "switch", "-qc", "topic")
    for package in PACKAGES:
        file = root / package / "session.py"
        file.write_text(file.read_text() + f"\n\nCHANGED = '{mark_of(package)}change'\n")
    return root
