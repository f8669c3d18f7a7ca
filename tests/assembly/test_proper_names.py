"""A name with a capital that hardly any code speaks of leads to that code."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write
from .digest import TOPICS

FILES = {
    "keys/tokens.py": 'AID_CODES = {\n    "3B8F": "Nitrokey 3",\n    "3B8D": "VivoKey",\n}\n',
    **{
        f"keys/{topic}.py": f"def unlock_with_{topic}(vault):\n    return vault.support({topic!r})\n"
        for topic in TOPICS
    },
}


@pytest.mark.parametrize(
    "question", ["does it support unlocking with a Nitrokey?", "how is a Nitrokey told?"]
)
def test_code_that_alone_speaks_of_a_product_is_shown(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        context = engine.assemble(AssembleRequest(question))
        assert '"Nitrokey 3"' in context.components[0].content
