"""``contextls doctor``: whether everything is as it should be, and what to do where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.cli.options import Json, Root
from contextls.cli.output import count, emit, emit_json, has_colour, note, printable
from contextls.errors import InvalidRequestError
from contextls.user_files import write_report

if TYPE_CHECKING:
    from contextls.cli.checkup import Finding

EXAMPLES = (
    "contextls doctor",
    "contextls doctor ~/src/app --bundle report.md       # to go with a bug report",
)
_SIGNS = {"good": "ok", "hint": "!!", "problem": "NO"}
_COLOURS = {"good": "green", "hint": "yellow", "problem": "red"}


def doctor(
    root: Root = Path(),
    bundle: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also write what was found to a new file, without secrets, names of people and of the workspace.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look whether everything is as it should be.

    The installation, its folders, git, settings, agents, and the index and events of a workspace. Nothing is sent, and
    nothing of the workspace is in the report but counts. Ends with 1 where something is broken.
    """
    from contextls.cli.checkup import Verdict, look_at_all

    findings = list(look_at_all(root))
    if as_json:
        emit_json(findings)
    else:
        for finding in findings:
            emit(_line(finding))
    if bundle is not None:
        _write(findings, bundle, root)
    broken = sum(finding.verdict is Verdict.PROBLEM for finding in findings)
    if broken:
        note(f"{count(broken, 'problem')} found")
        raise typer.Exit(1)


def _line(finding: Finding) -> str:
    sign = _SIGNS[finding.verdict]
    if has_colour():
        sign = typer.style(sign, fg=_COLOURS[finding.verdict])
    advice = f"\n{'':15}{finding.advice}" if finding.advice else ""
    return f"{sign} {finding.about:<11} {printable(finding.what)}{advice}"


def _write(findings: Sequence[Finding], file: Path, root: Path) -> None:
    from contextls.cli.checkup import anonymous

    lines = ["# contextls doctor", ""]
    for finding in findings:
        advice = f" ({finding.advice})" if finding.advice else ""
        lines.append(f"- {finding.verdict}: {finding.about}: {finding.what}{advice}")
    try:
        write_report(file, anonymous("\n".join(lines) + "\n", root.resolve()))
    except FileExistsError:
        raise InvalidRequestError("--bundle", "a file that does not exist yet", str(file)) from None
    except OSError as error:
        raise InvalidRequestError(
            "--bundle", f"a file that can be written ({error.strerror})", str(file)
        ) from None
    note(f"written: {file}; read it before you send it")
