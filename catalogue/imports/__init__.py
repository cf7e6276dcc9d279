"""Reading what other programs have saved: one reader per format yields plain drafts or problems,
`ingest` is the one that writes them.
"""
