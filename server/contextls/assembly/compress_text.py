"""Any text within a token budget, without a model: skeletons of code, folded logs, main sentences of prose."""

from __future__ import annotations

from msgspec import Struct

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


def compress_text(
    text: str,
    max_tokens: int,
    tokenizer_name: str,
    path_or_language: str = "",
    pool: _Parser | None = None,
) -> CompressedText:
    """``text``, secrets redacted, in at most ``max_tokens`` tokens, which are counted on what is returned.

    ``path_or_language`` says that it is code, and of which kind; without it, or where it names no language that is known,
    the text itself tells a log from prose. Code is parsed in ``pool``. Without one, or when parsing fails, its layout
    decides; ``warning`` says why.
    Raises ``InvalidRequestError`` naming the field.
    """
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
            bodies, warning = _bodies(language, text, pool)
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


class _OnTheSpot:
    """Stands for a pool within a worker process, which may die as those of a pool may."""

    @staticmethod
    def bodies(task: tuple[str, str]) -> str:
        """The function bodies of a text, given with its path or language."""
        return bodies_in(task)


class _Failed(Struct, frozen=True):
    """Stands for a pool whose worker died of this very text."""

    why: str


_Parser = WorkerPool | _OnTheSpot | _Failed


def _bodies(path_or_language: str, text: str, pool: _Parser | None) -> tuple[str, str | None]:
    """The function bodies of ``text``, or the reason why they are not known."""
    if pool is None:
        return "", None
    if isinstance(pool, _OnTheSpot):
        return pool.bodies((path_or_language, text)), None
    if isinstance(pool, _Failed):
        return "", _explain_unparsed(pool.why)
    (result,) = pool.map(bodies_in, [(path_or_language, text)])
    if isinstance(result, TaskFailure):
        return "", _explain_unparsed(f"{result.reason}: {result.message}")
    return result.value, None


def _explain_unparsed(why: str) -> str:
    return f"shortened by its layout: parsing it failed ({why})"


def compress_task(task: tuple[str, int, str, str]) -> CompressedText:
    """``compress_text`` of one argument, for a worker process, where code is parsed on the spot."""
    return compress_text(*task, pool=_OnTheSpot())


def compress_by_layout_task(task: tuple[str, int, str, str, str]) -> CompressedText:
    """``compress_task`` for code that cannot be parsed; the last part of the argument says why."""
    text, max_tokens, tokenizer_name, path_or_language, why = task
    return compress_text(text, max_tokens, tokenizer_name, path_or_language, _Failed(why))


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
