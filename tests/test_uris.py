"""File URIs and paths."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.requests.uris import from_path, local_path, to_path

names = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12)


@given(st.lists(names.filter(lambda name: name not in (".", "..")), min_size=1, max_size=4))
def test_any_path_survives_the_round_trip(parts: list[str]) -> None:
    path = Path("/", *parts)
    assert to_path(from_path(path)) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.py", "/a/b.py"),
        ("file:///a/x;y.py", "/a/x;y.py"),
        ("file:///a/%C3%A4%20b%23.py", "/a/ä b#.py"),
        ("file://localhost/a/b", "/a/b"),
        ("file:///a/../b/./c", "/b/c"),
        ("file:///a/b/", "/a/b"),
    ],
)
def test_a_file_is_found_however_its_uri_is_spelled(uri: str, path: str) -> None:
    assert to_path(uri) == Path(path)


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "https://x/y", "", "file:", "a/b", "file:///a%00b", "file://[x"]
)
def test_a_uri_of_something_else_has_no_path(uri: str) -> None:
    assert to_path(uri) is None


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/shop/a%20b.py", "C:/shop/a b.py"),  # as VS Code sends it
        ("file:///c:/shop/a.py", "C:/shop/a.py"),
        ("file:///C:/shop/a%25.py", "C:/shop/a%.py"),
        ("file:///d%3A/", "D:/"),
        ("file://localhost/c%3A/shop", "C:/shop"),
        ("file://server/share/a.py", "//server/share/a.py"),
        ("file:///abc:/d", "/abc:/d"),
    ],
)
def test_a_file_on_a_drive_of_windows_is_found(uri: str, path: str) -> None:
    assert local_path(uri, windows=True) == path


windows_names = st.text(
    st.characters(codec="utf-8", exclude_characters='/\\:*?"<>|\0'), min_size=1, max_size=12
)


@given(st.sampled_from(["C:/", "//server/share/"]), st.lists(windows_names, min_size=1, max_size=4))
def test_any_path_of_windows_survives_the_round_trip(start: str, parts: list[str]) -> None:
    path = PureWindowsPath(start, *parts)
    assert PureWindowsPath(local_path(path.as_uri(), windows=True) or "") == path
