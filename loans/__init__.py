"""WHO HAS IT: members, policies, loans, opening days. Knows the catalogue, nothing of search.

Its rows are written by `desk` only; its decisions are made in `rules`, on plain values.
"""
