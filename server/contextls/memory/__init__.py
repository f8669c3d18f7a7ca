"""The stores behind a prompt: content, events, entities, relations and patterns of one workspace."""
