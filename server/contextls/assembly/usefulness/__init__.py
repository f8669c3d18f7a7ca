"""How likely each chunk is to be of use for a question: a learned look at the chunks that lead any ranking."""
