"""Any text within a token budget, without a model: skeletons of code, folded logs, main sentences of prose."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from contextls.assembly.request import check_budget
from contextls.code.languages import TEXT, default_languages
from contextls.code.pool import TaskFailure, WorkerPool
from contextls.code.skeleton import write_skeleton
from contextls.code.worker_tasks import bodies_in
from contextls.errors import InvalidRequestError
from contextls.model import CompressedText, TokenCounts
from contextls.regex import compile_late
from contextls.text.fold import fold_output, is_log
from contextls.text.gate import CleanText, clean
from contextls.text.prose import extract_sentences, is_prose
from contextls.text.tokens import Tokenizer, get_tokenizer
from contextls.text.truncate import Keep, truncate

MAX_TEXT_CHARS = 10_000_000
MAX_TEXTS = 10_000
# Characters that are redacted and counted within some hundredths of a second; no more of them on a server's own threads.
LARGE_TEXT = 50_000
# Logs and prose, Markdown too, are better told by their text.
_PLAIN = frozenset(("text", "txt", "plain", "plaintext", "log"))
_NAME = compile_late(r"[\w.+#/\\ @()\[\]~-]{1,1000}")
# Reads the function bodies of a text in a language; with them, a warning where they are not known.
_BodyReader = Callable[[str, str], tuple[str, str | None]]


def compress_text(
    text: str,
    max_tokens: int,
    tokenizer_name: str,
    path_or_language: str = "",
    pool: WorkerPool | None = None,
) -> CompressedText:
    """``text``, secrets redacted, in at most ``max_tokens`` tokens, which are counted on what is returned.

    ``path_or_language`` says that it is code, and of which kind; without it, or where it names no language that is known,
    the text itself tells a log from prose. Code is parsed in ``pool``. Without one, or when parsing fails, its layout
    decides; ``warning`` says why.
    Raises ``InvalidRequestError`` naming the field.
    """
    return _compress(text, max_tokens, tokenizer_name, path_or_language, partial(_read_bodies, pool))


def compress_task(task: tuple[str, int, str, str]) -> CompressedText:
    """``compress_text`` of one argument, for a worker process, which may die of a text as those of a pool may."""
    return _compress(*task, lambda language, text: (bodies_in((language, text)), None))


def compress_by_layout_task(task: tuple[str, int, str, str, str]) -> CompressedText:
    """``compress_task`` for code that cannot be parsed; the last part of the argument says why."""
    return _compress(*task[:4], lambda *_: ("", _explain_unparsed(task[4])))


def _compress(
    text: str, max_tokens: int, tokenizer_name: str, path_or_language: str, read_bodies: _BodyReader
) -> CompressedText:
    check_budget(max_tokens, least=1)
    if len(text) > MAX_TEXT_CHARS:
        raise InvalidRequestError("text", f"at most {MAX_TEXT_CHARS} characters")
    if path_or_language and not _NAME.fullmatch(path_or_language):
        raise InvalidRequestError("language", "the name of a language, such as python", path_or_language)
    tokenizer = get_tokenizer(tokenizer_name)
    text = str(clean(text))
    method, short, warning = "none", text, None
    if tokenizer.count(text) > max_tokens:
        language, warning = _find_language(path_or_language, text)
        if language:
            bodies, warning = read_bodies(language, text)
            method, short = "skeleton", write_skeleton(language, text, bodies)
        elif is_log(text):
            method, short = "fold", fold_output(text, max_tokens, tokenizer)
        elif is_prose(text):
            method, short = "sentences", extract_sentences(text, max_tokens, tokenizer)
        if not short or tokenizer.count(short) > max_tokens:
            keep = Keep.HEAD if language else Keep.ENDS
            method, short = _cut(short or text, max_tokens, tokenizer, keep)
    return CompressedText(
        text=CleanText(short),  # pieces of a text that was redacted above
        token_count=tokenizer.count(short),
        truncated=short != text,
        method=method,
        tokenizer=tokenizer.name,
        tokenizer_exact=tokenizer.exact,
        warning=warning,
    )


def _find_language(path_or_language: str, text: str) -> tuple[str, str | None]:
    """The language of ``text`` where it is code, and what to tell where that is asked for and not known."""
    if not path_or_language:
        return "", None
    known = default_languages()
    language = known.find(path_or_language) or known.language_of(path_or_language, text)
    if language != TEXT:
        return "" if language == "markdown" else language, None
    if path_or_language.lower().rpartition(".")[2] in _PLAIN:
        return "", None
    return "", f"shortened as plain text: {path_or_language} names no language that is known"


def _cut(text: str, max_tokens: int, tokenizer: Tokenizer, keep: Keep) -> tuple[str, str]:
    """The way ``text`` was cut, and what is left: whole lines, or a part of the first where not even one fits."""
    lines = truncate(text, max_tokens, tokenizer, keep)
    if lines.omitted == len(text.splitlines()):
        return "cut", tokenizer.prefix(text, max_tokens)
    return str(keep), lines.text


def _read_bodies(pool: WorkerPool | None, language: str, text: str) -> tuple[str, str | None]:
    if pool is None:
        return "", None
    (result,) = pool.map(bodies_in, [(language, text)])
    if isinstance(result, TaskFailure):
        return "", _explain_unparsed(f"{result.reason}: {result.message}")
    return result.value, None


def _explain_unparsed(why: str) -> str:
    return f"shortened by its layout: parsing it failed ({why})"


def count_task(task: tuple[tuple[str, ...], str]) -> TokenCounts:
    """``count_tokens`` of one argument, for a worker process."""
    return count_tokens(*task)


def count_tokens(texts: tuple[str, ...], tokenizer_name: str) -> TokenCounts:
    """The tokens of each text and of all. Raises ``InvalidRequestError``."""
    if len(texts) > MAX_TEXTS:
        raise InvalidRequestError("texts", f"at most {MAX_TEXTS} texts")
    tokenizer = get_tokenizer(tokenizer_name)
    counts = tuple(tokenizer.count(text) for text in texts)
    return TokenCounts(counts, sum(counts), tokenizer.name, tokenizer.exact)
