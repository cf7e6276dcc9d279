"""Which column means what: by headings in several languages, by values, by what a person said."""

import pytest

from catalogue.imports import columns
from catalogue.imports.columns import Kind, Proposal
from catalogue.imports.headings import KNOWN, WORDS, Field, heading_key


def proposed(headings: str, *rows: str) -> Proposal:
    return columns.propose(headings.split(";") if headings else [], [row.split(";") for row in rows])


def fields(proposal: Proposal) -> list[Field | None]:
    return [guess.field for guess in proposal.columns]


GAME = ["barcode", "title", "publisher", "year", "players", "age", "minutes", "category", "note"]


@pytest.mark.parametrize(
    "headings",
    [
        "Code-barres;Titre;Éditeur;Année;Nombre de joueurs;Âge;Durée;Catégorie;Remarques",
        "N° d'inventaire;Nom du jeu;Marque;Année de sortie;Nbre_joueurs;Tranche d'âge;Temps de jeu;ESAR;Note",
        "Barcode;Title;Publisher;Year published;Players;Age range;Playing time;Category;Notes",
        "Inventar-Nr.;Spielname;Verlag;Erscheinungsjahr;Spieleranzahl;Altersempfehlung;Spieldauer;Kategorie;"
        "Bemerkungen",
        "Código de barras;Título;Editorial;Año;Número de jugadores;Edad;Duración;Categoría;Observaciones",
        "Código;Nome do jogo;Editora;Ano;Nº de jogadores;Idade;Duração;Categoria;Observações",
        "Codice;Titolo;Editore;Anno;Giocatori;Età;Durata;Categoria;Osservazioni",
        "Streepjescode;Naam;Uitgeverij;Jaar;Aantal spelers;Leeftijd;Speelduur;Rubriek;Opmerkingen",
    ],
)
def test_headings_are_known_in_many_languages(headings: str) -> None:
    found = fields(proposed(headings, "00012;Halma;Ravensburger;1990;2-6;6;00:40;A 401;"))
    assert [str(field) for field in found] == GAME


def test_every_heading_stands_under_one_meaning_as_it_is_folded() -> None:
    listed = [word for words in WORDS.values() for word in words.split("|")]
    assert [word for word in listed if heading_key(word) != word] == []
    assert set(KNOWN) == set(listed)


def test_longer_headings_are_understood_by_the_words_in_them_less_surely() -> None:
    proposal = proposed("Titre;Âge conseillé par l'éditeur;Nombre de joueurs (min-max)", "Halma;6;2-6")
    assert fields(proposal) == [Field.TITLE, Field.AGE, Field.PLAYERS]
    assert proposal.columns[0].certainty > proposal.columns[1].certainty


def test_repeated_headings_are_numbered_and_one_of_them_means_it() -> None:
    proposal = proposed("Name;Type;Type;Category;Category", "Halma;loan;Board game;a;a", "Kit 1;kit;Kit;b;b")
    assert [guess.heading for guess in proposal.columns] == [
        *("Name", "Type", "Type (2)", "Category", "Category (2)")
    ]
    assert fields(proposal)[1:] == [Field.IGNORED, Field.DOCUMENT_TYPE, Field.CATEGORY, Field.CATEGORY]


def test_values_overrule_headings_that_promise_something_else() -> None:
    proposal = proposed("Code;Name;Location;Etat", "1;Halma;In stock;Bon", "2;Go;On loan;Usé")
    assert fields(proposal) == [Field.BARCODE, Field.TITLE, Field.STATUS, Field.COPY_FACT]


def test_a_table_without_headings_is_understood_by_its_values() -> None:
    proposal = proposed(
        "",
        "14;Halma;6;2-4;10;;Emprunté;Ada Pré;manque un pion bleu;20/01/2024",
        "15;Go;0;2-2;8;;;;;11/11/2023",
        "17;Quilles;9;2-None;6;Extérieur;Désactivé;;une quille fendue, à recoller;30/08/2023",
    )
    assert fields(proposal) == [
        *(Field.BARCODE, Field.TITLE, None, Field.PLAYERS, Field.AGE, Field.KEYWORDS, Field.STATUS, None),
        *(Field.COPY_NOTE, None),
    ]
    assert max(guess.certainty for guess in proposal.columns) < 0.9


def test_a_comment_may_hold_the_title_and_a_repeated_id_is_that_of_the_game() -> None:
    proposal = proposed("comment;sticker;id", "Halma;1;77", "Halma;1;77", "Go;A4;188", "Dame;B2;2083")
    assert fields(proposal) == [Field.TITLE, Field.CALL_NUMBER, Field.BGG_ID]


def test_number_and_title_in_one_cell() -> None:
    proposal = proposed("Toy;Description", "1335: Torch;Storage location: Babies, red", "14: Bus: red;x")
    assert fields(proposal) == [Field.NUMBERED_TITLE, Field.STORAGE_NOTE]


@pytest.mark.parametrize(
    ("headings", "kind"),
    [
        ("Quantity;Name;Soft deleted?;Toy ID;Toy name", Kind.PIECES),
        ("Code jeu;Pièce;Nombre", Kind.PIECES),
        ("Spiel-Nr.;Teil;Anzahl", Kind.PIECES),
        ("IDJeux;Auteurs_Nom;Auteurs_Prenom;Fonction", Kind.PEOPLE),
        ("Code;Description;Reservable?", Kind.CATEGORIES),
        ("Kategorie;Bezeichnung", Kind.CATEGORIES),
        ("First name;Last name;Email;Membership type;Expires;Status", Kind.MEMBERS),
        ("Nom;Prénom;Email;Cotisation", Kind.MEMBERS),
        ("Adhérent;Date de prêt;Retour prévu", Kind.LOANS),
        ("Foo;Bar;Baz", Kind.UNKNOWN),
        ("Nombre;Jugadores;Edad", Kind.GAMES),
        ("Full name;Email;Item name;Manufacturer;Asset tag", Kind.GAMES),
    ],
)
def test_what_the_rows_of_a_table_are(headings: str, kind: Kind) -> None:
    assert proposed(headings, "1;2;3;4;5;6").kind is kind


def test_what_a_person_says_comes_first_and_is_certain() -> None:
    proposal = proposed("Foo;Code;Note", "Halma;12;ok")
    said = columns.corrected(proposal, {"FOO": "title", "note": "copy_note", "code": ""})
    assert fields(said) == [Field.TITLE, None, Field.COPY_NOTE]
    assert {guess.certainty for guess in said.columns} == {1.0}
    assert said.kind is Kind.GAMES
    assert columns.corrected(said, columns.as_mapping(said)) == said


def test_a_meaning_given_to_another_column_is_taken_from_the_first() -> None:
    proposal = proposed("Titre;Nom complet", "Halma;Halma, bleu")
    said = columns.corrected(proposal, {"Nom complet": "title"})
    assert fields(said) == [None, Field.TITLE]


def test_a_meaning_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="colour"):
        columns.corrected(proposed("Titre", "Halma"), {"Titre": "colour"})


def test_tables_are_known_again_by_their_headings_however_they_are_written() -> None:
    assert proposed("Titre;Âge", "a;1").fingerprint == proposed("TITRE;age", "b;2").fingerprint
    assert proposed("Titre;Âge", "a;1").fingerprint != proposed("Âge;Titre", "1;a").fingerprint
