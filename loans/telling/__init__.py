"""What the library writes to its members: what is due to be told, to whom, in which words, by which road.

`loans.notices` is the writer above it: it keeps the rows, and sends. Nothing in here writes.
"""
