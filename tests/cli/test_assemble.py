from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from ..repositories import git
from .conftest import Run, record_run


def test_assemble_prints_the_prompt_and_nothing_else(contextls: Run, shared_workspace: Path) -> None:
    done = contextls("assemble", "how is kelvin converted?", shared_workspace, "--budget", "1000", check=0)
    assert "celsius_from_kelvin" in done.stdout
    assert "of 1,000 tokens" in done.stderr
    assert "chunk" in done.stderr
    as_json = contextls(
        "assemble", "how is kelvin converted?", shared_workspace, "--budget", "1000", "--json", check=0
    )
    context = json.loads(as_json.stdout)
    assert context["content"].rstrip("\n") == done.stdout.rstrip("\n")


def test_assemble_json_has_the_names_of_the_wire(inline: Run, shared_workspace: Path) -> None:
    done = inline(
        "assemble", "how is kelvin converted?", shared_workspace, "--json", "--budget", "500", check=0
    )
    context = json.loads(done.stdout)
    assert {"content", "components", "tokenCount", "truncated", "strategy", "metadata"} <= set(context)
    assert 0 < context["tokenCount"] <= 500
    assert {"type", "source", "content", "tokens", "relevanceScore", "compression", "why", "body"} <= set(
        context["components"][0]
    )
    assert context["metadata"]["query"] == "how is kelvin converted?"
    assert context["metadata"]["chunksSearched"] > 0


def test_assemble_repeats_nothing_of_the_messages_that_it_is_given(
    inline: Run, shared_workspace: Path, tmp_path: Path
) -> None:
    ask = ("assemble", "how is kelvin converted?", shared_workspace, "--budget", "1000")
    shown = inline(*ask, check=0).stdout
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": shown}, {"role": "assistant", "content": "So."}]))
    again = inline(*ask, "--history", chat, check=0).stdout
    assert "def celsius_from_kelvin" in shown
    assert "def celsius_from_kelvin" not in again
    assert "`celsius_from_kelvin`: shown in turn 1, unchanged" in again


def test_assemble_tells_the_commits_of_this_moment(inline: Run, workspace: Path) -> None:
    """However long ago the history was read, and whatever became of it since."""

    def commit(text: str, *options: str) -> None:
        (workspace / "app/mail.py").write_text(f"SAID = {text!r}\n")
        git(workspace, "add", ".")
        git(workspace, "commit", "-qm", text, *options)

    def told() -> str:
        (workspace / "app/mail.py").write_text("SAID = 'not yet'\n")
        return inline("assemble", "write a commit message", workspace, check=0).stdout

    git(workspace, "init", "-q", "-b", "main")
    commit("Begin")
    git(workspace, "switch", "-qc", "winter")
    commit("Sell in winter")
    inline("index", workspace)
    commit("Sell in the cold", "--amend")
    commit("Sell sledges")
    on_the_branch = told()
    assert on_the_branch.index("Sell sledges") < on_the_branch.index("Sell in the cold")
    assert "Sell in winter" not in on_the_branch
    git(workspace, "checkout", "-q", "--force", "main")
    assert "Begin" in (on_main := told())
    assert "Sell" not in on_main


def test_assemble_tells_the_last_commits(inline: Run, workspace: Path) -> None:
    git(workspace, "init", "-q", "-b", "main")
    git(workspace, "add", ".")
    git(workspace, "commit", "-qm", "Sell sledges")
    answer = inline("assemble", "what did we commit recently?", workspace, check=0)
    assert "Sell sledges" in answer.stdout
    assert "Nothing" not in answer.stdout
    assert "confidence 0.00" not in answer.stderr


def test_assemble_says_how_sure_it_is(inline: Run, shared_workspace: Path) -> None:
    sure = inline("assemble", "how is kelvin converted to celsius?", shared_workspace, check=0).stderr
    unsure = inline("assemble", "asdkjh qwoeiu zmxncb", shared_workspace, check=0)
    assert float(sure.partition("confidence ")[2].partition(",")[0]) > 0.5
    assert "confidence 0.00," in unsure.stderr
    assert "Nothing in this workspace mentions `asdkjh`, `qwoeiu` or `zmxncb`." in unsure.stdout


