"""Real git is the judge of what ``.gitignore`` means."""

import re
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contextls.workspace.ignore import IgnoreRules

names = st.sampled_from(["a", "b", "ab", "a.c", "B", "x y", "é", "a[1]", "!a", "#a", "a\\b"])
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
# Two stars behind a letter are left out: git documents them as one star, but its shortcut for a pattern's literal
# beginning makes ``a**/b`` match ``ab`` and ``a/x/b`` too.
segments = st.one_of(
    names,
    st.sampled_from(
        [
            "*",
            "**",
            "?",
            "a*",
            "*b",
            "*.c",
            "[ab]",
            "[!a]",
            "[a-c]*",
            "**b",
            "*a*b",
            "*?*.c",
            "a*b*",
            "*[ab]*",
            "\\!a",
            "\\#a",
            "a\\*",
        ]
    ),
)
patterns = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "", "", "!"]),
    st.sampled_from(["", "", "/", "**/"]),
    st.lists(segments, min_size=1, max_size=3).map("/".join),
    st.sampled_from(["", "", "/", "/*", "/**"]),
    st.sampled_from(["", "", "", " ", "\\ ", "\r"]),
)
ignore_file = st.lists(patterns, min_size=1, max_size=6).map("\n".join)
folders = st.one_of(st.just(""), paths)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """No configuration but the repository's own."""
    home = tmp_path_factory.mktemp("home")
    return {"PATH": "/usr/bin:/bin", "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}


def ignored_by_git(root: Path, queries: list[str], environment: dict[str, str]) -> set[str]:
    run = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin", "-z"],
        cwd=root, env=environment, input="\0".join(queries) + "\0", capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode in (0, 1), run.stderr
    return set(run.stdout.split("\0")) - {""}


def write(root: Path, files: dict[str, str]) -> bool:
    """Whether all could be written: a name may not be file and folder at once."""
    for path, content in files.items():
        try:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content.encode())
        except OSError:
            return False
    return True


@given(
    ignores=st.dictionaries(folders, ignore_file, min_size=1, max_size=3),
    exclude=st.one_of(st.just(""), ignore_file),
    files=st.lists(paths, min_size=1, max_size=12, unique=True),
)
@example(ignores={"": "a/*\n!a/b/\n"}, exclude="", files=["a/b/a.c", "a/ab", "a/b/b"])
@example(ignores={"": "a\n", "ab": "!a"}, exclude="", files=["ab/a/b", "a/b", "ab/b"])
@example(ignores={"": "a\n!a/b"}, exclude="", files=["a/b"])
@example(ignores={"": "a\n*/"}, exclude="", files=["b/b", "b"])
@example(ignores={"": "?"}, exclude="", files=["é"])
@example(ignores={"": "**/*/**\n!a/b/ab"}, exclude="", files=["a/a", "a/b/a", "a/b/ab", "ab"])
@example(ignores={"": "/**\n!ab"}, exclude="b", files=["ab/b", "ab/a", "b"])
def test_same_answers_as_git(
    environment: dict[str, str], ignores: dict[str, str], exclude: str, files: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, {".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": ""})
        write(root, {"/".join(filter(None, (at, ".gitignore"))): text for at, text in ignores.items()})
        write(root, {".git/info/exclude": exclude})
        files = [file for file in files if write(root, {file: ""})]
        theirs = ignored_by_git(root, files, environment) if files else set()
        rules = IgnoreRules(root, include_noise=True)
        ours = {file for file in files if rules.reason(file) == "gitignore"}
        assert ours == theirs


# Anything that may stand in a line, most of it nonsense; two stars behind a letter are left out here too.
any_line = st.text("ab*?[]!\\/-^c:# é", min_size=1, max_size=10).filter(
    lambda line: not re.search(r"[^/*!]\*\*", line)
)
any_class = st.builds(
    "[{}{}]{}".format,
    st.sampled_from(["", "!", "^"]),
    st.lists(
        st.sampled_from(
            ["a", "b", "-", "]", "z-a", "a-b", "\\]", "[", "[:alpha:]", "[:upper:]", "[:x:]", "/", "é", "!"]
        ),
        max_size=3,
    ).map("".join),
    st.sampled_from(["", "*", "/", "b"]),
)


@given(
    ignores=st.lists(st.one_of(any_line, any_class), min_size=1, max_size=8),
    files=st.lists(paths, min_size=1, max_size=12, unique=True),
)
@example(ignores=["[z-a]", "[!z-a]b"], files=["ab", "z"])
@example(ignores=["a//", "a//b", "/"], files=["a/b", "b"])
@example(ignores=["\\", "a\\", "[", "[a", "[[:x:]]", "!"], files=["a", "[", "\\"])
@example(ignores=["/**/a/**/b/**/a.c", "!**/ab/a.c"], files=["a/b/a.c", "a/ab/b/ab/a.c", "b/a/b/b/a.c"])
def test_same_answers_as_git_whatever_a_line_holds(
    environment: dict[str, str], ignores: list[str], files: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, {".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": ""})
        write(root, {".gitignore": "\n".join(ignores)})
        files = [file for file in files if write(root, {file: ""})]
        theirs = ignored_by_git(root, files, environment) if files else set()
        rules = IgnoreRules(root, include_noise=True)
        assert {file for file in files if rules.reason(file) == "gitignore"} == theirs


def test_hostile_patterns_take_linear_time(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*a" * 40 + "*b\n/" + "x/" + "*?a" * 30 + "c\n" + "*" * 300 + "z\n")
    rules = IgnoreRules(tmp_path)
    started = time.thread_time()
    assert rules.reason("a" * 250) is None
    assert rules.reason("x/" + "a" * 250) is None
    assert rules.reason("a" * 250 + "b") == "gitignore"
    assert time.thread_time() - started < 1
