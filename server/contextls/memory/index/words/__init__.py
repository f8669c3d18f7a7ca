"""The words of questions: how they are spelled, said in other languages, and said in code."""
