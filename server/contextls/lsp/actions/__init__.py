"""Code actions: one module per kind of action that an editor can offer."""
