"""MARC files that are wrong, odd or in another character set: what can be read is, the rest is told."""

from io import BytesIO

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from catalogue.draft import CopyDraft, Problem, Reason, RecordDraft
from catalogue.imports import marc
from catalogue.imports.sniff import Format, recognise
from catalogue.marc import Dialect
from tests.catalogue.imports.marc_files import (
    ISO5426,
    MARC8,
    MARC21,
    UNSAID,
    UTF8,
    data,
    joined,
    marc21,
    one,
    read,
    sub,
    unimarc,
    xml,
)

GOOD = joined(unimarc("Récolte d’été"))


def told(results: list[RecordDraft | Problem]) -> list[tuple[str, str]]:
    """Place, and the title or the reason."""
    return [
        (one.place, one.game.title if isinstance(one, RecordDraft) else one.reason.value) for one in results
    ]


# --- faults ------------------------------------------------------------------------------------


def test_one_bad_record_costs_no_other() -> None:
    without_title = joined([("001", b"2"), ("200", sub("1 ", ("e", "sous-titre")))])
    broken = joined(unimarc(b"caf\xe9 \xff\xfe"))
    directory = GOOD[:30] + b"X" + GOOD[31:]
    found = read(GOOD + without_title + broken + directory + GOOD)
    assert told(found) == [
        ("record 1", "Récolte d’été"),
        ("record 2", "no_title"),
        ("record 3", "characters"),
        ("record 4", "malformed"),
        ("record 5", "Récolte d’été"),
    ]


@pytest.mark.parametrize(("length", "base"), [(12, None), (99999, None), (None, 12), (None, 4000)])
def test_wrong_lengths_are_told_and_the_fields_are_read_by_their_marks(
    length: int | None, base: int | None
) -> None:
    found = read(
        joined(unimarc("Beep/ Beep/", ("205", sub("  ", ("a", "2e éd.")))), length=length, base=base) + GOOD
    )
    assert told(found) == [
        ("record 1", "Beep/ Beep/"),
        ("record 1", "lengths_wrong"),
        ("record 2", "Récolte d’été"),
    ]


def test_lengths_that_count_letters_instead_of_bytes() -> None:
    fields = unimarc("Élan, été", ("205", sub("  ", ("a", "éd."))), ("210", sub("  ", ("c", "Éd. A"))))
    draft, problem = read(joined(fields, count=lambda value: len(value.decode())))
    assert isinstance(draft, RecordDraft)
    assert (draft.game.title, draft.game.edition) == ("Élan, été", "éd.")
    assert isinstance(problem, Problem)
    assert problem.reason is Reason.LENGTHS_WRONG


def test_a_directory_in_any_order_is_no_fault() -> None:
    fields = unimarc("Finca", ("205", sub("  ", ("a", "2e"))), ("210", sub("  ", ("c", "Filosofia"))))
    draft = one(joined(fields, order=[4, 2, 0, 3, 1]))
    assert (draft.game.title, draft.game.edition) == ("Finca", "2e")
    assert draft.game.publications[0].publisher == "Filosofia"


def test_a_file_that_breaks_off_is_read_to_there() -> None:
    assert told(read(GOOD + GOOD[:-20])) == [("record 1", "Récolte d’été"), ("record 2", "truncated")]


def test_line_ends_between_records_are_no_part_of_them() -> None:
    assert told(read(GOOD + b"\r\n" + GOOD + b"\n\x1a")) == [
        ("record 1", "Récolte d’été"),
        ("record 2", "Récolte d’été"),
    ]


def test_the_raw_record_is_kept_with_a_problem() -> None:
    problem = read(
        joined(
            marc21(
                b"bad \xc0",
            ),
            leader=MARC21,
        )
    )[0]
    assert isinstance(problem, Problem)
    assert "bad À" in problem.raw


# --- characters --------------------------------------------------------------------------------


def test_unimarc_in_utf8_with_a_blank_leader() -> None:
    assert GOOD[9:10] == b" "
    assert one(GOOD).game.title == "Récolte d’été"


@pytest.mark.parametrize("general", [ISO5426, UNSAID])
def test_iso_5426_said_or_not(general: bytes) -> None:
    draft = one(joined(unimarc(b"R\xc2ecolte d'\xc2et\xc2e", general=general)))
    assert draft.game.title == "Récolte d'été"


