"""Embedders turn text into vectors. ``base`` says what one must do; each other module is one of them."""
