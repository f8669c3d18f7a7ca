"""Who may see what: nothing outside of the rows that were granted is in a prompt, whatever its shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.assembly.admission.permissions import PermissionKind
from contextls.engine import Engine
from contextls.engine.several import assemble_several, run_at_once
from contextls.errors import InvalidRequestError
from contextls.model import (
    AssembledTurn,
    AssembleRequest,
    Changes,
    Context,
    EditorPosition,
    GivenMessage,
    Injection,
    InjectionFormat,
    MessageRole,
    NewEvent,
    Section,
    Shape,
    TurnOptions,
    TurnRequest,
)
from contextls.settings_rules import check_identity_permission
from contextls.wire import to_wire

from ..memory.workspaces import ONE_WORKER, SHOP, opened, write
from ..repositories import git

QUERY = "how is the discounted total computed?"
# Everything of the folder and the file has a name of its own that no question says, so that any trace of it is seen.
LEDGER = (
    "from shop.prices import discounted\n\n\n"
    "def quokka_total(items):\n"
    '    """The discounted total that is booked, as the quokka computes it."""\n'
    "    return sum(discounted(item.price) for item in items)\n"
)
FILES = {
    **SHOP,
    "quokka/ledger.py": LEDGER,
    "quokka/test_ledger.py": (
        "from quokka.ledger import quokka_total\n\n\ndef test_total():\n    assert quokka_total([]) == 0\n"
    ),
    "AGENTS.md": "Wombat before every answer.\n",
}
# Words that are in a prompt only where one of these rows is granted.
MARKS = {
    "quokka": {"code", "changes", "activity", "knowledge"},
    "numbat": {"activity", "activity:shop/**", "knowledge", "knowledge:shop/**"},
    "bilby": {"tasks"},
    "wombat": {"rules", "code"},
    "bandicoot": {"history"},
}
KINDS = {
    Section.WORKING_SET: ("code",),
    Section.SEMANTIC: ("code",),
    Section.RECENT: ("activity", "changes"),
    Section.ENTITY: ("knowledge",),
    Section.RELATION: ("knowledge",),
    Section.PATTERN: ("knowledge",),
    Section.PACKAGE: ("packages",),
    Section.TASK: ("tasks",),
}
SAID = (
    GivenMessage(role=MessageRole.USER, content="what does the bandicoot do?"),
    GivenMessage(role=MessageRole.ASSISTANT, content="The bandicoot digs."),
)
ROWS = [
    "code", "code:shop/**", "changes", "changes:shop/**", "activity", "activity:shop/**", "knowledge", "knowledge:shop/**",
    "tasks", "rules", "rules:web/**", "history", "packages",
]  # fmt: skip
QUERIES = [
    QUERY,
    "fix the failing test",
    "review my changes",
    "write a commit message",
    "explain this",
    "what was I doing?",
    "continue",
    "give me an overview of this repository",
    "who wrote cart.py?",
    "what calls discounted?",
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = write(tmp_path_factory.mktemp("permissions") / "shop", FILES)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Start")
    own = replace(ONE_WORKER, identity_permissions=("guest=code:web/**", "guest=history"))
    with opened(root, own) as engine:
        engine.set_trust(True)
        for path in ("shop/prices.py", "quokka/ledger.py"):
            write(root, {path: FILES[path].replace("price", "amount")})
        engine.update_files(["shop/prices.py", "quokka/ledger.py"])
        engine.working_set.pin(engine.working_set.target("quokka/test_ledger.py"))
        engine.working_set.pin(engine.working_set.target("shop/mail.py"))
        engine.tasks.push("teach the bilby to compute totals")
        engine.record(NewEvent("file_edit", {"path": "quokka/ledger.py", "symbols": ["quokka_total"]}))
        engine.record(NewEvent("file_rename", {"from": "quokka/old.py", "path": "shop/mail.py"}))
        failed = {"command": "pytest numbat", "exitCode": 1, "stdout": "E numbat: discounted total is wrong"}
        engine.record(NewEvent("shell_exec", failed))
        error = {"message": "numbat: discounted total is wrong", "path": "quokka/ledger.py", "line": 6}
        engine.record(NewEvent("error", error))
        yield engine


def text_of(answer: Context) -> str:
    """Everything of an answer that a model may read, in lower case."""
    wire = to_wire(answer)
    parts = [wire["content"], wire["components"]]
    if isinstance(answer, AssembledTurn):
        parts += [wire["systemPrompt"], wire["history"]]
    return json.dumps(parts).lower()


def paths(answer: Context) -> set[str]:
    """The files that ``answer`` shows, without the name of their root."""
    return {one.path.removeprefix("here/") for one in answer.components if one.path}


def answer_in(form: str, engine: Engine, question: AssembleRequest) -> Context:
    """The answer to ``question`` in a form: a shape, one with a history, or one of several roots."""
    shape, _, more = form.partition(" ")
    if more == "roots":
        several = {"here": lambda asked, name: _part(engine, asked, name)}
        return run_at_once(assemble_several(question, several, "o200k_base"))
    history = SAID if more == "history" or shape in ("messages", "document") else ()
    written = InjectionFormat(more) if more in tuple(InjectionFormat) else InjectionFormat.RAW
    options = TurnOptions(
        shape=Shape(shape),
        model="gpt-4o",
        history=history,
        injection=Injection(format=written),
        buffer_mode_system_context=True,
    )
    request = TurnRequest(question, options)
    if shape in ("messages", "document"):
        return engine.assemble_turn(request)
    return engine.follow_up(request) if history or shape == "tagged" else engine.assemble(question)


async def _part(engine: Engine, asked: AssembleRequest, name: str) -> Context:
    return engine.assemble_part(asked, name)


FORMS = [
    "markdown", "markdown history", "markdown roots", "tagged", "tagged history", "messages raw", "messages summary",
    "messages structured", "document",
]  # fmt: skip


def traces(answer: Context, rows: Sequence[str]) -> list[str]:
    """What of ``answer`` none of ``rows`` grants."""
    text, granted = text_of(answer), {row.partition(":")[0] for row in rows}
    found = [mark for mark, kinds in MARKS.items() if mark in text and not kinds.intersection(rows)]
    for component in answer.components:
        kinds = KINDS.get(component.type, ())
        if kinds and component.source != "query" and not granted.intersection(kinds):
            found.append(f"{component.type} {component.source}")
        own = [kind for kind in kinds if kind in rows]
        if kinds and not own and "quokka" in (component.path or ""):
            found.append(component.source)
    return found


@pytest.mark.parametrize("form", FORMS)
@given(
    rows=st.lists(st.sampled_from(ROWS), max_size=4, unique=True),
    query=st.sampled_from(QUERIES),
    path=st.sampled_from([None, "quokka/ledger.py", "shop/cart.py"]),
    selected=st.booleans(),
    changes=st.sampled_from([None, Changes.ALL]),
    max_tokens=st.sampled_from([400, 4000]),
)
@settings(max_examples=15)
def test_nothing_outside_of_the_granted_rows_is_in_a_prompt(
    shop: Engine,
    form: str,
    rows: list[str],
    query: str,
    path: str | None,
    selected: bool,
    **fields: Any,  # noqa: ANN401
) -> None:
    position = None if path is None else EditorPosition(path, 4, 6 if selected else 4, selected)
    question = AssembleRequest(query, position=position, permissions_granted=tuple(rows), **fields)
    assert traces(answer_in(form, shop, question), rows) == []


@pytest.mark.parametrize("form", FORMS)
def test_every_shape_shows_what_is_granted_and_says_what_is_not(shop: Engine, form: str) -> None:
    def ask(*rows: str, identity: str | None = None) -> Context:
        granted = None if identity else rows
        return answer_in(
            form, shop, AssembleRequest(QUERY, 4000, identity=identity, permissions_granted=granted)
        )

    some = ask("code:shop/**")
    assert {"shop/cart.py", "shop/prices.py"} <= paths(some)
    assert any("files may not be shown" in warning for warning in some.report.warnings)
    assert [one for one in ask().components if one.source != "query"] == []
    assert paths(ask(identity="guest")) <= {"web/router.ts"}
    assert "quokka_total" in text_of(ask(identity="owner"))
    with pytest.raises(InvalidRequestError, match="permissionsGranted: expected rows such as code"):
        ask("everything")


@pytest.mark.parametrize("form", [form for form in FORMS if form != "markdown roots"])
def test_an_event_that_may_not_be_shown_does_not_come_in_later(shop: Engine, form: str) -> None:
    context = answer_in(
        form, shop, AssembleRequest(QUERY, permissions_granted=("code:shop/**", "activity:shop/**"))
    )
    news = NewEvent("file_edit", {"path": "quokka/ledger.py", "symbols": ["quokka_total"]})
    updated = shop.update(context.id, news)
    assert "quokka" not in text_of(updated)
    assert any("may not be shown" in warning for warning in updated.report.warnings)
    saved = shop.update(context.id, NewEvent("file_write", {"path": "shop/mail.py"}))
    assert "shop/mail.py" in saved.content


@pytest.mark.parametrize("kind", PermissionKind)
def test_settings_take_every_kind_that_can_be_granted(kind: PermissionKind) -> None:
    check_identity_permission("identityPermissions", f"reviewer={kind}:shop/**")
