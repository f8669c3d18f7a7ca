"""A server that a user ended has not passed: what it printed last says how things are."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.events.failures import open_failures
from contextls.memory.events.servers import serves
from contextls.model import NewEvent, Outcome

from ..workspaces import NOW, opened, write

FILES = {
    "shop/cart.py": '"""A cart."""\n\n\ndef total(lines):\n    return lines["cout"]\n',
    "package.json": '{"scripts": {"web": "next dev", "start": "node once.js", "test": "jest"}}',
    "manage.py": "",
}
SERVED = " * Serving Flask app 'app'\n * Running on http://127.0.0.1:5000\nPress CTRL+C to quit\n"
ERROR = """\
[2026-11-30 16:24:05] ERROR in app: Exception on / [GET]
Traceback (most recent call last):
  File "shop/cart.py", line 5, in total
    return lines["cout"]
KeyError: 'cout'
127.0.0.1 - - [30/Nov/2026 16:24:05] "GET / HTTP/1.1" 500 -
"""
ELSEWHERE = "ERROR: Exception in ASGI application\n127.0.0.1 - 500 Internal Server Error\n"
SERVERS = (
    "flask run",
    "flask --app shop --debug run -p 5055",
    "FLASK_DEBUG=1 python -m flask run",
    "python manage.py runserver 0:8000",
    "uv run uvicorn shop:app",
    "python -m http.server 8000",
    "npm run dev",
    "npm --prefix web run dev",
    "pnpm dev",
    "npx vite --port 3000",
    "cd web && next dev -p 3000",
    "npm run web",
    "timeout 20 npm run dev",
    "concurrently 'vite' 'node api.js'",
    "sh -c 'cd web && flask run'",
    "bin/rails s",
    "php artisan serve",
    "php -S localhost:8000",
    "mvn clean spring-boot:run",
    "cargo watch -x check",
)
OTHERS = (
    "git bisect start",
    "docker start web",
    "systemctl start nginx",
    "brew services start redis",
    "pm2 start app.js",
    "npm start",
    "npm install dev",
    "npm run build -- dev",
    "make dev",
    "vite build",
    "npx vite build --mode dev",
    "next build",
    "flask routes",
    "rails generate controller server",
    "ng generate service serve",
    "python serve.py",
    "python train.py start",
    "pytest tests/dev",
    "grep runserver README.md",
)


def record(
    engine: Engine, command: str, code: int | None, printed: str | None, minute: int = 0
) -> Outcome | None:
    content: dict[str, object] = {"command": command}
    content |= {"exitCode": code} if code is not None else {}
    content |= {"stdout": printed} if printed is not None else {}
    event = engine.record(NewEvent("shell_exec", content, timestamp=NOW + minute * 60_000))
    assert event is not None
    return event.outcome


def open_messages(engine: Engine) -> list[str]:
    found = open_failures(engine.events(limit=50), NOW + 3_600_000)
    return [str(event.content["message"]) for each in found for event in each.events if event.type == "error"]


@pytest.mark.parametrize("command", SERVERS)
@pytest.mark.parametrize("code", [0, 130, 143, 124])
def test_a_server_that_was_ended_with_an_error_has_not_passed(
    tmp_path: Path, command: str, code: int
) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        assert record(engine, command, code, f"{SERVED}{ERROR}") is Outcome.FAILURE
        assert open_messages(engine) == ["KeyError: 'cout'"]


@pytest.mark.parametrize("command", ["node ./node_modules/vite/bin/vite.js", "./gradlew bootRun"])
def test_a_server_is_known_by_its_path(command: str) -> None:
    assert serves(command)


@pytest.mark.parametrize("command", OTHERS)
def test_what_is_named_like_a_server_goes_by_its_exit_code(tmp_path: Path, command: str) -> None:
    assert not serves(command)
    with opened(write(tmp_path, FILES)) as engine:
        assert record(engine, command, 0, f"{SERVED}{ERROR}") is Outcome.SUCCESS


@pytest.mark.parametrize(
    ("code", "printed", "is_open"),
    [
        (0, SERVED, False),
        (130, SERVED, False),
        (0, f"{SERVED}{ERROR}", True),
        (130, f"{SERVED}{ELSEWHERE}", True),
        (0, None, True),  # a shell's hook sees no output
        (130, None, True),
    ],
)
def test_only_a_server_that_was_seen_to_print_no_error_answers_for_one(
    tmp_path: Path, code: int, printed: str | None, is_open: bool
) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        record(engine, "flask run", 0, f"{SERVED}{ERROR}")
        record(engine, "flask run", code, printed, 1)
        assert bool(open_messages(engine)) is is_open


def test_a_server_that_could_not_start_has_failed(tmp_path: Path) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        assert (
            record(engine, "flask run", 1, "Address already in use\nPort 5000 is in use.\n")
            is Outcome.FAILURE
        )


@pytest.mark.parametrize("command", ["npm test", "pytest", "npx tsc --noEmit"])
def test_a_check_that_was_stopped_on_its_way_answers_for_nothing(tmp_path: Path, command: str) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        record(engine, command, 1, ERROR)
        record(engine, command, 130, "collecting ...\n", 1)
        assert open_messages(engine) == ["KeyError: 'cout'"]
        record(engine, command, 0, "1 passed\n", 2)
        assert open_messages(engine) == []
