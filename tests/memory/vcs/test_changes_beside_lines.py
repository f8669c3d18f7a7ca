"""Changes of files that have no lines: binary and empty files, modes, links, submodules."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.vcs import asked_changes, disk_versions
from contextls.memory.vcs.git_state import GitFiles
from contextls.memory.vcs.submodules import Submodules
from contextls.memory.vcs.working_changes import WorkingTree
from contextls.model import AssembleRequest, Changes, Shape
from contextls.workspace import git_process
from contextls.workspace.stamps import Stamp, stamp_at

from ...repositories import git
from ..workspaces import write
from .changes import asked

CODE = "class Till:\n    def open(self):\n        return 1\n"
FILES = {"till.py": CODE, "other.py": "VALUE = 1\n", ".gitignore": "vault/\n"}
LOGO = b"\x89PNG\0\1"


def told(engine: Engine, scope: str) -> dict[str, str]:
    """The text of the hunks by file, each of which has one."""
    return {hunk.path: hunk.text for hunk in asked(engine, scope).hunks}


def notes(engine: Engine, scope: str) -> dict[str, str]:
    """What became of the files beside their lines."""
    return {hunk.path: hunk.note for hunk in asked(engine, scope).hunks if hunk.note}


def notes_of_each_memory(engine: Engine) -> Iterator[dict[str, str]]:
    """The notes on what is not committed: as a question names the changes, and as it does not."""
    yield notes(engine, Changes.ALL)
    uncommitted = engine._memories.working.hunks(engine._memories.current().outlines)
    yield {hunk.path: hunk.note for hunk in uncommitted if hunk.note}


def name_everything(path: str, *, is_folder: bool) -> bool:  # noqa: ARG001 - a ``Names``
    return True


def add_module(engine: Engine, path: str) -> Path:
    """A repository at ``path`` that git keeps as a submodule, with one commit."""
    module = write(engine.root / path, {"lib.c": "int one;\n"})
    git(module, "init", "-q", "-b", "main")
    git(module, "add", "-A")
    git(module, "commit", "-qm", "One")
    git(engine.root, "add", path)
    git(engine.root, "commit", "-qm", "Use it")
    engine.index()
    return module


@pytest.mark.skipif(os.name == "nt", reason="the disk keeps no modes and no links")
def test_what_has_no_lines_is_told_in_words(shop: Engine) -> None:
    root = shop.root
    (root / "old.png").write_bytes(LOGO)
    write(root, {"blank.py": "", "run.sh": "#!/bin/sh\n", "uv.lock": "version = 1\n"})
    (root / "link").symlink_to("till.py")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-qm", "Files of all kinds")
    (root / "logo.png").write_bytes(LOGO + b"\2")
    (root / "old.png").write_bytes(LOGO + b"\3")
    write(root, {"empty.py": "", "uv.lock": "version = 2\n"})
    (root / "blank.py").unlink()
    (root / "run.sh").chmod(0o755)
    (root / "link").unlink()
    (root / "link").symlink_to("other.py")
    git(root, "add", "-A", "-f")
    shop.index()
    expected = {
        "logo.png": "added (binary)",
        "old.png": "changed (binary)",
        "empty.py": "added (empty)",
        "blank.py": "deleted (empty)",
        "run.sh": "now executable",
        "uv.lock": "changed (not shown)",
        "link": "a link",
    }
    assert notes(shop, Changes.STAGED) == expected
    assert told(shop, Changes.STAGED)["link"] == "-till.py\n+other.py"
    assert list(notes_of_each_memory(shop)) == [expected, expected]
    assert notes(shop, Changes.UNSTAGED) == {}
    (root / "run.sh").chmod(0o644)
    shop.update_files(["run.sh"])
    assert notes(shop, Changes.UNSTAGED) == {"run.sh": "no longer executable"}
    assert "run.sh" not in notes(shop, Changes.ALL)


@pytest.mark.skipif(os.name == "nt", reason="the disk keeps no modes")
def test_modes_are_those_of_git_where_the_disk_keeps_none(shop: Engine) -> None:
    git(shop.root, "config", "core.fileMode", "false")
    (shop.root / "other.py").chmod(0o755)
    shop.update_files(["other.py"])
    assert list(notes_of_each_memory(shop)) == [{}, {}]
    git(shop.root, "update-index", "--chmod=+x", "other.py")
    assert notes(shop, Changes.STAGED) == {"other.py": "now executable"}
    assert list(notes_of_each_memory(shop)) == [{"other.py": "now executable"}] * 2


def add_model(engine: Engine, path: str, raw: bytes) -> None:
    """A file that git keeps as a pointer of Git LFS, as the filter of ``git lfs`` leaves it."""
    place = engine.root / path
    place.write_bytes(raw)
    clean = "printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %d\\n' "
    clean += f"{hashlib.sha256(raw).hexdigest()} {len(raw)}"
    write(engine.root, {".gitattributes": f"{path} filter=lfs\n"})
    git(engine.root, "config", "filter.lfs.clean", clean)
    git(engine.root, "add", "-f", path, ".gitattributes")
    git(engine.root, "commit", "-qm", f"Keep {path}")
    engine.index()


@pytest.mark.parametrize(("size", "why"), [(1_000, "binary"), (500_000, "not shown")])
def test_a_file_that_git_keeps_as_a_pointer_is_unchanged_until_it_is_written(
    shop: Engine, size: int, why: str
) -> None:
    add_model(shop, "model.bin", b"\0" * size)
    os.utime(shop.root / "model.bin", (1, 1))
    shop.update_files(["model.bin"])
    assert list(notes_of_each_memory(shop)) == [{}, {}]
    (shop.root / "model.bin").write_bytes(b"\1" * (size + 1))
    shop.update_files(["model.bin"])
    changed = {"model.bin": f"changed ({why})"}
    assert list(notes_of_each_memory(shop)) == [changed, changed]


def test_a_file_behind_a_pointer_changes_by_content_and_by_mode(shop: Engine) -> None:
    add_model(shop, "model.bin", b"\0" * 1_000)
    (shop.root / "model.bin").write_bytes(b"\1" * 1_000)
    shop.update_files(["model.bin"])
    changed = {"model.bin": "changed (binary)"}
    assert list(notes_of_each_memory(shop)) == [changed, changed]
    if os.name != "nt":
        (shop.root / "model.bin").write_bytes(b"\0" * 1_000)
        (shop.root / "model.bin").chmod(0o755)
        shop.update_files(["model.bin"])
        executable = {"model.bin": "now executable"}
        assert list(notes_of_each_memory(shop)) == [executable, executable]


def test_a_touched_file_behind_a_pointer_takes_no_place_of_one_that_changed(
    shop: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_model(shop, "data.py", b"ROWS = 1\n")
    os.utime(shop.root / "data.py", (1, 1))
    write(shop.root, {"till.py": CODE + "\n\nTILLS = 2\n"})
    shop.update_files(["data.py", "till.py"])
    monkeypatch.setattr(asked_changes, "MAX_FILES", 1)
    assert list(told(shop, Changes.ALL)) == ["till.py"]
    assert asked(shop, Changes.ALL).warnings == ()


@pytest.mark.skipif(os.name == "nt", reason="the disk keeps no links")
def test_a_link_is_unchanged_where_it_says_what_git_keeps(
    shop: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop.root / "link").symlink_to("./till.py")
    git(shop.root, "add", "-f", "link")
    git(shop.root, "commit", "-qm", "Link")
    os.utime(shop.root / "link", (1, 1), follow_symlinks=False)
    shop.update_files(["link"])
    assert list(notes_of_each_memory(shop)) == [{}, {}]

    def stamp_without_size(path: str) -> Stamp | None:
        stamp = stamp_at(path)
        return stamp and stamp._replace(size=stamp.size if stat.S_ISREG(stamp.mode) else 0)

    monkeypatch.setattr(disk_versions, "stamp_at", stamp_without_size)
    git(shop.root, "update-index", "--refresh")
    assert list(notes_of_each_memory(shop)) == [{}, {}]
    disk = disk_versions.DiskVersions(shop.root, Submodules(shop.root))
    stamp, known = disk.stamp("link"), GitFiles.read(shop.root, "HEAD")
    assert stamp is not None
    assert stamp.size == known.entries["link"].size == len("./till.py")


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("lib\\till.py", "lib/till.py"),
        ("\\\\?\\C:\\shop\\till.py", "C:/shop/till.py"),
        ("\\\\?\\UNC\\host\\shop", "//host/shop"),
    ],
)
def test_links_of_windows_are_spelled_as_git_keeps_them(written: str, kept: str) -> None:
    assert disk_versions.spell_target(written, windows=True) == kept
    assert disk_versions.spell_target(written, windows=False) == written


def test_a_submodule_is_told_by_its_commit(shop: Engine) -> None:
    module = add_module(shop, "third_party/lib")
    assert list(notes_of_each_memory(shop)) == [{}, {}]
    write(module, {"lib.c": "int two;\n"})
    shop.update_files(["third_party/lib/lib.c"])
    dirty = {"third_party/lib": "submodule with uncommitted changes"}
    assert list(notes_of_each_memory(shop)) == [dirty, {}]
    assert notes(shop, Changes.STAGED) == {}
    git(module, "commit", "-qam", "Two")
    at = git(module, "rev-parse", "HEAD")[:7]
    bumped = {"third_party/lib": f"submodule now at {at}"}
    assert notes(shop, Changes.UNSTAGED) == bumped
    assert list(notes_of_each_memory(shop)) == [bumped, bumped]
    git(shop.root, "add", "third_party/lib")
    assert notes(shop, Changes.STAGED) == bumped
    assert notes(shop, Changes.UNSTAGED) == {}
    git(shop.root, "rm", "-qf", "--cached", "third_party/lib")
    assert notes(shop, Changes.STAGED) == {"third_party/lib": "submodule deleted"}


def test_an_edited_submodule_is_told_where_the_question_is_about_changes(shop: Engine) -> None:
    module = add_module(shop, "third_party/lib")
    said = "`third_party/lib` uncommitted, submodule with uncommitted changes"
    assert said not in shop.assemble(AssembleRequest("what did I change?")).content
    write(module, {"lib.c": "int two;\n"})
    shop.update_files(["third_party/lib/lib.c"])
    for question in ("what did I change?", "write a commit message", "continue where I left off"):
        assert said in shop.assemble(AssembleRequest(question)).content
    assert said not in shop.assemble(AssembleRequest("where is int one?")).content


@pytest.mark.parametrize("kept", ["status", "pack-refs --all", "checkout -q --detach"])
def test_a_question_starts_no_git_in_a_submodule(
    shop: Engine, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    module = add_module(shop, "third_party/lib")
    git(module, "pack-refs", "--all")
    git(module, "commit", "-q", "--allow-empty", "-m", "Two")
    git(module, *kept.split())
    at = git(module, "rev-parse", "HEAD")[:7]
    started: list[Path] = []
    environment = git_process._environment

    def note_start(root: Path) -> dict[str, str]:
        started.append(root)
        return environment(root)

    monkeypatch.setattr(git_process, "_environment", note_start)
    tree = WorkingTree(shop.root, lambda _: True, name_everything)
    assert [hunk.note for hunk in tree.hunks({})] == [f"submodule now at {at}"]
    assert set(started) == {shop.root}


def test_submodules_that_the_time_does_not_suffice_for_are_named(
    shop: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = add_module(shop, "lib")
    write(module, {"lib.c": "int two;\n"})
    monkeypatch.setattr(asked_changes, "SUBMODULE_SECONDS", 0.0)
    found = asked(shop, Changes.ALL)
    assert found.hunks == ()
    assert "not looked into for uncommitted changes: lib" in found.warnings


def test_a_submodule_that_is_not_checked_out_is_unchanged(shop: Engine) -> None:
    module = add_module(shop, "lib")
    shutil.rmtree(module)
    module.mkdir()
    shop.update_files(["lib"])
    assert list(notes_of_each_memory(shop)) == [{}, {}]


def test_a_renamed_picture_is_one_change(shop: Engine) -> None:
    (shop.root / "logo.png").write_bytes(LOGO)
    git(shop.root, "add", "-A")
    git(shop.root, "commit", "-qm", "Draw")
    git(shop.root, "mv", "logo.png", "brand.png")
    assert told(shop, Changes.STAGED) == {"brand.png": "rename from logo.png\nrename to brand.png"}


def test_what_is_only_meant_to_be_added_is_not_staged(shop: Engine) -> None:
    write(shop.root, {"meant.py": "MEANT = 1\n"})
    git(shop.root, "add", "--intent-to-add", "meant.py")
    shop.index()
    assert told(shop, Changes.STAGED) == {}
    assert told(shop, Changes.ALL) == {"meant.py": "+MEANT = 1"}


def test_a_large_file_is_named_and_counted_as_touched_where_its_size_is_the_same(shop: Engine) -> None:
    write(shop.root, {"large.py": "# a line\n" * 60_000})
    git(shop.root, "add", "-A")
    assert notes(shop, Changes.STAGED) == {"large.py": "added (not shown)"}
    assert "only named, as larger than 400,000 bytes" in asked(shop, Changes.STAGED).warnings[0]
    git(shop.root, "commit", "-qm", "Large")
    os.utime(shop.root / "large.py", (1, 1))
    shop.update_files(["large.py"])
    assert list(notes_of_each_memory(shop)) == [{}, {}]


def test_secrets_and_ignored_files_are_not_even_named(shop: Engine) -> None:
    for path in ("vault/logo.png", "site.pem", ".env", "node_modules/a/logo.png"):
        write(shop.root, {path: ""})
        (shop.root / path).write_bytes(LOGO)
    git(shop.root, "add", "-f", "-A")
    shop.index()
    assert notes(shop, Changes.STAGED) == {}
    assert list(notes_of_each_memory(shop)) == [{}, {}]


@pytest.mark.skipif(os.name == "nt", reason="the disk keeps no modes")
@pytest.mark.parametrize(
    ("query", "scope", "how"),
    [
        ("write a commit message", None, "staged"),
        ("what did I change?", None, "uncommitted"),
        ("review my changes", Changes.STAGED, "staged"),
    ],
)
def test_changes_without_lines_are_a_line_each(
    shop: Engine, query: str, scope: Changes | None, how: str
) -> None:
    (shop.root / "logo.png").write_bytes(LOGO)
    (shop.root / "other.py").chmod(0o755)
    (shop.root / "till.py").write_text(CODE.replace("return 1", "return 2"))
    (shop.root / "till.py").chmod(0o755)
    git(shop.root, "add", "-A")
    shop.index()
    request = AssembleRequest(query, 2000, changes=scope)
    content = shop.assemble(request).content
    assert f"- `logo.png` {how}, added (binary)" in content
    assert f"- `other.py` {how}, now executable" in content
    assert f"`Till.open` {how}, now executable (+1 −1)\n```diff" in content
    tagged = shop.assemble(request, shape=Shape.TAGGED).content
    assert f"`logo.png` {how}, added (binary)" in tagged
