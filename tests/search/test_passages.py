"""Rules texts are cut into passages under their headings, word for word."""

from search.passages import cut, split_body, spoken


def words(n: int, word: str = "mot") -> str:
    return " ".join(f"{word}{i}" for i in range(n))


def test_each_section_is_a_passage_with_its_path_and_anchor() -> None:
    setup, end = cut(f"## Mise en place\n\n{words(60)}\n\n## Fin du jeu\n\n{words(50)}\n")
    assert (setup.anchor, setup.path, setup.ordinal) == ("mise-en-place", ("Mise en place",), 0)
    assert (end.anchor, end.path, end.ordinal) == ("fin-du-jeu", ("Fin du jeu",), 1)
    assert setup.body == words(60)


def test_small_neighbours_under_one_heading_become_one_passage_that_keeps_their_headings() -> None:
    (both,) = cut("# Jeu\n\n## Fin\n\nLe dernier tour.\n\n## Gagnant\n\nLe plus de points.\n")
    assert "## Fin\n\nLe dernier tour." in both.body
    assert [part.anchor for part in both.parts] == ["fin", "gagnant"]
    assert both.path == ("Jeu",)
    assert both.body[both.parts[1].start :].startswith("## Gagnant")


def test_a_small_subsection_joins_the_text_of_its_parent() -> None:
    (one,) = cut(f"## Tour\n\n{words(45)}\n\n### Exception\n\nSauf le premier.\n")
    assert one.path == ("Tour",)
    assert one.body.startswith("mot0")
    assert "### Exception\n\nSauf le premier." in one.body or "## Exception" in one.body


def test_large_neighbours_stay_apart() -> None:
    assert len(cut(f"## Un\n\n{words(45)}\n\n## Deux\n\n{words(30)}\n")) == 2


def test_a_long_section_is_cut_at_paragraphs_into_40_to_180_words() -> None:
    text = "## Long\n\n" + "\n\n".join(words(50, f"p{n}x") for n in range(9))
    passages = cut(text)
    assert all(40 <= p.size <= 180 for p in passages)
    assert " ".join(p.body for p in passages).split() == text.split()[2:]


def test_each_piece_of_a_long_list_begins_with_the_line_that_leads_it_in() -> None:
    items = "\n".join(f"- {words(30, f'i{n}x')}" for n in range(12))
    first, *others = cut(f"## Actions\n\nUne action au choix :\n\n{items}\n")
    assert first.body.startswith("Une action au choix :")
    assert others
    assert all(p.body.startswith("Une action au choix :\n\n- ") for p in others)


def test_each_piece_of_a_long_table_begins_with_its_head() -> None:
    rows = "\n".join(f"| {n} | {words(20, f'c{n}x')} |" for n in range(20))
    passages = cut(f"## Table\n\n| N | Effet |\n| --- | --- |\n{rows}\n")
    assert len(passages) > 1
    assert all(p.body.startswith("| N | Effet |\n| --- | --- |") for p in passages)


def test_nested_items_stay_with_their_item() -> None:
    items = "\n".join(f"- {words(50, f'i{n}x')}\n  - sous {n}" for n in range(5))
    for passage in cut(f"## Liste\n\n{items}\n"):
        assert not passage.body.startswith("  -")


def test_one_endless_sentence_is_cut_all_the_same() -> None:
    passages = cut(words(5_000))
    assert all(p.size <= 180 for p in passages)
    assert sum(p.size for p in passages) == 5_000


def test_the_same_passage_standing_twice_is_taken_once() -> None:
    once = f"## Règle\n\n{words(60)}\n"
    assert len(cut(once + "\n" + once)) == 1


def test_text_before_the_first_heading_is_a_passage() -> None:
    (top, _) = cut(f"{words(50)}\n\n## Suite\n\n{words(50, 'autre')}\n")
    assert (top.anchor, top.path) == ("top", ())


def test_a_text_without_words_has_no_passage() -> None:
    assert cut("") == cut("\n\n  \n") == ()


def test_one_heading_five_thousand_times() -> None:
    passages = cut("## Tour\n\nOn joue.\n\n" * 5_000)
    assert len(passages) == 1


def test_two_megabytes_without_a_heading() -> None:
    text = "\n\n".join(words(80, f"p{n}x") for n in range(3_000))
    assert sum(p.size for p in cut(text)) == 240_000


def test_each_piece_of_a_section_has_a_name_that_outlives_what_is_put_before_the_section() -> None:
    section = "## Fin du jeu\n\n" + "\n\n".join(words(70, f"p{n}x") for n in range(5))
    before = cut(section)
    after = cut(f"## Avant\n\n{words(60)}\n\n{section}")
    assert [p.id for p in before] == ["fin-du-jeu", "fin-du-jeu~2", "fin-du-jeu~3"]
    assert [(p.id, p.body) for p in after[1:]] == [(p.id, p.body) for p in before]


def test_a_piece_knows_the_line_of_its_section_at_which_it_begins() -> None:
    body = "\n\n".join(words(70, f"p{n}x") for n in range(5))
    passages = cut(f"## Fin\n\n{body}")
    assert [body.split("\n")[p.line] for p in passages] == [p.body.split("\n")[0] for p in passages]


def test_a_line_that_leads_in_a_list_goes_with_the_list() -> None:
    items = "\n".join(f"- {words(90, f'i{n}x')}" for n in range(3))
    first, second = cut(f"## Tour\n\n{words(100)}\n\n{words(30, 'choix')} :\n\n{items}\n")[:2]
    assert first.body == words(100)
    assert second.body.startswith(f"{words(30, 'choix')} :\n\n- i0x0")


def test_a_short_rest_stays_with_the_piece_before_it() -> None:
    text = "\n\n".join([words(150, "a"), words(150, "b"), words(15, "fin")])
    assert [p.size for p in cut(text)] == [150, 165]


def test_a_table_keeps_its_head_and_the_line_over_it_in_every_piece() -> None:
    rows = "\n".join(f"| {n} | {words(20, f'c{n}x')} |" for n in range(20))
    passages = cut(f"## Table\n\nLes effets :\n\n| N | Effet |\n| --- | --- |\n{rows}\n")
    assert len(passages) > 1
    assert all(p.body.startswith("Les effets :\n\n| N | Effet |\n| --- | --- |") for p in passages)


def test_a_question_of_a_faq_is_a_passage_with_its_answer_however_short() -> None:
    passages = cut("## Peut-on passer ?\n\nOui.\n\n## Et deux fois ?\n\nNon.\n")
    assert [(p.path, p.body) for p in passages] == [
        (("Peut-on passer ?",), "Oui."),
        (("Et deux fois ?",), "Non."),
    ]


def test_a_heading_with_nothing_under_it_is_found_too() -> None:
    (one,) = cut("## Le premier joueur commence")
    assert one.body == "Le premier joueur commence"


def test_targets_of_links_are_no_words() -> None:
    marked = "voir [les ouvriers](#ouvriers-libres) ici"
    assert "libres" not in spoken(marked)
    assert len(spoken(marked)) == len(marked)


def test_a_short_body_is_left_as_it_is() -> None:
    assert split_body("\nUn.\n\n- deux\n") == [(0, "Un.\n\n- deux")]


def test_page_marks_are_no_words_and_keep_the_places_of_all_others() -> None:
    marked = "Piocher [p. 2] une carte."
    assert spoken(marked).split() == ["Piocher", "une", "carte."]
    assert len(spoken(marked)) == len(marked)
