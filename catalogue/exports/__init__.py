"""Writing the catalogue for other programs: pure functions from plain values to records and bytes.

`library` is the only module here that reads rows, and none writes any.
"""
