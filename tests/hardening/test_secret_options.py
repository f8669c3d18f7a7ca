"""Secrets planted in every argument and option of the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from contextls.cli.app import build_app

from .planted import AWS, GITHUB, hostile_workspace, secret, secrets_in, secrets_on_disk

# What required arguments and options are without a secret in them.
PLAIN = {
    "command": "make",
    "exit_code": "1",
    "files": "plain.py",
    "file": "plain.py",
    "goal": "x",
    "host": "claude-code",
    "message": "m",
    "path": "plain.py",
    "query": "plain",
    "shell": "bash",
    "source": "plain.py:1-2",
    "symbol": "plain.py",
    "task_id": "task-1",
    "what": "plain.py",
}
SLOW = {"ask"}  # starts a server each time
DRIVER = """
import json, sys
from contextls.cli.main import run
from contextls.cli.output import prepare_streams
if __name__ == "__main__":  # workers import this file again
    prepare_streams()
    for line in open(sys.argv[1], encoding="utf-8"):
        run(json.loads(line))
        sys.stdout.flush()
"""


def command_lines() -> Iterator[list[str]]:
    """Every argument and every option with a value of every command, each with a secret in it."""
    for path, command in _commands(typer.main.get_command(build_app()), ()):
        flags = ["--json"] if any("--json" in param.opts for param in command.params) else []
        for at in [param for param in command.params if not getattr(param, "is_flag", False)]:
            for value in (
                [secret(AWS)] if path[-1] in SLOW else [secret(), f"a {secret()}/{secret()}.py\n\t{secret()}"]
            ):
                words = [*path, *flags]
                last: list[str] = []
                for param in command.params:
                    given = value if param is at else PLAIN.get(str(param.name)) if param.required else None
                    if given is not None and param.param_type_name == "option":
                        words += [param.opts[0], given]
                    elif param.param_type_name == "argument" and (given is not None or param is not at):
                        last.append(given or ".")
                yield [*words, "--", *last] if path != ("run",) else [*words, *last]
                flags = [] if flags else flags
    yield [secret(), secret()]
    yield [f"--{secret()}"]
    yield ["search", f"--{secret()}", "x"]
    yield ["search", "--batch", "batch.jsonl"]


def _commands(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401 - typer's
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from _commands(inner, (*path, name))
    else:
        yield path, command


def test_no_option_of_the_command_line_lets_a_secret_through(tmp_path: Path) -> None:
    """Run as a user does, inside of the hostile folder; one process runs them all, as starting Python takes long."""
    root = hostile_workspace(tmp_path)
    home = tmp_path / "home"
    (tmp_path / "driver.py").write_text(DRIVER)
    lines = list(command_lines())
    (tmp_path / "lines").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (root / "batch.jsonl").write_text(json.dumps({"query": secret()}) + "\n{" + secret() + "\n")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "driver.py"), str(tmp_path / "lines")],
        cwd=root,
        env={**os.environ, "CONTEXTLS_HOME": str(home), "CONTEXTLS_DEBUG": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(lines) > 100
    assert b"[redacted:" in done.stdout + done.stderr
    assert b"internal error" not in done.stderr
    assert (secrets_in(done.stdout), secrets_in(done.stderr), secrets_on_disk(home)) == (set(), set(), {})
    own = (root / ".context/working-set.yml").read_text()
    assert own.count(GITHUB) == 2  # what its owner wrote, and nothing of ours
    single = subprocess.run(
        [sys.executable, "-m", "contextls.cli.main", "status", secret(), "--file", secret()],
        cwd=root,
        env={**os.environ, "CONTEXTLS_HOME": str(home)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert secrets_in(single.stdout + single.stderr) == set()
