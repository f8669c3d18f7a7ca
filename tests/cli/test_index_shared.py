"""``contextls index --shared``: a shared index is built, taken and pruned from the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ..repositories import git
from .conftest import Run


@pytest.fixture
def repository(workspace: Path) -> Path:
    git(workspace, "init", "-q")
    git(workspace, "add", "--all")
    git(workspace, "commit", "-qm", "sample")
    return workspace


@pytest.fixture
def uri(tmp_path: Path) -> Iterator[str]:
    """The folder of a shared index, which the user's settings name."""
    settings = Path(os.environ["CONTEXTLS_HOME"]) / "settings.toml"
    before = settings.read_text() if settings.exists() else None
    place = str(tmp_path / "shared")
    settings.write_text(f'indexUri = "{place}"\n')
    yield place
    settings.unlink()
    if before is not None:
        settings.write_text(before)


def test_a_clone_says_what_it_took(
    inline: Run, contextls: Run, repository: Path, uri: str, tmp_path: Path
) -> None:
    built = inline("index", "--shared", repository, check=0).stdout
    assert "is shared: 5 files, 5 of them new" in built
    assert uri in built
    assert (
        "was shared already: 5 files, 0 of them new"
        in inline("index", "--shared", repository, check=0).stdout
    )
    git(tmp_path, "clone", "-q", str(repository), "clone")
    said = contextls("index", tmp_path / "clone", check=0).stdout
    assert "5 files indexed, 5 of them taken from the shared index" in said


@pytest.mark.usefixtures("uri")
def test_a_commit_that_is_shared_already_is_said_not_to_be_signed(
    inline: Run, repository: Path, tmp_path: Path
) -> None:
    key = tmp_path / "key.pem"
    key.write_bytes(
        Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    inline("index", "--shared", repository, check=0)
    again = inline("index", "--shared", "--sign-with", key, repository, check=0)
    assert "it was not signed now" in again.stderr


def test_an_address_on_the_command_line_wins(inline: Run, repository: Path, uri: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    report = json.loads(
        inline("index", "--shared", "--uri", str(other), "--json", repository, check=0).stdout
    )
    assert (report["files"], report["wasThere"]) == (5, False)
    assert other.is_dir()
    assert not Path(uri).exists()


@pytest.mark.usefixtures("uri")
def test_pruning_tells_what_stays(inline: Run, repository: Path) -> None:
    inline("index", "--shared", repository, check=0)
    said = inline("index", "--shared", "--prune", "--keep-days", "0", check=0).stdout
    assert said.startswith("0 commits and 0 versions of files removed; 1 commit and 5 versions of files stay")


def test_without_an_address_the_setting_is_named(inline: Run, repository: Path) -> None:
    for arguments in (["--shared", repository], ["--engine", "ray", repository], ["--prune"]):
        done = inline("index", *arguments, check=2)
        assert "contextls.indexUri" in done.stderr
        assert done.stderr.startswith("contextls: --uri: expected the address of a shared index")
    done = inline("index", "--shared", repository, "--uri", "nowhere", check=2)
    assert done.stderr.startswith("contextls: --uri: expected s3://bucket/prefix, file:///folder")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--uri", "s3://acme/index"), "--uri: it is for --shared or --prune only"),
        (("--sign-with", "key.pem"), "--sign-with: it is for --shared only"),
        (("--shared", "--keep-days", "3"), "--keep-days/--keep-commits: it is for --prune only"),
        (("--keep-commits", "3"), "--keep-days/--keep-commits: it is for --prune only"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_option_that_would_count_for_nothing_is_refused(
    inline: Run, repository: Path, options: tuple[str, ...], told: str
) -> None:
    assert told in inline("index", repository, *options, check=2).stderr


@pytest.mark.usefixtures("uri")
def test_what_cannot_be_shared_is_one_line(inline: Run, workspace: Path) -> None:
    done = inline("index", "--shared", workspace, check=2)
    assert "a shared index is built for a commit" in done.stderr
    assert len(done.stderr.splitlines()) == 1
