"""The reader of PMB pages on invented notices: layouts, values, and what is not taken for a label."""

import pytest

from catalogue.draft import ContributorDraft, CopyDraft, Doubt, Problem, PublicationDraft, Reason, RecordDraft
from catalogue.imports import pmb, values
from tests.catalogue.imports.samples import NOTICE, TABLE


def read(page: str) -> tuple[list[RecordDraft], list[Problem]]:
    results = list(pmb.read(page))
    return [r for r in results if isinstance(r, RecordDraft)], [r for r in results if isinstance(r, Problem)]


def one(page: str) -> RecordDraft:
    drafts, problems = read(page)
    assert (len(drafts), problems) == (1, [])
    return drafts[0]


def test_a_notice_without_marks_is_told_by_its_labels() -> None:
    draft = one(NOTICE)
    game = draft.game
    assert game.title == "Moulin bleu"
    assert game.contributors == (ContributorDraft("Ada Pré", "070"), ContributorDraft("Bo Val", "440"))
    assert game.publications == (PublicationDraft("Éditions du Pré", "Liège"),)
    assert (game.year, game.identifiers, game.languages) == (2019, ("4006381333931",), ("fr",))
    assert (game.players_min, game.players_max, game.age_min_months, game.age_max_months) == (2, 4, 96, None)
    assert game.contents == "1 plateau, 24 meules, 4 ânes."
    assert draft.rules[0].revisions[0].body.startswith("## But du jeu")
    assert draft.documents == ("Moulin_bleu__2020.pdf",)
    assert draft.doubts == ((Doubt.CONTENTS_SPLIT, ""),)


def test_who_has_a_box_now_is_no_property_of_the_box() -> None:
    rest = {"call_number": "PRE", "section": "A 406 jeu de stratégie", "branch": "Maison des Jeux"}
    assert one(NOTICE).copies == (CopyDraft("01001", **rest), CopyDraft("01002", **rest))


def test_a_notice_with_bars_keeps_own_fields_and_bars_inside_values() -> None:
    draft = one(TABLE)
    assert (draft.game.title, draft.game.subtitle) == ("Âne gris", "le retour")
    assert draft.game.publications == (PublicationDraft("Les |trois ânes", ""),)
    assert draft.game.year is None
    assert (draft.game.age_min_months, draft.game.minutes_min, draft.game.minutes_max) == (18, 15, 20)
    assert draft.game.note == "Niveau de bruit : fort"
    assert draft.copies == (CopyDraft("ACC00077", "BOI", "Petits", "Annexe", "not_for_loan", "Bon Etat"),)


def test_layouts_of_one_notice_say_the_same() -> None:
    opened = TABLE.replace("| Titre : |\nÂne gris", "Titre : |\nÂne gris").replace(
        "| Auteurs : |", "Auteurs : |"
    )
    assert one(opened).game == one(TABLE).game
    flat = TABLE.replace(" : |\n", " : | ")
    assert one(flat).game == one(TABLE).game


def test_label_words_inside_a_text_are_no_labels() -> None:
    page = NOTICE.replace(
        "Moudre avant les autres.", "Présentation: Titre : dix. Format : grand. Age : trois."
    )
    draft = one(page)
    assert draft.game.title == "Moulin bleu"
    assert "Format : grand." in draft.rules[0].revisions[0].body


def test_several_notices_and_a_heading_that_speaks_of_more() -> None:
    heading = "Détail de l'auteur\nAuteur Ada Pré |\nDocuments disponibles écrits par cet auteur (5)\n"
    drafts, problems = read((heading + NOTICE + NOTICE).replace("Moulin bleu", "Moulin noir", 2))
    assert [draft.game.title for draft in drafts] == ["Moulin noir", "Moulin bleu"]
    assert [(problem.reason, problem.detail) for problem in problems] == [(Reason.RECORDS_MISSING, "2/5")]


def test_the_second_saying_fills_what_the_first_leaves_out_and_erases_nothing() -> None:
    without = NOTICE.replace(" Langues : Français (fre)", "", 1).replace(
        " Année de publication : 2019", "", 1
    )
    assert (one(without).game.languages, one(without).game.year) == (("fr",), 2019)
    bare = NOTICE.replace("Langues : Français ( fre)\n", "")
    assert one(bare).game.languages == ("fr",)


def test_a_page_that_breaks_off_is_told_with_its_place() -> None:
    drafts, problems = read("\n\n" + NOTICE[: NOTICE.index("dernière meule")])
    assert [problem.reason for problem in problems] == [Reason.TRUNCATED]
    assert problems[0].place == "line 3"
    assert (Doubt.TEXT_TRUNCATED, "") in drafts[0].doubts


def test_spans_that_contradict_themselves_are_left_empty_and_told() -> None:
    drafts, problems = read(NOTICE.replace("maximum de joueurs : 4", "maximum de joueurs : 1", 1))
    assert (drafts[0].game.players_min, drafts[0].game.players_max) == (None, None)
    assert [problem.reason for problem in problems] == [Reason.VALUE_UNREADABLE]


def test_a_copy_without_a_barcode_is_told() -> None:
    drafts, problems = read(TABLE.replace("| ACC00077 |", "| |"))
    assert drafts[0].copies == ()
    assert problems[0].reason == Reason.VALUE_UNREADABLE
    assert "BOI" in problems[0].detail


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("Ralf zur Lind, Auteur", ContributorDraft("Ralf zur Lind", "070")),
        ("Atelier, Bruxelles", ContributorDraft("Atelier, Bruxelles")),
        ("Marco p.", ContributorDraft("Marco p.")),
        ("Les Éditeurs, Editeur commercial", ContributorDraft("Les Éditeurs", "650")),
    ],
)
def test_the_role_is_what_stands_behind_the_last_comma_if_it_is_one(
    printed: str, expected: ContributorDraft
) -> None:
    assert values.contributor(printed) == expected


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("Filo", (PublicationDraft("Filo"), None)),
        ("Paris [France] : Filo, 2005", (PublicationDraft("Filo", "Paris"), 2005)),
        ("Vau - Dor : Filo, [s.d.]", (PublicationDraft("Filo", "Vau - Dor"), None)),
        ("[S.l.] : Filo", (PublicationDraft("Filo"), None)),
        ("[S.l. : s.n.]", (None, None)),
        ("[s.n.]", (None, None)),
        ("Filo, 2002 (DL)", (PublicationDraft("Filo"), 2002)),
    ],
)
def test_publishers_with_place_and_year(
    printed: str, expected: tuple[PublicationDraft | None, int | None]
) -> None:
    assert values.publication(printed) == expected


@pytest.mark.parametrize("printed", ["99", "114", "97", "77", "0", ""])
def test_great_ages_mean_no_upper_bound(printed: str) -> None:
    assert values.upper_age_months(printed) is None


def test_an_upper_age_that_is_meant() -> None:
    assert values.upper_age_months("12") == 144
    assert values.upper_age_months("36 mois") == 36


def test_languages_with_a_blank_in_the_code_and_originals_left_out() -> None:
    assert values.languages("Français ( fre), Anglais (eng) Langues originales : Allemand (ger)") == (
        "fr",
        "en",
    )
    assert values.languages("Français") == ("fr",)
    assert values.languages("") == ()
