"""The catalogue for other libraries' search screens: SRU 1.1 and 1.2, public and read-only, at /sru.

`request` reads the parameters, `query` and `indexes` turn CQL into a database query, `answer` writes XML.
"""
