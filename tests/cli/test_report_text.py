"""The assembly report as YAML and JSON: whatever it holds, a reader gets it back."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from contextls.cli.output import yaml_text
from contextls.cli.report_text import ReportFormat, write_report
from contextls.model import AssemblyReport, BudgetUse, ExcludedPart, IncludedPart
from contextls.text.gate import clean_json

TOKENS = st.integers(0, 10**9)
ODD = "\x00\t\r\n \x85\u2028\u2029\ufeff\ud800\U0001f600:#-[]{}'\"|>%@`&*!?,~\\0123456789eE.nulltrueyes"
TEXTS = st.text(max_size=30) | st.text(ODD, max_size=12)
REPORTS = st.builds(
    AssemblyReport,
    st.builds(BudgetUse, TOKENS, TOKENS, TOKENS),
    st.lists(st.builds(IncludedPart, TEXTS, TOKENS, st.booleans(), st.none() | TOKENS), max_size=3).map(
        tuple
    ),
    st.lists(st.builds(ExcludedPart, TEXTS, TEXTS, st.none() | TOKENS), max_size=3).map(tuple),
    st.lists(TEXTS, max_size=3).map(tuple),
)


def without_nothing(value: Any) -> Any:  # noqa: ANN401 - JSON
    """``value`` with the names of the specification, and without fields that say nothing."""
    if isinstance(value, dict):
        named = {"originalTokens": "original_tokens"}
        return {
            named.get(name, name): without_nothing(item) for name, item in value.items() if item is not None
        }
    return list(map(without_nothing, value)) if isinstance(value, list) else value


@given(report=REPORTS)
@example(
    report=AssemblyReport(
        BudgetUse(1, 1, 0), (IncludedPart("\x85", 1),), (ExcludedPart("1e3", "y"),), ("...",)
    )
)
def test_the_yaml_says_what_the_json_says(report: AssemblyReport) -> None:
    as_json = json.loads(write_report(report, ReportFormat.JSON))
    as_yaml = yaml.safe_load(write_report(report, ReportFormat.YAML))
    assert as_yaml == {"assembly_report": without_nothing(as_json)}


@given(text=TEXTS)
def test_every_text_comes_back_from_yaml(text: str) -> None:
    assert yaml.safe_load(yaml_text({"path": [text]})) == clean_json({"path": [text]})


def test_the_yaml_has_the_form_of_the_specification() -> None:
    report = AssemblyReport(
        BudgetUse(28_000, 23_456, 4_544),
        (
            IncludedPart("src/main.ts", 8_000, truncated=True, original_tokens=15_000),
            IncludedPart("é.md", 500),
        ),
        (ExcludedPart("large_log.txt", "over budget"),),
        ("1 part was left out for want of room",),
    )
    assert write_report(report, ReportFormat.YAML) == (
        "assembly_report:\n"
        "  budget:\n    max: 28000\n    used: 23456\n    remaining: 4544\n"
        "  included:\n"
        '  - path: "src/main.ts"\n    tokens: 8000\n    truncated: true\n    original_tokens: 15000\n'
        '  - path: "é.md"\n    tokens: 500\n    truncated: false\n'
        '  excluded:\n  - path: "large_log.txt"\n    reason: "over budget"\n'
        '  warnings:\n  - "1 part was left out for want of room"\n'
    )


def test_no_form_of_a_report_shows_a_secret() -> None:
    secret = "ghp_" + "a1B2" * 9
    report = AssemblyReport(BudgetUse(1, 1, 0), (IncludedPart(f"notes/{secret}", 1),), (), ())
    for form in ReportFormat:
        assert secret not in write_report(report, form)
