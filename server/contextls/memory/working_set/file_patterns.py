"""Patterns of files in a working set, and the indexed files that match them."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

from contextls.memory.index.segments.outlines import Outline
from contextls.model import Target
from contextls.workspace.patterns import Patterns

# Patterns whose files are remembered; a working set has a few, and one has at most a thousand entries.
MAX_REMEMBERED = 1_000
_LITERAL = str.maketrans({sign: f"\\{sign}" for sign in "\\[]"})


class FilePattern:
    """A pattern of whole paths: ``*`` and ``?`` stay within a folder, ``**`` stands for any number of folders.

    One that ends in ``/`` stands for all files below the folders that match. Brackets are letters like others.
    """

    def __init__(self, text: str) -> None:
        """Never raises; one that cannot be read matches nothing."""
        self._patterns = Patterns(["/" + text.translate(_LITERAL) + "**" * text.endswith("/")])
        before = min(text.find(sign) for sign in "*?" if sign in text) if set("*?") & set(text) else len(text)
        self.folder = text[: text.rfind("/", 0, before) + 1]

    def matches(self, path: str) -> bool:
        """Whether the file at ``path`` is meant."""
        return self._patterns.last_match(path, is_dir=False) >= 0


class IndexedFiles:
    """The indexed files of a workspace by folder and pattern, in path order; kept while no file comes or goes."""

    def __init__(self) -> None:
        self._outlines: Mapping[str, Outline] = {}
        self._names: frozenset[str] = frozenset()
        self._paths: Sequence[str] = ()
        self._matched: OrderedDict[str, Sequence[str]] = OrderedDict()

    def of(self, target: Target, outlines: Mapping[str, Outline]) -> Sequence[str]:
        """The files that a folder or a pattern stands for."""
        paths = self._sorted(outlines)
        if not target.pattern:
            return _below(paths, f"{target.path}/")
        matched, known = self._matched, self._matched.get(target.path)
        if known is None:
            pattern = FilePattern(target.path)
            known = [path for path in _below(paths, pattern.folder) if pattern.matches(path)]
            matched[target.path] = known
            while len(matched) > MAX_REMEMBERED:
                matched.popitem(last=False)
        return known

    def _sorted(self, outlines: Mapping[str, Outline]) -> Sequence[str]:
        if self._outlines is not outlines:
            # Nearly every change of a workspace is one of a file that stays where it is.
            if len(outlines) != len(self._names) or not all(map(self._names.__contains__, outlines)):
                self._names = frozenset(outlines)
                self._paths, self._matched = sorted(self._names), OrderedDict()
            self._outlines = outlines
        return self._paths


class FileSet:
    """Files, folders and patterns, to be asked for one path at a time."""

    def __init__(self, targets: Iterable[Target] = ()) -> None:
        self._patterns = []
        self._places = set()
        for target in targets:
            if target.pattern:
                self._patterns.append(FilePattern(target.path))
            else:
                self._places.add(target.path)
        self._known: dict[str, bool] = {}

    def __bool__(self) -> bool:
        return bool(self._patterns or self._places)

    def __contains__(self, path: str) -> bool:
        known = self._known.get(path)
        if known is None:
            if len(self._known) >= 10 * MAX_REMEMBERED:
                self._known.clear()
            known = self._known[path] = self._holds(path)
        return known

    def _holds(self, path: str) -> bool:
        ends = [place for place, sign in enumerate(path) if sign == "/"] + [len(path)]
        return any(path[:end] in self._places for end in ends) or any(
            pattern.matches(path) for pattern in self._patterns
        )


def _below(paths: Sequence[str], folder: str) -> Sequence[str]:
    """The part of the sorted ``paths`` that begins with ``folder``, which ends in a slash or is empty."""
    if not folder:
        return paths
    # "0" is the character after "/".
    return paths[bisect_left(paths, folder) : bisect_left(paths, f"{folder[:-1]}0")]
