"""``contextls pack``: what a user types, and what comes out on which stream."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from contextls.store.locations import locate

from ..repositories import git
from .conftest import Run


@pytest.fixture
def here(workspace: Path) -> Path:
    """The sample workspace with a file that is no text."""
    (workspace / "logo").write_bytes(b"\0\1")
    return workspace


def run_in(folder: Path, run: Run, *arguments: str, **options: str) -> subprocess.CompletedProcess[str]:
    return run("pack", *arguments, cwd=folder, **options)


def test_everything_is_packed_and_the_figures_go_to_standard_error(inline: Run, here: Path) -> None:
    done = run_in(here, inline, ".")
    assert done.returncode == 0
    assert "## `app/mail.py`" in done.stdout
    assert "self.letters.append(letter)" in done.stdout
    assert "- `logo`: binary" in done.stdout
    assert "Do not read this" not in done.stdout
    assert "5 files, " in done.stderr
    assert "tokens (o200k_base); 1 file not shown" in done.stderr
    assert "1  not here: ignored by git" in done.stderr


def test_what_the_user_ignores_in_all_repositories_is_not_packed(
    contextls: Run, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/.gitconfig").write_text("[core]\n\texcludesFile = ~/mine\n")
    (tmp_path / "home/mine").write_text("mail.py\n/web\n")
    (workspace / "mail.py").write_text("A note to myself.\n")
    git(workspace, "init", "-q")
    git(workspace, "add", "app")
    done = contextls("pack", cwd=workspace, env={"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": ""})
    assert "## `app/mail.py`" in done.stdout  # tracked: no matter of the user alone
    assert "A note to myself" not in done.stdout
    assert "matchRoute" not in done.stdout


def test_files_folders_and_patterns_add_up(inline: Run, here: Path) -> None:
    done = run_in(here, inline, "app", "**/*.ts", "!mail.py", "--format", "json")
    entries = json.loads(done.stdout)["entries"]
    assert [entry["path"] for entry in entries if "path" in entry] == ["app/temperature.py", "web/router.ts"]


def test_a_note_stands_in_the_place_of_a_picture(inline: Run, here: Path) -> None:
    (here / "otter.json").write_text(f'{{\n "image/png": "{"iVBORw0KGgo" * 700}",\n "cells": []\n}}\n')
    done = run_in(here, inline, "otter.json")
    assert ' "image/png": "… (7,700 characters of encoded data)",\n "cells": []\n' in done.stdout


def test_a_notebook_is_packed_as_its_cells(inline: Run, here: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Otters"]},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [{"data": {"image/png": "iVBORw0KGgo" * 700}}],
            "source": ["def dive():\n", "    return 3"],
        },
    ]
    (here / "otter.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}, indent=1))
    whole = "# %% [markdown]\n# # Otters\n\n# %%\ndef dive():\n    return 3\n"
    assert whole in run_in(here, inline, "otter.ipynb").stdout
    assert "20: # %%\n21: def dive():\n22:     return 3\n" in run_in(here, inline, "otter.ipynb", "-n").stdout


def test_paths_count_from_the_current_folder(inline: Run, here: Path) -> None:
    done = run_in(here / "app", inline, "mail.py", "--root", "..")
    assert "## `app/mail.py`" in done.stdout
    assert "celsius" not in done.stdout


def test_a_folder_elsewhere_is_a_workspace(inline: Run, here: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert "## `app/mail.py`" in run_in(elsewhere, inline, str(here)).stdout


def test_a_budget_turns_code_into_skeletons(inline: Run, here: Path) -> None:
    (here / "app/long.py").write_text(
        "".join(f"def f{n}():\n    '''Says {n}.'''\n    return {n} * 17\n\n\n" for n in range(30))
    )
    done = run_in(here, inline, "app", "--max-tokens", "700")
    assert "## `app/long.py` (skeleton)" in done.stdout
    assert "Says 29." in done.stdout
    assert "* 17" not in done.stdout
    assert " of 700 tokens" in done.stderr


def test_of_a_file_that_was_named_and_is_too_large_its_beginning_is_shown(inline: Run, here: Path) -> None:
    (here / "app/long.py").write_text(
        "".join(f"def f{n}():\n    '''Says {n}.'''\n    return {n} * 17\n\n\n" for n in range(90))
    )
    (here / "app/long.txt").write_text("".join(f"{n} letters came\n" for n in range(900)))
    code = run_in(here, inline, "app/long.py", "--max-tokens", "300")
    assert "## `app/long.py` (beginning of the skeleton)" in code.stdout
    assert "Says 0." in code.stdout
    assert "lines of the skeleton left out)" in code.stdout
    log = run_in(here, inline, "app/long.txt", "--max-tokens", "300")
    shown = sum(line.endswith(" letters came") for line in log.stdout.splitlines())
    assert shown > 20
    assert f"## `app/long.txt:1-{shown}`" in log.stdout
    assert f"… ({900 - shown} of 900 lines left out)" in log.stdout
    assert "letters came" not in run_in(here, inline, "app", "--max-tokens", "300").stdout
    both = run_in(here, inline, "app/long.py", "app/long.txt", "--max-tokens", "700").stdout
    assert both.count("left out)") == 2


def test_a_long_changelog_gives_way_to_the_code(inline: Run, here: Path) -> None:
    (here / "CHANGELOG.md").write_text("".join(f"- Fix total {number}.\n" for number in range(900)))
    (here / "app/cart.py").write_text("def total(cart):\n    return sum(cart)\n")
    done = run_in(here, inline, "--max-tokens", "900")
    assert "return sum(cart)" in done.stdout
    assert "Fix total" not in done.stdout


def test_changed_files_lead_and_deleted_ones_are_told(inline: Run, here: Path) -> None:
    git(here, "init", "-q", "-b", "main")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "Start")
    git(here, "checkout", "-qb", "work")
    (here / "app/mail.py").write_text("MOVED = True\n")
    git(here, "commit", "-qam", "Move")
    (here / "new.py").write_text("NEW = True\n")
    (here / "README.md").unlink()
    (here / "inner").mkdir()  # a clone, whose files are no changes of this repository
    (here / "inner/lib.py").write_text("INNER = True\n")
    git(here / "inner", "init", "-q")
    done = run_in(here, inline, "--changed", "main", "--format", "json")
    entries = json.loads(done.stdout)["entries"]
    assert [entry["path"] for entry in entries if "path" in entry] == ["app/mail.py", "new.py"]
    assert {"notShown": {"README.md": "deleted since main"}} in entries
    wrong = run_in(here, inline, "--changed", "nowhere")
    assert wrong.returncode == 2
    assert "--changed: expected a branch, a tag or a commit of this repository" in wrong.stderr


def test_a_file_that_was_renamed_since_is_told_under_its_new_name(inline: Run, here: Path) -> None:
    long = "".join(f"def step_{number}():\n    return {number}\n" for number in range(9))
    (here / "app/steps.py").write_text(long)
    git(here, "init", "-q", "-b", "main")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "Start")
    (here / "app/steps.py").unlink()
    (here / "app/stairs.py").write_text(long + "LAST = 9\n")
    done = run_in(here, inline, "--changed", "main", "--format", "json")
    entries = json.loads(done.stdout)["entries"]
    assert [entry["path"] for entry in entries if "path" in entry] == ["app/stairs.py"]
    assert {"notShown": {"app/steps.py": "renamed to app/stairs.py since main"}} in entries


def test_without_a_repository_it_is_said_that_there_are_no_diffs(inline: Run, here: Path) -> None:
    done = run_in(here, inline, "app", "--diffs", "--log", "3")
    assert "there are no changes and no commits to tell: " in done.stderr
    assert "is not inside a git repository" in done.stderr


def test_a_list_of_files_comes_on_standard_input(contextls: Run, here: Path) -> None:
    listed = "app/mail.py\nsecret/plan.md\nnot-there.py\n"
    done = run_in(here, contextls, "--stdin", "--no-tree", stdin=listed)
    assert done.stdout.count("## ") == 1
    assert "## `app/mail.py`" in done.stdout
    assert "secret/plan.md: left out; ignored by git" in done.stderr
    assert "not-there.py: no such file" in done.stderr


def test_a_listed_name_may_hold_any_character_but_the_end_of_a_line(contextls: Run, here: Path) -> None:
    (here / "app/odd\u2028name.py").write_text("ODD = True\n")
    done = run_in(here, contextls, "--stdin", "--no-tree", stdin="app/mail.py\r\napp/odd\u2028name.py\r\n")
    assert "ODD = True" in done.stdout
    assert "## `app/mail.py`" in done.stdout


def test_words_that_are_too_many_are_refused_and_not_cut(inline: Run, here: Path) -> None:
    (here / "words.txt").write_text("word " * 200_001)
    done = run_in(here, inline, "app", "--instructions", "words.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--instructions: expected at most 1,000,000 bytes" in done.stderr


def test_an_empty_list_and_nothing_pinned_mean_nothing_and_not_everything(contextls: Run, here: Path) -> None:
    for option in ("--stdin", "--working-set"):
        done = run_in(here, contextls, option)
        assert (done.returncode, done.stdout) == (1, "")
        assert "no files found" in done.stderr


def test_pins_are_packed(inline: Run, here: Path) -> None:
    inline("pin", "app/mail.py", str(here))
    done = run_in(here, inline, "--working-set")
    assert "## `app/mail.py`" in done.stdout
    assert "celsius" not in done.stdout


def test_what_is_ignored_in_a_pinned_folder_is_counted_once(inline: Run, here: Path) -> None:
    (here / "app" / ".gitignore").write_text("*.tmp\n")
    (here / "app" / "draft.tmp").write_text("later\n")
    inline("pin", "app", str(here))
    assert "2  not here: ignored by git" in run_in(here, inline, ".").stderr
    assert "2  not here: ignored by git" in run_in(here, inline, ".", "--working-set").stderr


def test_pinned_patterns_and_what_an_included_file_pins_are_packed(inline: Run, here: Path) -> None:
    (here / ".context").mkdir()
    (here / ".context" / "working-set.yml").write_text("include: team.yml\nfiles: ['app/ma*.py']\n")
    (here / ".context" / "team.yml").write_text("files: ['README.md:1-2']\n")
    done = run_in(here, inline, "--working-set")
    assert "## `app/mail.py`" in done.stdout
    assert "## `README.md`" in done.stdout
    assert "celsius_from" not in done.stdout


def test_an_output_file_is_not_packed_the_next_time(inline: Run, here: Path) -> None:
    first = run_in(here, inline, "-o", "all.md")
    written = (here / "all.md").read_text("utf-8")
    assert first.stdout == ""
    assert "written to all.md" in first.stderr
    run_in(here, inline, "-o", "all.md")
    assert (here / "all.md").read_text("utf-8") == written


def test_a_place_that_cannot_be_written_and_a_name_that_is_empty_are_told(inline: Run, here: Path) -> None:
    done = run_in(here, inline, "-o", "nowhere/all.md")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "contextls: --output: expected a file that can be written (No such file or directory), got 'nowhere/all.md'"
    )
    assert "WHAT: expected a file, a folder or a pattern" in run_in(here, inline, "").stderr


def test_the_file_that_a_link_leads_to_is_written_and_the_link_stays(
    inline: Run, here: Path, tmp_path: Path
) -> None:
    link, kept, new = tmp_path / "all.md", tmp_path / "kept.md", tmp_path / "new.md"
    kept.write_text("old\n")
    kept.chmod(0o640)
    for file in (kept, new):  # there is none at the second's end yet
        link.unlink(missing_ok=True)
        link.symlink_to(file.name)
        assert run_in(here, inline, "app", "-o", str(link)).returncode == 0
        assert link.readlink() == Path(file.name)
        assert "class Mailbox" in file.read_text("utf-8")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_a_pipe_is_written_to_and_stays_one(inline: Run, here: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), encoding="utf-8") as reader:  # noqa: PTH123 - a handle
        assert run_in(here, inline, "app", "-o", str(pipe)).returncode == 0
        assert "class Mailbox" in reader.read()
    assert pipe.is_fifo()


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no descriptors in files here")  # noqa: PTH112
def test_a_descriptor_is_written_to(inline: Run, here: Path) -> None:
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as reader:  # noqa: PTH123 - a handle
        assert run_in(here, inline, "app", "-o", f"/dev/fd/{writing}").returncode == 0
        os.close(writing)
        assert "class Mailbox" in reader.read()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such devices")
def test_a_device_is_written_to_and_stays_one(inline: Run, here: Path) -> None:
    """A terminal, which no file can replace, as one could replace ``/dev/null``."""
    screen, terminal = os.openpty()
    try:
        name = os.ttyname(terminal)
        assert run_in(here, inline, "app/mail.py", "--no-tree", "-o", name).returncode == 0
        assert b"class Mailbox" in os.read(screen, 65_536)
        assert Path(name).is_char_device()
    finally:
        os.close(screen)
        os.close(terminal)


def test_parts_go_to_numbered_files(inline: Run, here: Path) -> None:
    (here / "long.md").write_text("A line of words.\n" * 200)
    done = run_in(here, inline, "--split", "400", "-o", "all.md")
    parts = sorted(here.glob("all.*.md"))
    assert len(parts) > 2
    assert f"written to all.1.md … all.{len(parts)}.md" in done.stderr
    elsewhere = here.parent
    done = run_in(here, inline, "--split", "400", "-o", str(elsewhere / "all.md"))
    assert f"written to {elsewhere}/all.1.md … {elsewhere}/all." in done.stderr
    assert sum(part.read_text("utf-8").count("A line of words.") for part in parts) == 200


def test_words_of_the_user_come_first_and_last(inline: Run, here: Path) -> None:
    (here / "ask.txt").write_text("Find the mistake.\n")
    done = run_in(here, inline, "app/mail.py", "--header", "Read this.", "--instructions", "ask.txt")
    assert (
        done.stdout.index("Read this.") < done.stdout.index("class Mailbox") < done.stdout.index("Find the")
    )


def test_lines_can_be_numbered_and_comments_and_empty_lines_left_out(inline: Run, here: Path) -> None:
    (here / "app/noted.py").write_text("#!/usr/bin/env python\n# a note\n\nx = '#'  # another\n")
    done = run_in(
        here, inline, "app/noted.py", "--no-comments", "--no-empty-lines", "--no-summary", "--no-tree"
    )
    assert "```py\n#!/usr/bin/env python\nx = '#'\n```" in done.stdout
    numbered = run_in(here, inline, "app/noted.py", "-n")
    assert "\n4: x = '#'  # another\n" in numbered.stdout


def test_the_largest_files_are_named(inline: Run, here: Path) -> None:
    (here / "large.md").write_text("word " * 500)
    done = run_in(here, inline, "--top", "1")
    assert "  large.md\n" in done.stderr
    assert "app/mail.py" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing.py",), "WHAT: expected a file, a folder or a pattern"),
        (("/etc/passwd",), "WHAT: expected files, folders and patterns inside the workspace"),
        (("--max-tokens", "10"), "--max-tokens: expected a whole number, 200 or more"),
        (("--split", "10"), "--split: expected a whole number, 200 or more"),
        (("--ignore", "a" * 400), "--ignore: expected patterns of 1 to 300 characters"),
        (("--copy", "--split", "400"), "it copies one document"),
        (("--format", "yaml"), "expected one of markdown, tagged, json, got 'yaml'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    inline: Run, here: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = run_in(here, inline, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_what_is_known_of_packed_files_is_cleared_with_the_index(inline: Run, here: Path) -> None:
    run_in(here, inline)
    kept = locate(here.resolve()).packed_texts
    assert kept.exists()
    inline("clear", str(here), "--index", "--yes", check=0)
    assert not kept.exists()


def test_nothing_found_is_told(inline: Run, here: Path) -> None:
    done = run_in(here, inline, "*.zig")
    assert done.returncode == 1
    assert "no files found" in done.stderr


def test_no_index_is_made_and_nothing_heavy_is_loaded(here: Path, tmp_path: Path) -> None:
    heavy = {"lancedb", "pyarrow", "numpy", "sqlite3", "tree_sitter", "pebble", "yaml", "pydantic"}
    code = (
        "import sys; from contextls.cli.main import run; run(['pack', '.']); "
        f"print('loaded:', *({heavy} & set(sys.modules)), file=sys.stderr)"
    )
    home = tmp_path / "home"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=here,
        env={**os.environ, "CONTEXTLS_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.splitlines()[-1] == "loaded:"
    assert [path.name for path in home.rglob("*") if path.is_file()] == ["packed"]
