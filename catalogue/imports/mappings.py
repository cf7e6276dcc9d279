"""What people have said of the columns of tables, kept by the headings: the only writer of `ColumnMapping`.

A table that comes again is read as it was read before; what is said anew comes first.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from catalogue.imports import columns, sheets
from catalogue.imports.columns import Proposal
from catalogue.imports.sniff import Format, sniff
from catalogue.imports.tables import Table
from catalogue.models import ColumnMapping


def proposal_for(table: Table, said: Mapping[str, str], *, now: datetime) -> Proposal:
    """What the columns of a table mean: as said now, else as said before, else as guessed.

    What is said of headings that the table has is kept. Raises ValueError for a field that there is not.
    """
    guessed = sheets.proposal_of(table)
    row = ColumnMapping.objects.filter(fingerprint=guessed.fingerprint).first()
    own = {heading: field for heading, field in said.items() if columns.has_heading(guessed, heading)}
    mapping = (row.mapping if row else {}) | own
    if not mapping:
        return guessed
    proposal = columns.corrected(guessed, mapping)
    ColumnMapping.objects.update_or_create(
        fingerprint=guessed.fingerprint, defaults={"mapping": mapping, "used_at": now}
    )
    return proposal


def shown(path: Path, said: Mapping[str, str], *, now: datetime) -> Iterator[tuple[Table, Proposal]]:
    """The tables of a file with what their columns mean; none where it is no table."""
    found = sniff(path)
    if found.format is Format.TABLE:
        for table in sheets.open_tables(found.text, found.data)[0]:
            yield table, proposal_for(table, said, now=now)


def remembered(fingerprint: str) -> dict[str, str]:
    """What was said of tables with these headings."""
    row = ColumnMapping.objects.filter(fingerprint=fingerprint).first()
    return dict(row.mapping) if row else {}


def forget(fingerprint: str) -> None:
    """Go by guesses again."""
    ColumnMapping.objects.filter(fingerprint=fingerprint).delete()
