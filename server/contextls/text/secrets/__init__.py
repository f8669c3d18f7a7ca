"""What secrets look like: rules as data, names that sound secret, values that look random."""
