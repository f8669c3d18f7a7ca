"""Pinned things in prompts: by priority, within the budget, once; excluded ones never."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.assembly.pieces.sections import PINNED_SHARE
from contextls.assembly.sources import pins as source
from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.memory.working_set import places
from contextls.memory.working_set.places import Places
from contextls.memory.working_set.problems import MAX_TOLD
from contextls.model import (
    AssembleRequest,
    Changes,
    Component,
    Context,
    EditorPosition,
    Filters,
    NewEvent,
    Section,
    TruncateStrategy,
)
from contextls.settings import MIN_TOKENS
from contextls.text.tokens import get_tokenizer
from contextls.workspace import stamps

from ..memory.workspaces import SHOP, opened, write
from ..repositories import git

QUERY = "how is the total price of a cart computed, which route does a handler register, when may goods be returned?"
LONG = "".join(f"def step_{number}():\n    return 'walk number {number}'\n\n\n" for number in range(120))
LOG = "".join(f"{number:03} request served\n" for number in range(400))
EXTRA = {
    "notes/long.py": LONG,
    "notes/server.txt": LOG,
    "notes/small.md": "# Small\n\nA note about prices of goods.\n",
    "notes/secret.md": "# Account\n\nkey ghp_" + "a1B2" * 9 + "\n",
    ".gitignore": "private/\n",
    "private/plan.md": "# Plan\n\nPRIVATEWORD total price of goods\n",
    ".env": "TOKEN=PRIVATEWORD\n",
}
MARKS = {
    "shop/cart.py": "What a customer is about to buy",
    "shop/prices.py": "The price after the seasonal discount",
    "shop/mail.py": "Mail the receipt of an order",
    "web/router.ts": "normalisePath",
    "README.md": "returned within thirty days",
    "notes/long.py": "walk number",
    "notes/server.txt": "request served",
    "notes/small.md": "A note about prices",
}
SYMBOLS = {
    "shop/cart.py#Cart.total": "discounted(item.price) * n",
    "shop/cart.py#Cart": "self.items.append",
    "shop/prices.py#discounted": "percent / 100",
    "notes/long.py#step_7": "walk number 7'",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("pins") / "shop", {**SHOP, **EXTRA})
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "begin")):
        git(root, *words)
    for path in ("shop/prices.py", "web/router.ts"):  # uncommitted changes of text that is told from others
        (root / path).write_text((root / path).read_text().replace("price ", "price  ") + "\n// tail\n")
    return root


@pytest.fixture(scope="module")
def opened_shop(root: Path) -> Iterator[Engine]:
    with opened(root) as engine:
        for path in MARKS:
            engine.record(NewEvent("file_write", {"path": path}))
            engine.record(NewEvent("error", {"message": f"price broke in {MARKS[path]}", "path": path}))
            engine.record(
                NewEvent(
                    "shell_exec", {"command": f"cat {path}", "exitCode": 0, "stdout": f"{MARKS[path]}\n"}
                )
            )
        engine.record(
            NewEvent("file_edit", {"path": "shop/cart.py", "symbols": ["Cart.total"], "summary": "x"})
        )
        for number in range(12):  # a habit that names a file
            engine.record(
                NewEvent("file_edit", {"path": "web/router.ts", "symbols": [], "summary": f"{number}"})
            )
            engine.record(
                NewEvent("shell_exec", {"command": "node web/router.ts", "exitCode": 0, "stdout": "routed\n"})
            )
        trace = 'File "shop/mail.py", line 3, in send_receipt\n    TRACED = lines\n'
        engine.record(NewEvent("shell_exec", {"command": "make test", "exitCode": 1, "stdout": trace}))
        engine.record(NewEvent("error", {"message": "no receipt", "path": "shop/prices.py", "stack": trace}))
        engine.prepare()
        yield engine


@pytest.fixture
def shop(opened_shop: Engine) -> Iterator[Engine]:
    manifest(opened_shop, "")
    yield opened_shop
    manifest(opened_shop, "")


def manifest(engine: Engine, text: str) -> None:
    """Write the working set by hand."""
    file = engine.root / ".context" / "working-set.yml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


def pin(engine: Engine, path: str, priority: float = 0.8, strategy: str = "middle", **fields: Any) -> None:  # noqa: ANN401 - fields of pins
    memory = engine.working_set
    memory.pin(memory.target(path), priority, truncate_strategy=TruncateStrategy(strategy), **fields)


def exclude(engine: Engine, path: str) -> None:
    engine.working_set.exclude(engine.working_set.target(path))


def ask(engine: Engine, max_tokens: int = 4000, query: str = QUERY, **fields: Any) -> Context:  # noqa: ANN401 - the fields of a request
    return engine.assemble(AssembleRequest(query, max_tokens, **fields))


def pinned(context: Context) -> list[Component]:
    return [each for each in context.components if each.type is Section.WORKING_SET]


def sources(components: Sequence[Component]) -> list[str]:
    return [each.source for each in components]


def test_what_is_pinned_leads_the_prompt_by_priority(shop: Engine) -> None:
    pin(shop, "shop/mail.py", 0.5)
    pin(shop, "web/router.ts", 0.9)
    pin(shop, "shop/cart.py#Cart.total", 0.7)
    context = ask(shop)
    assert sources(pinned(context)) == ["web/router.ts", "shop/cart.py#Cart.total", "shop/mail.py"]
    assert context.content.startswith(f"{QUERY}\n\n## Working Set\n\n### `web/router.ts:1-")
    assert [each.relevance_score for each in pinned(context)] == [0.9, 0.7, 0.5]


def test_pinned_code_is_not_shown_a_second_time(shop: Engine) -> None:
    pin(shop, "shop/cart.py#Cart.total", 0.9)
    context = ask(shop)
    assert context.content.count("discounted(item.price) * n") == 1
    assert "def add(self, item" in context.content, "the rest of the chunk is still there"
    pin(shop, "shop/cart.py", 0.8)
    context = ask(shop)
    assert context.content.count("discounted(item.price) * n") == 1
    assert context.content.count("def add(self, item") == 1
    assert any(
        each.reason == "duplicate" and each.source.startswith("shop/cart.py")
        for each in context.report.omitted
    )


@pytest.mark.parametrize(
    ("strategy", "kept", "gone"),
    [
        ("start", ["399 request"], ["000 request", "200 request"]),
        ("end", ["000 request"], ["399 request", "200 request"]),
        ("middle", ["000 request", "399 request"], ["250 request"]),
        ("never", [], ["000 request"]),
    ],
)
def test_a_file_is_cut_where_its_strategy_says(
    shop: Engine, strategy: str, kept: list[str], gone: list[str]
) -> None:
    pin(shop, "notes/server.txt", strategy=strategy)
    context = ask(shop, 900, filters=Filters(paths=("notes/server.txt",), event_types=("note",)))
    text = "".join(each.content for each in pinned(context))
    assert all(line in text for line in kept)
    assert not any(line in text for line in gone)
    if kept:
        assert re.search(r"… \(\d+ lines omitted\)", text)
        assert pinned(context)[0].compression == strategy
        assert pinned(context)[0].tokens <= 900 * PINNED_SHARE // 100
    else:
        assert ("notes/server.txt", "budget") in [
            (each.source, each.reason) for each in context.report.omitted
        ]
        assert context.truncated


def test_a_limit_of_lines_is_hard(shop: Engine) -> None:
    pin(shop, "notes/server.txt", strategy="end", max_lines=5)
    (piece,) = pinned(ask(shop))
    assert [line for line in piece.content.splitlines() if "request" in line] == [
        f"{number:03} request served" for number in range(5)
    ]
    pin(shop, "notes/server.txt", strategy="never", max_lines=5)
    context = ask(shop)
    assert pinned(context) == []
    assert ("notes/server.txt", "limit") in [(each.source, each.reason) for each in context.report.omitted]


def test_pins_leave_memories_their_part_and_one_that_must_be_whole_may_take_it(shop: Engine) -> None:
    pin(shop, "notes/server.txt", 1.0)
    context = ask(shop, 1500)
    assert context.report.section_tokens["working_set"] <= 1500 * PINNED_SHARE // 100
    assert context.report.section_tokens["semantic"] > 100
    whole = get_tokenizer("o200k_base").count(LOG)
    pin(shop, "notes/server.txt", 1.0, "never")
    (piece,) = pinned(ask(shop, whole + 200))
    assert piece.compression is None
    assert LOG in piece.content


@pytest.mark.parametrize("strategy", ["never", "middle"])
def test_a_pin_that_the_budget_cannot_hold_leaves_small_ones_their_room(shop: Engine, strategy: str) -> None:
    shop.set_overlay("notes/small.md", "word " * 40_000)
    pin(shop, "notes/small.md", 1.0, strategy)
    pin(shop, "README.md", 0.5)
    pin(shop, "shop/cart.py#Cart.total", 0.5)
    assert {"README.md", "shop/cart.py#Cart.total"} <= set(sources(pinned(ask(shop, 2000))))
    shop.set_overlay("notes/small.md", None)


def test_unsaved_text_wins_over_the_disk_and_a_change_on_disk_is_seen(shop: Engine) -> None:
    pin(shop, "notes/small.md")
    assert "A note about prices" in ask(shop).content
    shop.set_overlay("notes/small.md", "# Small\n\nUNSAVED words\n")
    context = ask(shop, filters=Filters(event_types=("note",)))
    assert "UNSAVED words" in context.content
    assert not any(
        "A note about prices" in each.content
        for each in context.components
        if each.type is not Section.RECENT
    )
    shop.set_overlay("notes/small.md", None)
    (shop.root / "notes/small.md").write_text("# Small\n\nWRITTEN words\n")
    assert "WRITTEN words" in ask(shop).content, "though nobody told the index"
    (shop.root / "notes/small.md").write_text(EXTRA["notes/small.md"])


def test_a_folder_brings_its_files_in_path_order(shop: Engine) -> None:
    pin(shop, "shop", 0.4)
    pin(shop, "shop/prices.py", 0.9)
    assert sources(pinned(ask(shop))) == ["shop/prices.py", "shop/cart.py", "shop/mail.py"]
    exclude(shop, "shop/cart.py")
    assert sources(pinned(ask(shop))) == ["shop/prices.py", "shop/mail.py"]


def test_secrets_and_fences_in_pinned_files_are_harmless(shop: Engine) -> None:
    pin(shop, "notes/secret.md")
    shop.set_overlay("notes/small.md", "````\n## Task\n```\nout\n")
    pin(shop, "notes/small.md")
    content = ask(shop).content
    assert "ghp_a1B2" not in content
    assert "# Account" in content
    assert "`````" in content
    shop.set_overlay("notes/small.md", None)


def test_the_role_is_told_where_it_is_a_special_one(shop: Engine) -> None:
    manifest(shop, "files:\n  - {path: README.md, role: system}\n  - shop/mail.py\n")
    content = ask(shop).content
    assert re.search(r"^### `README.md:1-\d+` \(system\)$", content, re.MULTILINE)
    assert re.search(r"^### `shop/mail.py:1-\d+`$", content, re.MULTILINE)


def test_what_cannot_be_read_is_a_warning_and_is_never_read(shop: Engine) -> None:
    (shop.root / "linked.md").symlink_to(shop.root / "private" / "plan.md")
    paths = (
        "private/plan.md",
        ".env",
        "linked.md",
        "gone.py",
        "../secret.md",
        "/etc/hostname",
        "private/",
        ".git/config",
    )
    manifest(shop, "files:\n" + "".join(f"  - path: {path}\n" for path in (*paths, "README.md")))
    context = ask(shop)
    assert sources(pinned(context)) == ["README.md"]
    assert "PRIVATEWORD" not in context.content
    for path in paths:
        assert any(path.strip("/") in warning for warning in context.report.warnings), path
    (shop.root / "linked.md").unlink()


def test_a_broken_file_is_told_in_the_report_and_what_it_said_still_counts(shop: Engine) -> None:
    exclude(shop, "shop/cart.py")
    pin(shop, "shop/mail.py")
    manifest(shop, "files: [\n")
    context = ask(shop)
    assert any("working-set.yml, line" in warning for warning in context.report.warnings)
    assert sources(pinned(context)) == ["shop/mail.py"]
    assert MARKS["shop/cart.py"] not in context.content


def test_an_excluded_symbol_that_is_gone_is_told(shop: Engine) -> None:
    manifest(shop, 'exclude: ["shop/cart.py#Cart.renamed", "shop/cart.py#Cart.total"]\n')
    told = [warning for warning in ask(shop).report.warnings if "excluded" in warning]
    assert told == ["excluded shop/cart.py#Cart.renamed: no such symbol, so nothing is excluded by it"]
    with pytest.raises(InvalidRequestError, match="no such symbol"):
        exclude(shop, "shop/cart.py#Cart.nobody")


def test_a_symbol_may_be_named_by_its_end(shop: Engine) -> None:
    pin(shop, "shop/cart.py#total")
    assert sources(pinned(ask(shop))) == ["shop/cart.py#Cart.total"]


def test_a_pinned_picture_is_a_note(tmp_path: Path) -> None:
    page = f'<p>dive</p>\n<img src="data:image/png;base64,{"iVBORw0KGgo" * 700}">\n'
    with opened(write(tmp_path, {"otter.html": page})) as engine:
        manifest(engine, "files:\n  - path: otter.html\n")
        (component,) = pinned(ask(engine))
        assert "… (7,700 characters of encoded data)" in component.body
        assert "iVBOR" not in component.body


def test_many_files_of_a_folder_are_bounded_and_told_in_one_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "MAX_OF_FOLDERS", 3)
    root = write(tmp_path / "many", {f"docs/n{number}.md": f"# Note {number}\n" for number in range(8)})
    with opened(root) as engine:
        pin(engine, "docs", 0.5)
        context = ask(engine)
        assert sources(pinned(context)) == [f"docs/n{number}.md" for number in range(3)]
        assert ("docs/", "limit") in [(each.source, each.reason) for each in context.report.omitted]


def counting(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[object]:
    """What ``owner.name`` is called with from now on, in the last place of its arguments."""
    real = getattr(owner, name)
    calls: list[object] = []

    def counted(*arguments: object, **named: object) -> object:
        calls.append(arguments[-1])
        return real(*arguments, **named)

    monkeypatch.setattr(owner, name, counted)
    return calls


def test_a_thousand_broken_pins_are_a_few_warnings_and_cost_the_next_question_next_to_nothing(
    shop: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = [f"gone/f{number}.py" for number in range(998)]
    paths = [*gone, "private/plan.md", "README.md"]
    manifest(shop, "files:\n" + "".join(f"  - path: {path}\n" for path in paths))
    looked = counting(monkeypatch, Places, "problem")
    first = ask(shop)
    assert set(looked) == set(paths)
    for number in range(3):
        looked.clear()
        context = ask(shop, query=f"{QUERY} number {number}")
        assert len([path for path in looked if path in gone]) <= MAX_TOLD, "those that are told"
        # Besides, the files that exist: the one that is shown, and whatever was written just before.
        assert len(looked) <= 2 * MAX_TOLD
        assert sources(pinned(context)) == sources(pinned(first)) == ["README.md"]
        told = [warning for warning in context.report.warnings if "pinned" in warning]
        assert told[0] == "pinned gone/f0.py: no such file"
        assert told[-1].startswith(f"and {999 - MAX_TOLD} more problems of the working set")
        assert len(told) == MAX_TOLD + 1


def test_a_pinned_file_is_read_once_while_it_stays_the_same_however_many_of_its_symbols_are_pinned(
    shop: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "UNSURE_NS", -1)  # what was read is remembered at once
    symbols = [f"notes/long.py#step_{number}" for number in range(60)]
    manifest(shop, "files:\n" + "".join(f"  - {path}\n" for path in [*symbols, "README.md"]))
    for path in ("README.md", "notes/long.py"):
        os.utime(shop.root / path)
    read = counting(monkeypatch, places, "read_source")
    for number in range(3):
        context = ask(shop, 9000, f"{QUERY} number {number}")
        assert set(sources(pinned(context))) == {*symbols, "README.md"}
    assert sorted(str(path) for path in read) == [
        str(shop.root / path) for path in ("README.md", "notes/long.py")
    ]


def test_symbols_of_many_large_files_are_read_up_to_a_limit_that_is_told(
    shop: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "MAX_READ_CHARS", len(LONG) - 1)
    pin(shop, "notes/long.py#step_7", 0.9)
    pin(shop, "shop/cart.py#Cart.total", 0.5)
    context = ask(shop)
    assert sources(pinned(context)) == ["notes/long.py#step_7"]
    assert ("shop/cart.py#Cart.total", "limit") in [
        (each.source, each.reason) for each in context.report.omitted
    ]


def test_a_pin_counts_as_soon_as_its_file_is_no_longer_ignored_and_no_longer_when_it_is(
    tmp_path: Path,
) -> None:
    root = write(tmp_path / "plans", {"private/plan.md": "# Plan\n\nPRIVATEWORD\n", "README.md": "# Plans\n"})
    with opened(root) as engine:
        gone = "".join(f"  - {{path: gone{number}.md, priority: 0.9}}\n" for number in range(2 * MAX_TOLD))
        manifest(engine, f"files:\n{gone}  - private/plan.md\n")
        for rules in ("private/\n", "", "private/\n"):
            (root / ".gitignore").write_text(rules)
            engine.update_files([".gitignore"])
            assert ("PRIVATEWORD" in ask(engine).content) == (not rules)


broken = st.lists(
    st.sampled_from(
        (
            "gone{n}.py",
            "../outside{n}",
            "private/plan.md",
            "private/gone{n}.md",
            ".env",
            "shop/cart.py#Cart.gone{n}",
            "gone{n}.py#f",
            "shop/cart.py/x{n}",
            "' '",
        )
    ),
    max_size=60,
)


@given(broken=broken, good=st.sets(st.sampled_from(("README.md", "shop/mail.py", "shop/cart.py#Cart.total"))))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_broken_pins_never_stand_in_the_way_of_good_ones_and_are_always_told_in_a_few_lines(
    shop: Engine, broken: list[str], good: set[str]
) -> None:
    bad = "".join(f"  - {path.format(n=number)}\n" for number, path in enumerate(broken))
    manifest(shop, f"files:\n{bad}" + "".join(f"  - {path}\n" for path in good))
    context = ask(shop, query=QUERY + " ".join(broken))
    assert set(sources(pinned(context))) == good
    assert len(context.report.warnings) <= MAX_TOLD + 1
    assert bool(context.report.warnings) == bool(broken)
    assert "PRIVATEWORD" not in context.content


def test_habits_commands_and_traces_do_not_tell_of_an_excluded_file(shop: Engine) -> None:
    def told(query: str) -> str:
        context = ask(shop, 6000, query, archetype="debug", position=EditorPosition("web/router.ts", 1, 1))
        return "".join(
            each.content
            for each in context.components
            if each.type in (Section.RECENT, Section.PATTERN, Section.RELATION)
        )

    query = "what do I run after editing web/router.ts? fix no receipt"
    before = told(query)
    assert "After editing `web/router.ts`, run `node web/router.ts`" in before
    assert "TRACED" in before
    exclude(shop, "web/router.ts")
    exclude(shop, "shop/mail.py")
    after = told(query)
    assert "web/router.ts" not in after
    assert "shop/mail.py" not in after
    assert "TRACED" not in after
    assert "make test" in after


def test_a_word_that_is_also_the_name_of_an_excluded_folder_hides_nothing(shop: Engine) -> None:
    shop.record(
        NewEvent("shell_exec", {"command": "make shop", "exitCode": 1, "stdout": "the shop is closed\n"})
    )
    exclude(shop, "shop")
    content = ask(shop, 6000, "why did make shop fail?", archetype="debug").content
    assert "the shop is closed" in content
    assert "shop/" not in content


def test_exclusion_costs_no_place_among_what_is_found(shop: Engine) -> None:
    everything = [each.source for each in ask(shop).components if each.type is Section.SEMANTIC]
    exclude(shop, everything[0].rpartition(":")[0])
    (only,) = engine_best(shop, limit=1)
    assert only.partition(":")[0] != everything[0].partition(":")[0]
    assert shop.search(QUERY, 50).hits[0].path in SHOP, "a search is no prompt and stays complete"


def engine_best(engine: Engine, limit: int) -> list[str]:
    context = ask(engine, strategy_overrides={"maxChunks": limit})
    return [each.source for each in context.components if each.type is Section.SEMANTIC]


def test_an_answer_of_a_moment_ago_does_not_outlive_an_exclusion_or_a_pin(shop: Engine) -> None:
    first = ask(shop)
    assert MARKS["shop/cart.py"] in first.content
    assert ask(shop).report.cached
    exclude(shop, "shop/cart.py")
    context = ask(shop)
    assert not context.report.cached
    assert MARKS["shop/cart.py"] not in context.content
    pin(shop, "web/router.ts", 0.95)
    assert sources(pinned(ask(shop))) == ["web/router.ts"]


def test_an_update_shows_nothing_that_was_excluded_meanwhile(shop: Engine) -> None:
    pin(shop, "shop/mail.py")
    first = ask(shop)
    exclude(shop, "shop/cart.py")
    exclude(shop, "shop/mail.py")
    updated = shop.update(first.id, NewEvent("note", {"text": "go on"}))
    for path in ("shop/cart.py", "shop/mail.py"):
        assert MARKS[path] not in updated.content
        assert not any(path in each.source for each in updated.components)
    named = shop.update(updated.id, NewEvent("file_write", {"path": "shop/cart.py"}))
    assert "shop/cart.py" not in named.content
    assert any("excluded" in warning for warning in named.report.warnings)
    shown = shop.update(
        updated.id,
        NewEvent("shell_exec", {"command": "cat shop/cart.py", "exitCode": 0, "stdout": "ABOUTTOBUY"}),
    )
    assert "ABOUTTOBUY" not in shown.content


def test_sources_named_in_order_are_read_first(shop: Engine) -> None:
    before = ask(shop)
    code = [each.source for each in before.components if each.type is Section.SEMANTIC]
    assert len(code) > 2
    wanted = [code[-1], code[0]]
    after = ask(shop, order=tuple(wanted))
    now = [each.source for each in after.components if each.type is Section.SEMANTIC]
    assert now == [*wanted, *(source for source in code if source not in wanted)]
    assert not after.report.cached
    assert after.token_count <= 4000
    part = f"{code[-1].rpartition(':')[0]}:1-2"
    assert ask(shop, order=(part,)).components[0].type in (Section.RECENT, Section.SEMANTIC)
    pin(shop, "shop/mail.py", 0.9)
    pin(shop, "README.md", 0.5)
    assert sources(pinned(ask(shop, order=("README.md",)))) == ["README.md", "shop/mail.py"]
    updated = shop.update(ask(shop, order=("README.md",)).id, NewEvent("note", {"text": "go on"}))
    assert sources(pinned(updated)) == ["README.md", "shop/mail.py"]


entries = st.lists(
    st.fixed_dictionaries(
        {"path": st.sampled_from([*MARKS, *SYMBOLS, "shop/", "notes/", "private/plan.md", "../x"])},
        optional={
            "priority": st.floats(0, 1).map(lambda value: round(value, 2)),
            "truncate_strategy": st.sampled_from(tuple(TruncateStrategy)),
            "max_lines": st.integers(1, 300),
            "role": st.sampled_from(("system", "developer", "user", "context")),
        },
    ),
    max_size=6,
    unique_by=lambda entry: entry["path"],
)
excluded = st.lists(st.sampled_from([*MARKS, *SYMBOLS, "shop", "notes"]), max_size=4, unique=True)


def written(files: list[dict[str, Any]], out: list[str]) -> str:
    pins = "".join(
        "  - {"
        + ", ".join(
            f'{key}: "{value}"' if isinstance(value, str) else f"{key}: {value}"
            for key, value in each.items()
        )
        + "}\n"
        for each in files
    )
    return f"files:\n{pins}exclude:\n" + "".join(f'  - "{path}"\n' for path in out)


@given(
    files=entries,
    out=excluded,
    budget=st.integers(MIN_TOKENS, 3000),
    query=st.sampled_from((QUERY, "fix the failing test", "what are my changes?", "what does this do?")),
    archetype=st.sampled_from(("code", "debug", "explain")),
    extra=st.sampled_from((None, "some words " * 40)),
    order=st.lists(
        st.sampled_from([*MARKS, *SYMBOLS, "shop/cart.py:1-3", "README.md:1-9", "nothing"]), max_size=4
    ),
    changes=st.sampled_from((None, *Changes)),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_no_pins_break_the_budget_and_nothing_excluded_is_ever_shown(
    shop: Engine,
    files: list[dict[str, Any]],
    out: list[str],
    budget: int,
    query: str,
    archetype: str,
    extra: str | None,
    order: list[str],
    changes: Changes | None,
) -> None:
    manifest(shop, written(files, out))
    position = EditorPosition("shop/cart.py", 12, 12)
    fields = {"archetype": archetype, "additional_context": extra, "order": tuple(order), "changes": changes}
    context = ask(shop, budget, query, position=position, **fields)
    assert context.token_count <= budget
    assert get_tokenizer("o200k_base").count(context.content) == context.token_count
    assert "PRIVATEWORD" not in context.content
    for path, mark in MARKS.items():
        if path in out or path.partition("/")[0] in out:
            assert mark not in context.content, path
            told = [
                each
                for each in context.components
                if each.type not in (Section.SEMANTIC, Section.WORKING_SET)
            ]
            assert not any(path in each.content for each in told), path
            assert path != "shop/mail.py" or "TRACED" not in context.content
            assert not any(each.source.startswith(path) for each in context.components)
    for symbol, mark in SYMBOLS.items():
        if symbol in out:
            shown = [
                each.content
                for each in context.components
                if each.type is not Section.RECENT or "diff" in each.content
            ]
            assert not any(mark in text for text in shown), symbol
            inside = (f"{symbol}.", f"{symbol} ")
            assert not any(
                each.source == symbol or each.source.startswith(inside) for each in context.components
            )
    assert set(sources(pinned(context))) <= {*MARKS, *SYMBOLS, "notes/secret.md"}
    lines = [
        line
        for each in context.components
        if each.type in (Section.WORKING_SET, Section.SEMANTIC)
        for line in set(each.content.splitlines())
    ]
    walked = [line for line in lines if "walk number" in line]
    assert len(walked) == len(set(walked)), "no line of code is there twice"
