"""The ranking: which chunks a question is about, in which order, and what speaks for each."""
