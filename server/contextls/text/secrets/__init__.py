"""Rules for secrets as data: tokens, names that sound secret, values that look random."""