@pytest.mark.parametrize("general", [ISO5426, UNSAID])
def test_latin_1_even_where_the_record_says_otherwise(general: bytes) -> None:
    draft = one(joined(unimarc("Le goût des forêts : été".encode("latin-1"), general=general)))
    assert draft.game.title == "Le goût des forêts : été"


def test_what_could_be_two_sets_is_read_as_the_record_before_it() -> None:
    sure = joined(unimarc("Forêt, été".encode("latin-1"), general=UNSAID))
    unsure = joined(unimarc("Éole".encode("latin-1"), general=UNSAID))
    assert told(read(sure + unsure)) == [("record 1", "Forêt, été"), ("record 2", "Éole")]


def test_a_record_that_says_utf8_and_is_not_is_never_guessed_at() -> None:
    assert told(read(GOOD + joined(unimarc("Récolte".encode("latin-1"))))) == [
        ("record 1", "Récolte d’été"),
        ("record 2", "characters"),
    ]


def test_marc_8_and_utf8_under_the_same_blank_leader() -> None:
    old = joined(marc21(b"R\xe2ecolte \xb5uf"), leader=MARC8)
    new = joined(marc21("Récolte œuf"), leader=MARC8)
    assert told(read(old + new)) == [("record 1", "Récolte æuf"), ("record 2", "Récolte œuf")]


def test_latin_1_in_marc_21() -> None:
    draft = one(joined(marc21("Pêche à la ligne, été".encode("latin-1")), leader=MARC8))
    assert draft.game.title == "Pêche à la ligne, été"


@pytest.mark.parametrize("signs", ["\x98\x9c", "\x88\x89"])
def test_signs_around_an_article_are_taken_out(signs: str) -> None:
    title = f"{signs[0]}La {signs[1]}Havane"
    assert one(joined(unimarc(title))).game.title == "La Havane"
    raw = title.encode("latin-1") + b", \xc2et\xc2e"
    assert one(joined(unimarc(raw, general=ISO5426))).game.title == "La Havane, été"
    assert one(xml(data("200", a=title))).game.title == "La Havane"


def test_letters_are_composed() -> None:
    assert one(joined(unimarc("Re\u0301colte"))).game.title == "Récolte"


# --- XML ---------------------------------------------------------------------------------------


def test_a_broken_record_in_xml_costs_no_other() -> None:
    good = xml(data("200", a="Finca")).decode()
    record = good[good.index("<record") : good.index("</collection>")]
    bad = record.replace("</datafield>", "")
    whole = f"<collection>{record}{bad}{record}</collection>".encode()
    assert told(read(whole)) == [("record 1", "Finca"), ("record 2", "malformed"), ("record 3", "Finca")]


def test_broken_bytes_in_xml_are_the_fault_of_their_record() -> None:
    good = xml(data("200", a="Finca"))
    bad = xml(data("200", a="caf#")).replace(b"#", b"\xe9")
    assert told(read(good + bad + good)) == [
        ("record 1", "Finca"),
        ("record 2", "characters"),
        ("record 3", "Finca"),
    ]


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "windows-1252"])
def test_xml_in_the_encoding_that_it_says(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + xml(data("200", a="Été")).decode()
    assert one(text.encode(encoding)).game.title == "Été"


def test_the_record_inside_an_envelope_of_another_protocol() -> None:
    record = xml(data("245", a="Finca"), name="metadata").decode().replace("<record>", "<m:record>")
    record = record.replace("</record>", "</m:record>")
    oai = f'<OAI-PMH xmlns:m="urn:y"><ListRecords><record><header/>{record}</record></ListRecords></OAI-PMH>'
    draft = one(oai.encode())
    assert (draft.game.title, draft.format) == ("Finca", "marc21")


def test_no_entity_is_ever_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY file SYSTEM "file:///etc/passwd">]>'
    whole = (bomb + xml(data("200", a="&file;&a;")).decode()).encode()
    assert told(read(whole)) == [("record 1", "malformed")]


def test_names_of_letters_from_html_are_understood() -> None:
    assert one(xml(data("200", a="Caf&eacute; &amp; th&eacute;"))).game.title == "Café & thé"


def test_xml_of_other_kinds_is_no_marc() -> None:
    for text in ("<items><item id='1'/></items>", "<feed xmlns='urn:x'/>", "<notice>Bonjour</notice>"):
        assert recognise(text.encode()).format not in {Format.UNIMARC, Format.MARC21}


