"""Which file of the workspace a path means that a tool printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.memory.activity.printed_paths import PrintedPaths

from ..workspaces import write

FILES = {
    "app/mail.py": "",
    "server.js": "",
    "lib/cart.rb": "",
    "json/decoder.py": "",
    "decoder.py": "",
    "secret/key.py": "",
}


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("/app/app/mail.py", "app/mail.py"),
        ("/usr/src/app/server.js", "server.js"),
        ("/workspaces/shop/lib/cart.rb", "lib/cart.rb"),
        (
            "/bazel/execroot/_main/bazel-out/k8-fastbuild/bin/app/mail_test.runfiles/_main/app/mail.py",
            "app/mail.py",
        ),
        ("/usr/local/lib/python3.99/json/decoder.py", None),
        ("/app/node_modules/json/decoder.py", None),
        ("/code/.venv/lib/python3.99/site-packages/json/decoder.py", None),
        ("/app/secret/key.py", None),
        ("/app/app/other.py", None),
    ],
)
def test_a_path_in_a_container_means_the_file_that_was_put_there(
    tmp_path: Path, printed: str, meant: str | None
) -> None:
    root = write(tmp_path / "shop", FILES)
    find = PrintedPaths(root, None, lambda path: not path.startswith("secret/"), lambda: FILES)
    assert find(printed) == meant


def test_a_file_of_another_folder_of_this_machine_is_none_of_ours(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", FILES)
    other = write(tmp_path / "other", {"app/mail.py": ""})
    assert PrintedPaths(root, None, lambda _path: True, lambda: FILES)(str(other / "app/mail.py")) is None
