"""The questions of docs/mcp.md, each asked with the tool that it should lead to, about a package that others wrote.

It is Starlette, as it is installed beside the SDK: nothing is fetched.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import starlette

from .session import Json, Session, connect
from .test_budget import check
from .test_document import section

MAX_TOKENS = 4_000
QUESTIONS = re.findall(r"^\| (.+) \| `(\w+)` \|$", section("Which question leads where"), re.MULTILINE)
# The arguments beside the question, and what the answer holds.
ANSWERS: dict[str, tuple[dict[str, Json], tuple[str, ...]]] = {
    "fix the failing test": ({}, ("tests/test_routing.py", "def compile_path(")),
    "why is a large upload refused?": ({}, ("class MultiPartParser", "max_part_size")),
    "add partitioned cookies to the session": ({}, ("class SessionMiddleware", "def set_cookie(")),
    "how does a request reach its handler?": ({}, ("def request_response(",)),
    "continue where I left off": ({}, ("tests/test_routing.py", "minimum_size: int = 900")),
    "write tests for the gzip middleware": ({}, ("class GZipMiddleware", "class GZipResponder")),
    "where do we redirect to https?": ({}, ("class HTTPSRedirectMiddleware",)),
    "show me code that parses cookies": ({}, ("def cookie_parser(",)),
    "what did I run in the last hour, and what failed?": ({"since": "1h"}, ("tests/test_routing.py",)),
    "what was I doing before lunch?": ({"since": "8h"}, ("starlette/routing.py",)),
    "which class is called something like SessionMiddelware?": (
        {"query": "SessionMiddelware"},
        ("starlette/middleware/sessions.py#SessionMiddleware",),
    ),
    "what matters most in this repository right now?": (
        {},
        ("starlette/requests.py", "starlette/responses.py"),
    ),
    "who calls `compile_path`, and what tests it?": (
        {"name": "compile_path"},
        ("starlette/routing.py#Mount.__init__", "starlette/routing.py#Host.__init__"),
    ),
    "what breaks if I change `MutableHeaders`?": (
        {"name": "MutableHeaders"},
        ("starlette/datastructures.py#Headers.mutablecopy", "starlette/middleware/cors.py"),
    ),
    "review my changes": ({}, ("minimum_size: int = 900", "class GZipMiddleware")),
    "review this branch before I merge it": ({"changes": "main"}, ("minimum_size: int = 900", "since main")),
    "write a commit message": ({}, ("minimum_size: int = 900",)),
    "read everything in the middleware folder": (
        {"paths": ["starlette/middleware/"], "allPages": True},
        ("gzip.py ", "## `starlette/middleware/authentication.py`"),
    ),
    "show me the signatures in requests.py": (
        {"paths": ["starlette/requests.py"], "skeletons": True},
        ("def cookie_parser(", "(skeleton)"),
    ),
    "let's now do the login form first": ({"goal": "the login form"}, ("the login form",)),
    "that's done": ({"result": "it has a field for the name"}, ("complete",)),
    "remember that prices are in cents": (
        {"type": "note", "content": {"text": "prices are in cents"}},
        ("event-",),
    ),
    "always keep routing.py in mind": (
        {"updates": [{"action": "add_to_working_set", "path": "starlette/routing.py", "why": "as asked"}]},
        ("starlette/routing.py",),
    ),
}
TAKES_QUESTION = ("assemble_context", "search_code")


def make_repository(root: Path) -> dict[str, Json]:
    """The package with one commit and one change; a command that failed there."""
    source = Path(starlette.__file__).parent
    shutil.copytree(source, root / "starlette", ignore=shutil.ignore_patterns("__pycache__"))
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-C", str(root)]
    for step in (
        ["init", "--quiet", "--initial-branch=main"],
        ["add", "."],
        ["commit", "--quiet", "--message", "Begin"],
    ):
        subprocess.run([*git, *step], check=True)
    changed = root / "starlette" / "middleware" / "gzip.py"
    changed.write_text(
        changed.read_text("utf-8").replace("minimum_size: int = 500", "minimum_size: int = 900")
    )
    lines = (root / "starlette" / "routing.py").read_text("utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("def compile_path("))
    return {
        "command": "pytest -q tests/test_routing.py",
        "exitCode": 1,
        "stderr": f"starlette/routing.py:{line + 5}: AssertionError",
    }


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """An agent in a repository with one commit, one change and one failure."""
    root = tmp_path_factory.mktemp("public") / "starlette"
    failed = make_repository(root)
    with connect("--root", root, "--max-tokens", str(MAX_TOKENS)) as session:
        session.call("record_event", type="shell_exec", content=failed)
        yield session


def test_every_question_of_the_document_is_asked() -> None:
    assert [question for question, _tool in QUESTIONS] == list(ANSWERS)


@pytest.mark.parametrize(("question", "tool"), QUESTIONS)
def test_the_tool_has_the_answer_within_its_limit(package: Session, question: str, tool: str) -> None:
    arguments, wanted = ANSWERS[question]
    asked = {"query": question} if tool in TAKES_QUESTION else {}
    result = package.tool(tool, {**asked, **arguments})
    check(result, MAX_TOKENS)
    (text,) = (block.text for block in result.content)
    assert [words for words in wanted if words not in text] == []
