"""Of a command that watched files until somebody stopped it, the last round says how things are."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.events.failures import open_failures
from contextls.model import AssembleRequest, NewEvent
from contextls.recording import Recording

from ..workspaces import NOW, ONE_WORKER, opened, write

CART = "export function total(lines) {\n  return lines.reduce((sum, line) => sum + line.cents * line.count, 0);\n}\n"
FILES = {
    "src/cart.ts": CART,
    "src/cart.js": CART,
    "src/cart.test.ts": 'import { total } from "./cart";\n\ntest("counts", () => {\n  expect(total([])).toBe(0);\n});\n',
    "server.js": 'import { total } from "./src/cart";\n\ntotal([]);\n',
    "shop/cart.py": '"""A cart."""\n\n\nclass Cart:\n    """What a customer wants to buy."""\n',
    "app.py": "from shop.cart import Cart\n",
    "src/lib.rs": "pub fn total() -> u32 {\n    1\n}\n",
}
TRACEBACK = """\
Traceback (most recent call last):
  File "app.py", line 1, in <module>
    from shop.cart import Cart
  File "shop/cart.py", line 4
    class Cart
              ^
SyntaxError: expected ':'
"""
VITEST = """\
 ❯ src/cart.test.ts (1 test | 1 failed) 9ms
   × counts every piece 8ms

 FAIL  src/cart.test.ts > counts every piece
AssertionError: expected 300 to be 600 // Object.is equality

 ❯ src/cart.test.ts:4:45

 Test Files  1 failed (1)
      Tests  1 failed (1)
 FAIL  Tests failed. Watching for file changes...
"""
NODE = """\
/home/me/shop/src/cart.js:2
  return lines.redusce((sum, line) => sum + line.cents * line.count, 0);
               ^

TypeError: lines.redusce is not a function
    at total (src/cart.js:2:16)
    at Object.<anonymous> (server.js:3:1)

