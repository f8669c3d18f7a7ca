"""Estimates how likely each chunk is to be of use: a learned model of the chunks that lead any ranking."""