# --- what the fields say -----------------------------------------------------------------------


def test_a_publisher_said_in_210_and_214_is_one() -> None:
    place = sub("  ", ("a", "Paris [France]"), ("c", "Gigamic"), ("d", "DL 2012"))
    game = one(joined(unimarc("Quarto", ("210", place), ("214", place)))).game
    assert [(p.place, p.publisher) for p in game.publications] == [("Paris", "Gigamic")]
    assert game.year == 2012


def test_no_place_no_name_no_year() -> None:
    nothing = sub("  ", ("a", "[S.l.]"), ("c", "[s.n.]"), ("d", "[s.d.]"))
    game = one(joined(unimarc("Quarto", ("210", nothing), general=UNSAID.replace(b"d2010", b"u    ")))).game
    assert (game.publications, game.year) == ((), None)


def test_boxes_as_pmb_and_as_koha_describe_them() -> None:
    pmb = [
        ("995", sub("  ", ("a", "Ville"), ("f", "0012"), ("k", "QUA"))),
        ("996", sub("  ", ("f", "0012"), ("v", "Centre"), ("x", "Jeux"), ("1", "En réparation"), ("3", "0"))),
        ("995", sub("  ", ("f", "0013"), ("u", "coin abîmé"))),
        ("996", sub("  ", ("9", "expl_cb:0013"), ("3", "0"), ("v", "Centre"))),
        ("999", sub("  ", ("a", "bleu"), ("l", "Boîte"), ("f", "0013"))),
    ]
    boxes = one(joined(unimarc("Quarto", *pmb))).copies
    assert boxes == (
        CopyDraft("0012", "QUA", "Jeux", "Centre", "in_repair"),
        CopyDraft("0013", "", "", "Centre", "not_for_loan", "coin abîmé\nBoîte : bleu"),
    )
    koha = sub("  ", ("b", "MAIN"), ("c", "MAIN"), ("e", "Salle"), ("f", "77"), ("k", "J 1"))
    assert one(joined(unimarc("Quarto", ("995", koha)))).copies == (CopyDraft("77", "J 1", "Salle", "MAIN"),)


def test_boxes_of_marc_21_said_twice_are_one() -> None:
    holding = sub("8 ", ("b", "MAIN"), ("c", "Games"), ("h", "J 1"), ("p", "77"))
    koha = sub("  ", ("a", "MAIN"), ("c", "Games"), ("o", "J 1"), ("p", "77"), ("1", "1"))
    boxes = one(joined(marc21("Quarto", ("852", holding), ("952", koha)), leader=MARC21)).copies
    assert boxes == (CopyDraft("77", "J 1", "Games", "MAIN", "lost"),)


def test_a_box_as_evergreen_describes_it() -> None:
    states = [("x", state) for state in ("nonreference", "holdable", "noncirculating", "visible")]
    holding = sub("4 ", ("b", "BR1"), ("c", "Games"), ("j", "J 1"), ("p", "77"), *states, ("z", "Available"))
    boxes = one(joined(marc21("Quarto", ("852", holding)), leader=MARC21)).copies
    assert boxes == (CopyDraft("77", "J 1", "Games", "BR1", "not_for_loan"),)


def test_marks_before_the_next_value_are_cut_and_slashes_of_a_title_stay() -> None:
    title = ("200", sub("1 ", ("a", "Beep/ Beep/ :"), ("e", "le jeu /")))
    place = ("210", sub("  ", ("a", "Paris :"), ("c", "Amigo Inc.,"), ("d", "2004")))
    game = one(joined([("001", b"1"), ("100", sub("  ", ("a", UTF8))), title, place])).game
    assert (game.title, game.subtitle) == ("Beep/ Beep/", "le jeu")
    assert [(p.place, p.publisher) for p in game.publications] == [("Paris", "Amigo Inc.")]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("[Lieu de publication non identifié] : ", "[éditeur non identifié], "),
        ("[Place of publication not identified] :", "[publisher not identified],"),
        ("[Erscheinungsort nicht ermittelbar] :", "[Verlag nicht ermittelbar],"),
        ("[S.l.] :", "[s.n.],"),
    ],
)
def test_not_known_in_whatever_words_is_none(place: str, name: str) -> None:
    field = ("264", sub(" 1", ("a", place), ("b", name), ("c", "[date de publication non identifiée]")))
    game = one(joined(marc21("Quarto", field), leader=MARC21)).game
    assert (game.publications, game.year) == ((), None)
    known = ("264", sub(" 1", ("a", place), ("b", "Djeco, "), ("c", "2021")))
    assert one(joined(marc21("Quarto", known), leader=MARC21)).game.publications[0].place == ""


