"""The outbox's doorbell: once after a save, once after a whole import, never for what was taken back."""

from collections.abc import Iterator

import pytest
from django.db import transaction

from catalogue.outbox import one_ring, records_changed
from tests.make import make_game

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def rings() -> Iterator[list[str]]:
    heard: list[str] = []

    def hear(**_: object) -> None:
        heard.append("ring")

    records_changed.connect(hear)
    yield heard
    records_changed.disconnect(hear)


def test_a_save_rings_after_its_commit(rings: list[str]) -> None:
    with transaction.atomic():
        make_game()
        assert rings == []
    assert rings == ["ring"]


def test_what_is_rolled_back_does_not_ring(rings: list[str]) -> None:
    with transaction.atomic():
        make_game()
        transaction.set_rollback(True)
    assert rings == []


def test_a_run_of_many_saves_rings_once_at_its_end(rings: list[str]) -> None:
    with one_ring():
        make_game("A")
        make_game("B")
        assert rings == []
    assert rings == ["ring"]
