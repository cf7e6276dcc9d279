"""FINDING IT: the public catalogue, rules look-up and the index. Owns no truth: no models, no migrations.

The index is a shadow of the database and may be deleted at any time.
"""
