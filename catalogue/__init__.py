"""WHAT WE OWN: games, copies, people, publishers, categories, rules texts, documents.

The lowest package: it imports neither `loans` nor `search`. Its rows are written by `records` only.
"""
