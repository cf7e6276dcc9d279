"""Reading rules: the text with its contents, older versions, the history, and what changed."""

from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from catalogue import records
from catalogue.draft import RevisionDraft, RulesHead
from catalogue.models import RulesText
from search.touching import Touch
from tests.make import make_game, make_rules, make_user
from tests.pages.library import HOSTILE, finca, three_versions

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def read(client: Client, text: RulesText, rest: str = "") -> str:
    answer = client.get(f"/rules/{text.pk}/{rest}", headers=ENGLISH)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_text_has_contents_that_lead_to_its_sections(client: Client) -> None:
    html = read(client, finca().rules_texts.get(language="fr"))
    assert 'href="#fin-de-la-partie"' in html
    assert 'id="fin-de-la-partie"' in html
    assert "celui qui garde le plus de fruits" in html
    assert html.count("<h1") == 1


def test_a_text_says_its_language_source_and_licence(client: Client) -> None:
    html = read(client, finca().rules_texts.get(language="fr"))
    assert '<article class="prose rules-text" lang="fr">' in html
    assert "CC0-1.0" in html
    assert "as of" in html


def test_the_other_languages_are_one_tap_away(client: Client) -> None:
    game = finca()
    spanish = game.rules_texts.get(language="es")
    assert f'href="/rules/{spanish.pk}/" hreflang="es"' in read(client, game.rules_texts.get(language="fr"))


def test_a_question_asked_on_the_page_stays_in_this_game_and_language(client: Client) -> None:
    game = finca()
    html = read(client, game.rules_texts.get(language="es"))
    assert f'name="game" value="{game.pk}"' in html
    assert 'name="language" value="es"' in html


def test_an_older_version_says_so_and_leads_to_the_current_one(client: Client) -> None:
    text = three_versions()
    html = read(client, text, "revisions/2/")
    assert "You are reading an older version of this text" in html
    assert f'href="/rules/{text.pk}/"' in html
    assert "Piochez trois cartes." in html


def test_the_current_version_carries_no_warning(client: Client) -> None:
    text = three_versions()
    current = text.current
    assert current is not None
    assert "older version" not in read(client, text, f"revisions/{current.number}/")


def test_the_history_lists_versions_with_comments_latest_first(client: Client) -> None:
    html = read(client, three_versions(), "history/")
    assert "compté dans la boîte" in html
    assert "1 May 2030" in html
    assert html.index("/revisions/3/") < html.index("/revisions/2/")
    assert "<script>alert" not in html


def test_who_of_the_staff_changed_a_text_is_told_to_the_staff_alone(client: Client) -> None:
    text = three_versions()
    known = RevisionDraft(body="## Fin\nAprès.", author="Wikipédienne", source_key="wiki:9")
    records.add_revisions(text, [known])
    html = read(client, text, "history/")
    assert ">Ann<" not in html
    assert ">Wikipédienne<" in html  # her licence asks for her name
    client.force_login(make_user("librarian"))
    assert ">Ann<" in read(client, text, "history/")


def test_a_note_in_another_language_says_which() -> None:
    touch = Touch(text_id=1, kind="faq", passage_id="fin", heading="Quand finit-on ?", language="fr")
    shown = {"touches": [touch], "language": "en"}
    with override("en"):
        assert "French" in render_to_string("components/touched_by.html", shown)
        assert "French" not in render_to_string("components/touched_by.html", shown | {"language": "fr"})


def test_a_difference_marks_added_and_removed_words(client: Client) -> None:
    html = read(client, three_versions(), "diff/?from=1&to=2")
    assert "<del>deux</del>" in html
    assert "<ins>trois</ins>" in html


def test_without_numbers_the_last_two_versions_are_compared(client: Client) -> None:
    html = read(client, three_versions(), "diff/")
    assert "<ins>## Fin</ins>" in html
    assert "Version 2" in html
    assert "Version 3" in html


def test_the_same_version_twice_says_that_nothing_changed(client: Client) -> None:
    assert "The two versions say the same." in read(client, three_versions(), "diff/?from=2&to=2")


@pytest.mark.parametrize(
    "numbers", ["from=9&to=1", "from=1&to=99999999999999999999", "from=x", "to=-1", "from=1%00"]
)
def test_a_version_that_does_not_exist_is_not_found(client: Client, numbers: str) -> None:
    assert client.get(f"/rules/{three_versions().pk}/diff/?{numbers}").status_code == 404


