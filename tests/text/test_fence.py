import re

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from contextls.text.fence import fence, inline, paragraph, quote_block

texts = st.one_of(st.text(max_size=80), st.text("`~\n \tab", max_size=80))


@given(before=st.sampled_from(["", "# t\n\n", "- x\n\n"]), text=texts, language=st.text(max_size=12))
@example(before="", text="```\n~~~~\n````", language="a`b\nc")
@example(before="", text="`" * 30, language="py")
def test_text_cannot_break_out(before: str, text: str, language: str) -> None:
    tokens = MarkdownIt().parse(f"{before}{fence(text, language)}\n\nafter\n")
    fences = [token for token in tokens if token.type == "fence"]
    assert len(fences) == 1
    # A Markdown reader normalises line breaks and NUL; nothing else may differ.
    expected = re.sub("\r\n?", "\n", text).replace("\0", "\ufffd")
    assert fences[0].content == (expected if not expected or expected.endswith("\n") else expected + "\n")
    assert [token.content for token in tokens if token.type == "inline"][-1] == "after"


def test_plain_text_gets_three_backticks() -> None:
    assert fence("x = 1", "python") == "```python\nx = 1\n```"
    assert fence("", "c++") == "```c++\n```"


@given(text=st.text(max_size=20), hidden=st.sampled_from("\u202e\u2067\u200b\ufeff\x1b\x9b\U000e0041"))
def test_invisible_characters_in_a_name_are_written_as_escapes(text: str, hidden: str) -> None:
    shown = inline(f"{text}{hidden}.py")
    assert hidden not in shown
    assert hidden.encode("unicode_escape").decode() in shown


def test_a_name_in_any_script_is_as_it_is_written() -> None:
    for name in ("naïve.py", "日本.md", "👩\u200d🚀.txt", "שלום.py", "می\u200cخواهم.md"):
        assert inline(name) == f"`{name}`"


OPENERS = (
    "",
    "# ",
    "```",
    "~~~",
    "<!-- ",
    "<pre>",
    "<script>",
    "- ",
    "1. ",
    "> ",
    "[a]: /b",
    "---",
    "===",
    "\t",
)
lines = st.tuples(st.sampled_from(OPENERS), texts).map("".join)


@given(text=lines)
def test_a_question_is_a_paragraph_and_opens_nothing(text: str) -> None:
    tokens = MarkdownIt().parse(f"{paragraph(text)}\n\n## after\n")
    headings = [token for token in tokens if token.type == "heading_open"]
    assert headings[-1].level == 0
    assert tokens[-2].content == "after"
    assert not [token for token in tokens if token.type == "html_block"]


@given(text=st.lists(lines, min_size=1, max_size=8).map("\n".join).filter(str.splitlines))
def test_what_is_quoted_stays_in_its_quote(text: str) -> None:
    tokens = MarkdownIt().parse(f"question\n\n{quote_block(text)}\n\n## after\n")
    outside = [token.type for token in tokens if token.level == 0 and token.nesting >= 0]
    assert outside[0] == "paragraph_open"
    assert set(outside[1:-1]) == {"blockquote_open"}
    assert outside[-1] == "heading_open"
    assert tokens[-2].content == "after"
