"""Programs by what they do: those that only look, those that only move things about, those that run others."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from contextls.memory.events.shell_line import steps_of
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_LOOKS_ONLY = word_set(
    "cat cd clear date df du echo emacs env exit export find fg grep head help history htop jobs kill less ls man more nano "
    "nvim open pbcopy printf ps pwd rg sleep source sudo tail top touch tree vi vim wc whereis which who code "
    # of Windows
    "chdir clip cls dir explorer findstr gc gci gcm get-childitem get-command get-content get-help get-location ii "
    "invoke-item notepad select-string set-location sls tasklist where"
)
_LOOKS_AT_GIT = word_set("status diff log show branch blame remote fetch stash")
# That these failed says nothing about the code: they move things about, or ask.
HARMLESS = _LOOKS_ONLY | word_set(
    "[ [[ awk bg chmod column cp curl cut diff disown egrep false fi done esac git jq kill mkdir mktemp mv popd pushd "
    "rm rmdir sed set sort ssh tee test tr trap true type ulimit uniq unset wait wget xargs "
    "copy copy-item del erase md move move-item new-item rd remove-item ren rename-item robocopy taskkill xcopy"
)
# Programs that pass on the exit code of what they run.
RUNNERS = word_set(
    "bun bundle cargo composer deno docker dotnet go gradle hatch just make mix mvn nox npm npx pdm pip pipenv pixi pnpm "
    "poe poetry py pytest python python3 rake ruby rye stack swift task tox uv uvx yarn zig"
)
# Programs that run tests; their arguments, other than options, choose among the tests.
TEST_RUNNERS = word_set(
    "ava bats busted ctest jasmine jest mocha nose2 phpunit playwright prove pytest rspec tap vitest"
)
# What is named so serves what people look at while it runs.
_SERVERS = word_set("app dev flask next nodemon preview runserver serve server start uvicorn vite")
_SERVED = word_set("app page server site website")
# Compilers, builds and linters, which say by what they print whether they were content.
CHECKERS = word_set(
    "ant astro biome black cc clang clang++ cmake esbuild eslint flake8 g++ gatsby gcc ghc gradlew javac mvnw mypy next ng "
    "ninja nuxi nuxt nx ocamlc oxlint parcel prettier pylint pyright react-scripts rollup rsbuild rspack ruff rustc scalac "
    "shellcheck stylelint svelte-check swiftc tsc tsup turbo vue-cli-service vue-tsc webpack"
)
# Programs that run for as long as the script that they are given does.
_OPEN_ENDED = word_set("node perl php vite")
# What only passes on what follows it: words of a shell, and programs, of which some have options of their own.
_KEYWORDS = word_set("if then else elif while until do ! { time command exec nohup")
_PASSED_THROUGH = (
    ("python", "-m"), ("python3", "-m"), ("py", "-m"), ("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("hatch", "run"),
    ("rye", "run"), ("pixi", "run"), ("pipenv", "run"), ("pipx", "run"), ("uv", "tool", "run"), ("uvx",),
    ("bundle", "exec"), ("npm", "exec"), ("pnpm", "exec"), ("pnpm", "dlx"), ("yarn", "exec"), ("npx",), ("bunx",), ("env",),
    ("cross-env",), ("sudo",), ("nice",), ("xvfb-run",), ("timeout",),
)  # fmt: skip
_TELLING = (RUNNERS - word_set("docker pip")) | TEST_RUNNERS | CHECKERS | _OPEN_ENDED
_PROGRAM_ENDINGS = frozenset(("exe", "cmd", "bat", "ps1"))
_ASSIGNMENT = compile_late(r"[A-Za-z_]\w*=\S*")
_DURATION = compile_late(r"\d+(?:\.\d+)?[smhd]?")
_PLACE = compile_late(r"/|::|\w\.\w")


def strip_assignments(words: Sequence[str]) -> list[str]:
    """The words of a command line without the variables that are set for it."""
    return [word for word in words if not _ASSIGNMENT.fullmatch(word)]


def only_looks(words: Sequence[str]) -> bool:
    """Whether a simple command only looks at things, or moves to where they are."""
    first = program_of(words[0])
    return first in _LOOKS_ONLY or (first == "git" and len(words) > 1 and words[1] in _LOOKS_AT_GIT)


def is_work(words: Sequence[str]) -> bool:
    """Whether a simple command is more than a look, or a move of things."""
    return program_of(words[0]) not in HARMLESS


def tells_outcome(line: str) -> bool:
    """Whether what a line prints says how it ended: it runs tests, a build or a check, or a program of the project."""
    words = (unwrap(step.words) for step in steps_of(line))
    programs = (each[0] for each in words if each and is_work(each))
    return any(program_of(each) in _TELLING or (each.startswith(("./", "../"))) for each in programs)


@functools.lru_cache(256)
def names_of(line: str) -> frozenset[str]:
    """The names of a command line for people, in lower case: its programs, and what is run by those that pass it on."""
    names: set[str] = set()
    for step in steps_of(line):
        words = unwrap(step.words)
        passes_on = bool(words) and program_of(words[0]) in RUNNERS
        plain = (
            word for word in words[1:] if passes_on and not word.startswith("-") and not _PLACE.search(word)
        )
        names.update(program_of(word) for word in (*words[:1], *plain))
        if any(program_of(word).partition(".")[0] in _SERVERS for word in words):
            names |= _SERVED
    return frozenset(names)


def unwrap(given: Sequence[str]) -> list[str]:
    """The words of what really runs: without variables set for it, and without what only passes it on."""
    words = strip_assignments(given)
    while (begins := _length_of_wrapper(words)) and len(words) > begins and not _runs_script(words, begins):
        words = strip_assignments(words[begins:])
    if len(words) > 1 and program_of(words[0]) == "node":
        return _without_node(words)
    return words


def _runs_script(words: Sequence[str], begins: int) -> bool:
    """Whether the words run a script of a project that is called as the shell's ``test``: ``hatch run test``."""
    return words[begins] == "test" and program_of(words[0]) in RUNNERS


def _length_of_wrapper(words: Sequence[str]) -> int:
    """The number of words that only pass on what follows them, with their options."""
    if words and words[0] in _KEYWORDS:
        return 1
    for passed in _PASSED_THROUGH:
        if len(words) > len(passed) and (program_of(words[0]), *words[1 : len(passed)]) == passed:
            length = len(passed)
            while length < len(words) and (words[length][:1] == "-" or _DURATION.fullmatch(words[length])):
                length += 1
            return length
    return 0


def _without_node(words: list[str]) -> list[str]:
    """A test runner that Node runs by the path of its script, as if it were called by its name."""
    for place, word in enumerate(words[1:], 1):
        if not word.startswith("-"):
            name = program_of(word).partition(".")[0]
            return [name, *words[place + 1 :]] if name in TEST_RUNNERS else words
    return words


def program_of(word: str) -> str:
    """The program that ``word`` calls, which may be a path of Windows; there ``Pytest.EXE`` is ``pytest``."""
    name = word.replace("\\", "/").rpartition("/")[2].lower()
    stem, _, ending = name.rpartition(".")
    return stem if stem and ending in _PROGRAM_ENDINGS else name