@pytest.mark.parametrize("path", ["", "history/", "diff/", "revisions/1/"])
def test_an_unknown_text_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/rules/4711/{path}").status_code == 404


def test_an_unknown_version_is_not_found(client: Client) -> None:
    assert client.get(f"/rules/{three_versions().pk}/revisions/9/").status_code == 404


def test_nothing_in_a_text_is_ever_run(client: Client) -> None:
    text = make_rules(make_game(HOSTILE), f"## {HOSTILE}\n{HOSTILE}\n[x](javascript:alert(1))")
    for rest in ("", "history/", "diff/"):
        html = read(client, text, rest)
        assert "<script>alert" not in html
        assert 'href="javascript:' not in html


# --- changed lately ----------------------------------------------------------------------------


def aged_text(*days_ago: int) -> RulesText:
    """A text whose states were made so many days ago, the oldest first."""
    now = timezone.now()
    states = [
        RevisionDraft(body=f"## Tour\nPiochez {days} cartes.", made_at=now - timedelta(days=days))
        for days in days_ago
    ]
    text = records.add_rules_text(make_game("Perch"), RulesHead(language="fr"), states[0])
    records.add_revisions(text, states[1:])
    return text


CHANGED = "This text was changed on"


def test_a_text_changed_lately_says_so_and_leads_to_what_changed(client: Client) -> None:
    text = aged_text(400, 90, 20, 3)
    html = read(client, text)
    assert CHANGED in html
    assert f'href="/rules/{text.pk}/diff/?from=2&amp;to=4"' in html


@pytest.mark.parametrize("days", [(90,), (3,), (400, 90)])
def test_a_text_that_is_new_or_long_unchanged_says_nothing(client: Client, days: tuple[int, ...]) -> None:
    assert CHANGED not in read(client, aged_text(*days))


def test_a_print_knows_by_its_day_whether_the_text_has_changed_since(client: Client) -> None:
    text = aged_text(400, 90)
    day = timezone.localdate() - timedelta(days=200)
    assert CHANGED in read(client, text, f"?since={day}")
    assert CHANGED not in read(client, text, f"?since={timezone.localdate()}")


@pytest.mark.parametrize("since", ["x", "2030-13-41", "", "%00", "20301399"])
def test_a_day_that_is_none_changes_nothing(client: Client, since: str) -> None:
    assert CHANGED in read(client, aged_text(400, 3), f"?since={since}")


def test_an_older_version_does_not_speak_of_news(client: Client) -> None:
    assert CHANGED not in read(client, aged_text(400, 3), "revisions/1/")


# --- what changed ------------------------------------------------------------------------------


def test_long_unchanged_stretches_of_a_difference_are_folded_away(client: Client) -> None:
    lines = "\n\n".join(f"Règle {number}." for number in range(20))
    text = make_rules(make_game(), f"{lines}\n\nPiochez deux cartes.")
    records.add_revisions(text, [RevisionDraft(body=f"{lines}\n\nPiochez trois cartes.")])
    html = read(client, text, "diff/")
    assert '<summary lang="en">20 unchanged lines</summary>' in html
    assert html.index("20 unchanged lines") < html.index("<ins>trois</ins>")


# --- one section -------------------------------------------------------------------------------


def test_a_section_has_a_page_of_its_own_with_its_neighbours_and_source(client: Client) -> None:
    text = finca().rules_texts.get(language="fr")
    html = read(client, text, "sections/fin-de-la-partie/")
    assert html.count("<h1") == 1
    assert "dernière maison de bois est posée" in html
    assert "celui qui garde le plus de fruits" not in html
    assert f'href="/rules/{text.pk}/sections/but-du-jeu/"' in html
    assert f'href="/rules/{text.pk}/sections/egalite/"' in html
    assert f'href="/rules/{text.pk}/#fin-de-la-partie"' in html
    assert "CC0-1.0" in html


def test_a_section_leads_to_the_same_one_in_the_other_language(client: Client) -> None:
    game = finca()
    spanish = game.rules_texts.get(language="es")
    html = read(client, game.rules_texts.get(language="fr"), "sections/fin-de-la-partie/")
    assert f'href="/rules/{spanish.pk}/sections/fin-de-la-partida/" hreflang="es"' in html


def test_of_a_section_that_the_other_language_lacks_nothing_is_claimed(client: Client) -> None:
    assert "hreflang" not in read(client, finca().rules_texts.get(language="fr"), "sections/egalite/")


