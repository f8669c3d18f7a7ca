"""A status that a question gives by its number leads to the code that sets it, where little code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write
from .digest import TOPICS

PASSWORDS = {
    f"web/{topic}.py": f"def reset_password_of_{topic}(account, mail):\n"
    f'    """Reset the password of an account that forgot it, and mail it to its {topic}."""\n'
    f"    account.password = mail.send(account.forgot, {number})\n    return account\n"
    for number, topic in enumerate(TOPICS * 2)
}
LIMITS = {
    "api/Limiter.cs": "public class Limiter\n{\n    public int Reject(Lease lease)\n    {\n        lease.Wait();\n"
    "        return StatusCodes.Status429TooManyRequests;\n    }\n}\n",
    "api/slow_down.py": "def slow_down(lease):\n    return Response(status=status.HTTP_429_TOO_MANY_REQUESTS)\n",
    "api/pace.go": "package api\n\nfunc pace(lease Lease) int {\n\treturn http.StatusTooManyRequests\n}\n",
}


def shown(engine: Engine, question: str) -> set[str]:
    return {one.path or "" for one in engine.assemble(AssembleRequest(question)).components}


@pytest.mark.parametrize("path", LIMITS)
def test_code_that_alone_sets_a_status_is_shown_whatever_else_is_asked(tmp_path: Path, path: str) -> None:
    question = "why do accounts get a 429 when they reset a password that they forgot?"
    with opened(write(tmp_path, {**PASSWORDS, path: LIMITS[path]})) as engine:
        assert path in shown(engine, question)
        assert path not in shown(engine, question.replace("a 429", "nothing"))


def test_a_status_that_much_code_sets_brings_no_code_that_is_about_something_else(tmp_path: Path) -> None:
    others = {
        f"api/pace{number}.go": LIMITS["api/pace.go"].replace("pace", f"pace{number}") for number in range(9)
    }
    with opened(write(tmp_path, {**PASSWORDS, **others})) as engine:
        found = shown(engine, "why do accounts get a 429 when they reset a password that they forgot?")
    assert len(found & others.keys()) < len(others) / 2
