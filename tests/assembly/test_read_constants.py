"""A question for a limit is answered with what sets it, not only with what checks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write
from .digest import TOPICS

FILES = {
    "cart/unpack.py": (
        "from shop.settings import MAX_BOX_WEIGHT, MOST_TRIES\n\n\ndef unpack_box(box):\n"
        '    """Unpacks a box and checks its weight."""\n'
        "    for _ in range(MOST_TRIES):\n        if box.weight > MAX_BOX_WEIGHT:\n            raise TooHeavy(box)\n"
        "    return box.goods\n"
    ),
    "shop/settings.py": "".join(f"TOPIC_{number} = {number}\n\n" for number in range(90))
    + 'MAX_BOX_WEIGHT = int(getenv("MBW", 10))\n\n'
    + "".join(f"OTHER_{number} = {number}\n\n" for number in range(90)),
    **{
        f"cart/{topic}.py": f"def unpack_{topic}(box):\n    return box.{topic}, box.weight\n"
        for topic in TOPICS
    },
}


@pytest.mark.parametrize(
    ("question", "is_shown"),
    [
        ("how can I allow a bigger weight of a box that is unpacked?", True),
        ("how large may the weight of a box be?", True),
        ("who unpacks a box?", False),
    ],
)
def test_what_sets_a_limit_is_shown(tmp_path: Path, question: str, is_shown: bool) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        content = engine.assemble(AssembleRequest(question, max_tokens=700)).content
    assert ("MAX_BOX_WEIGHT = int(" in content) is is_shown, content
