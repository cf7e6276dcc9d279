"""Two rules texts side by side: which section of the one says what a section of the other says.

Only texts with the same headings at the same depths, in order, are taken for translations of each other;
of any other two nobody can tell which sections belong together, and nothing is claimed.
"""

from collections.abc import Sequence

from catalogue.rules.sections import Section


def anchors(here: Sequence[Section], there: Sequence[Section]) -> tuple[str, ...]:
    """For each heading of `here`, in order, the anchor of the same one in `there`; empty if they differ."""
    if [section.level for section in here] != [section.level for section in there]:
        return ()
    return tuple(section.anchor for section in there)
