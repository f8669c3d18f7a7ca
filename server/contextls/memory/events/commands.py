"""Command lines as work: which of them try something, which only look, and which runs answer for which others."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from msgspec import Struct

from contextls.model import Event, Outcome
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
_HARMLESS = _LOOKS_ONLY | word_set(
    "[ awk bg chmod cp curl diff false git mkdir mv popd pushd rm rmdir sed ssh true type wget xargs "
    "copy copy-item del erase md move move-item new-item rd remove-item ren rename-item robocopy taskkill xcopy"
)
# These pass on the exit code of what they were told to run.
_RUNNERS = word_set(
    "bun bundle cargo composer deno docker dotnet go gradle hatch just make mix mvn nox npm npx pdm pip pnpm poetry py "
    "pytest python python3 rake ruby stack swift task tox uv yarn zig"
)
_PASSED_THROUGH = (
    ("python", "-m"), ("python3", "-m"), ("py", "-m"), ("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("hatch", "run"),
    ("bundle", "exec"), ("npx",), ("time",), ("env",), ("sudo",), ("command",),
)  # fmt: skip
# What these are given beside options chooses among tests, as it does behind `test`; what make is given does not.
_TEST_RUNNERS = word_set(
    "ava bats busted ctest jasmine jest mocha nose2 phpunit prove pytest rspec tap vitest"
)
# Options whose value chooses among tests, and those whose value is of no matter here.
_CHOOSING, _VALUED = word_set("-k -m -run -t"), word_set("-p -n -j -c -o -W -C -f")
_RUNNERS_CHOOSING = word_set("-R -e -g")
_CHOICE = compile_late(
    r"--?(?:gtest_filter|filter|grep|tests|test-?[nN]ame-?[pP]attern|example|match|deselect|only|Dtest)(?:=(?P<value>.*))?"
)
NOT_RUNNABLE, NOT_FOUND, NOT_FOUND_BY_CMD = 126, 127, 9009
# By the user: SIGINT, SIGPIPE (as by `| head`), SIGTERM; on Windows STATUS_CONTROL_C_EXIT, with and without a sign.
_STOPPED = frozenset((130, 141, 143, 0xC000013A, 0xC000013A - (1 << 32)))
_PROGRAM_ENDINGS = frozenset(("exe", "cmd", "bat", "ps1"))
_ASSIGNMENT = compile_late(r"[A-Za-z_]\w*=\S*")
_NEXT = compile_late(r"(?:(?<!\s)\s++)?(?:&&|\|\||[;|&])\s*")
_RECORDED_RUN = compile_late(r"\s*(?:\S*[/\\])?contextls(?:\.exe)?\s+run\s")
_PLACE = compile_late(r"/|::|\w\.\w")


class CommandLine(Struct, frozen=True):
    """A command line as far as it is compared: ``program``, ``arguments`` without options, ``choices`` among tests."""

    program: str
    arguments: frozenset[str] = frozenset()
    choices: frozenset[str] = frozenset()

    def covers(self, other: CommandLine) -> bool:
        """Whether it tries all that ``other`` does: the same, or the same without naming places or choosing."""
        return (
            self.program == other.program
            and self.arguments <= other.arguments
            and self.choices <= other.choices
            and (self._may_choose or all(map(_PLACE.search, other.arguments - self.arguments)))
        )

    @property
    def _may_choose(self) -> bool:
        """Whether more arguments would choose among the tests that it runs."""
        return self.program in _TEST_RUNNERS or (self.program != "make" and "test" in self.arguments)

    def names(self, place: str) -> bool:
        """Whether a file, or a test of one (``path::name``), is among the places it names."""
        path, _, test = place.partition("::")
        for each in self.arguments:
            named, _, name = each.removeprefix("./").partition("::")
            within = path == named or path.startswith(f"{named.rstrip('/')}/")
            if within and (not name or test == name or test.startswith((f"{name}::", f"{name}["))):
                return not self.choices
        return False


def strip_assignments(words: Sequence[str]) -> list[str]:
    """The words of a command line without the variables that are set for it."""
    return [word for word in words if not _ASSIGNMENT.fullmatch(word)]


def only_looks(words: Sequence[str]) -> bool:
    """Whether a simple command only looks at things, or moves to where they are."""
    first = _name(words[0])
    return first in _LOOKS_ONLY or (first == "git" and len(words) > 1 and words[1] in _LOOKS_AT_GIT)


@functools.lru_cache(1024)
def read_command(line: str) -> CommandLine:
    """Read a command line as far as runs are compared by it; every text is one."""
    words = _unwrap(line)
    program = _name(words[0]) if words else ""
    choosing = _options_that_choose(program)
    arguments, choices = set(), set()
    rest = iter(words[1:])
    for word in rest:
        choice = _CHOICE.fullmatch(word)
        if word in choosing or (choice and choice["value"] is None):
            choices.add(f"{word} {next(rest, '')}")
        elif choice:
            choices.add(word)
        elif word in _VALUED:
            next(rest, "")
        elif not word.startswith("-"):
            # In Go, the dots mean all below.
            arguments.add(word.replace("\\", "/").removesuffix("/..."))
    return CommandLine(program, frozenset(arguments - {"."}), frozenset(choices))


def _options_that_choose(program: str) -> frozenset[str]:
    if program in _TEST_RUNNERS:
        return _CHOOSING | _RUNNERS_CHOOSING
    return _CHOOSING | {"-p"} if program == "cargo" else _CHOOSING


def command_of(run: Event) -> CommandLine:
    """The command line of a recorded run."""
    return read_command(str(run.content.get("command", "")))


def tries_something(line: str, exit_code: object) -> bool:
    """Whether a failing command was work that failed: no typo, no look around, nothing that the user stopped."""
    if exit_code in _STOPPED:
        return False
    programs = [_name(words[0]) for part in _NEXT.split(line) if (words := _unwrap(part))]
    if exit_code in (NOT_RUNNABLE, NOT_FOUND, NOT_FOUND_BY_CMD):
        return any(program in _RUNNERS for program in programs)
    return any(program not in _HARMLESS for program in programs)


def was_work(run: Event) -> bool:
    """Whether a run of a command, failed or not, was work."""
    code = run.content.get("exitCode") if run.outcome is Outcome.FAILURE else 0
    return tries_something(str(run.content.get("command", "")), code)


@functools.lru_cache(256)
def names_of(line: str) -> frozenset[str]:
    """The names of a command line for people, in lower case: its programs, and what is run by those that pass it on."""
    names: set[str] = set()
    for part in _NEXT.split(line):
        words = _unwrap(part)
        passes_on = bool(words) and _name(words[0]) in _RUNNERS
        plain = (
            word for word in words[1:] if passes_on and not word.startswith("-") and not _PLACE.search(word)
        )
        names.update(_name(word) for word in (*words[:1], *plain))
    return frozenset(names)


def is_recorded_run(line: str) -> bool:
    """Whether it is ``contextls run …``, which tells of what it ran itself."""
    return bool(_RECORDED_RUN.match(line))


def _unwrap(line: str) -> list[str]:
    """The words of what really runs: without variables set for it, and without what only passes it on."""
    words = strip_assignments(line.split())
    for passed in _PASSED_THROUGH:
        if len(words) > len(passed) and (_name(words[0]), *words[1 : len(passed)]) == passed:
            words = strip_assignments(words[len(passed) :])
    return words


def _name(word: str) -> str:
    """The program that ``word`` calls, which may be a path of Windows; there ``Pytest.EXE`` is ``pytest``."""
    name = word.replace("\\", "/").rpartition("/")[2].lower()
    stem, _, ending = name.rpartition(".")
    return stem if stem and ending in _PROGRAM_ENDINGS else name
