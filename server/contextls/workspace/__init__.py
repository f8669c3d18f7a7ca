"""What belongs to a workspace and how it changes: roots, ignore rules, scanning, reading, watching, git."""
