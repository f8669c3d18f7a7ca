"""The assembly report of a prompt as text: YAML with the names of the specification, or JSON with those of the wire."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict

from contextls.cli.output import json_text, yaml_text
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.model import AssemblyReport

_NAME = "assembly_report"


class ReportFormat(StrEnum):
    """The forms in which a report is written."""

    YAML = "yaml"
    JSON = "json"


def write_report(report: AssemblyReport, form: ReportFormat) -> str:
    """The report without secrets. In YAML, what a field has nothing to say about is left out."""
    if form is ReportFormat.JSON:
        return json_text(to_wire(report), indent=2)
    return yaml_text({_NAME: _to_plain(report)})


def _to_plain(value: Any) -> Any:  # noqa: ANN401 - any value of a report
    """Plain data with the names that the specification has."""
    if isinstance(value, Struct):
        return {name: _to_plain(item) for name, item in asdict(value).items() if item is not None}
    return [_to_plain(item) for item in value] if isinstance(value, tuple) else value
