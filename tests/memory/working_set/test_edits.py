"""Edits of a working set: whatever is changed, all else stays as it was written."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError

from .shops import make

# Each entry as people write it, and what names it in a request.
BLOCKS = {
    "a.py": "  # one\n  - path: a.py # ours\n    owner: 'ann'   # {unknown}\n",
    "docs/guide.md": '  - "docs/guide.md"\n',
    "src/**/*.py": "  # the code: all of it\n  - path: 'src/**/*.py'\n    priority: .5\n    note: |\n      a\n      block\n",
    "docs/*.md": '  - {path: "docs/*.md", why: [x, y]} # flow\n',
    "a.py:10-40": "  - 'a.py:10-40'\n",
    "src/app.py:3-9": "\n  - path: src/app.py:3-9\n    max_lines: 7\n\n",
    "null": "  - 'null'\n",
}
HEAD = """# head
protocol: CONTEXT-ASSEMBLY/0.1

budget:   # bounds
  max_tokens: 28000
  allocation: {context: 50%} # half
"""
INCLUDE = "include: [team.yml]  # theirs\nunknown: {x: [1, 2]}\n"
TAIL = "# between\nexclude:\n  - src/no # never\n# tail\nmetadata:\n  team: core\n"
touches = st.lists(
    st.tuples(
        st.sampled_from(("pin", "repin", "unpin", "exclude", "include")), st.sampled_from(tuple(BLOCKS))
    ),
    max_size=10,
)


@given(order=st.permutations(tuple(BLOCKS)), count=st.integers(1, len(BLOCKS)), steps=touches)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_is_changed_all_else_stays_as_it_was_written_byte_for_byte(
    tmp_path: Path, order: tuple[str, ...], count: int, steps: list[tuple[str, str]]
) -> None:
    with tempfile.TemporaryDirectory(dir=tmp_path) as place:
        text = HEAD + INCLUDE + "files:\n" + "".join(BLOCKS[name] for name in order[:count]) + TAIL
        shop = make(Path(place) / "shop", working_set=text, team="files: [src/deep/cart.py]\n")
        (shop.root / "src").mkdir(exist_ok=True)
        for file in ("a.py", "src/app.py"):
            (shop.root / file).write_text("x = 1\n" * 40)
        memory, pinned, touched = shop.memory, set(order[:count]), set()
        for action, name in steps:
            target = memory.target(name)
            if action in ("pin", "repin"):
                shop.person.pin(target, priority=0.25 if action == "pin" else 0.75)
                pinned.add(name)
            elif action == "unpin":
                shop.person.unpin(target)
                pinned.discard(name)
            elif action == "include":
                shop.person.include(target)
            elif target.pattern or target.lines:
                with pytest.raises(InvalidRequestError):
                    shop.person.exclude(target)
                continue
            else:
                shop.person.exclude(target)
                pinned.discard(name)
            if action != "include":
                touched.add(name)
            view = memory.view()
            ours = {each.target for each in view.files if each.included_from is None}
            assert ours == pinned
            assert [each.target for each in view.files if each.included_from] == ["src/deep/cart.py"]
            assert memory.budget().tokens_of("context", 1000) == 500
        left = shop.file.read_text()
        assert left.startswith(HEAD + INCLUDE + "files:\n")
        for line in TAIL.splitlines():
            assert f"{line}\n" in left
        at = 0
        for name in order[:count]:
            if name not in touched:
                body = BLOCKS[name].strip("\n")
                assert left.find(body, at) >= at, f"{name} was rewritten or moved"
                at = left.find(body, at)
        assert (shop.root / ".context" / "team.yml").read_text() == "files: [src/deep/cart.py]\n"
