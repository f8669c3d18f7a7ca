"""Every tool against a real server, over the handshake of today's clients."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp.shared.exceptions import MCPError

from contextls.mcp.tools import TOOLS

from .session import Session

WRITING = {"task_push", "task_pop", "record_event", "update_working_set"}


def update(action: str, path: str, **fields: float) -> dict[str, Any]:
    return {"updates": [{"action": action, "path": path, "why": "it says what this is", **fields}]}


def listed(session: Session) -> dict[str, Any]:
    return {tool.name: tool for tool in session.run(session.client.list_tools).tools}


def test_every_tool_is_listed_with_schemas_and_hints(session: Session) -> None:
    tools = listed(session)
    assert tools.keys() == TOOLS.keys()
    for tool in tools.values():
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert "$ref" not in json.dumps([tool.input_schema, tool.output_schema]), (
            "not every client follows them"
        )
        assert tool.annotations.read_only_hint is (tool.name not in WRITING)
        assert (tool.annotations.destructive_hint, tool.annotations.open_world_hint) == (False, False)


def test_a_context_holds_the_code_that_the_question_is_about(session: Session) -> None:
    result = session.tool("assemble_context", {"query": "how is the discount of a large order worked out?"})
    answer = result.structured_content
    assert "return total * 0.05 if total > 100 else 0.0" in answer["content"]
    assert any(piece["source"].startswith("shop/cart.py:") for piece in answer["pieces"])
    assert answer["indexComplete"] is True
    assert answer["content"].strip() in result.content[0].text, "clients show either one or the other"


def test_a_context_holds_the_code_that_has_other_words_for_it(session: Session) -> None:
    query = "who buys a lot, what do they save?"
    answer = session.call("assemble_context", query=query, otherWords=["rebate", "discount"])
    assert "return total * 0.05 if total > 100 else 0.0" in answer["content"]
    assert any("discount" in piece["why"] for piece in answer["pieces"])


def test_a_context_begins_with_what_the_user_looks_at(session: Session) -> None:
    answer = session.call("assemble_context", query="what does this do?", file="shop/invoice.py", line=7)
    assert "def invoice_total" in answer["content"]
    assert answer["pieces"][0]["source"].startswith("shop/invoice.py:")


def test_search_gives_code_with_its_place(session: Session) -> None:
    hit = session.call("search_code", query="put an article into the cart")["hits"][0]
    assert (hit["path"], hit["symbol"]) == ("shop/cart.py", "Cart")
    assert hit["startLine"] <= 7 <= hit["endLine"]
    assert "def add_article" in hit["text"]


def test_a_scope_limits_a_context_and_a_search_and_is_named(session: Session) -> None:
    query = "how is the discount of a large order worked out?"
    answer = session.call("assemble_context", query=query, scope=["README.md"])
    assert all(
        piece["source"].startswith("README.md") for piece in answer["pieces"] if ":" in piece["source"]
    )
    assert any(warning.startswith("scope: only README.md (") for warning in answer["warnings"])
    found = session.call("search_code", query=query, scope=["README.md"])
    assert {hit["path"] for hit in found["hits"]} <= {"README.md"}
    assert "scope: only README.md" in found["warnings"]


def test_an_entity_is_found_and_what_hangs_together_with_it(session: Session) -> None:
    entity = session.call("find_entity", query="discount_for")["entities"][0]
    assert (entity["path"], entity["line"], entity["type"]) == ("shop/cart.py", 12, "function")
    related = session.call("related", name=entity["id"])
    assert related["start"]["id"] == entity["id"]
    assert ("calls", "shop/invoice.py#invoice_total") in {
        (each["type"], each["source"]) for each in related["relations"]
    }


def test_tasks_and_failures_are_in_the_activity(session: Session) -> None:
    assert session.call("task_push", goal="pay by voucher")["current"] == "pay by voucher"
    stderr = "E   assert 4 == 5\ntests/test_cart.py:3: AssertionError"
    kept = session.call(
        "record_event", type="shell_exec", content={"command": "pytest", "exitCode": 1, "stderr": stderr}
    )
    activity = session.call("recent_activity", since="1h")
    assert activity["tasks"] == ["pay by voucher"]
    failure = next(each for each in activity["events"] if each["id"] == kept["id"])
    assert "pytest" in failure["text"]
    assert "assert 4 == 5" in failure["output"]
    done = session.call("task_pop", result="vouchers are a payment method")
    assert (done["goal"], done["status"], done["current"]) == ("pay by voucher", "complete", None)


def test_what_a_model_adds_leads_every_context_until_it_is_removed(session: Session) -> None:
    added = session.call("update_working_set", **update("add_to_working_set", "README.md", priority=1))
    assert (added["applied"], added["refused"]) == (True, [])
    assert added["pins"] == [
        {
            "target": "README.md",
            "priority": 1,
            "by": "model",
            "why": "it says what this is",
            "problem": None,
        }
    ]
    answer = session.call("assemble_context", query="where do articles go?")
    assert "A shop with a cart and invoices." in answer["content"]
    happened = session.call("recent_activity", types=["working_set"])["events"][0]
    assert "README.md" in happened["text"]
    assert "it says what this is" in happened["text"]
    removed = session.call("update_working_set", **update("remove_from_working_set", "README.md"))
    assert removed["pins"] == []
    again = session.call("update_working_set", **update("remove_from_working_set", "README.md"))
    assert again["applied"] is False
    assert again["refused"] == [{"path": "README.md", "reason": "is no entry of the working set"}]


def test_a_review_outside_of_git_says_so_and_shows_no_code(session: Session) -> None:
    answer = session.call("review_changes")
    assert answer["content"] == "## Recent Activity\n\nThere are no uncommitted changes to show."
    assert "git" in answer["warnings"][0]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("assemble_context", {}, "query: expected a string; it is missing"),
        ("assemble_context", {"query": 5}, "query: expected a string"),
        ("assemble_context", {"query": "x", "budget": 5}, "budget: expected one of the fields"),
        ("assemble_context", {"query": "x", "maxTokens": 10}, "maxTokens: expected a whole number"),
        ("assemble_context", {"query": "x", "cursor": "nonsense"}, "cursor: expected the nextCursor"),
        ("assemble_context", {"query": "x", "file": "../../etc/passwd"}, "file: expected a file inside"),
        ("assemble_context", {"query": "x", "line": 3}, "file: expected the file that line is in"),
        # The client's root: what the command line says comes before it.
        (
            "search_code",
            {"query": "x", "root": "elsewhere"},
            "root: expected one of the open workspace folders",
        ),
        ("search_code", {"query": "x", "cursor": "-1"}, "cursor: expected"),
        ("search_code", {"query": "too long " * 20_000}, "query: expected at most 100,000 characters"),
        (
            "assemble_context",
            {"query": "too long " * 20_000},
            "query: expected at most 100,000 characters, got",
        ),
        ("assemble_context", {"query": "x", "scope": ["nowhere"]}, "scope: expected a folder"),
        ("review_changes", {"changes": "\0"}, "changes: expected staged, unstaged, all, or a branch"),
        ("pack_files", {"changed": "\0"}, "changed: expected a branch, a tag or a commit"),
        ("recent_activity", {"since": "yesterday"}, "since: expected a number and s, m, h, d or w"),
        ("recent_activity", {"cursor": "0"}, "cursor: expected"),
        ("related", {"name": "no_such_thing_anywhere"}, "name: expected something that the workspace knows"),
        ("task_pop", {}, "task: expected an active task, and there is none; push one first"),
        ("record_event", {"type": "shell_exec"}, "content.command"),
        (
            "record_event",
            {"type": "file_read", "content": {"path": "../x"}},
            "content.path: expected a path inside",
        ),
        ("update_working_set", {"updates": []}, "updates: expected a list of 1 to 40 updates"),
        ("update_working_set", update("add_to_working_set", "/etc/passwd"), "updates[0].path: expected"),
        (
            "update_working_set",
            update("adjust_priority", "README.md", priority=2),
            "updates[0].priority: expected a number from 0 to 1",
        ),
        ("update_working_set", update("adjust_priority", "README.md"), "updates[0].priority"),
    ],
)
def test_what_is_wrong_is_an_answer_that_names_it(
    session: Session, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in session.fail(tool, **arguments)


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(session: Session) -> None:
    with pytest.raises(MCPError, match="no tool is called run_command; there are assemble_context, "):
        session.tool("run_command", {})


def test_no_ignored_file_and_no_secret_is_in_any_answer(session: Session) -> None:
    assert "THE_IGNORED_WORD" not in session.text("search_code", query="THE_IGNORED_WORD")
    assert session.call("record_event", type="file_read", content={"path": "private/notes.py"})["id"] is None
    said = session.text("search_code", query="SENDER_TOKEN of the mail")
    assert "SENDER_TOKEN" in said
    assert "ghp_" not in said
    assert "[redacted:" in said
    secret = update("add_to_working_set", "ghp_abcdefghijklmnopqrstuvwxyz0123456789")
    echoed = session.fail("update_working_set", **secret)
    assert "ghp_" not in echoed


def test_the_working_set_what_happened_and_an_entity_are_resources(session: Session) -> None:
    session.call("record_event", type="note", content={"text": "invoices are monthly"})
    listed_ones = {str(each.uri) for each in session.run(session.client.list_resources).resources}
    assert listed_ones == {"context://working-set", "context://activity"}
    read = session.client.read_resource
    assert json.loads(session.run(read, "context://working-set").contents[0].text)["excluded"] == []
    assert "invoices are monthly" in session.run(read, "context://activity").contents[0].text
    entity = json.loads(session.run(read, "context://entity/shop/cart.py%23discount_for").contents[0].text)
    assert entity["start"]["name"] == "discount_for"
    with pytest.raises(MCPError, match="uri: expected context://working-set, context://activity or"):
        session.run(read, "context://secrets")


def test_prompts_bring_their_context(session: Session) -> None:
    prompts = {each.name for each in session.run(session.client.list_prompts).prompts}
    assert prompts == {"fix", "explain", "review", "continue"}
    get = session.client.get_prompt
    explained = session.run(get, "explain", {"what": "discount_for"}).messages[0].content.text
    assert explained.startswith("Explain this to a developer who is new to the workspace: discount_for")
    assert "return total * 0.05" in explained
    with pytest.raises(MCPError, match=r"arguments\.what: expected a string; it is missing"):
        session.run(get, "explain")
    with pytest.raises(MCPError, match="name: expected one of fix, explain, review, continue"):
        session.run(get, "destroy")
    with pytest.raises(MCPError, match="changes: expected staged, unstaged, all, or a branch"):
        session.run(get, "review", {"changes": "some"})


def test_chosen_files_come_as_one_document(session: Session) -> None:
    answer = session.call("pack_files", paths=["shop/cart.py", "*.md"])
    assert "## `shop/cart.py`" in answer["content"]
    assert "return total * 0.05 if total > 100 else 0.0" in answer["content"]
    assert "## `README.md`" in answer["content"]
    assert "shop/invoice.py" not in answer["content"]
    assert session.text("pack_files", paths=["shop/cart.py"]).startswith("# Files\n")


def test_what_does_not_fit_one_answer_becomes_a_skeleton_or_a_name(session: Session) -> None:
    answer = session.call("pack_files", maxTokens=2_000)
    assert "(skeleton)" in answer["content"]
    assert "(name only, " in answer["content"]
    assert answer["nextCursor"] is None


def test_packed_files_hold_nothing_ignored_and_no_secret(session: Session) -> None:
    text = json.dumps(session.call("pack_files", paths=["shop/mail.py", "private/notes.py", ".gitignore"]))
    assert "THE_IGNORED_WORD" not in text
    assert "ghp_" not in text
    assert "private/notes.py: left out; ignored by git" in text


def test_a_path_that_is_not_there_is_named(session: Session) -> None:
    assert "paths: expected a file, a folder or a pattern" in session.fail("pack_files", paths=["nowhere.py"])
    assert "cursor" in session.fail("pack_files", cursor="1-400-0123456789abcdef")
    assert "begin again" in session.fail("pack_files", allPages=True, cursor="1-400-0123456789abcdef")


def test_a_question_with_a_secret_is_read_without_it(session: Session) -> None:
    secret = "Discuont7" + "Artikcle9Xq"
    said = session.tool("assemble_context", {"query": f'why is the cart empty with password = "{secret}"'})
    assert "class Cart" in said.content[0].text
    assert secret not in str(said)
    assert "Note: read" not in said.content[0].text
