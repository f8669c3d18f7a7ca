"""The part of a workspace that questions are limited to."""