def test_series_price_and_class_of_pmb_are_kept_in_words() -> None:
    fields = [
        ("010", sub("  ", ("a", "2-84146-452-0"), ("d", "15 €"))),
        ("225", sub("2 ", ("a", "Les uns, les autres"), ("v", "12"))),
        ("225", sub("2 ", ("i", "Petits"))),
        ("410", sub(" 0", ("t", "Les uns, les autres"), ("v", "12"))),
        ("461", sub(" 0", ("t", "Détective"), ("v", "3"))),
        ("676", sub("  ", ("a", "793"), ("l", "Jeux d'intérieur"))),
        ("606", sub(" 1", ("9", "uri:http://x"), ("a", "Coopération"))),
        ("897", sub("  ", ("a", "http://x/1"), ("b", "Règle"), ("f", "regle.pdf"))),
    ]
    draft = one(joined(unimarc("Quarto", *fields)))
    assert draft.documents == ("regle.pdf",)
    assert draft.game.note.split("\n") == [
        "Prix : 15 €",
        "Concepts : Coopération",
        "Index. décimale : 793 Jeux d'intérieur",
        "Collection : Les uns, les autres num. 12",
        "Collection : Petits",
        "Titre de série : Détective 3",
    ]


def test_a_box_without_a_barcode_is_told() -> None:
    draft, problem = read(joined(unimarc("Quarto", ("995", sub("  ", ("k", "QUA"))))))
    assert isinstance(draft, RecordDraft)
    assert isinstance(problem, Problem)
    assert (draft.copies, problem.reason, problem.detail) == ((), Reason.VALUE_UNREADABLE, "copy: QUA")


@pytest.mark.parametrize(
    ("label", "value", "expected"),
    [
        ("Nombre de joueurs", "2-4", (2, 4, None, None)),
        ("Nombre de joueurs", "1", (1, 1, None, None)),
        ("Âge minimum", "18 mois", (None, None, 18, None)),
        ("AGE MINIMUM :", "5 ans", (None, None, 60, None)),
        ("Durée du jeu", "1 h 30", (None, None, None, 90)),
        ("Joueur(s) et temps de jeu", "2-4 joueurs / 20 minutes", (2, 4, None, 20)),
    ],
)
def test_own_fields_by_their_labels(label: str, value: str, expected: tuple[int | None, ...]) -> None:
    own = sub("  ", ("a", value), ("l", label), ("n", "x"))
    game = one(joined(unimarc("Quarto", ("900", own)))).game
    assert (game.players_min, game.players_max, game.age_min_months, game.minutes_min) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("À partir de 8 ans", (None, None, 96, None, None)),
        ("De 18 à 36 mois", (None, None, 18, 36, None)),
        ("Pour 2 à 4 joueurs, dès 6 ans, 30 min.", (2, 4, 72, None, 30)),
        ("For 3 players. Ages 10 and up.", (3, 3, 120, None, None)),
        ("Ab 5 Jahren ; 2 bis 6 Spieler", (2, 6, 60, None, None)),
        ("8+", (None, None, 96, None, None)),
        ("Nombre de joueurs : 2 et plus", (2, None, None, None, None)),
    ],
)
def test_for_whom_a_game_is_in_a_sentence(text: str, expected: tuple[int | None, ...]) -> None:
    for draft in (
        one(joined(unimarc("Quarto", ("333", sub("  ", ("a", text)))))),
        one(joined(marc21("Quarto", ("521", sub("  ", ("a", text)))), leader=MARC21)),
    ):
        game = draft.game
        ages = (game.age_min_months, game.age_max_months)
        assert (game.players_min, game.players_max, *ages, game.minutes_min) == expected
        assert game.note == ""


def test_a_note_that_says_more_than_numbers_is_no_statement() -> None:
    text = "Une variante pour 2 joueurs se trouve dans la boîte"
    game = one(joined(unimarc("Quarto", ("300", sub("  ", ("a", text)))))).game
    assert (game.players_min, game.note) == (None, text)


