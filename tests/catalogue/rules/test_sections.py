"""The section tree: what a heading is, and anchors that outlive a text's changes."""

from catalogue.rules.sections import Section, anchors, parse, slug


def test_sections_come_in_reading_order_with_their_path_and_own_text() -> None:
    text = "Avant.\n\n## Tour\n\nJouez.\n\n### Action\n\n- un\n\n## Fin\n\nComptez."
    assert parse(text) == (
        Section("top", 0, "", (), "Avant."),
        Section("tour", 1, "Tour", ("Tour",), "Jouez."),
        Section("action", 2, "Action", ("Tour", "Action"), "- un"),
        Section("fin", 1, "Fin", ("Fin",), "Comptez."),
    )


def test_a_text_without_headings_is_one_section() -> None:
    assert parse("Jouez.\nGagnez.") == (Section("top", 0, "", (), "Jouez.\nGagnez."),)


def test_an_empty_text_has_no_section() -> None:
    assert parse(" \n\n") == ()


def test_skipped_levels_count_as_one() -> None:
    assert [section.level for section in parse("## A\n#### B\n### C\n## D")] == [1, 2, 2, 1]


def test_a_heading_is_free_of_marks() -> None:
    (section,) = parse("## **Fin** de la [partie](#tour) \\*")
    assert (section.heading, section.anchor) == ("Fin de la partie *", "fin-de-la-partie")


def test_hashes_without_a_blank_or_words_are_text() -> None:
    assert [section.heading for section in parse("#1 joue\n\n##\n\n  ## x")] == [""]


def test_anchors_are_made_of_the_words() -> None:
    assert slug("Fin de la partie !") == "fin-de-la-partie"
    assert slug("① Phase Ferme") == "1-phase-ferme"
    assert slug("Œufs d'Élevage") == "oeufs-d-elevage"


def test_a_heading_of_marks_alone_still_has_an_anchor() -> None:
    assert slug("★★★") == "section"


def test_the_same_heading_again_gets_a_number() -> None:
    assert anchors(["Exemple", "Fin", "Exemple", "exemple"]) == ("exemple", "fin", "exemple-2", "exemple-3")


def test_a_numbered_double_never_meets_a_heading_of_that_name() -> None:
    assert len(set(anchors(["Fin", "Fin 2", "Fin", "Fin", "Fin 3", "Top"]))) == 6


def test_an_anchor_does_not_depend_on_what_stands_before() -> None:
    before = parse("## Tour\n\nx\n\n## Fin\n\ny")
    after = parse("Avant.\n\n## Préparation\n\nz\n\n## Fin\n\ny\n\n## Tour\n\nx")
    assert {s.heading: s.anchor for s in before}.items() <= {s.heading: s.anchor for s in after}.items()


def test_five_thousand_equal_headings_have_as_many_anchors() -> None:
    assert len({section.anchor for section in parse("## Fin\n\ntexte\n" * 5000)}) == 5000
