from __future__ import annotations

from contextls.text.json_lines import lines_said


def test_what_a_line_of_json_would_have_printed_has_no_colours() -> None:
    line = r'{"Action":"output","Output":"\u001b[31m--- FAIL: TestTotal\u001b[0m\n    got 2\n"}'
    assert list(lines_said(line)) == ["--- FAIL: TestTotal", "    got 2"]


def test_other_lines_stay_as_they_are() -> None:
    for line in ("--- FAIL: TestTotal", '{"level": "info"}', '{"Action":', '{"Action": 1}'[:-1]):
        assert list(lines_said(line)) == [line]
