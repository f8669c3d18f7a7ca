from __future__ import annotations

import json
import sys
from pathlib import Path

from .conftest import Run, record_run
from .terminals import Terminal


def test_entities_lists_what_a_query_mentions(inline: Run, shared_workspace: Path) -> None:
    done = inline("entities", "deliver in app/temperature.py:5", shared_workspace, "--json", check=0)
    found = json.loads(done.stdout)
    assert [entity["id"] for entity in found][:2] == [
        "app/temperature.py#celsius_from_kelvin",
        "app/temperature.py",
    ]
    assert "app/mail.py#Mailbox.deliver" in [entity["id"] for entity in found]
    assert set(found[0]) == {
        "id", "type", "name", "path", "line", "signature", "doc", "salience", "centrality", "activity", "churn",
        "properties", "match",
    }  # fmt: skip


def test_entities_finds_a_misspelt_name(inline: Run, shared_workspace: Path) -> None:
    (found,) = json.loads(
        inline("entities", "celsius_from_kelvn", shared_workspace, "--json", check=0).stdout
    )
    assert (found["name"], found["match"]) == ("celsius_from_kelvin", "fuzzy")


def test_entities_lists_everything_of_a_type(inline: Run, shared_workspace: Path) -> None:
    text = inline("entities", "", shared_workspace, "--type", "class", "--type", "method", check=0).stdout
    rows = [line.split("\t") for line in text.splitlines()]
    assert sorted((kind, name, place) for _, kind, name, place, _ in rows) == [
        ("class", "Mailbox", "app/mail.py:4"),
        ("method", "Mailbox.deliver", "app/mail.py:7"),
    ]


def test_entities_of_a_type_that_does_not_exist_is_wrong_usage(inline: Run, shared_workspace: Path) -> None:
    done = inline("entities", "", shared_workspace, "--type", "planet")
    assert done.returncode == 2
    assert done.stderr.startswith("contextls: --type: expected")
    assert "planet" in done.stderr
    assert "package" in done.stderr


def test_nothing_found_is_status_one(inline: Run, shared_workspace: Path) -> None:
    for command in ("entities", "graph"):
        done = inline(command, "no_such_thing_anywhere", shared_workspace)
        assert (done.returncode, done.stdout) == (1, "")
        assert "nothing" in done.stderr


def test_graph_shows_a_tree(inline: Run, workspace: Path) -> None:
    (workspace / "app" / "post.py").write_text(
        "from app.mail import Mailbox\n\n\ndef send():\n    Mailbox().deliver('x')\n"
    )
    text = inline("graph", "Mailbox.deliver", workspace, check=0).stdout
    assert text.splitlines()[0] == "Mailbox.deliver  method  app/mail.py:7"
    assert "called by" in text
    assert "send  function  app/post.py:4" in text
    found = json.loads(inline("graph", "app/mail.py", workspace, "--json", check=0).stdout)
    assert found["start"]["id"] == "app/mail.py"
    assert {("app/post.py", "app/mail.py", "imports")} <= {
        (edge["source"], edge["target"], edge["type"]) for edge in found["relations"]
    }


def test_graph_says_how_many_more_there_are(inline: Run, workspace: Path) -> None:
    for number in range(20):
        caller = f"from app.mail import Mailbox\n\n\ndef send{number}():\n    Mailbox().deliver('x')\n"
        (workspace / "app" / f"post{number}.py").write_text(caller)
    asked = ("graph", "Mailbox.deliver", workspace)
    done = inline(*asked, check=0)
    assert "and 12 more" in done.stdout
    assert "--limit" in done.stderr
    found = json.loads(inline(*asked, "--json", check=0).stdout)
    assert found["omitted"] == [
        {"source": None, "target": "app/mail.py#Mailbox.deliver", "type": "calls", "count": 12}
    ]
    assert '["and 12 more"]' in inline(*asked, "--mermaid", check=0).stdout
    everyone = inline(*asked, "--limit", "30", check=0)
    assert "more" not in everyone.stdout + everyone.stderr
    assert everyone.stdout.count("send") == 20


def test_graph_prints_mermaid_that_no_name_can_break(inline: Run, workspace: Path) -> None:
    (workspace / 'odd"]; click n0 `x`.py').write_text("from app.mail import Mailbox\n")
    lines = inline("graph", "app/mail.py", workspace, "--mermaid", check=0).stdout.splitlines()
    assert lines[0] == "flowchart LR"
    assert '  n0["app/mail.py<br/>file"]' in lines
    assert any(line.endswith("-->|imports| n0") for line in lines)
    for line in lines[1:]:
        assert line.count('"') in (0, 2), line
        assert "`" not in line
        assert ";" not in line


def test_graph_goes_as_deep_as_asked(inline: Run, workspace: Path) -> None:
    (workspace / "app" / "a.py").write_text("import app.b\n")
    (workspace / "app" / "b.py").write_text("import app.c\n")
    (workspace / "app" / "c.py").write_text("C = 1\n")
    depths = [
        json.loads(inline("graph", "app/a.py", workspace, "--depth", depth, "--json", check=0).stdout)
        for depth in ("1", "2")
    ]
    names = [{entity["id"] for entity in found["entities"]} for found in depths]
    assert "app/b.py" in names[0]
    assert "app/c.py" not in names[0]
    assert "app/c.py" in names[1]
    assert inline("graph", "app/a.py", workspace, "--depth", "9").returncode == 2


def test_a_graph_is_written_in_one_way(inline: Run, shared_workspace: Path) -> None:
    done = inline("graph", "Mailbox", shared_workspace, "--json", "--mermaid", check=2)
    assert "--mermaid: either this or --json" in done.stderr


def test_a_narrow_terminal_gets_whole_names(contextls: Run, workspace: Path) -> None:
    contextls("index", workspace, check=0)
    shown = {}
    for columns in ("30", "120"):
        terminal = Terminal("bash", workspace, {"COLUMNS": columns})
        command = f"{sys.executable} -m contextls.cli.main entities Mailbox --limit 1; echo sho''wn"
        shown[columns] = terminal.type(command, "shown")
        terminal.close()
    assert "Mailbox\tapp/mail.py:4\t" in shown["30"]
    assert "Mailbox" in shown["120"]
    assert "──" in shown["120"], "there is room for a table"


def test_a_table_cuts_no_path_and_no_name(inline: Run, workspace: Path) -> None:
    path = "app/a_long_folder_name/and_one_more_below/with_a_module.py"
    (workspace / path).parent.mkdir(parents=True)
    (workspace / path).write_text("def a_function_with_quite_a_long_name_of_its_own():\n    return 1\n")
    record_run(inline, workspace, f"pytest {path}", 0)
    terminal = Terminal("bash", workspace, {"COLUMNS": "80"})
    for command in ("entities a_function_with_quite_a_long_name_of_its_own", "events"):
        shown = terminal.type(f"{sys.executable} -m contextls.cli.main {command}; echo sho''wn", "shown")
        assert "…" not in shown
    terminal.close()