def test_within_a_card_only_what_stands_in_it_is_sent(client: Client) -> None:
    text = finca().rules_texts.get(language="fr")
    answer = client.get(f"/rules/{text.pk}/sections/egalite/", headers={"hx-request": "true"})
    html = answer.content.decode()
    assert "<html" not in html
    assert "<h3" in html
    assert "HX-Request" in answer["Vary"]


def test_links_within_a_section_lead_into_the_whole_text(client: Client) -> None:
    text = make_rules(make_game(), "## Tour\nVoir [la fin](#fin).\n\n## Fin\nC'est fini.")
    assert f'href="/rules/{text.pk}/#fin"' in read(client, text, "sections/tour/")


def test_the_old_link_of_a_renamed_section_leads_to_it(client: Client) -> None:
    rule = "La partie s'arrête dès que la dernière maison de bois est posée sur le plateau."
    text = make_rules(make_game(), f"## Fin\n{rule}")
    records.add_revisions(text, [RevisionDraft(body=f"## Fin de la partie\n{rule}")])
    answer = client.get(f"/rules/{text.pk}/sections/fin/")
    assert answer["Location"] == f"/rules/{text.pk}/sections/fin-de-la-partie/"
    in_card = client.get(f"/rules/{text.pk}/sections/fin/", headers={"hx-request": "true"})
    assert rule in in_card.content.decode().replace("&#x27;", "'")


@pytest.mark.parametrize("anchor", ["nowhere", "%00", "é", "x" * 500])
def test_an_unknown_section_is_not_found(client: Client, anchor: str) -> None:
    text = finca().rules_texts.get(language="fr")
    assert client.get(f"/rules/{text.pk}/sections/{anchor}/").status_code == 404


# --- side by side ------------------------------------------------------------------------------


def test_two_languages_stand_side_by_side_section_by_section(client: Client) -> None:
    game = finca()
    french, spanish = (game.rules_texts.get(language=language) for language in ("fr", "es"))
    assert f'href="/rules/{french.pk}/beside/{spanish.pk}/"' in read(client, french)
    html = read(client, french, f"beside/{spanish.pk}/")
    rows = html.split('<div class="beside__row')[2:]
    assert len(rows) == 3
    assert "Récoltez des fruits" in rows[0]
    assert "Recoged fruta" in rows[0]
    assert "dernière maison" in rows[1]
    assert "última casa" in rows[1]
    assert 'lang="fr"' in rows[0]
    assert 'lang="es"' in rows[0]


def test_a_section_without_its_like_says_so(client: Client) -> None:
    game = finca()
    french, spanish = (game.rules_texts.get(language=language) for language in ("fr", "es"))
    assert "No section in Spanish was surely matched with this." in read(
        client, french, f"beside/{spanish.pk}/"
    )
    assert "No section in Spanish was surely matched" in read(client, spanish, f"beside/{french.pk}/")


def test_links_within_the_second_text_lead_into_it(client: Client) -> None:
    game = make_game()
    french = make_rules(game, "## Tour\nVoir [la fin](#fin).\n\n## Fin\nC'est fini.")
    spanish = make_rules(game, "## Turno\nVer [el final](#final).\n\n## Final\nSe acaba.", "es")
    html = read(client, french, f"beside/{spanish.pk}/")
    assert 'href="#fin"' in html
    assert f'href="/rules/{spanish.pk}/#final"' in html


def test_texts_of_two_games_or_one_text_do_not_stand_beside_each_other(client: Client) -> None:
    text = finca().rules_texts.get(language="fr")
    for other in (three_versions().pk, text.pk, 4711):
        assert client.get(f"/rules/{text.pk}/beside/{other}/").status_code == 404


def test_every_word_of_two_texts_stands_on_the_page_though_nothing_is_alike(client: Client) -> None:
    game = make_game()
    one = make_rules(game, "Mots sans titre.\n\n## Alpha\nUn.\n\n## Beta\nDeux.")
    other = make_rules(game, "## Zeta\nZwölf.\n\n## Omega\nElf.", "de")
    html = read(client, one, f"beside/{other.pk}/")
    assert [w for w in ("Mots sans", "Alpha", "Beta", "Zeta", "Zwölf", "Omega", "Elf") if w not in html] == []


def test_reading_takes_a_fixed_number_of_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    text = three_versions()
    for path, most in (("", 5), ("history/", 2), ("diff/", 4), ("revisions/1/", 5), ("sections/tour/", 3)):
        with django_assert_max_num_queries(most):
            client.get(f"/rules/{text.pk}/{path}")
