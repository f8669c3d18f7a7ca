"""The content index: chunks of the workspace, searchable by words and by meaning."""
