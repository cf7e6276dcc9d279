"""What the pages of a game show for the table: pinned cards, the QR code, print and offline.

Inclusion tags, so that the pages that use them need one line each. The only query is that of
`pinned_game`: the words of one text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django import template
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from catalogue import short_addresses
from catalogue.models import Revision, RulesKind, RulesText
from catalogue.rules.sections import Section, parse
from search.pinned import Kind, Pin, pinned

register = template.Library()

NAMES = {
    Kind.COMPONENTS: gettext_lazy("What is in the box"),
    Kind.SETUP: gettext_lazy("Setup"),
    Kind.PLAY: gettext_lazy("How it is played"),
    Kind.TURN: gettext_lazy("A turn"),
    Kind.END: gettext_lazy("End of the game"),
    Kind.SCORING: gettext_lazy("Scoring"),
    Kind.TIE: gettext_lazy("In case of a tie"),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A pinned place as it is shown: its name in the reader's language, the heading in the text's own."""

    name: str
    href: str
    heading: str


@register.inclusion_tag("components/pinned.html")
def pinned_text(text: RulesText, contents: Sequence[Section]) -> dict[str, Any]:
    """The cards of a text that is being read."""
    return {"cards": cards(pinned(contents, text.language)), "language": text.language}


@register.inclusion_tag("components/pinned.html")
def pinned_game(rules: Sequence[RulesText]) -> dict[str, Any]:
    """The cards of the text that stands first on a record, in the reader's language if it can be."""
    text = next((text for text in rules if text.kind == RulesKind.RULES and text.current), None)
    if text is None or text.current is None:
        return {"cards": []}
    body = Revision.objects.values_list("body", flat=True).get(pk=text.current.pk)
    page = reverse("rules-text", args=[text.pk])
    return {"cards": cards(pinned(parse(body), text.language), page), "language": text.language}


@register.inclusion_tag("components/rules_tools.html", takes_context=True)
def rules_tools(context: template.Context, text: RulesText) -> dict[str, Any]:
    """Print, keep offline, QR code."""
    return {"text": text, "address": short_addresses.address(context["request"], text.pk)}


@register.inclusion_tag("components/print_foot.html", takes_context=True)
def print_foot(context: template.Context, text: RulesText, revision: Revision) -> dict[str, Any]:
    """What only the printed page says: its source, its day, and where the current text stands."""
    address = short_addresses.address(context["request"], text.pk)
    return {"text": text, "revision": revision, "address": address, "library_name": context["library_name"]}


def cards(pins: Sequence[Pin], page: str = "") -> list[Card]:
    """The cards of pins; `page` is the address of the text where it is not the one being read."""
    return [Card(name_of(pin), f"{page}#{_place(pin)}", pin.heading) for pin in pins]


@register.filter("pin_name")
def name_of(pin: Pin) -> str:
    """What a card says, in the reader's language."""
    if pin.kind == Kind.PLAYERS:
        return ngettext("%(number)d player", "%(number)d players", pin.players) % {"number": pin.players}
    return str(NAMES[pin.kind])


def _place(pin: Pin) -> str:
    """The anchor; browsers that can also scroll to the very line and mark it (a text fragment)."""
    return f"{pin.anchor}:~:text={quote(pin.line, safe='')}" if pin.line else pin.anchor
