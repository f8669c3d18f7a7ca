"""docs/mcp.md says what is so."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from contextls.mcp.limits import DEFAULT_TOKENS
from contextls.mcp.progress import FIRST_INDEX_SECONDS
from contextls.mcp.prompts import PROMPTS
from contextls.mcp.resources import RESOURCES
from contextls.mcp.tools import TOOLS

TEXT = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")


def section(heading: str) -> str:
    """The text below a heading, up to the next one."""
    return re.split(r"^#+ ", TEXT.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def test_every_tool_is_described_and_said_to_change_what_it_changes() -> None:
    rows = re.findall(r"^\| (`.+?) \| .+ \| (.+) \|$", section("Tools"), re.MULTILINE)
    changes = {name: change for names, change in rows for name in re.findall(r"`(\w+)`", names)}
    assert changes.keys() == TOOLS.keys()
    assert {name for name, change in changes.items() if change == "no"} == {
        tool.name for tool in TOOLS.values() if tool.reads_only
    }


def test_some_question_leads_to_every_tool_and_none_elsewhere() -> None:
    led_to = re.findall(r"^\| .+ \| `(\w+)` \|$", section("Which question leads where"), re.MULTILINE)
    assert set(led_to) == TOOLS.keys()


def test_resources_prompts_and_limits_are_those_of_the_server() -> None:
    text = section("Resources and prompts")
    assert set(re.findall(r"^\| `(context://[\w-]+)` ", text, re.MULTILINE)) == {
        each.uri for each in RESOURCES
    }
    prompts = dict(re.findall(r"^\| `(\w+)` \| `(\w+)`", text, re.MULTILINE))
    assert prompts == {each.name: each.argument for each in PROMPTS.values()}
    assert f"{DEFAULT_TOKENS:,} unless you say so" in TEXT
    assert f"waits up to {FIRST_INDEX_SECONDS} seconds" in TEXT


@pytest.mark.parametrize("block", re.findall(r"^```json\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE))
def test_configurations_start_the_server(block: str) -> None:
    (servers,) = json.loads(block).values()
    assert (servers["contextls"]["command"], servers["contextls"]["args"][0]) == ("contextls", "mcp")


def test_the_configuration_of_codex_starts_the_server() -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    server = tomllib.loads(block)["mcp_servers"]["contextls"]
    assert (server["command"], server["args"]) == ("contextls", ["mcp"])
