"""The short address of a rules text, `/r/12`: printed on the box, right for ever, in the reader's language.

The number is the text's own and is never given to another. A removed text leaves a sign (`RemovedText`), so
that its address still says what is here now. Reads only; the QR code of an address is made here too, the
address itself by `catalogue.short_addresses`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import segno
from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation.trans_real import parse_accept_lang_header

from catalogue.models import Game, RemovedText, RulesText

BORDER = 4
"""White modules around the code (ISO/IEC 18004): phones do not find it without them."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What is said of a text that is no longer here: its sign, and the texts that its game has now."""

    sign: RemovedText
    game: Game | None
    texts: tuple[RulesText, ...]


def languages(request: HttpRequest) -> tuple[str, ...]:
    """What the reader speaks, best first: the language chosen here, then those of the browser."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    asked = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    spoken = (chosen if chosen in dict(settings.LANGUAGES) else "", *(tag for tag, _weight in asked))
    return tuple(dict.fromkeys(_primary(tag) for tag in spoken if tag and tag != "*"))


def for_reader(text: RulesText, spoken: Sequence[str]) -> RulesText:
    """The game's text of the same kind in the first language that the reader speaks; else `text` itself.

    Of several in one language, `text` itself comes first and then the one of the same edition.
    """
    others = [*text.game.rules_texts.filter(kind=text.kind)]
    others.sort(key=lambda other: (other.pk != text.pk, other.edition != text.edition, other.pk))
    by_language = {_primary(other.language): other for other in reversed(others)}
    return next((by_language[tag] for tag in spoken if tag in by_language), text)


def removed(pk: int) -> Removed | None:
    """What stood at the address of a text that is gone; None for a number that never was one."""
    sign = RemovedText.objects.select_related("game").filter(pk=pk).first()
    if sign is None:
        return None
    return Removed(sign, sign.game, tuple(sign.game.rules_texts.all()) if sign.game else ())


def qr_svg(url: str) -> SafeString:
    """The QR code as SVG without a size of its own; black on white in every theme, as phones need it."""
    made = BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(made, kind="svg", border=BORDER, light="#fff", omitsize=True, xmldecl=False, nl=False)
    return mark_safe(made.getvalue().decode())  # noqa: S308 - shapes made of numbers alone


def _primary(tag: str) -> str:
    return tag.lower().replace("_", "-").partition("-")[0]
