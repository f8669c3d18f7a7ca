"""What people pinned and excluded: a file that they edit and share."""
