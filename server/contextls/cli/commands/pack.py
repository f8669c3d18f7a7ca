"""``contextls pack``: chosen files as one document within a budget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.cli.arguments import read_whole
from contextls.cli.options import Tokenizer, parse_tokens
from contextls.cli.output import count, emit_text, note, one_line, warn
from contextls.cli.user_settings import user_settings
from contextls.errors import InvalidRequestError
from contextls.model import PackFormat

if TYPE_CHECKING:
    from contextls.model import Pack, PackRequest

EXAMPLES = (
    "contextls pack . --max-tokens 100k -o context.md",
    'contextls pack src "docs/**/*.md" --ignore "*_test.py"',
    "contextls pack . --changed main --max-tokens 30k --format tagged",
    "git diff --name-only | contextls pack --stdin --skeletons --copy",
)
_MAX_LIST_BYTES = 16_000_000
_MAX_WORDS_BYTES = 1_000_000


def pack(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHAT]...",
            help="Files, folders and gitignore patterns; !PATTERN takes back.",
            show_default="everything",
        ),
    ] = None,
    root: Annotated[
        Path, typer.Option("--root", metavar="DIR", help="The workspace.", show_default="current folder")
    ] = Path(),
    working_set: Annotated[bool, typer.Option("--working-set", "-w", help="What is pinned.")] = False,
    changed: Annotated[
        str | None,
        typer.Option(
            metavar="BASE",
            help="What is new or different since HEAD left this branch, tag or commit.",
            show_default=False,
        ),
    ] = None,
    stdin: Annotated[
        bool, typer.Option("--stdin", help="The files listed on standard input, one a line.")
    ] = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore",
            "-i",
            metavar="PATTERN",
            help="Leave out what matches this gitignore pattern; may be repeated.",
        ),
    ] = None,
    noise: Annotated[
        bool,
        typer.Option(
            "--noise", help="Also dependencies, lock files, build output, minified and generated files."
        ),
    ] = False,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens",
            "--budget",
            "-t",
            parser=parse_tokens,
            metavar="N",
            help="The most tokens of the whole, such as 30000 or 30k: files give way to skeletons and names.",
            show_default="no bound",
        ),
    ] = None,
    split: Annotated[
        int | None,
        typer.Option(
            parser=parse_tokens,
            metavar="N",
            help="Cut it into parts of at most N tokens.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        PackFormat, typer.Option("--format", "-f", help="How it is written.")
    ] = PackFormat.MARKDOWN,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to FILE, parts to FILE.1, FILE.2 …",
            show_default=False,
        ),
    ] = None,
    copy: Annotated[bool, typer.Option("--copy", "-c", help="Put it on the clipboard.")] = False,
    skeletons: Annotated[
        bool, typer.Option("--skeletons", "-s", help="Code without the bodies of functions.")
    ] = False,
    no_comments: Annotated[bool, typer.Option("--no-comments", help="Code without comments.")] = False,
    no_empty_lines: Annotated[
        bool, typer.Option("--no-empty-lines", help="Files without empty lines.")
    ] = False,
    line_numbers: Annotated[
        bool, typer.Option("--line-numbers", "-n", help="Whole files with the numbers of their lines.")
    ] = False,
    no_summary: Annotated[
        bool, typer.Option("--no-summary", help="Without figures and the list of what is not shown.")
    ] = False,
    no_tree: Annotated[bool, typer.Option("--no-tree", help="Without the tree.")] = False,
    no_files: Annotated[bool, typer.Option("--no-files", help="Nothing but figures and tree.")] = False,
    diffs: Annotated[bool, typer.Option("--diffs", help="Also the uncommitted changes.")] = False,
    log: Annotated[int, typer.Option(min=0, metavar="N", help="Also the newest N commits.")] = 0,
    header: Annotated[
        str, typer.Option(metavar="TEXT", help="Words that come first.", show_default=False)
    ] = "",
    instructions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file whose words come last.", show_default=False),
    ] = None,
    top: Annotated[int, typer.Option(min=0, metavar="N", help="Name the N largest files.")] = 5,
    tokenizer: Tokenizer = None,
) -> None:
    """Write chosen files as one document within a budget.

    A tree with token counts comes first. Needs no index. What is ignored or excluded stays out, secrets are redacted;
    the same files give the same document. Figures and warnings go to standard error.
    """
    from contextls.model import PackRequest

    if copy and (output is not None or split is not None):
        raise typer.BadParameter(
            "it copies one document; leave out --output and --split", param_hint="--copy"
        )
    given, root = _find_root(what or [], root)
    request = PackRequest(
        what=tuple(given),
        listed=_read_list() if stdin else None,
        working_set=working_set,
        changed=changed,
        ignore=(*(ignore or ()), *_own_output(root, output)),
        include_noise=noise,
        max_tokens=max_tokens,
        split_tokens=split,
        format=form,
        tokenizer=tokenizer,
        skeletons=skeletons,
        line_numbers=line_numbers,
        drop_comments=no_comments,
        drop_empty_lines=no_empty_lines,
        summary=not no_summary,
        tree=not no_tree,
        texts=not no_files,
        diffs=diffs,
        commits=log,
        header=header,
        instructions="" if instructions is None else _read_words(instructions),
    )
    packed = _pack(root, request)
    found = bool(packed.files or packed.left_out)
    if found:
        _hand_over(packed, output, copy=copy)
    _tell(packed, request, top)
    if not found:
        note("no files found")
        raise typer.Exit(1)


def _pack(root: Path, request: PackRequest) -> Pack:
    from contextls.standalone import pack_files

    try:
        return pack_files(root, request, user_settings())
    except InvalidRequestError as error:
        if error.field != "maxTokens":
            raise
        raise InvalidRequestError("--max-tokens", error.expected, error.got) from None


def _find_root(given: list[str], root: Path) -> tuple[list[str], Path]:
    """Resolve the typed paths and the workspace. A single folder outside the current one is a workspace of its own."""
    if len(given) == 1 and root == Path() and os.path.lexists(given[0]) and Path(given[0]).is_dir():
        folder = Path(given[0]).resolve()
        if not folder.is_relative_to(Path.cwd().resolve()):
            return [], folder
    here = Path.cwd()
    return [str(here / each) if each and os.path.lexists(here / each) else each for each in given], root


def _own_output(root: Path, output: Path | None) -> tuple[str, ...]:
    """Patterns for what an earlier run has written."""
    if output is None:
        return ()
    place = output.resolve()
    if not place.is_relative_to(root.resolve()):
        return ()
    path = place.relative_to(root.resolve())
    numbered = path.with_name(f"{path.stem}.[0-9]*{path.suffix}")
    return (f"/{path.as_posix()}", f"/{numbered.as_posix()}")


def _read_list() -> tuple[str, ...]:
    """The paths on standard input: one a line, or with NULs between them as ``git ls-files -z`` writes."""
    text = read_whole(Path("-"), "--stdin", _MAX_LIST_BYTES).decode("utf-8", "surrogateescape")
    here = Path.cwd()
    # A name may hold what Python's own splitting takes for the end of a line.
    lines = text.split("\0") if "\0" in text else text.replace("\r\n", "\n").split("\n")
    return tuple(str(here / line) for line in lines if line.strip())


def _read_words(file: Path) -> str:
    return read_whole(file, "--instructions", _MAX_WORDS_BYTES).decode("utf-8", "replace")


def _hand_over(packed: Pack, output: Path | None, *, copy: bool) -> None:
    """Write the document to its files, to the clipboard or to standard output."""
    if output is not None:
        _write(packed, output)
    elif copy:
        from contextls.cli.clipboard import copy as put_on_clipboard

        note(f"copied {put_on_clipboard(packed.parts[0])}")
    else:
        for part in packed.parts:
            emit_text(part)


def _write(packed: Pack, output: Path) -> None:
    """Write each part to a file of its own. Raises ``InvalidRequestError`` where one cannot be written."""
    from contextls.user_files import write_output

    names = [output]
    if len(packed.parts) > 1:
        numbers = range(1, len(packed.parts) + 1)
        names = [output.with_name(f"{output.stem}.{number}{output.suffix}") for number in numbers]
    try:
        for name, part in zip(names, packed.parts, strict=True):
            write_output(name, part)
    except OSError as error:
        problem = f"a file that can be written ({error.strerror})"
        raise InvalidRequestError("--output", problem, str(output)) from None
    note(f"written to {names[0]}" if len(names) == 1 else f"written to {names[0]} … {names[-1]}")


def _tell(packed: Pack, request: PackRequest, top: int) -> None:
    for warning in packed.warnings:
        warn(warning)
    for reason, number in sorted(packed.ignored.items()):
        note(f"{number:>10,}  not here: {reason}")
    largest = sorted(packed.files, key=lambda file: (-file.whole_tokens, file.path))[:top]
    for file in largest if len(packed.files) > 1 else ():
        note(f"{file.whole_tokens:>10,}  {one_line(file.path)}")
    mark = "" if packed.tokenizer_exact else "~"
    bound = f" of {request.max_tokens:,}" if request.max_tokens else ""
    parts = f" in {count(len(packed.parts), 'part')}" if len(packed.parts) > 1 else ""
    missing = f"; {count(len(packed.left_out), 'file')} not shown" if packed.left_out else ""
    note(
        f"{count(len(packed.files), 'file')}, {mark}{packed.token_count:,}{bound} tokens ({packed.tokenizer})"
        f"{parts}{missing}"
    )