Node.js v20.20.2
"""
# A command, its exit code, what it printed while something was wrong, and what it printed once that was mended.
WATCHED = {
    "vitest": (
        "npx vitest",
        1,
        VITEST,
        " RERUN  src/cart.ts x1\n ✓ src/cart.test.ts (1 test) 5ms\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n"
        " PASS  Waiting for file changes...\n",
    ),
    "tsc": (
        "npx tsc --watch",
        130,
        "[09:15:47 PM] Starting compilation in watch mode...\n\nsrc/cart.ts:2:3 - error TS2322: Type 'string' is not "
        "assignable to type 'number'.\n\n[09:15:47 PM] Found 1 error. Watching for file changes.\n\n",
        "[09:15:51 PM] File change detected. Starting incremental compilation...\n\n"
        "[09:15:51 PM] Found 0 errors. Watching for file changes.\n\n^C",
    ),
    "tsc in a terminal": (
        "npx tsc -w",
        130,
        "\x1b[2J\x1b[3J\x1b[H[\x1b[90m09:15:47 PM\x1b[0m] Starting compilation in watch mode...\n\n\x1b[96msrc/cart.ts"
        "\x1b[0m:\x1b[93m2\x1b[0m:\x1b[93m3\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mType 'string' is not "
        "assignable to type 'number'.\n\n[\x1b[90m09:15:47 PM\x1b[0m] Found 1 error. Watching for file changes.\n\n",
        "\x1b[2J\x1b[3J\x1b[H[\x1b[90m09:15:51 PM\x1b[0m] File change detected. Starting incremental compilation...\n\n"
        "[\x1b[90m09:15:51 PM\x1b[0m] Found 0 errors. Watching for file changes.\n\n^C",
    ),
    "nodemon": (
        "npx nodemon server.js",
        130,
        f"[nodemon] 3.1.14\n[nodemon] starting `node server.js`\n{NODE}"
        "[nodemon] app crashed - waiting for file changes before starting...\n",
        "[nodemon] restarting due to changes...\n[nodemon] starting `node server.js`\ntotal 600\n^C",
    ),
    "node": (
        "node --watch server.js",
        0,
        f"{NODE}Failed running 'server.js'\n",
        "\x1bc\x1b[32mRestarting 'server.js'\x1b[39m\ntotal 600\n^C",
    ),
    "uvicorn": (
        "uvicorn app:app --reload",
        0,
        f"INFO:     Uvicorn running on http://127.0.0.1:8765 (Press CTRL+C to quit)\n{TRACEBACK}",
        "WARNING:  StatReload detected changes in 'shop/cart.py'. Reloading...\n"
        "INFO:     Application startup complete.\n^CINFO:     Shutting down\n",
    ),
    "flask": (
        "flask run --debug",
        130,
        f" * Serving Flask app 'app'\n{TRACEBACK}",
        " * Detected change in '/home/me/shop/shop/cart.py', reloading\n * Restarting with stat\n * Debugger is active!\n",
    ),
    "django": (
        "python manage.py runserver",
        130,
        f"Watching for file changes with StatReloader\n{TRACEBACK}",
        "shop/cart.py changed, reloading.\nSystem check identified no issues (0 silenced).\n",
    ),
    "cargo watch": (
        "cargo watch -x check",
        130,
        "[Running 'cargo check']\nerror[E0308]: mismatched types\n --> src/lib.rs:2:5\n\n"
        "error: could not compile `shop` (lib) due to 1 previous error\n[Finished running. Exit status: 101]\n",
        "[Running 'cargo check']\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.05s\n"
        "[Finished running. Exit status: 0]\n",
    ),
    "webpack": (
        "npx webpack --watch",
        130,
        "ERROR in ./src/cart.js 2:3\nSyntaxError: src/cart.js: Unexpected token (2:3)\n    at src/cart.js:2:3\n"
        "webpack 5.101.0 compiled with 1 error in 412 ms\n",
        "asset main.js 1.2 KiB [emitted]\nwebpack 5.101.0 compiled successfully in 44 ms\n",
    ),
}


def failures_after(engine: Engine, command: str, code: int, printed: str) -> list[str]:
    """The messages of the errors that are open after a run."""
    content = {"command": command, "exitCode": code, "stdout": printed}
    engine.record(NewEvent("shell_exec", content, timestamp=NOW))
    opened_now = open_failures(engine.events(limit=50), NOW)
    return [str(event.content.get("message", "")) for failure in opened_now for event in failure.events]


@pytest.mark.parametrize("tool", WATCHED)
def test_what_was_mended_meanwhile_is_no_failure(tmp_path: Path, tool: str) -> None:
    command, code, wrong, mended = WATCHED[tool]
    with opened(write(tmp_path, FILES)) as engine:
        assert failures_after(engine, command, code, f"{wrong}{mended}") == []


@pytest.mark.parametrize("tool", WATCHED)
def test_what_was_broken_last_is_one(tmp_path: Path, tool: str) -> None:
    command, code, wrong, mended = WATCHED[tool]
    with opened(write(tmp_path, FILES)) as engine:
        assert any(failures_after(engine, command, code, f"{wrong}{mended}{mended}{wrong}"))


def test_only_the_errors_of_the_last_round_count(tmp_path: Path) -> None:
    command, code, wrong, mended = WATCHED["vitest"]
    again = f"{mended} RERUN  src/cart.ts x2\n{wrong.replace('300', '2')}"
    with opened(write(tmp_path, FILES)) as engine:
        found = failures_after(engine, command, code, wrong + again)
    assert [each for each in found if each] == ["AssertionError: expected 2 to be 600 // Object.is equality"]


def test_a_watch_that_was_stopped_while_it_was_red_is_what_failed(tmp_path: Path) -> None:
    # Jest ends well when it is told to quit.
    printed = (
        "FAIL test/cart.test.js\n  ● counts every piece\n\n    Expected: 600\n    Received: 300\n\n"
        "      at Object.toBe (src/cart.test.ts:4:20)\n\nTests:       1 failed, 1 passed, 2 total\n\nWatch Usage\n"
    )
    with opened(write(tmp_path, FILES)) as engine:
        engine.index()
        failures_after(engine, "npx jest --watchAll", 0, printed)
        prompt = engine.assemble(AssembleRequest("fix the failing test", task_line=False), now=NOW).content
    assert "Executed: `npx jest --watchAll` failed" in prompt
    assert "expect(total([])).toBe(0)" in prompt


VITE = """\
9:53:{second} PM [vite] (client) Pre-transform error: Failed to resolve import "./f.ts" from "src/cart.ts{asked}".
  Plugin: vite:import-analysis
  File: src/cart.ts{asked}:1:22
"""


def test_an_update_of_vite_that_meets_the_same_error_again_tells_nothing_new(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    with contextlib.closing(Recording.open(tmp_path, ONE_WORKER)) as recording, opened(tmp_path) as engine:

        def go_on(told: frozenset[str], printed: str) -> frozenset[str]:
            event = NewEvent("shell_exec", {"command": "npm run dev", "stdout": printed}, timestamp=NOW)
            return recording.record_progress(event, told)

        printed = VITE.format(second=50, asked="")
        told = go_on(frozenset(), printed)
        assert len(told) == 1
        for second in (51, 52):
            printed += f"9:53:{second} PM [vite] (client) page reload src/cart.ts\n"
            printed += VITE.format(second=second, asked=f"?t=17960576306{second}")
            assert go_on(told, printed) == told
        assert len(engine.events(limit=50)) == 2
        assert len(open_failures(engine.events(limit=50), NOW)) == 1
        printed += "9:53:53 PM [vite] (client) hmr update /src/cart.ts, /src/cart.ts?t=1796057630652\n"
        assert go_on(told, printed) == frozenset()
        assert open_failures(engine.events(limit=50), NOW) == ()
