"""The catalogue for harvesters: OAI-PMH 2.0, public and read-only, at /oai.

`request` reads what is asked, and refuses what the protocol refuses; `listing` reads rows; `answer` writes
XML.
"""