def test_assemble_knows_where_the_user_is(inline: Run, shared_workspace: Path) -> None:
    for given, cwd in (("app/mail.py", shared_workspace), ("mail.py", shared_workspace / "app")):
        done = inline(
            "assemble",
            "what does this do?",
            shared_workspace,
            "--file",
            given,
            "--line",
            "7",
            "--json",
            cwd=cwd,
            check=0,
        )
        assert any(item["source"].startswith("app/mail.py") for item in json.loads(done.stdout)["components"])


def test_assemble_says_why_the_file_in_front_does_not_enter(inline: Run, workspace: Path) -> None:
    (workspace / ".gitignore").write_text("drafts/\n")
    (workspace / "drafts").mkdir()
    (workspace / "drafts/mail.py").write_text("def send_draft(): ...\n")
    (workspace / "app/logo.py").write_bytes(b"\0\1\2\3")
    ask = ("assemble", "what does this do?", workspace, "--file")
    ignored = inline(*ask, "drafts/mail.py", check=0)
    assert "send_draft" not in ignored.stdout
    assert "warning: drafts/mail.py: its folder `drafts/` is left out by git's ignore rules" in ignored.stderr
    assert "warning: app/logo.py: left out as binary" in inline(*ask, "app/logo.py").stderr
    assert "warning" not in inline(*ask, "app/mail.py", check=0).stderr


def test_assemble_looks_for_other_words_as_well(inline: Run, shared_workspace: Path) -> None:
    asked = (
        "assemble",
        "how warm is it?",
        shared_workspace,
        "--other-words",
        "thermodynamic kelvin",
        "--json",
    )
    context = json.loads(inline(*asked, check=0).stdout)
    (piece,) = (each for each in context["components"] if each["path"] == "app/temperature.py")
    assert "kelvin" in piece["why"]


def test_assemble_leads_with_the_changes_asked_for(inline: Run, workspace: Path) -> None:
    git(workspace, "init", "--quiet")
    git(workspace, "add", "app/temperature.py")
    review = ("assemble", "review my changes", workspace, "--changes")
    staged = inline(*review, "staged", check=0).stdout
    assert "app/temperature.py" in staged
    assert "app/mail.py:1-" not in staged.partition("## Relevant Content")[0]
    assert "app/mail.py:1-" in inline(*review, "all", check=0).stdout.partition("## Relevant Content")[0]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--budget", "-5"], "--budget"),
        (["--budget", "0"], "--budget"),
        (["--archetype", "poem"], "--archetype"),
        (["--tokenizer", "p50k_base"], "--tokenizer"),
        (["--file", "/etc/hostname"], "--file"),
        (["--file", "app/nowhere.py"], "--file: expected a file of the workspace (no such file)"),
        (["--file", "app"], "--file: expected a file of the workspace (this is a folder)"),
        (["--changes", "nowhere"], "--changes"),
    ],
    ids=" ".join,
)
def test_bad_requests_name_the_option(
    inline: Run, shared_workspace: Path, options: list[str], named: str
) -> None:
    done = inline("assemble", "kelvin", shared_workspace, *options)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert named in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_tokenizer_that_is_not_public_is_labelled(inline: Run, shared_workspace: Path) -> None:
    done = inline(
        *("assemble", "kelvin", shared_workspace, "--tokenizer", "some-private-model", "--budget", "300"),
        check=0,
    )
    assert "of 300 tokens (estimate)" in done.stderr
    exact = inline("assemble", "kelvin", shared_workspace, "--tokenizer", "gpt-4", check=0)
    assert "tokens (cl100k_base)" in exact.stderr


def test_an_empty_query_is_wrong_usage(inline: Run, shared_workspace: Path) -> None:
    done = inline("assemble", "", shared_workspace)
    assert done.returncode == 2
    assert "QUERY" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", ["assemble", "search"])
def test_a_question_may_come_from_a_pipe(contextls: Run, shared_workspace: Path, command: str) -> None:
    trace = 'Traceback:\n  File "app/temperature.py", line 6, in celsius_from_kelvin\nTypeError: bad kelvin\n'
    piped = contextls(command, "-", shared_workspace, stdin=trace, check=0)
    assert "return kelvin - 273.15" in piped.stdout
    if command == "assemble":
        coloured = contextls(command, "-", shared_workspace, stdin=f"\x1b[31m{trace}\x1b[0m", check=0)
        assert coloured.stdout == piped.stdout
    empty = contextls(command, "-", shared_workspace, stdin="", check=2)
    assert "QUERY" in empty.stderr


