"""The user's settings for one command, with a warning for each fault in their file."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from contextls.cli.output import one_line, warn

if TYPE_CHECKING:
    from contextls.settings import Settings


@cache
def user_settings() -> Settings:
    """The settings that hold. Their file is read, and warned of, once for a command: ``cache_clear`` begins the next.

    Raises ``InvalidRequestError`` where the file has no place.
    """
    from contextls.settings_file import read_user_settings

    user = read_user_settings()
    for warning in user.warnings:
        warn(one_line(warning))
    return user.settings
