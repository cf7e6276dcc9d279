"""What statistics know of who borrowed: age band, member category, postcode area. Expressions only.

While a loan has its member they are the member's; afterwards they are the loan's own columns, which
`forgetting` fills with these very expressions. So no figure changes when somebody is forgotten.
"""

from typing import TYPE_CHECKING, TypedDict

from django.db.models import Case, CharField, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, ExtractYear, Left, Trim, Upper

from loans.models import Loan

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

AGE_BANDS = ((3, "0-2"), (6, "3-5"), (9, "6-8"), (12, "9-11"), (18, "12-17"), (30, "18-29"), (60, "30-59"))
"""Each band with the age at which the next one begins."""

OLDEST = "60+"
AREA_LENGTH = 2
"""So many characters of a postcode name a district and nobody's street."""

FORGOTTEN = Q(member=None)


class Borrower(TypedDict):
    """What `with_borrower` adds to a loan; empty or None where it is not known."""

    band: str
    category: int | None
    area: str


def with_borrower(loans: QuerySet[Loan]) -> "QuerySet[WithAnnotations[Loan, Borrower]]":
    """The same loans with `.band`, `.category` (a row id) and `.area`, in the same one query."""
    return loans.annotate(band=_age_band(), category=_category(), area=_area())


def _age_band() -> Case:
    """By the year of the loan less the year of birth: no birthday is known."""
    age = ExtractYear("lent_on", output_field=IntegerField())
    bands = [When(member__birth_year__gt=age - limit, then=Value(band)) for limit, band in AGE_BANDS]
    return Case(
        When(FORGOTTEN, then=F("age_band")),
        When(member__birth_year=None, then=Value("")),
        *bands,
        default=Value(OLDEST),
        output_field=CharField(),
    )


def _category() -> Coalesce:
    return Coalesce("borrower_category", "member__category")


def _area() -> Case:
    area = Upper(Left(Trim("member__household__postcode"), AREA_LENGTH))
    return Case(
        When(FORGOTTEN, then=F("postcode_area")),
        default=Coalesce(area, Value("")),
        output_field=CharField(),
    )
