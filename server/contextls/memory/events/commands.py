"""Command lines as far as runs are compared by them: which runs answer for which others, and for which tests."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from contextls.memory.events.programs import TEST_RUNNERS, is_work, program_of, unwrap
from contextls.memory.events.shell_line import steps_of
from contextls.model import Event
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# Tools that run tests with a subcommand for it.
_TEST_TOOLS = TEST_RUNNERS | word_set(
    "artisan bun cabal cargo dart deno dotnet flutter forge go gradle gradlew mix mvn mvnw sbt stack swift zig"
)
# Tools that also check the folders below the one they run in.
_LOOKS_BELOW = TEST_RUNNERS | word_set("black eslint flake8 go mypy prettier pylint pyright ruff")
_TASKS = word_set("run test tests watch nextest")
# What these are given is looked for in paths, or in names of tests.
_FINDS_IN_PATHS, _FINDS_IN_NAMES = word_set("jest vitest"), word_set("cargo")
# Options whose value chooses among tests, those whose value is of no matter here, and those that change the folder.
_CHOOSING, _VALUED = (
    word_set("-k -m -run -t"),
    word_set(
        "-p -n -j -c -o -W -C -f --color --config --coverage-reporter --durations --error-format --features --format "
        "--log-level --logger --maxfail --max-workers --maxWorkers --message-format --outDir --outputFile --profile "
        "--reporter --reporters --retries --target --tb --testTimeout --timeout --tsconfig --verbosity --workers"
    ),
)
# Those of Maven are others: there `-o` is one without a value.
_VALUED_BY = dict.fromkeys(("mvn", "mvnw"), word_set("-s -gs -t -T -l --settings --threads --log-file"))
_RUNNERS_CHOOSING = word_set("-R -e -g")
_CARGO_CHOOSING, _CARGO_KINDS = (
    word_set("-p --package --test --bin"),
    word_set("--lib --bins --doc --examples"),
)
_FOLDER_OPTIONS = {
    **dict.fromkeys(("make", "gmake", "ninja"), word_set("-C --directory")),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), word_set("-C --dir --prefix --cwd")),
    "go": word_set("-C"),
}
# What each of these compiles with the first tasks is compiled by the second ones as well.
_COMPILES = {
    "ant": (word_set("compile"), word_set("compile dist jar test")),
    "cargo": (word_set("build check"), word_set("bench build check clippy doc run test")),
    "dotnet": (word_set("build"), word_set("build publish run test")),
    "go": (word_set("build"), word_set("build install run test vet")),
    "swift": (word_set("build"), word_set("build run test")),
    **dict.fromkeys(("mvn", "mvnw"), (word_set("compile"), word_set("compile install package test verify"))),
}
# How a package of Go ends that is meant without those below it.
_PACKAGE = "/."
_THIS_PACKAGE = f".{_PACKAGE}"
_GO_TASKS = word_set("build install test vet")
_CHOICE = compile_late(
    r"--?(?:gtest_filter|filter|grep|tests|test-?[nN]ame-?[pP]attern|test-?[pP]ath-?[pP]atterns?|example|match|deselect"
    r"|only|Dtest|Dit\.test)(?:=(?P<value>.*))?"
)
_PLACE = compile_late(r"/|::|\w\.\w")
_WORD = compile_late(r"\w+")
_DRIVE = compile_late(r"[A-Za-z]:/")


class SimpleCommand(Struct, frozen=True):
    """A simple command as far as it is compared.

    ``folder`` is where it runs, from the workspace's root; ``arguments`` are those without options, ``choices`` the
    options that choose among tests.
    """

    program: str
    arguments: frozenset[str] = frozenset()
    choices: frozenset[str] = frozenset()
    folder: str = ""

    def covers(self, other: SimpleCommand) -> bool:
        """Whether it tries all that ``other`` does: the same, or the same without naming places or choosing."""
        if self.program != other.program or not self.choices <= other.choices:
            return False
        arguments = self._arguments_for(other)
        if self.folder == other.folder and arguments <= other.arguments:
            return self._may_choose or all(map(_PLACE.search, other.arguments - arguments))
        if self.program not in _LOOKS_BELOW or not self._selectors <= other._selectors:
            return False
        return all(any(_is_within(each, place) for place in self._places) for each in other._places)

    def _arguments_for(self, other: SimpleCommand) -> frozenset[str]:
        """Its arguments, those of ``other`` in the place of a task that compiles all that this does."""
        compiles, also = _COMPILES.get(self.program, (frozenset[str](), frozenset[str]()))
        tasks = other.arguments & compiles
        return (self.arguments - also) | tasks if tasks and self.arguments & also else self.arguments

    @property
    def runs_tests(self) -> bool:
        """Whether it is a test runner that runs tests."""
        return self.program in TEST_RUNNERS or (self.program in _TEST_TOOLS and "test" in self.arguments)

    @property
    def _may_choose(self) -> bool:
        """Whether more arguments would choose among the tests that it runs."""
        return self.program in TEST_RUNNERS or (self.program != "make" and "test" in self.arguments)

    @property
    def _places(self) -> frozenset[str]:
        """The places that it names, from the workspace's root; its folder where it names none."""
        named = frozenset(_join_argument(self.folder, each) for each in self.arguments if _PLACE.search(each))
        return named or frozenset((self.folder,))

    @property
    def _selectors(self) -> frozenset[str]:
        return frozenset(each for each in self.arguments if not _PLACE.search(each))

    def names(self, place: str) -> bool:
        """Whether a file, or a test of one (``path::name``), is among the places it names."""
        return not self.choices and self._names(place)

    def _names(self, place: str) -> bool:
        path, _, test = place.partition("::")
        for each in self.arguments:
            named, _, name = _join_argument(self.folder, each).partition("::")
            if _is_within(path, named) and (
                not name or test == name or test.startswith((f"{name}::", f"{name}["))
            ):
                return True
        return False

    def ran_test(self, path: str, test: str) -> bool:
        """Whether it ran a test in a file, as the runner that it is: by its place, and by what it chose."""
        if not all(_chooses(each, f"{path} {test}") for each in self.choices):
            return False
        given = self.arguments - _TASKS
        if not given:
            return self.runs_tests and _is_within(path, self.folder)
        if self._names(test if "::" in test else f"{path}::{test}"):
            return True
        searched = (
            path if self.program in _FINDS_IN_PATHS else test if self.program in _FINDS_IN_NAMES else ""
        )
        return self.runs_tests and any(each in searched for each in given)


