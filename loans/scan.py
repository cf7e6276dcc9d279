"""What was scanned or typed into the desk's one box: a member, a box, or a question.

Reads only. What a code is, look-up decides and never its shape. Small damage (blanks, lower case,
`*` marks, Codabar letters, leading zeros) is repaired when one thing only can be meant; otherwise the
person is asked, never guessed for.
"""

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q, QuerySet

from catalogue import barcodes
from catalogue.models import Copy
from catalogue.prepared import Prepared
from catalogue.text import name_key, typed_words
from loans.models import Member

LONGEST_LABEL = 20
"""Labels are tried with leading zeros up to this length."""

CHOICES_SHOWN = 12
SHORTEST_NAME = 3

Rows = tuple[tuple[Member, ...], tuple[Copy, ...]]
NOBODY: Rows = ((), ())
AZERTY_DIGITS = str.maketrans("&é\"'(-è_çà", "1234567890")


MOST_SPELLINGS = 4
"""As many `label_candidates` gives at most: every scan asks for these and mostly finds one."""

CARDS = Prepared(lambda *labels: Member.objects.filter(card_number__in=labels), *[str] * MOST_SPELLINGS)
LABELS = Prepared(lambda *labels: Copy.objects.filter(barcode__in=labels), *[str] * MOST_SPELLINGS)


@dataclass(frozen=True, slots=True)
class Sought:
    """Of what kind a code's rows may be. What is not sought is not asked for."""

    members: bool = True
    copies: bool = True


class Found(StrEnum):
    """What a code turned out to be."""

    NOTHING_SCANNED = "nothing_scanned"
    MEMBER = "member"
    COPY = "copy"
    CHOICE = "choice"
    UNKNOWN = "unknown"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Scan:
    """The code as it came, what it is, and the rows that it may mean (one, or the choices)."""

    code: str
    found: Found
    members: tuple[Member, ...] = ()
    copies: tuple[Copy, ...] = ()


def clean(raw: str) -> str:
    """The code as one line without control characters, which some scanners send around it."""
    return "".join(c if c.isprintable() else " " for c in raw).strip()[:200]


def read(raw: str) -> Scan:
    """Tell what was scanned or typed; the surest reading that finds anything wins."""
    scanned = _read_code(clean(raw), Sought())
    if scanned.found != Found.UNKNOWN:
        return scanned
    members, copies = _by_name(scanned.code)
    return Scan(scanned.code, Found.CHOICE, members, copies) if members or copies else scanned


def read_exact(raw: str) -> Scan:
    """The same for a label or a card as it is printed, with nothing repaired but its case and marks."""
    code = clean(raw)
    members, copies = _exact(code, Sought())
    return _told(code, members, copies) if members or copies else Scan(code, Found.UNKNOWN)


def read_copy(raw: str) -> Scan:
    """The same for a code that is said to be a box's: a card of the same number is not meant."""
    return _read_code(clean(raw), Sought(members=False))


def read_card(raw: str) -> Scan:
    """The same for a code that is said to be a card's: a box of the same number is not meant."""
    return _read_code(clean(raw), Sought(copies=False))


def _read_code(code: str, sought: Sought) -> Scan:
    if not code:
        return Scan(code, Found.NOTHING_SCANNED)
    for reading in (_exact, _other_case, _product, _other_zeros, _shifted_digits):
        members, copies = reading(code, sought)
        if members or copies:
            return _told(code, members, copies)
    damaged = barcodes.is_spreadsheet_damage(code)
    return Scan(code, Found.DAMAGED if damaged else Found.UNKNOWN)


def _told(code: str, members: tuple[Member, ...], copies: tuple[Copy, ...]) -> Scan:
    if len(members) == 1 and not copies:
        return Scan(code, Found.MEMBER, members)
    if len(copies) == 1 and not members:
        return Scan(code, Found.COPY, copies=copies)
    return Scan(code, Found.CHOICE, members[:CHOICES_SHOWN], copies[:CHOICES_SHOWN])


def _exact(code: str, sought: Sought) -> Rows:
    """The label itself; of its possible spellings the first that exists."""
    candidates = barcodes.label_candidates(code)
    asked = candidates + candidates[-1:] * (MOST_SPELLINGS - len(candidates))
    members = CARDS(*asked) if sought.members else []
    copies = LABELS(*asked) if sought.copies else []
    for spelling in candidates:
        same_members = tuple(m for m in members if m.card_number == spelling)
        same_copies = tuple(c for c in copies if c.barcode == spelling)
        if same_members or same_copies:
            return same_members, same_copies
    return NOBODY


def _other_case(code: str, sought: Sought) -> Rows:
    if not any(c.isalpha() for c in code):
        return NOBODY
    cards, labels = Q(), Q()
    for spelling in barcodes.label_candidates(code):
        cards |= Q(card_number__iexact=spelling)
        labels |= Q(barcode__iexact=spelling)
    return (
        tuple(Member.objects.filter(cards)) if sought.members else (),
        tuple(_copies().filter(labels)) if sought.copies else (),
    )


def _product(code: str, sought: Sought) -> Rows:
    """The code printed on the box by its publisher names a game: any of its copies."""
    if not sought.copies:
        return NOBODY
    printed = Q(game__identifiers__printed__in=barcodes.label_candidates(code))
    gtins = Q(game__identifiers__gtin__in=barcodes.product_gtins(code))
    return (), tuple(_copies().filter(printed | gtins).distinct())


def _other_zeros(code: str, sought: Sought) -> Rows:
    """Leading zeros that a spreadsheet ate, or a scanner added."""
    digits = barcodes.label_candidates(code)[-1]
    if not (digits.isascii() and digits.isdigit()):
        return NOBODY
    bare = barcodes.without_leading_zeros(digits)
    lengths = range(len(bare), LONGEST_LABEL + 1)
    return _with_labels([bare.zfill(length) for length in lengths] or [bare], sought)


def _shifted_digits(code: str, sought: Sought) -> Rows:
    """A scanner set to an English keyboard on a French one types `çàè` for 907."""
    typed = code.translate(AZERTY_DIGITS)
    return _exact(typed, sought) if typed != code and typed.isdigit() else NOBODY


def _by_name(text: str) -> Rows:
    """Typed words: members and games of that name, to choose from. Never taken unasked."""
    words = typed_words(name_key(text))
    if max(map(len, words), default=0) < SHORTEST_NAME or not any(map(str.isalpha, words)):
        return NOBODY
    members, copies = Member.objects.all(), _copies()
    for word in words:
        members = members.filter(name_key__contains=word)
        copies = copies.filter(game__title_key__contains=word)
    return tuple(members[:CHOICES_SHOWN]), tuple(copies[:CHOICES_SHOWN])


def _with_labels(labels: list[str], sought: Sought) -> Rows:
    return (
        tuple(Member.objects.filter(card_number__in=labels)) if sought.members else (),
        tuple(_copies().filter(barcode__in=labels)) if sought.copies else (),
    )


def _copies() -> QuerySet[Copy]:
    """Bare rows: who acts on a box locks it and reads it anew."""
    return Copy.objects.all()
