"""Rules texts: other people's formats -> our small Markdown -> sections, safe HTML, differences.

Pure functions on text; nothing here knows the database. `markup` says what our Markdown is.
"""