def test_the_playing_time_of_marc_21() -> None:
    fields = [("306", sub("  ", ("a", "003000"))), ("008", b" " * 35 + b"ger  ")]
    game = one(joined(marc21("Quarto", *fields), leader=MARC21)).game
    assert (game.minutes_min, game.minutes_max, game.languages) == (30, 30, ("de",))


def test_a_title_in_another_script_is_another_title() -> None:
    other = ("880", sub("10", ("6", "245-01/r"), ("a", "Игра /")))
    assert one(joined(marc21("Igra", other), leader=MARC21)).game.alternative_titles == ("Игра",)


def test_letters_that_marc_8_lacks_are_referred_to_by_number() -> None:
    assert one(joined(marc21(b"&#x20AC;uro"), leader=MARC8)).game.title == "€uro"
    assert one(joined(marc21(b"&#x20AC;uro \xe2et"), leader=MARC8)).game.title == "€uro ét"
    assert one(joined(marc21(b"&#x20AC;uro"), leader=MARC21)).game.title == "&#x20AC;uro"


def test_sets_that_no_table_here_reads_are_refused() -> None:
    cyrillic = UNSAID.replace(b"frey        ", b"frey0102    ")
    results = read(joined(unimarc(b"\xc8\xe7", general=cyrillic)) + joined(unimarc(b"\x1b(Nabc")))
    assert told(results) == [("record 1", "characters"), ("record 2", "characters")]


def test_an_unknown_own_field_is_kept_in_words() -> None:
    own = sub("  ", ("a", "oui"), ("l", "Adapté aux malvoyants"))
    assert one(joined(unimarc("Quarto", ("900", own)))).game.note == "Adapté aux malvoyants : oui"


def test_rules_in_an_own_field_become_a_rules_text() -> None:
    rules = (
        "But du jeu : aligner quatre pièces.\nDéroulement : chacun pose à son tour une pièce sur le plateau."
    )
    draft = one(joined(unimarc("Quarto", ("900", sub("  ", ("a", rules), ("l", "Règles du jeu"))))))
    assert "aligner quatre" in draft.rules[0].revisions[0].body


def test_two_records_of_one_title_and_number_apart_are_two_sources() -> None:
    first = joined([("001", b"1"), ("200", sub("1 ", ("a", "Uno")))])
    second = joined([("001", b"2"), ("200", sub("1 ", ("a", "Uno")))])
    keys = {result.key for result in read(first + second) if isinstance(result, RecordDraft)}
    assert len(keys) == 2


# --- in flat memory, and never a traceback -----------------------------------------------------


def test_records_come_before_the_file_is_read_to_its_end() -> None:
    class Endless:
        given = 0

        def read(self, size: int, /) -> bytes:
            assert size > 0
            self.given += 1
            assert self.given < 10, "the whole file is read before the first record is given"
            return GOOD * 500

    assert isinstance(next(iter(marc.read_stream(Endless()))), RecordDraft)


SAMPLES = st.sampled_from(
    [
        GOOD * 2,
        joined(marc21(b"R\xe2ecolte \xb5uf"), leader=MARC8),
        joined(unimarc(b"R\xc2ecolte", general=ISO5426)),
        xml(data("245", a="Finca"), data("909", _2="ludotheca", a="year", b="2009")),
        b"<unimarc><notice><dt>r</dt><f c='200' ind='1 '><s c='a'>A</s></f></notice></unimarc>",
    ]
)
PUT = st.one_of(
    st.binary(max_size=6),
    st.sampled_from([b"\x1d", b"\x1e", b"\x1f", b"\x1b$1", b"</record>", b"<record>", b"&x;", b"99999"]),
)


@settings(max_examples=300)
@given(SAMPLES, st.integers(0, 600), st.integers(0, 40), PUT)
@example(GOOD, 0, 400, b"\x1f")
@example(joined(marc21(b"\x1b")), 24, 0, b"")
def test_no_damage_makes_the_reader_raise(sample: bytes, at: int, cut: int, put: bytes) -> None:
    damaged = sample[:at] + put + sample[at + cut :]
    for dialect in (None, *Dialect):
        for result in marc.read_stream(BytesIO(damaged), "", dialect):
            assert isinstance(result, RecordDraft | Problem)
            assert result.place.startswith("record ")


@given(st.text(max_size=200))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    assert all(isinstance(result, RecordDraft | Problem) for result in marc.read(text))
