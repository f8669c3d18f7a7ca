"""The context windows of models, a user's own on top, and the tokenizers that count for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.package_data import read_packaged
from contextls.regex import compile_late
from contextls.settings_rules import read_model_limit
from contextls.text.tokens import Tokenizer, get_tokenizer
from contextls.toml_text import parse_toml

# What a provider adds to a name: a date, "latest", the version of a deployment.
_SUFFIX = compile_late(
    r"(?:[-@]\d{8}|[-@]\d{4}-\d{2}-\d{2}|-\d{4}|-latest|-preview(?:-\d\d-\d\d(?:-\d{4})?)?|-v\d+(?::\d+)?|:\w+)$"
)
_PREFIX = compile_late(
    r"(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|meta|mistral|deepseek|amazon|xai|qwen)\."
)


class ModelLimit(Struct, frozen=True):
    """The window of a model in tokens; ``warning`` says where it is only assumed."""

    tokens: int
    warning: str = ""


def find_limit(model: str | None, own: Sequence[str], default: int) -> ModelLimit:
    """The window of ``model``: a user's ``own`` (``name=tokens``), what is known, or the ``default`` with a warning.

    Raises ``InvalidRequestError`` for an entry of ``own`` that cannot be read.
    """
    known = {**_known_limits(), **read_own_limits(own)}
    if model is None:
        return ModelLimit(default, f"no model was named; its window is taken for {default:,} tokens")
    for name in _names_of(model):
        if name in known:
            return ModelLimit(known[name])
    return ModelLimit(
        default,
        f"the window of the model {model} is not known and taken for {default:,} tokens; "
        "the setting modelLimits says better",
    )


def choose_tokenizer(asked: str | None, model: str | None, usual: str) -> Tokenizer:
    """The tokenizer that was ``asked`` for, else that of ``model``, else the ``usual`` one.

    Raises ``InvalidRequestError`` where there is none of the name that was asked for.
    """
    if asked:
        return get_tokenizer(asked)
    try:
        return get_tokenizer(model or usual)
    except InvalidRequestError:
        return get_tokenizer(usual)


def read_own_limits(own: Sequence[str]) -> Mapping[str, int]:
    """A user's limits by name. Raises ``InvalidRequestError``."""
    limits = (read_model_limit("contextls.modelLimits", entry) for entry in own)
    return {name.lower(): tokens for name, tokens in limits}


def _names_of(model: str) -> list[str]:
    """The name as it was given, then with ever less of what providers add to it."""
    name = model.strip().lower()
    base = name.rsplit("/", 1)[-1]
    names = [name, base, _PREFIX.sub("", base)]
    while (cut := _SUFFIX.sub("", names[-1])) != names[-1]:
        names.append(cut)
    return names


@cache
def _known_limits() -> Mapping[str, int]:
    families = parse_toml(read_packaged(Path(__file__).with_name("model_limits.toml")))
    return {name: tokens for family in families.values() for name, tokens in family.items()}