def commands_of(run: Event) -> tuple[SimpleCommand, ...]:
    """The commands that a recorded run was made of, those of a project's scripts in the place of what called them."""
    runs = run.content.get("runs")
    lines = runs if isinstance(runs, list) and runs else [run.content.get("command", "")]
    return tuple(dict.fromkeys(each for line in lines for each in read_commands(str(line))))


def cover(runs: Iterable[SimpleCommand], others: Iterable[SimpleCommand]) -> bool:
    """Whether ``runs`` try all that each of ``others`` does."""
    tried = tuple(runs)
    return all(any(each.covers(other) for each in tried) for other in others)


@functools.lru_cache(1024)
def read_commands(line: str) -> tuple[SimpleCommand, ...]:
    """The commands of a line that do work, or else its first one; every text has one."""
    found = tuple(read_command(words, folder) for folder, words in work_in(line))
    return found or (read_command(unwrap(line.split())),)


def work_in(
    line: str, folder: str = "", reveal: Callable[[Sequence[str]], list[str]] = unwrap
) -> Iterator[tuple[str, list[str]]]:
    """The words of each simple command in a line that does work, and the folder that ``cd`` has led to before it.

    ``reveal`` takes off what only passes on the words that count.
    """
    for step in steps_of(line):
        words = reveal(step.words)
        if words and program_of(words[0]) in ("cd", "pushd") and not step.pipes:
            folder = join_place(folder, words[1]) if len(words) > 1 else folder
        elif words and is_work(words):
            yield folder, words


def read_command(words: Sequence[str], folder: str = "") -> SimpleCommand:
    """Read the words of a simple command as far as runs are compared by it."""
    program = program_of(words[0]) if words else ""
    given, folder = follow_folder_options(program, words[1:], folder)
    choosing = _options_that_choose(program)
    arguments, choices = set(), set()
    rest = iter(given)
    for word in rest:
        choice = _CHOICE.fullmatch(word)
        if word in choosing or (choice and choice["value"] is None):
            choices.add(f"{word} {next(rest, '')}")
        elif choice or (program == "cargo" and word in _CARGO_KINDS):
            choices.add(word)
        elif word in _VALUED_BY.get(program, _VALUED):
            next(rest, "")
        elif not word.startswith("-"):
            arguments.add(_read_argument(program, word.replace("\\", "/")))
    if program == "go" and arguments & _GO_TASKS and arguments <= _GO_TASKS:
        arguments.add(_THIS_PACKAGE)
    return SimpleCommand(program, frozenset(arguments - {".", ""}), frozenset(choices), folder)


def _read_argument(program: str, word: str) -> str:
    """An argument as it is compared; in Go, dots mean all packages below, and a folder without them is one package."""
    plain = word.removesuffix("/...").removeprefix("./")
    if program != "go" or plain.endswith(".go") or not (word == "." or "/" in word):
        return plain
    if word.endswith("..."):
        return f"{plain}/" if plain != "." else ""
    return f"{plain.rstrip('/') or '.'}{_PACKAGE}"


def follow_folder_options(program: str, given: Sequence[str], folder: str) -> tuple[list[str], str]:
    """The words given to a program without the options that say where to run, and the folder that these name."""
    moving = _FOLDER_OPTIONS.get(program, frozenset())
    kept: list[str] = []
    rest = iter(given)
    for word in rest:
        option, _, value = word.partition("=")
        if option in moving:
            folder = join_place(folder, value or next(rest, ""))
        else:
            kept.append(word)
    return kept, folder


def _options_that_choose(program: str) -> frozenset[str]:
    if program in TEST_RUNNERS:
        return _CHOOSING | _RUNNERS_CHOOSING
    return _CHOOSING | _CARGO_CHOOSING if program == "cargo" else _CHOOSING


def _chooses(choice: str, named: str) -> bool:
    """Whether the words of an option that chooses all stand in what a test is named by."""
    value = choice.partition("=")[2] or choice.partition(" ")[2]
    words, known = _WORD.findall(value), set(_WORD.findall(named))
    whole = value.endswith("$")
    return bool(words) and all(
        each in known or (not whole and any(each in one for one in known)) for each in words
    )


def join_place(folder: str, place: str) -> str:
    """A place as named in a folder, from where the folder is named; empty is the root."""
    place = place.replace("\\", "/")
    if not _DRIVE.match(place):
        place = posixpath.join(folder, place)
    joined = posixpath.normpath(place or ".")
    return "" if joined == "." else joined


def _join_argument(folder: str, argument: str) -> str:
    """The place that an argument names."""
    return join_place(folder, argument) + (_PACKAGE if argument.endswith(_PACKAGE) else "")


def _is_within(place: str, outer: str) -> bool:
    if outer.endswith(_PACKAGE):
        return place == outer or (
            place.endswith(".go") and posixpath.dirname(place) == outer[: -len(_PACKAGE)]
        )
    return not outer or place == outer or place.startswith((f"{outer}/", f"{outer}::"))
