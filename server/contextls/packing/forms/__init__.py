"""The forms that a pack is written in."""
