"""A query that is made into SQL once gives what its queryset gives, for whatever values it is asked."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from catalogue.models import Copy
from catalogue.prepared import Prepared
from loans.models import Loan
from tests.make import make_copy, make_game, make_loan, make_user

pytestmark = pytest.mark.django_db

BOXES = Prepared(
    lambda label, pk: Copy.objects.select_related("game").filter(Q(barcode=label) | Q(pk=pk)).order_by("pk"),
    str,
    int,
)


def test_each_asking_has_its_own_values() -> None:
    finca, catan = (
        make_copy(make_game("Finca"), barcode="91300"),
        make_copy(make_game("Catan"), barcode="91301"),
    )
    assert BOXES("91300", catan.pk) == [finca, catan]
    assert BOXES("91301", catan.pk) == [catan]
    assert BOXES.first("nothing", None) is None
    assert BOXES.get("91300", None).game.title == "Finca"


def test_rows_are_read_anew_each_time() -> None:
    finca = make_copy(make_game("Finca"), barcode="91300")
    assert BOXES.get("91300", None).call_number == finca.call_number
    Copy.objects.update(call_number="FIN")
    assert BOXES.get("91300", None).call_number == "FIN"


def test_days_and_values_of_rows() -> None:
    def due_before(day: date) -> QuerySet[Loan, tuple[int, date]]:
        return Loan.objects.filter(due_on__lt=day).values_list("pk", "due_on")

    query, loan = Prepared(due_before, date), make_loan()
    assert query(loan.due_on) == []
    assert query(loan.due_on + timedelta(days=1)) == [(loan.pk, loan.due_on)]


def test_no_row_is_told_as_the_model_tells_it() -> None:
    with pytest.raises(Copy.DoesNotExist):
        BOXES.get("nothing", None)


def test_the_columns_of_djangos_own_tables_are_narrower_than_ours() -> None:
    user = make_user("desk")
    assert Prepared(lambda pk: User.objects.filter(pk=pk), int)(user.pk) == [user]


def test_a_value_that_the_query_does_not_ask_for_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="not among the values"):
        Prepared(lambda _pk: Copy.objects.all(), int)(7)
