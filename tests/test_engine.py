"""One engine from a user's side: unsaved text, and what must never leave the machine's ignored and secret places."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from contextls.cli.arguments import read_query
from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import MAX_QUERY_CHARS, AssembleRequest, EditorPosition, Filters, NewEvent, Outcome
from contextls.settings import Settings
from contextls.store.locations import Locations

from .memory.workspaces import SHOP, age, found, locations, opened, texts, write

# Formats of real keys, made up for this test; none was ever issued.
AWS_KEY = "AKIA" + "Q3EXVN7ZTB5WLM2R"
GITHUB_TOKEN = "ghp_" + "a8Kd93jfLs02mQpZx7Rt41VbNc65YwEg0uHi"
KEY_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
PRIVATE_KEY = f"-----BEGIN PRIVATE KEY-----\n{KEY_BODY}\n{KEY_BODY[::-1]}\n-----END PRIVATE KEY-----\n"
PASSWORD = "-".join(["tr0ub4dor&3", "zx9"])
SECRETS = (AWS_KEY, GITHUB_TOKEN, KEY_BODY, KEY_BODY[::-1], PASSWORD)
IGNORED = "hush_hush_marker"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = write(tmp_path / "shop", SHOP)
    age(root)
    return root


def test_a_cache_for_this_process_alone_goes_where_opening_fails(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = replace(locations(shop), cache=tmp_path / "temporary", is_temporary=True)
    temporary.create()
    monkeypatch.setattr(Locations, "create_writable", lambda _: temporary)
    with pytest.raises(InvalidRequestError, match="summarizer"):
        Engine.open(shop, Settings(summarizer_model="gists"))
    assert not temporary.cache.exists()


def stored_bytes(root: Path) -> bytes:
    """Every byte that is kept of a workspace."""
    places = locations(root)
    files = [path for place in (places.state, places.cache) for path in place.rglob("*") if path.is_file()]
    assert files
    return b"".join(path.read_bytes() for path in files)


def prompt(engine: Engine, query: str, **fields: Any) -> str:  # noqa: ANN401 - fields of AssembleRequest
    context = engine.assemble(AssembleRequest(query, max_tokens=8000, **fields))
    assert context.report.warnings == ()
    return context.content + "".join(component.content for component in context.components)


def test_unsaved_text_wins_until_it_is_closed(shop: Path) -> None:
    with opened(shop) as engine:
        engine.set_overlay("shop/prices.py", "def surcharge(price):\n    return price + 1\n")
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        assert "discounted" not in texts(engine, "shop/prices.py")
        assert "def surcharge" in prompt(engine, "how does the surcharge change a price?")
        engine.set_overlay("shop/prices.py", "def rebate(price):\n    return price - 1\n")
        assert "def rebate" in prompt(engine, "rebate of a price")
        assert "def surcharge" not in prompt(engine, "rebate of a price")
        engine.set_overlay("shop/prices.py", None)
        assert found(engine, "discounted")[0] == "shop/prices.py"
        assert "rebate" not in texts(engine, "shop/prices.py")


def test_unsaved_text_survives_an_index_run_and_is_never_stored(shop: Path) -> None:
    with opened(shop) as engine:
        engine.set_overlay("shop/prices.py", "def only_in_the_editor():\n    return 1\n")
        assert found(engine, "only_in_the_editor") == ["shop/prices.py"]
        write(shop, {"shop/prices.py": "def only_on_disk():\n    return 1\n"})
        engine.index()
        engine.update_files(["shop/prices.py"])
        assert "only_in_the_editor" in texts(engine, "shop/prices.py")
        assert "only_on_disk" not in texts(engine, "shop/prices.py")
        engine.set_overlay("shop/prices.py", None)
        assert "only_on_disk" in texts(engine, "shop/prices.py")
    assert b"only_in_the_editor" not in stored_bytes(shop)


def test_saving_an_overlay_leaves_its_file_in_the_results_once(shop: Path) -> None:
    text = "def surcharge(price):\n    return price + 1\n"
    with opened(shop) as engine:
        engine.set_overlay("shop/prices.py", text)
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        write(shop, {"shop/prices.py": text})
        engine.update_files(["shop/prices.py"])
        assert found(engine, "surcharge").count("shop/prices.py") == 1
        engine.set_overlay("shop/prices.py", None)
        assert found(engine, "surcharge")[0] == "shop/prices.py"
    with opened(shop, index=False) as engine:
        assert found(engine, "surcharge")[0] == "shop/prices.py"


def test_a_new_unsaved_file_comes_and_goes(shop: Path) -> None:
    with opened(shop) as engine:
        engine.set_overlay("shop/draft.py", "def drafted():\n    return 1\n")
        assert found(engine, "drafted")[0] == "shop/draft.py"
        engine.index()
        assert found(engine, "drafted")[0] == "shop/draft.py"
        engine.set_overlay("shop/draft.py", None)
        assert "shop/draft.py" not in found(engine, "drafted")


def test_unsaved_text_of_ignored_files_is_refused(shop: Path) -> None:
    write(shop, {".gitignore": "private/\n"})
    with opened(shop) as engine:
        for path in ("private/notes.py", ".env", "../outside.py", "/etc/hostname", ""):
            engine.set_overlay(path, f"{IGNORED} = 1\n")
        engine.set_overlay("shop/cart.py", f"def {IGNORED}():\n    return 1\n")
        assert found(engine, IGNORED) == ["shop/cart.py"]
        write(shop, {".gitignore": "private/\ncart.py\n"})
        engine.index()
        assert IGNORED not in prompt(engine, "cart")
        assert found(engine, IGNORED) == [], "ignored after it was opened"


def test_questions_side_by_side_all_see_the_unsaved_text(shop: Path) -> None:
    with opened(shop) as engine:
        for number in range(5):
            name = f"number_{number}"
            engine.set_overlay("shop/prices.py", f"def {name}():\n    return 1\n")
            with ThreadPoolExecutor(4) as threads:
                answers = [threads.submit(found, engine, name) for _ in range(4)]
            assert {answer.result()[0] for answer in answers} == {"shop/prices.py"}
            assert name in texts(engine, "shop/prices.py")


def test_secrets_in_files_are_nowhere(shop: Path) -> None:
    write(
        shop,
        {
            "shop/deploy.py": (
                f'AWS_ACCESS_KEY_ID = "{AWS_KEY}"\n\n\ndef deploy_to_cloud():\n'
                f'    """Deploys with {GITHUB_TOKEN}."""\n    key = """{PRIVATE_KEY}"""\n'
                f'    password = "{PASSWORD}"\n    return upload(key, password)\n'
            ),
            "docs/setup.md": f"# Deploy to cloud {AWS_KEY}\n\n```\nexport GITHUB_TOKEN={GITHUB_TOKEN}\n```\n",
        },
    )
    with opened(shop) as engine:
        shown = "".join(
            hit.text + hit.symbol for hit in engine.search("deploy to cloud key password", 100).hits
        )
        assert "def deploy_to_cloud" in shown
        assert "[redacted:" in shown
        engine.set_overlay("shop/cart.py", f"def unsaved_key():\n    return '{GITHUB_TOKEN}'\n")
        shown += "".join(hit.text for hit in engine.search("unsaved_key").hits)
        shown += prompt(
            engine, "deploy to cloud key password", additional_context=f"use {AWS_KEY} and {PRIVATE_KEY}"
        )
    for secret in SECRETS:
        assert secret not in shown
        assert secret.encode() not in stored_bytes(shop)


def test_secrets_in_events_are_nowhere(shop: Path) -> None:
    with opened(shop) as engine:
        engine.record(
            NewEvent(
                "shell_exec",
                {
                    "command": f"curl -H 'Authorization: Bearer {GITHUB_TOKEN}' https://x.test",
                    "exitCode": 1,
                    "stdout": f"key {AWS_KEY}\n{PRIVATE_KEY}",
                    "stderr": f"password = '{PASSWORD}'",
                },
            )
        )
        engine.record(NewEvent("error", {"message": f"bad token {GITHUB_TOKEN}", "stack": f"at {AWS_KEY}"}))
        engine.record(NewEvent("login", {"password": PASSWORD, GITHUB_TOKEN: [{"deep": AWS_KEY}]}))
        shown = str(engine.events()) + prompt(engine, "why does curl fail with a bad token?")
        assert "curl" in shown
    for secret in SECRETS:
        assert secret not in shown
        assert secret.encode() not in stored_bytes(shop)


def test_env_files_are_never_anywhere(shop: Path) -> None:
    write(
        shop, {".env": f"SHOP_{IGNORED}=1\n", "config/.env.local": f"{IGNORED}=2\n", ".gitignore": "!.env\n"}
    )
    with opened(shop) as engine:
        engine.update_files([".env", "config/.env.local"])
        engine.set_overlay(".env", f"{IGNORED}=3\n")
        for kind in ("file_read", "file_write"):
            assert engine.record(NewEvent(kind, {"path": ".env"})) is None
        for command in (
            "cat .env",
            "grep -r SHOP config/.env.local | sort",
            "source ./.env; set",
            "cat < .env",
        ):
            engine.record(
                NewEvent(
                    "shell_exec",
                    {"command": command, "exitCode": 0, "stdout": f"{IGNORED}=1\n", "stderr": ""},
                )
            )
        engine.record(
            NewEvent(
                "shell_exec",
                {"command": "cat .env.local", "cwd": "config", "exitCode": 0, "stdout": f"{IGNORED}=2\n"},
            )
        )
        assert len(engine.events()) == 5
        shown = prompt(engine, "what is in .env?") + str(engine.events())
        assert "left out: the command names an ignored file" in shown
        assert IGNORED not in shown
        assert not [path for path in found(engine, "env") if ".env" in path]
    assert IGNORED.encode() not in stored_bytes(shop)


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("g++ -o app cart.cpp", True),
        ("kotlinc src -d app.jar", True),
        ("java -jar old.jar", True),
        ("pytest --junitxml=report.xml", True),
        ("strings -o secret.env", False),
        ("unzip -p old.jar", False),
        ("yq --output-json secret.env", False),
        ("pytest --junitxml=report.xml; cat report.xml", False),
        ("cc -o gone.txt a.c; cat gone.txt", False),
    ],
)
def test_what_a_command_makes_hides_none_of_its_output(shop: Path, command: str, *, kept: bool) -> None:
    write(shop, {".gitignore": "app\n*.jar\n*.env\nreport.xml\ngone.txt\n"})
    for name in ("old.jar", "secret.env", "report.xml"):
        (shop / name).write_text("text")
    with opened(shop) as engine:
        event = engine.record(
            NewEvent("shell_exec", {"command": command, "exitCode": 1, "stdout": "cart.cpp:3: error"})
        )
        assert event is not None
        assert (event.content["stdout"] == "cart.cpp:3: error") is kept


def test_a_program_in_an_ignored_folder_keeps_its_output(shop: Path) -> None:
    write(shop, {".gitignore": ".venv/\nout/\n", ".venv/bin/pytest": "#!/bin/sh\n"})
    (shop / ".venv/bin/pytest").chmod(0o755)
    with opened(shop) as engine:
        for command in (".venv/bin/pytest shop", "ls out/"):
            (shop / "out").mkdir(exist_ok=True)
            event = engine.record(
                NewEvent("shell_exec", {"command": command, "exitCode": 1, "stdout": "2 failed in cart"})
            )
            assert event is not None
            assert event.content["stdout"] == "2 failed in cart"


def test_a_command_with_a_key_keeps_its_output(shop: Path) -> None:
    key = "ghp_" + "8sKd02LmQx71Zp4vRt96BnYc53HjWe8a4fGu"
    with opened(shop) as engine:
        event = engine.record(
            NewEvent(
                "shell_exec",
                {
                    "command": f"curl -H 'Authorization: token {key}' :1/cart",
                    "exitCode": 7,
                    "stderr": "refused",
                },
            )
        )
        assert event is not None
        assert event.content["stderr"] == "refused"
        assert key not in str(event)


def test_a_file_that_is_called_like_a_key_keeps_its_content_to_itself(shop: Path) -> None:
    name = "ghp_" + "8sKd02LmQx71Zp4vRt96BnYc53HjWe8a4fGu"
    (shop / ".contextlsignore").write_text("ghp_*\n")
    (shop / name).write_text("only for me\n")
    with opened(shop) as engine:
        event = engine.record(
            NewEvent("shell_exec", {"command": f"cat {name}", "exitCode": 0, "stdout": "only for me"})
        )
        assert event is not None
        assert "only for me" not in str(event)


def test_events_of_files_ignored_later_leave_the_prompt(shop: Path) -> None:
    with opened(shop) as engine:
        engine.record(NewEvent("file_write", {"path": "shop/mail.py"}))
        engine.record(NewEvent("error", {"message": "mail broke", "path": "shop/mail.py", "line": 2}))
        engine.record(NewEvent("files_changed", {"count": 2, "paths": ["shop/mail.py", "shop/cart.py"]}))
        engine.record(
            NewEvent(
                "shell_exec", {"command": "cat shop/mail.py", "exitCode": 1, "stdout": "def send_receipt"}
            )
        )
        before = prompt(engine, "why does the mail receipt fail?", archetype="debug")
        assert "mail broke" in before
        write(shop, {".gitignore": "mail.py\n"})
        engine.update_files([".gitignore"])
        after = prompt(engine, "why does the mail receipt fail?", archetype="debug")
        assert "mail broke" not in after
        assert "send_receipt" not in after
        assert "Wrote: `shop/mail.py`" not in after
        assert "files_changed" not in after


def test_event_paths_are_relative_and_inside(shop: Path) -> None:
    with opened(shop, index=False) as engine:
        event = engine.record(NewEvent("file_read", {"path": str(shop / "shop/cart.py")}, Outcome.SUCCESS))
        assert event is not None
        assert event.content == {"path": "shop/cart.py"}
        for path in ("../elsewhere.py", "/etc/passwd", "."):
            with pytest.raises(InvalidRequestError, match=r"^content\.path: expected a path inside"):
                engine.record(NewEvent("file_read", {"path": path}))
        with pytest.raises(
            InvalidRequestError, match=r"^content\.path: expected a path relative to .*, not empty"
        ):
            engine.record(NewEvent("file_read", {"path": ""}))


def test_bad_questions_name_the_field(shop: Path) -> None:
    with opened(shop, index=False) as engine:
        for query in ("", " \n\t"):
            with pytest.raises(InvalidRequestError, match=r"^query: "):
                engine.search(query)
            with pytest.raises(InvalidRequestError, match=r"^query: "):
                engine.assemble(AssembleRequest(query))
        for limit in (0, -1, 10_001):
            with pytest.raises(InvalidRequestError, match=r"^limit: "):
                engine.search("cart", limit)
            with pytest.raises(InvalidRequestError, match=r"^limit: "):
                engine.events(limit)


def test_clearing_events_leaves_no_trace_of_them(shop: Path) -> None:
    with opened(shop) as engine:
        for number in range(50):
            engine.record(NewEvent("note", {"text": f"{IGNORED} {number}"}))
        engine.clear(index=False, events=True)
        assert engine.status().events == 0
        assert engine.status().chunks == 5
    assert IGNORED.encode() not in stored_bytes(shop)


def test_the_selection_leads_when_the_question_points_at_it(shop: Path) -> None:
    with opened(shop) as engine:
        context = engine.assemble(
            AssembleRequest("what does this do?", position=EditorPosition("shop/mail.py", 2, 3))
        )
        first = next(component for component in context.components if component.type == "semantic")
        assert first.source.startswith("shop/mail.py:")
        excluded = engine.assemble(
            AssembleRequest(
                "what does this do?",
                position=EditorPosition("shop/mail.py", 2, 3),
                filters=Filters(exclude=("shop/mail.py",)),
            )
        )
        assert "shop/mail.py" not in excluded.content
        assert "shop/mail.py" in {omission.source.split(":")[0] for omission in excluded.report.omitted}


def test_state_is_readable_by_its_owner_alone(shop: Path) -> None:
    with opened(shop):
        places = locations(shop)
        for folder in (places.state, places.cache):
            assert folder.stat().st_mode & 0o077 == 0
        assert not (shop / ".context").exists(), "nothing is written into the workspace"


def test_a_workspace_may_be_named_by_a_string(shop: Path) -> None:
    engine = Engine.open(str(shop))
    try:
        assert engine.root == shop.resolve()
    finally:
        engine.close()


def test_state_that_lies_in_the_workspace_is_never_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user keeps everything in one folder, and opens it: what contextls wrote there is no code."""
    root = tmp_path / "w"
    monkeypatch.setenv("CONTEXTLS_HOME", str(root / "own"))
    for name in ("state", "cache"):
        (root / "own" / name).mkdir(parents=True)
        (root / "own" / name / "numbat.py").write_text("def numbat(): ...\n")
    (root / "own" / "quoll.py").write_text("def quoll(): ...\n")
    with Engine.open(root, Settings(workers=1, include_noise=True)) as engine:
        engine.index()
        assert {hit.path for hit in engine.search("numbat quoll", 50).hits} == {"own/quoll.py"}
        assert not engine.accepts("own/state/numbat.py")


def test_a_question_may_be_as_long_at_every_door(shop: Path) -> None:
    with opened(shop) as engine:
        doors = (engine.search, lambda query: engine.assemble(AssembleRequest(query)), read_query)
        for door in doors:
            door("price of an order ".ljust(MAX_QUERY_CHARS, "."))
            with pytest.raises(InvalidRequestError, match="query: expected at most"):
                door("price of an order ".ljust(MAX_QUERY_CHARS + 1, "."))
