"""Old links into a text keep leading to their words, whatever way its new state came in."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from catalogue import records
from catalogue.anchors import aliases, resolve_section
from catalogue.draft import RevisionDraft
from catalogue.models import RulesText
from tests.make import NOON, make_game, make_rules

pytestmark = pytest.mark.django_db

BODY = "La partie s'arrête quand la dernière maison est posée ; on compte alors tous les points."
OTHER = "À son tour, chacun déplace un pion et prend autant de fruits qu'il y a de pions sur la case."


def state(end: str, turn: str = "Tour", at: int = 0) -> RevisionDraft:
    return RevisionDraft(
        body=f"## {turn}\n\n{OTHER}\n\n## {end}\n\n{BODY}", made_at=NOON + timedelta(hours=at)
    )


def text_of(*ends: str) -> RulesText:
    first, *others = (state(end, at=n) for n, end in enumerate(ends))
    text = make_rules(make_game(), first.body)
    text.revisions.update(made_at=NOON)
    records.add_revisions(text, others)
    return text


def test_a_renamed_section_is_reached_by_its_old_anchor() -> None:
    text = text_of("Fin", "Fin de la partie")
    assert aliases(text) == {"fin": "fin-de-la-partie"}
    assert resolve_section(text, "fin") == "fin-de-la-partie"


def test_the_anchor_of_a_passage_within_a_section_is_followed_too() -> None:
    assert resolve_section(text_of("Fin", "Fin de la partie"), "fin~2") == "fin-de-la-partie"


def test_an_anchor_that_no_section_ever_had_leads_nowhere() -> None:
    assert resolve_section(text_of("Fin"), "variante") is None


def test_chains_of_names_lead_to_the_last_one() -> None:
    assert aliases(text_of("Fin", "Arrêt", "Décompte")) == {"fin": "decompte", "arret": "decompte"}


def test_an_anchor_that_comes_back_wins_over_its_alias() -> None:
    text = text_of("Fin", "Arrêt", "Fin")
    assert aliases(text) == {"arret": "fin"}
    assert resolve_section(text, "fin") == "fin"


def test_a_name_taken_by_another_section_is_that_section() -> None:
    text = text_of("Fin", "Arrêt")
    records.add_revisions(text, [state("Arrêt", turn="Fin", at=5)])
    assert resolve_section(text, "fin") == "fin"
    assert resolve_section(text, "tour") == "fin"


def test_a_name_that_another_section_had_for_a_while_leads_again_where_it_led() -> None:
    text = text_of("Fin", "Conclusion")
    taken = f"{state('Conclusion').body}\n\n## Fin\n\nRangez la boîte, les grandes pièces d'abord."
    records.add_revisions(text, [RevisionDraft(body=taken, made_at=NOON + timedelta(hours=5))])
    assert resolve_section(text, "fin") == "fin"
    records.add_revisions(text, [state("Conclusion", at=6)])
    assert resolve_section(text, "fin") == "conclusion"


def test_a_section_that_is_gone_leads_nowhere_and_back_again_when_it_returns() -> None:
    text = text_of("Fin", "Arrêt")
    records.add_revisions(
        text, [RevisionDraft(body=f"## Tour\n\n{OTHER}", made_at=NOON + timedelta(hours=5))]
    )
    assert resolve_section(text, "fin") is None
    records.add_revisions(text, [state("Arrêt", at=6)])
    assert resolve_section(text, "fin") == "arret"


def test_a_state_put_in_before_the_current_one_keeps_its_anchors_alive() -> None:
    text = text_of("Fin", "Décompte")
    records.add_revisions(text, [state("Arrêt", at=0)])
    assert aliases(text) == {"fin": "decompte", "arret": "decompte"}


def test_the_page_has_a_target_for_every_old_anchor_and_every_passage(client: Client) -> None:
    text = text_of("Fin", "Fin de la partie")
    long = "\n\n".join(f"Paragraphe {n} : " + "mot " * 60 for n in range(5))
    body = f"Avant.\n\n## Tour\n\n{long}\n\n## Fin de la partie\n\n{BODY}"
    records.add_revisions(text, [RevisionDraft(body=body, made_at=NOON + timedelta(hours=9))])
    page = client.get(reverse("rules-text", args=[text.pk])).content.decode()
    for name in ("top", "tour", "tour~2", "tour~3", "fin", "fin-de-la-partie"):
        assert page.count(f'id="{name}"') == 1, name
    assert '<h2 id="fin-de-la-partie"><span id="fin"></span>' in page
    assert '<span id="tour~2"></span>Paragraphe' in page