@pytest.mark.parametrize("command", ["assemble", "search"])
def test_a_question_that_is_too_long_is_refused_at_once(
    inline: Run, shared_workspace: Path, command: str
) -> None:
    done = inline(command, "x" * 100_001, shared_workspace, check=2)
    assert done.stderr.startswith("contextls: QUERY: expected at most 100,000 characters")
    assert "additionalContext" not in done.stderr, "that is no option of the command"


CHAT = json.dumps(
    {
        "messages": [
            {"role": "system", "content": "left out"},
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "Hello!"},
        ]
    }
)
ASK = ("assemble", "how is kelvin converted?")


def test_messages_are_printed_each_under_its_role(inline: Run, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text(CHAT)
    (workspace / "AGENTS.md").write_text("Say please.\n")
    chat = (*ASK, workspace, "--shape", "messages", "--model", "gpt-4o", "--history", tmp_path / "chat.json")
    done = inline(*chat, "--trust", check=0)
    roles = [line for line in done.stdout.splitlines() if line in ("[system]", "[user]", "[assistant]")]
    assert roles == ["[system]", "[user]", "[assistant]", "[user]"]
    assert "Say please." in done.stdout
    assert "left out" not in done.stdout
    assert done.stdout.rstrip().endswith("how is kelvin converted?")
    assert "of 112,000 tokens" in done.stderr
    distrusted = inline(*chat, check=0)
    assert "Say please." not in distrusted.stdout
    assert "is not trusted: AGENTS.md was not read" in distrusted.stderr


def test_a_document_goes_on_where_the_buffer_ends(contextls: Run, shared_workspace: Path) -> None:
    done = contextls(
        *ASK,
        shared_workspace,
        "--shape",
        "document",
        "--buffer",
        "-",
        stdin="zero = celsius_from_kelvin(",
        check=0,
    )
    assert done.stdout.rstrip("\n").endswith("zero = celsius_from_kelvin(")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--shape", "messages", "--role", "worker"), "--task: expected what the worker is to do"),
        (("--shape", "messages", "--history", "nowhere.json"), "--history: expected a file that can be read"),
    ],
)
def test_a_turn_that_cannot_be_is_refused(
    inline: Run, shared_workspace: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    assert complaint in inline(*ASK, shared_workspace, *arguments, check=2).stderr


@pytest.mark.parametrize(
    "chat", ['{"messages": 1}', '[{"role": "robot", "content": ""}]', '[{"role": "user"}]', "{"]
)
def test_a_history_that_is_none_is_refused(
    inline: Run, shared_workspace: Path, tmp_path: Path, chat: str
) -> None:
    (tmp_path / "chat.json").write_text(chat)
    done = inline(*ASK, shared_workspace, "--shape", "messages", "--history", tmp_path / "chat.json", check=2)
    assert "--history" in done.stderr


def test_a_history_may_hold_calls_of_tools_as_programs_write_them(
    inline: Run, shared_workspace: Path, tmp_path: Path
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"path": "app"}'}}
    chat = [
        {"role": "developer", "content": "left out"},
        {"role": "user", "content": [{"type": "text", "text": "what is there?"}, {"type": "image_url"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "temperature.py"},
        {"role": "tool", "tool_call_id": "c9", "content": "the answer to no call"},
    ]
    (tmp_path / "chat.json").write_text(json.dumps(chat))
    ask = (*ASK, shared_workspace, "--shape", "messages", "--history", tmp_path / "chat.json")
    history = json.loads(inline(*ask, "--json", check=0).stdout)["history"]
    assert [(one["role"], one["content"]) for one in history] == [
        ("user", "what is there?\n\n[image_url]"),
        ("assistant", ""),
        ("tool", "temperature.py"),
    ]
    assert history[1]["toolCalls"] == [{"id": "c1", "name": "ls", "arguments": '{"path": "app"}'}]
    assert history[2]["toolCallId"] == "c1"
    explained = inline(*ask, "--explain", check=0).stdout.splitlines()
    assert any("history[3]" in line and "out: the call that it answers" in line for line in explained)


def test_assemble_prints_tags_by_role(inline: Run, workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("Say please.\n")
    inline("pin", "app/mail.py", workspace, "--role", "developer", check=0)
    ask = (*ASK, workspace, "--shape", "tagged")
    trusted = inline(*ask, "--trust", check=0).stdout
    assert trusted.startswith("Root: `workspace`\nConstitution: `AGENTS.md` (checksum: ")
    assert '<system path="AGENTS.md">\nSay please.\n</system>' in trusted
    assert '<developer path="app/mail.py" lines="1-9">' in trusted
    assert trusted.rstrip().endswith("</user>")
    other = inline(*ask, check=0)
    assert "Say please." not in other.stdout
    assert '<context path="app/mail.py" lines="1-9">' in other.stdout
    assert "as developer text only in a trusted folder" in other.stderr


@pytest.mark.parametrize("shape", ["markdown", "tagged", "messages", "document"])
def test_the_account_of_a_prompt_is_yaml_or_json(inline: Run, shared_workspace: Path, shape: str) -> None:
    ask = (*ASK, shared_workspace, "--shape", shape, "--budget", "200", "--report")
    account = yaml.safe_load(inline(*ask, "yaml", check=0).stdout)["assembly_report"]
    assert account["budget"]["used"] + account["budget"]["remaining"] == account["budget"]["max"]
    assert any(part["path"].startswith("app/temperature.py") for part in account["included"])
    assert json.loads(inline(*ask, "json", check=0).stdout)["budget"] == account["budget"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--report", "xml"), "--report"),
        (("--report", "yaml", "--json"), "--json"),
        (("--report", "yaml", "--copy"), "--copy"),
    ],
)
def test_one_thing_is_printed_instead_of_the_prompt(
    inline: Run, shared_workspace: Path, options: tuple[str, ...], complaint: str
) -> None:
    assert complaint in inline(*ASK, shared_workspace, *options, check=2).stderr


def test_explain_shows_what_is_in_a_prompt_and_what_is_not(inline: Run, workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("Say please.\n")
    done = inline(
        *ASK, workspace, "--shape", "messages", "--model", "gpt-4o", "--budget", "150", "--explain", check=0
    )
    lines = done.stdout.splitlines()
    assert "for gpt-4o (o200k_base)" in lines[0]
    assert "█" in lines[1] or "▏" in lines[1]
    assert any(line.startswith("memory  ") for line in lines)
    assert any("app/temperature.py" in line and "█" in line for line in lines)
    assert any("AGENTS.md" in line and "out: the folder is not trusted" in line for line in lines)
    assert max(map(len, lines)) <= 120
    plain = inline(*ASK, workspace, "--budget", "150", "--explain", check=0).stdout
    assert "of 150 tokens (o200k_base)" in plain.splitlines()[0]


def test_a_stored_conversation_goes_before_the_message(inline: Run, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text(CHAT)
    chat = inline("chat", "import", tmp_path / "chat.json", "--root", workspace, check=0).stdout.split()[0]
    done = inline(
        *ASK, workspace, "--shape", "messages", "--conversation", chat, "--model", "gpt-4o", check=0
    )
    assert "[assistant]\nHello!" in done.stdout
    for name in ("chat-99", "nosuch"):
        gone = inline(*ASK, workspace, "--conversation", name, check=2)
        assert "contextls: --conversation: expected the id of a conversation" in gone.stderr
    both = inline(*ASK, workspace, "--conversation", chat, "--history", tmp_path / "chat.json", check=2)
    assert "either this or --conversation" in both.stderr


def test_a_name_that_hides_something_is_shown_as_it_is(inline: Run, workspace: Path) -> None:
    (workspace / "app/safe\u202egnp.py").write_text("def zebra():\n    return 'zebra'\n")
    asked = inline("assemble", "where is the zebra?", workspace, check=0).stdout
    assert "### `app/safe\\u202egnp.py:1-2` `zebra`" in asked
    packed = inline("pack", "app", cwd=workspace, check=0).stdout
    assert "## `app/safe\\u202egnp.py`" in packed
    assert "\u202e" not in asked + packed


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ("--role", "manager"),
            "--role has no effect in the shape markdown, only with --shape messages or document",
        ),
        (
            ("--buffer", "nowhere.txt"),
            "--buffer has no effect in the shape markdown, only with --shape document",
        ),
        (
            ("--trust",),
            "--trust has no effect in the shape markdown, only with --shape messages, document or tagged",
        ),
        (("--shape", "tagged", "--inject", "system"), "--inject has no effect in the shape tagged"),
        (("--shape", "messages", "--dependencies"), "--dependencies has no effect in the shape messages"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_option_that_counts_for_nothing_is_told(
    inline: Run, shared_workspace: Path, options: tuple[str, ...], told: str
) -> None:
    done = inline(*ASK, shared_workspace, *options, check=0)
    assert "celsius_from_kelvin" in done.stdout
    assert f"warning: {told}" in done.stderr


def test_a_question_that_points_nowhere_says_so_in_several_workspaces_too(
    inline: Run, shared_workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "other.py").write_text("def other(): pass\n")
    both = ("assemble", "explain this function", shared_workspace, "--with-root", tmp_path)
    assert "no cursor, selection or file came with it" in inline(*both, check=0).stdout
    asked = inline(*both, "--file", shared_workspace / "app/mail.py", "--line", "7", check=0).stdout
    assert "def deliver(" in asked
    assert "no cursor, selection or file came with it" not in asked


def test_a_model_may_be_named_for_one_text_too(inline: Run, shared_workspace: Path, tmp_path: Path) -> None:
    done = inline(*ASK, shared_workspace, "--model", "claude-sonnet-4", check=0)
    assert "tokens (estimate)" in done.stderr, "its tokenizer is not public"
    together = inline(*ASK, shared_workspace, "--model", "claude-sonnet-4", "--with-root", tmp_path, check=0)
    assert "tokens (estimate)" in together.stderr


@pytest.mark.parametrize("question", ["what did I change?", "write a commit message", "review my changes"])
def test_a_repository_that_git_cannot_read_is_not_said_to_have_no_changes(
    inline: Run, tmp_path: Path, question: str
) -> None:
    (tmp_path / "greet.py").write_text("GREETING = 'Hello'\n")
    assert "warning" not in inline("assemble", question, tmp_path, check=0).stderr
    git(tmp_path, "init", "-q")
    assert "warning" not in inline("assemble", question, tmp_path, check=0).stderr
    (tmp_path / ".git/HEAD").write_text("damaged\n")
    assert "is not inside a git repository that can be read" in inline("assemble", question, tmp_path).stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("merge", "A merge is under way; git has prepared the message `Merge branch 'side'`."),
        ("rebase", "A rebase of `main` is under way; git has prepared the message `Say it louder`."),
        ("cherry-pick", "A cherry-pick is under way; git has prepared the message `Say it kindly`."),
        ("am", "A patch application is under way; git has prepared the message `Say it kindly`."),
    ],
)
def test_a_commit_message_in_a_conflict_is_the_one_that_git_waits_for(
    inline: Run, tmp_path: Path, command: str, told: str
) -> None:
    for branch, subject in (("main", "Begin"), ("side", "Say it kindly"), ("main", "Say it louder")):
        git(tmp_path, *(("init", "-q") if subject == "Begin" else ("checkout", "-q", "-B", branch, "base")))
        (tmp_path / "greet.py").write_text(f"GREETING = {subject!r}\n")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", subject)
        if subject == "Begin":
            git(tmp_path, "branch", "base")
    if command == "am":
        git(tmp_path, "format-patch", "-o", ".git", "base..side")
    what = ("-3", ".git/0001-Say-it-kindly.patch") if command == "am" else ("side",)
    git(tmp_path, command, *what, check=False)
    for question in (
        "write a commit message",
        "what did I change?",
        "continue where I left off",
        "fix the conflict",
    ):
        prompt = inline("assemble", question, tmp_path, check=0).stdout
        assert f"{told} `greet.py` is in conflict and not staged.\n" in prompt
    assert "+<<<<<<< " in prompt
    (tmp_path / "greet.py").write_text("GREETING = 'Say it'\n")
    git(tmp_path, "add", ".")
    prompt = inline("assemble", "write a commit message", tmp_path, check=0).stdout
    assert f"{told}\n" in prompt
    git(tmp_path, command, "--abort")
    assert "under way" not in inline("assemble", "write a commit message", tmp_path, check=0).stdout


def commit(root: Path, text: str, subject: str) -> None:
    (root / "greet.py").write_text(text)
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", subject)


def test_in_the_middle_of_several_steps_the_one_at_hand_is_told(inline: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "GREETING = 'Hello'\n", "Begin")
    git(tmp_path, "checkout", "-q", "-b", "side")
    (tmp_path / "other.py").write_text("OTHER = 1\n")
    commit(tmp_path, "GREETING = 'Hello'\n", "Add another")
    commit(tmp_path, "GREETING = 'Hi'\n", "Say it shortly")
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, "GREETING = 'Good day'\n", "Say it kindly")
    git(tmp_path, "rebase", "main", "side", check=False)
    prompt = inline("assemble", "what am I in the middle of?", tmp_path, check=0).stdout
    told = "A rebase of `side` is under way, step 2 of 2; git has prepared the message `Say it shortly`."
    assert f"{told} `greet.py` is in conflict and not staged.\n" in prompt
    assert "+GREETING = 'Hi'" in prompt


def test_what_a_stash_left_in_conflict_is_told(inline: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, "GREETING = 'Hello'\n", "Begin")
    (tmp_path / "greet.py").write_text("GREETING = 'Hi'\n")
    git(tmp_path, "stash")
    commit(tmp_path, "GREETING = 'Good day'\n", "Say it kindly")
    git(tmp_path, "stash", "pop", check=False)
    for question in ("what am I in the middle of?", "resolve the conflict"):
        prompt = inline("assemble", question, tmp_path, check=0).stdout
        assert "`greet.py` is in conflict and not staged." in prompt
        assert "under way" not in prompt
        assert "+GREETING = 'Hi'" in prompt


def test_in_a_bisect_what_was_found_so_far_is_told(inline: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    for number in range(5):
        commit(tmp_path, f"GREETING = {number}\n", f"Say {number}")
    git(tmp_path, "bisect", "start", "HEAD", "HEAD~4")
    prompt = inline("assemble", "what am I in the middle of?", tmp_path, check=0).stdout
    assert re.search(
        r"A bisect of `main` is under way; bad: `[0-9a-f]{7} Say 4`; good: `[0-9a-f]{7} Say 0`\.", prompt
    )
    git(tmp_path, "bisect", "reset")
    assert "bisect" not in inline("assemble", "what am I in the middle of?", tmp_path, check=0).stdout


def test_what_a_build_tool_says_below_every_failure_takes_no_room(inline: Run, tmp_path: Path) -> None:
    captured = Path(__file__).parents[1] / "memory/activity/captured/surefire_junit5.txt"
    test = tmp_path / "src/test/java/shop/CartTest.java"
    test.parent.mkdir(parents=True)
    test.write_text("package shop;\n" * 12)
    record_run(inline, tmp_path, "mvn test", 1, "--output-file", str(captured))
    prompt = inline("assemble", "fix the failing test", tmp_path, check=0).stdout
    assert "[ERROR]   CartTest.countsEveryPiece:10 expected: <600> but was: <300>" in prompt
    assert "[ERROR] Tests run: 1, Failures: 1" in prompt
    assert "Re-run Maven" not in prompt
    assert "[Help 1]" not in prompt


def test_what_a_package_manager_advertises_below_a_failure_takes_no_room(
    inline: Run, workspace: Path, tmp_path: Path
) -> None:
    printed = tmp_path / "printed.txt"
    printed.write_text(
        "FAIL src/cart.test.js\nnpm notice\nnpm notice New minor version of npm available! 11.1.0 -> 11.2.0\n"
        "[notice] A new release of pip is available: 24.0 -> 26.1\n"
    )
    record_run(inline, workspace, "npm test", 1, "--output-file", str(printed))
    prompt = inline("assemble", "fix the failing test", workspace, check=0).stdout
    assert "FAIL src/cart.test.js" in prompt
    assert "notice" not in prompt
