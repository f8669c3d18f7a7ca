"""Settings that change while the workspace is being indexed, asked and recorded into."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from .conftest import build_workspace
from .wire import Json, Wire


def _settings(number: int) -> Json:
    return {"settings": {"contextls": {"ignore": [f"part{number}/"]}}}


def test_reindexing_and_new_settings_at_once_end_in_the_index_of_the_newest(
    start: Callable[..., Wire], tmp_path: Path
) -> None:
    root = build_workspace(tmp_path / "w")
    for part in range(8):
        (root / f"part{part}").mkdir()
        for number in range(12):
            (root / f"part{part}/m{number}.py").write_text(
                f"def only_in_{part}_{number}() -> int:\n    return {number}\n"
            )
    wire = start()
    wire.initialize(root, options={"workers": 1})
    sent: list[int] = []
    for number in range(8):
        rebuild = {"command": "contextls.reindex", "arguments": [{"rebuild": number % 3 == 0}]}
        sent.append(wire.send("workspace/executeCommand", rebuild))
        wire.notify("workspace/didChangeConfiguration", _settings(number))
        sent.append(wire.send("workspace/executeCommand", {"command": "contextls.reindex"}))
        sent.append(wire.send("context/status"))
        sent.append(wire.send("context/assemble", {"query": f"only_in_{number}_1"}))
        sent.append(wire.send("context/task/push", {"goal": f"goal {number}"}))
        sent.append(wire.send("context/recordEvent", {"type": "note", "content": {"text": f"note {number}"}}))
        sent.append(wire.send("context/search", {"query": "only"}))
    for each in sent:
        wire.answer(each, 120)
    wire.request("workspace/executeCommand", {"command": "contextls.reindex"}, 120)
    wire.ready()
    for each in sent:
        assert sum(message.get("id") == each and "method" not in message for message in wire.received) == 1
    hits = wire.request("context/search", {"query": "only in return", "limit": 500})["hits"]
    shown = {hit["path"].split("/")[0] for hit in hits}
    assert "part7" not in shown
    assert {f"part{number}" for number in range(7)} <= shown
    assert len(wire.request("context/task/list")["tasks"]) == 8


def test_an_answer_about_settings_that_comes_late_does_not_undo_newer_ones(
    start: Callable[..., Wire], tmp_path: Path
) -> None:
    wire = start()

    def late(_params: Json) -> Json:
        time.sleep(1.0)  # the newer settings lie in the server's input by now
        return [{"maxTokens": 9000}]

    wire.answers["workspace/configuration"] = late
    root = build_workspace(tmp_path / "w")
    wire.initialize(root, capabilities={"workspace": {"configuration": True}})
    wire.ready()
    wire.notify("workspace/didChangeConfiguration", {"settings": None})
    wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": {"maxTokens": 120}}})
    wire.wait(lambda message: message.get("method") == "workspace/configuration")
    wire.request("context/status")
    assert wire.assemble("discount")["tokenCount"] <= 120
