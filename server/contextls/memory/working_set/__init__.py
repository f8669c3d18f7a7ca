"""The working set: what people pinned and excluded, in a file that they edit and share."""
