"""Which files are packed: those that a request chooses, less those that the workspace, its user or the request keep out."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from contextls.errors import InvalidRequestError
from contextls.model import PackRequest, UnpackedFile
from contextls.packing.working_set import Exclusions, WorkingSetFiles, read_working_set
from contextls.settings import Settings
from contextls.workspace.globs import Globs
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.roots import relative
from contextls.workspace.scan import FileStat, scan
from contextls.workspace.size_limit import is_too_large
from contextls.workspace.stamps import Stamp, explain_missing, find_denial, stamp_at

MAX_LISTED = 100_000
_ANY_SIZE = 1 << 62
_GLOB = frozenset("*?[")
_EXPECTED = "a file, a folder or a pattern such as `src/**/*.py`"
# Why the rules keep a path out, in the words of a document.
_RULES = {
    "security": "such files hold secrets",
    "settings": "ignored by the settings",
    "contextlsignore": "ignored by .contextlsignore",
    "gitignore": "ignored by git",
    "noise": "dependencies, lock files, build output and other files that nobody reads",
    "symlink": "links, which are not followed",
    "special": "pipes, sockets and devices",
    "name": "names that are not UTF-8",
}
EXCLUDED = "excluded from prompts"
UNWANTED = "left out as asked"


class ChosenFile(Struct, frozen=True):
    """A file to pack; ``named`` when it was chosen by itself, and not with a folder or a pattern."""

    path: str
    named: bool


class FileSelection(Struct):
    """The files in path order; ``left_out`` are named ones that cannot be shown, ``ignored`` counts those kept out.

    ``exclusions`` may still hide symbols of the files. ``accepts`` tells of any path whether it may be spoken of.
    """

    exclusions: Exclusions
    files: list[ChosenFile] = field(default_factory=list)
    left_out: list[UnpackedFile] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    accepts: Callable[[str], bool] = lambda _: False


class _Wanted(Struct, frozen=True):
    """What ``what`` means: everything, folders and files by path, patterns, and patterns for what is not wanted."""

    everything: bool
    folders: frozenset[str]
    files: frozenset[str]
    patterns: tuple[str, ...]
    unwanted: tuple[str, ...]


def select_files(root: Path, request: PackRequest, settings: Settings) -> FileSelection:
    """The files that ``request`` chooses. Raises ``InvalidRequestError`` for what names nothing."""
    rules = IgnoreRules(root, settings.ignore, include_noise=request.include_noise or settings.include_noise)
    pins = read_working_set(root, rules, settings.max_file_bytes)
    wanted = _read_what(root, request)
    unwanted = Globs((*request.ignore, *wanted.unwanted), "ignore")

    def accepts(path: str) -> bool:
        hidden = pins.exclusions.hides(path) or path in pins.exclusions.symbols
        return not hidden and rules.reason(path) is None

    selection = FileSelection(pins.exclusions, warnings=[*pins.warnings, *rules.warnings()], accepts=accepts)
    packed = pins if request.working_set else WorkingSetFiles()
    everywhere = wanted.everything or wanted.patterns or request.changed is not None
    around = {*packed.folders, *(each.folder.rstrip("/") for each in packed.patterns)}
    found = _scan_below(root, rules, {*around, *wanted.folders, *([""] if everywhere else [])}, selection)
    named = {*wanted.files, *_read_listed(root, request, selection), *_pinned_files(packed, found)}
    if request.changed is not None:
        named |= _changed_files(root, request.changed, found, selection)
    chosen = {path: found[path].stamp for path in _among(found, wanted)}
    for path in sorted(named - chosen.keys()):
        stamp = found[path].stamp if path in found else _stamp(root, path, rules, selection)
        if stamp is not None:
            chosen[path] = stamp
    for path, stamp in sorted(chosen.items()):
        if pins.exclusions.hides(path):
            selection.ignored[EXCLUDED] += 1
        elif unwanted.match(path):
            selection.ignored[UNWANTED] += 1
        elif is_too_large(path, stamp.size, settings.max_file_bytes):
            selection.left_out.append(UnpackedFile(path, f"too large ({stamp.size:,} bytes)"))
        else:
            selection.files.append(ChosenFile(path, path in named))
    return selection


def _read_what(root: Path, request: PackRequest) -> _Wanted:
    """Tell files, folders and patterns apart by looking at the disk."""
    chosen_otherwise = request.listed is not None or request.changed is not None or request.working_set
    unwanted = tuple(text[1:] for text in request.what if text.startswith("!"))
    wanted = [text for text in request.what if not text.startswith("!")]
    everything, folders, files, patterns = not wanted and not chosen_otherwise, set(), set(), []
    for text in wanted:
        path = relative(root, text)
        if not text.strip():
            raise InvalidRequestError("what", _EXPECTED, text)
        if path is None:
            if not _is_root(root, text):
                raise InvalidRequestError("what", "files, folders and patterns inside the workspace", text)
            everything = True
            continue
        stamp = stamp_at(root / path)
        if stamp is None and _GLOB & set(text):
            patterns.append(text)
        elif stamp is None:
            denial = find_denial(root / path)
            reason = f" (it cannot be read: {denial})" if denial else ""
            raise InvalidRequestError("what", _EXPECTED + reason, text)
        elif stat.S_ISDIR(stamp.mode):
            folders.add(path)
        else:
            files.add(path)
    return _Wanted(everything, frozenset(folders), frozenset(files), tuple(patterns), unwanted)


def _is_root(root: Path, text: str) -> bool:
    try:
        return (root / text).resolve() == root
    except (OSError, RuntimeError, ValueError):
        return False


def _read_listed(root: Path, request: PackRequest, selection: FileSelection) -> set[str]:
    """The files of a list; one that lies elsewhere is reported, and the others are packed."""
    listed = request.listed or ()
    if len(listed) > MAX_LISTED:
        raise InvalidRequestError("listed", f"at most {MAX_LISTED:,} files")
    inside = {text: relative(root, text) for text in listed}
    outside = [text for text, path in inside.items() if path is None]
    if outside:
        more = f" and {len(outside) - 1} more" if len(outside) > 1 else ""
        selection.warnings.append(f"{outside[0]}{more}: not a file inside the workspace")
    return {path for path in inside.values() if path is not None}


def _scan_below(
    root: Path, rules: IgnoreRules, folders: Iterable[str], selection: FileSelection
) -> dict[str, FileStat]:
    """The files below ``folders`` by path, less those that the rules keep out, which are counted."""
    found: dict[str, FileStat] = {}
    done: list[str] = []
    for folder in sorted(folders):
        if rules.folder(folder) is None:
            selection.warnings.append(f"{folder}/: left out by the rules of the workspace")
        elif not any(not above or folder.startswith(f"{above}/") for above in done):
            done.append(folder)
            result = scan(root, rules, _ANY_SIZE, below=folder)
            found |= {file.path: file for file in result.files}
            selection.ignored.update(_in_words(result.skipped))
            selection.left_out += [UnpackedFile(path, "cannot be read") for path in result.unreadable]
    return found


def _in_words(skipped: Mapping[str, int]) -> dict[str, int]:
    return {_RULES.get(reason, reason): number for reason, number in skipped.items()}


def _pinned_files(pins: WorkingSetFiles, found: Iterable[str]) -> set[str]:
    """The pinned files, and those of ``found`` that a pinned folder or pattern stands for."""
    below = tuple(f"{folder}/" for folder in pins.folders)
    inside = (
        path for path in found if path.startswith(below) or any(each.matches(path) for each in pins.patterns)
    )
    return {*pins.files, *inside}


def _among(found: Mapping[str, FileStat], wanted: _Wanted) -> Sequence[str]:
    if wanted.everything:
        return list(found)
    patterns = Globs(wanted.patterns, "what")
    below = tuple(f"{folder}/" for folder in wanted.folders)
    return [path for path in found if path.startswith(below) or patterns.match(path)]


def _changed_files(
    root: Path, base: str, found: Mapping[str, FileStat], selection: FileSelection
) -> set[str]:
    """The changed files among those found; deleted ones are reported."""
    from contextls.packing.changed import changed_since

    changes = changed_since(root, base, found)
    gone = dict.fromkeys(changes.deleted, f"deleted since {base}")
    gone |= {old: f"renamed to {new} since {base}" for old, new in changes.renamed.items()}
    selection.left_out += [UnpackedFile(path, gone[path]) for path in sorted(gone) if selection.accepts(path)]
    return set(changes.changed)


def _stamp(root: Path, path: str, rules: IgnoreRules, selection: FileSelection) -> Stamp | None:
    """The stamp of a named file that may be read; where one may not, a warning names it as the user did."""
    reason = rules.reason(path)
    stamp = stamp_at(root / path)
    if stamp is None:
        selection.warnings.append(f"{path}: {explain_missing(root / path)}")
    elif reason is not None:
        selection.warnings.append(f"{path}: left out; {_RULES.get(reason, reason)}")
        selection.ignored[_RULES.get(reason, reason)] += 1
    elif not stat.S_ISREG(stamp.mode):
        selection.warnings.append(f"{path}: not a regular file")
    else:
        return stamp
    return None
