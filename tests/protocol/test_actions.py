"""Code actions and commands: the prompt reaches users of editors that know nothing of contextls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from .conftest import build_workspace, serve, visit
from .wire import Json, Wire, span

LITERALS: Json = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}
}
SHOWS = {"window": {"showDocument": {"support": True}}}


DIAGNOSTIC = {
    "range": span((13, 11), (13, 16)),
    "message": "Operator * is not supported for None",
    "source": "pyright",
    "code": "reportOptionalOperand",
    "severity": 1,
}


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    root = build_workspace(tmp_path_factory.mktemp("shop"))
    with serve(root, capabilities={**LITERALS, **SHOWS}) as wire:
        wire.open("shop/cart.py")
        yield wire


def actions(wire: Wire, place: Json, **context: Json) -> list[dict[str, Any]]:
    return actions_in(wire, "shop/cart.py", place, **context)


def actions_in(wire: Wire, name: str, place: Json, **context: Json) -> list[dict[str, Any]]:
    params = {
        "textDocument": {"uri": wire.uri(name)},
        "range": place,
        "context": {"diagnostics": [], **context},
    }
    answer: list[dict[str, Any]] = wire.request("textDocument/codeAction", params)
    return answer


def run(wire: Wire, command: dict[str, Any]) -> Json:
    return wire.request(
        "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
    )


def test_the_name_under_the_cursor_is_offered_for_copying(wire: Wire) -> None:
    (action,) = actions(wire, span((11, 8), (11, 8)))
    assert action["title"] == "Copy context for `discount_for`"
    assert action["kind"] == "contextls.copy"
    context = run(wire, action["command"])
    assert context["content"].startswith("This is about `discount_for`.\n\n## ")
    assert "def discount_for" in context["content"]


@pytest.mark.parametrize(
    ("place", "titles"),
    [
        ((11, 8), ["Copy context for `discount_for`"]),  # where it is defined
        ((6, 10), ["Copy context for `add_article`"]),
        ((11, 22), []),  # a parameter
        ((13, 11), []),  # a local name
        ((8, 16), []),
    ],
)
def test_an_editor_that_asks_by_itself_gets_a_bulb_at_definitions_alone(
    wire: Wire, place: tuple[int, int], titles: list[str]
) -> None:
    def offered(trigger: int) -> list[str]:
        return [each["title"] for each in actions(wire, span(place, place), triggerKind=trigger)]

    assert offered(2) == titles
    assert len(offered(1)) == 1, "whoever asks gets it for every name"


def test_a_bulb_stays_at_a_definition_that_moved_and_was_not_saved(wire: Wire) -> None:
    uri = wire.uri("shop/cart.py")
    wire.change(uri, {"range": span((0, 0), (0, 0)), "text": "\n\n"})
    try:
        assert actions(wire, span((13, 8), (13, 8)), triggerKind=2)
        assert not actions(wire, span((11, 8), (11, 8)), triggerKind=2)
    finally:
        wire.change(uri, {"range": span((0, 0), (2, 0)), "text": ""}, version=3)


def test_a_selection_is_offered_and_leads_the_prompt(wire: Wire) -> None:
    (action,) = actions(wire, span((6, 8), (6, 19)))
    assert action["title"] == "Copy context for `add_article`"
    (action,) = actions(wire, span((6, 0), (9, 0)))
    assert action["title"] == "Copy context for the selection"
    prompt = run(wire, action["command"])
    assert prompt["content"].startswith("This is about the selected lines.\n\n## ")
    code = next(each for each in prompt["components"] if each["type"] == "semantic")
    selected = (wire.root / "shop/cart.py").read_text().splitlines()[6:9]
    assert all(line in code["content"] for line in selected)


def test_no_action_is_offered_where_the_cursor_is_on_no_name(wire: Wire) -> None:
    assert actions(wire, span((2, 0), (2, 0))) == []


def test_a_problem_is_offered_and_leads_the_prompt(wire: Wire) -> None:
    (problem,) = actions(wire, span((13, 11), (13, 11)), diagnostics=[DIAGNOSTIC], triggerKind=2)
    assert problem["title"] == "Copy context for this problem"
    assert problem["kind"] == "quickfix"
    assert problem["diagnostics"] == [DIAGNOSTIC]
    query = problem["command"]["arguments"][0]["query"]
    assert query == (
        "Operator * is not supported for None (pyright reportOptionalOperand) "
        "at: return total * 0.05 if total > 100 else 0.0"
    )
    prompt = run(wire, problem["command"])
    assert prompt["content"].startswith(
        "Fix this problem: Operator * is not supported for None at `shop/cart.py:14` "
        "(pyright reportOptionalOperand): `return total * 0.05 if total > 100 else 0.0`\n\n## "
    )
    assert prompt["content"].count("is not supported for None") == 1
    assert prompt["confidence"] > 0.9
    assert "Operator * is not supported for None at `shop/cart.py:14`" in prompt["content"]
    code = next(each for each in prompt["components"] if each["type"] == "semantic")
    assert "return total * 0.05" in code["content"]


def test_several_problems_of_a_place_are_one_entry(wire: Wire) -> None:
    other = {**DIAGNOSTIC, "message": "The constant 0.05 has no name", "source": "ruff", "code": "PLR2004"}
    (both,) = actions(wire, span((13, 0), (13, 0)), diagnostics=[DIAGNOSTIC, other])
    assert both["title"] == "Copy context for these 2 problems"
    assert both["diagnostics"] == [DIAGNOSTIC, other]
    prompt = run(wire, both["command"])["content"]
    assert prompt.startswith(
        "Fix these problems:\n\n> - Operator * is not supported for None at `shop/cart.py:14` "
        "(pyright reportOptionalOperand): `return total * 0.05 if total > 100 else 0.0`\n"
        "> - The constant 0.05 has no name at `shop/cart.py:14` (ruff PLR2004)"
    )


def test_lines_that_were_selected_count_for_more_than_a_problem_in_them(wire: Wire) -> None:
    (lines,) = actions(wire, span((11, 0), (14, 0)), diagnostics=[DIAGNOSTIC])
    assert lines["title"] == "Copy context for the selection"
    (fix,) = actions(wire, span((11, 0), (14, 0)), diagnostics=[DIAGNOSTIC], only=["quickfix"])
    assert fix["title"] == "Copy context for this problem"
    (shown,) = actions(wire, DIAGNOSTIC["range"], diagnostics=[DIAGNOSTIC])
    assert shown["title"] == "Copy context for this problem", (
        "an editor gives the range of the problem itself"
    )


def test_a_reported_error_becomes_one_event(wire: Wire) -> None:
    error = {**DIAGNOSTIC, "message": "Giraffe is not defined"}
    hint = {**DIAGNOSTIC, "message": "Hippopotamus is never used", "severity": 4}
    for _ in range(3):
        actions(wire, span((13, 0), (13, 0)), diagnostics=[error, hint])
    assert wire.request("context/recordEvent", {"type": "note", "content": {"text": "behind all writes"}})[
        "id"
    ]
    prompt = wire.assemble("giraffe hippopotamus")["content"]
    assert prompt.count("Giraffe is not defined") == 1
    assert "Hippopotamus is never used" not in prompt


@pytest.mark.parametrize(
    ("only", "titles"),
    [
        (["quickfix"], ["Copy context for this problem"]),
        (["contextls"], ["Copy context for `total`"]),
        ([""], ["Copy context for this problem"]),
        (["source.organizeImports"], []),
        (["quickfix.more", "context"], []),
        ([], []),
    ],
)
def test_only_the_kinds_that_were_asked_for(wire: Wire, only: list[str], titles: list[str]) -> None:
    offered = actions(wire, span((13, 11), (13, 11)), diagnostics=[DIAGNOSTIC], only=only)
    assert [each["title"] for each in offered] == titles


def test_nothing_is_offered_outside_of_open_documents(wire: Wire) -> None:
    for uri in (wire.uri("shop/invoice.py"), "untitled:1", "file:///elsewhere.py"):
        params = {"textDocument": {"uri": uri}, "range": span((0, 0), (0, 0)), "context": {"diagnostics": []}}
        assert wire.request("textDocument/codeAction", params) == []


def test_the_prompt_is_shown_as_a_document(wire: Wire) -> None:
    before = len(wire.received)
    context = run(
        wire,
        {"command": "contextls.copyContext", "arguments": [{"query": "Discount: how?", "maxTokens": 700}]},
    )
    assert context["tokenCount"] <= 700
    shown = wire.wait(lambda message: message.get("method") == "window/showDocument", after=before)["params"]
    path = Path(unquote(urlsplit(shown["uri"]).path))
    assert re.fullmatch(r"prompt-\d{8}-\d{6}-\w+\.md", path.name)
    assert path.suffix == ".md"
    assert path.read_text(encoding="utf-8") == context["content"]
    assert path.stat().st_mode & 0o077 == 0
    assert wire.root not in path.parents


def test_old_prompts_are_removed(wire: Wire) -> None:
    for number in range(25):
        before = len(wire.received)
        run(wire, {"command": "contextls.copyContext", "arguments": [{"query": f"discount {number}"}]})
        wire.wait(lambda message: message.get("method") == "window/showDocument", after=before)
    last = wire.calls("window/showDocument")[-1]["uri"]
    folder = Path(unquote(urlsplit(last).path)).parent
    assert len(list(folder.glob("*.md"))) <= 20


def test_where_a_client_shows_no_documents_a_message_tells_the_path(
    open_session: Wire, workspace: Path
) -> None:
    wire = open_session
    with visit(wire, workspace):
        wire.open("shop/cart.py")
        (command,) = actions(wire, span((11, 8), (11, 8)))
        assert set(command) == {"title", "command", "arguments"}
        context = run(wire, command)
        message = wire.wait(lambda each: each.get("method") == "window/showMessage")["params"]["message"]
        path = Path(message.removeprefix("The prompt is in "))
        assert path.read_text(encoding="utf-8") == context["content"]


def test_clients_that_copy_by_themselves_get_the_context_alone(
    start: Callable[..., Wire], workspace: Path
) -> None:
    wire = start()
    ours = {"experimental": {"contextls": {"copyToClipboard": True}}}
    wire.initialize(workspace, capabilities={**SHOWS, **ours})
    wire.ready()
    arguments = [{"query": "discount", "uri": wire.uri("shop/cart.py"), "range": span((12, 0), (13, 0))}]
    assert run(wire, {"command": "contextls.copyContext", "arguments": arguments})["content"]
    assert wire.end() == 0
    assert not wire.calls("window/showDocument")
    assert not wire.calls("window/showMessage")


def test_the_status_command_answers_and_shows_a_message(wire: Wire) -> None:
    status = run(wire, {"command": "contextls.showStatus", "arguments": []})
    assert status["state"] == "ready"
    message = wire.wait(lambda each: each.get("method") == "window/showMessage")["params"]["message"]
    assert f"is ready: {status['files']} files, {status['chunks']} chunks" in message


def test_the_reindex_command_rebuilds_only_when_asked_to(wire: Wire) -> None:
    report = run(wire, {"command": "contextls.reindex", "arguments": []})
    assert report["changed"] == 0
    report = run(wire, {"command": "contextls.reindex", "arguments": [{"rebuild": True}]})
    assert report["changed"] == report["files"] > 0
    assert "def discount_for" in wire.assemble("discount")["content"]
