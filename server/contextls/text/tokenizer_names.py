"""Names of tokenizers as people type them: a slip is told from a model that is merely not public."""

from __future__ import annotations

from difflib import get_close_matches

from contextls.errors import InvalidRequestError
from contextls.regex import compile_late
from contextls.text.tokens import get_tokenizer

# What names of models begin with whose tokenizers are not public, or not at hand: their tokens are estimated.
_FAMILIES = (
    "claude", "codestral", "codegemma", "codellama", "cohere", "command", "deepseek", "devstral", "ernie", "falcon",
    "gemini", "gemma", "glm", "granite", "grok", "hermes", "hunyuan", "jamba", "kimi", "llama", "magistral", "minimax",
    "ministral", "mistral", "mixtral", "nemotron", "nova", "olmo", "phi", "pixtral", "qwen", "qwq", "sonar", "starcoder",
    "yi",
)  # fmt: skip
_NEAREST = (
    "estimate", "o200k_base", "cl100k_base", "gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-4", "gpt-5", "gpt-3.5-turbo", "o1",
    "o3", "o4-mini", *_FAMILIES,
)  # fmt: skip
_FIRST_WORD = compile_late(r"[a-z]+")


def check_known(name: str) -> None:
    """Raise ``InvalidRequestError`` (field ``tokenizer``) when ``name`` is nearly an encoding or model that is known.

    A name that resembles none is a model of the user's own: it stays, and is estimated.
    """
    tokenizer = get_tokenizer(name)
    model = name.strip().lower().rsplit("/", 1)[-1]
    word = _FIRST_WORD.match(model)
    if tokenizer.exact or model == "estimate" or (word is not None and word[0].startswith(_FAMILIES)):
        return
    near = get_close_matches(model, _NEAREST, n=1, cutoff=0.6)
    if not near and word is not None:
        near = get_close_matches(word[0], _NEAREST, n=1, cutoff=0.7)
    if near:
        expected = (
            f"an encoding or a model that is known (did you mean {near[0]}?), or estimate for any other"
        )
        raise InvalidRequestError("tokenizer", expected, name)
