"""Old links into rules texts: the anchors that a text's sections had, and where their words stand now.

The only writer of `SectionAlias`; `records` calls it in the transaction that adds revisions. Reading pages
and the API ask it where an old anchor leads.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from catalogue.models import Revision, RulesText, SectionAlias
from catalogue.rules.renames import renamed
from catalogue.rules.sections import parse


def follow(text: RulesText, states: Sequence[Revision]) -> None:
    """Keep the anchors of `states` alive: some states of a text, oldest first, up to its current one.

    An anchor that leads on is led to the end; one that is back needs no alias.
    """
    if len(states) < 2:
        return
    rows = {alias.old_anchor: alias for alias in text.section_aliases.all()}
    known = {old: alias.anchor for old, alias in rows.items()}
    wanted = dict(known)
    for old, new in pairwise(states):
        step = renamed(old.body, new.body)
        wanted = {at: step.get(anchor, anchor) for at, anchor in wanted.items()} | step
    # What is back is no alias; a name that another section has taken waits until that one is gone.
    wanted = {old: anchor for old, anchor in wanted.items() if old != anchor}
    _write(text, rows, wanted)


def put_back(text: RulesText, wanted: dict[str, str]) -> None:
    """Let exactly these old anchors lead on: the newest states of the text were taken back."""
    _write(text, {alias.old_anchor: alias for alias in text.section_aliases.all()}, wanted)


def _write(text: RulesText, rows: dict[str, SectionAlias], wanted: dict[str, str]) -> None:
    SectionAlias.objects.filter(
        pk__in=[alias.pk for old, alias in rows.items() if old not in wanted]
    ).delete()
    moved: dict[str, list[int]] = defaultdict(list)
    for old, alias in rows.items():
        if old in wanted and wanted[old] != alias.anchor:
            moved[wanted[old]].append(alias.pk)
    # All that lead to one section now are led there at once: a text may have had thousands of anchors.
    for anchor, keys in moved.items():
        SectionAlias.objects.filter(pk__in=keys).update(anchor=anchor)
    SectionAlias.objects.bulk_create(
        SectionAlias(rules_text=text, old_anchor=old, anchor=anchor)
        for old, anchor in wanted.items()
        if old not in rows
    )


def aliases(text: RulesText) -> dict[str, str]:
    """Old anchor -> the anchor of the section that has its words in the current state of the text."""
    return dict(text.section_aliases.values_list("old_anchor", "anchor"))


def resolve_section(text: RulesText, anchor: str) -> str | None:
    """The anchor under which the words of `anchor` (of a section, or of a passage: `fin~2`) stand now.

    None where the text's current state has no such section.
    """
    current = text.current
    if current is None:
        return None
    body = Revision.objects.values_list("body", flat=True).get(pk=current.pk)
    now = {section.anchor for section in parse(body)}
    wanted = anchor.partition("~")[0]
    if wanted in now:
        return wanted
    led = text.section_aliases.filter(old_anchor=wanted).values_list("anchor", flat=True).first()
    return led if led in now else None
