"""What leaves as MARC comes back as it left; what the formats cannot hold is named."""

from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogue import records
from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, Problem, PublicationDraft, RecordDraft
from catalogue.exports import iso2709, marc_xml
from catalogue.exports.library import Outgoing, outgoing
from catalogue.exports.marc import NOT_CARRIED, Form, file_of, record_of
from catalogue.imports import marc
from catalogue.imports.ingest import Options, import_files
from catalogue.marc import Dialect, MarcField, MarcRecord
from catalogue.models import Copy, Game
from tests.make import NOON, make_copy, make_game, make_rules

FORMS = pytest.mark.parametrize("form", list(Form))
SETS = {"categories", "keywords"}


def leaving(game: GameDraft, *copies: CopyDraft, documents: tuple[str, ...] = ()) -> Outgoing:
    return Outgoing(7, game, copies, documents, NOON, NOON)


def written(games: Iterable[Outgoing], form: Form) -> bytes:
    return b"".join(piece.data for piece in file_of(games, form, language="fr"))


def back(data: bytes) -> list[RecordDraft]:
    results = list(marc.read_stream(BytesIO(data)))
    assert not [result for result in results if isinstance(result, Problem)], results
    return [result for result in results if isinstance(result, RecordDraft)]


def comparable(game: GameDraft) -> dict[str, object]:
    return {name: records.comparable(name, getattr(game, name)) for name in GameDraft.__slots__}


def assert_comes_back(out: Outgoing, form: Form) -> None:
    (draft,) = back(written([out], form))
    assert comparable(draft.game) == comparable(out.game)
    assert sorted(draft.copies, key=str) == sorted(out.copies, key=str)
    assert (draft.documents, draft.rules) == (out.documents, ())


FULL = GameDraft(
    title="Beep/ Beep/",
    subtitle="le jeu : des klaxons /",
    alternative_titles=("Piep Piep", "Tuut."),
    document_type="Jeu",
    contributors=(
        ContributorDraft("Franz Vohwinkel", "440"),
        ContributorDraft("Ralf zur Linde", "070"),
        ContributorDraft("Kosmos, S.A.", "650"),
        ContributorDraft("Staupe"),
    ),
    publications=(PublicationDraft("Intrafin Games", "Braine-l'Alleud"), PublicationDraft("Amigo")),
    edition="2e éd.",
    year=2004,
    identifiers=("68862310192", "4 250231 700217", "2-84146-452-0", "REF/12"),
    languages=("fr", "pt-BR", "gsw"),
    categories=("A 407 jeu de hasard (jeu de règles)", "Jeux d'adresse."),
    keywords=("klaxon", "bande dessinée ; animaux"),
    players_min=2,
    players_max=6,
    age_min_months=30,
    age_max_months=118,
    minutes_min=15,
    minutes_max=25,
    principle="But du jeu : klaxonner.\n\nDeuxième alinéa -- avec des tirets.",
    pedagogy="Réflexes ;\nattention",
    contents="Contenu : 112 cartes\n\n1 voiture -- à klaxon",
    note="Thème : Mer\nNombre de joueurs : beaucoup\nRègles du jeu : " + "Grands Caractères " * 9,
)
BOXES = (
    CopyDraft("01877", "REI", "A 407 jeu de hasard", "Maison des Jeux", "incomplete", "coin\n\nabîmé"),
    CopyDraft("90859", "REI"),
)


@FORMS
def test_a_full_record_comes_back_as_it_left(form: Form) -> None:
    assert_comes_back(leaving(FULL, *BOXES, documents=("Règles.pdf",)), form)


@FORMS
def test_a_bare_title_comes_back_as_it_left(form: Form) -> None:
    assert_comes_back(leaving(GameDraft(title="Go")), form)


WORDS = st.text(st.sampled_from([*"aéÜ œ,.;:/-=[]()'\"&<>0\n\x98\x9c\u0301ﬁ語🎲"]), max_size=30)
NAMES = WORDS.map(lambda text: " ".join(text.split())).filter(bool)
NUMBERS = st.none() | st.integers(1, 3000)


@st.composite
def spans(draw: st.DrawFn) -> tuple[int | None, int | None]:
    low, high = draw(NUMBERS), draw(NUMBERS)
    return (high, low) if low is not None and high is not None and low > high else (low, high)


@st.composite
def games(draw: st.DrawFn) -> GameDraft:
    """Any record that the catalogue may hold."""
    players, ages, times = draw(spans()), draw(spans()), draw(spans())
    lists = st.lists(NAMES, max_size=3, unique=True).map(tuple)
    person = st.builds(ContributorDraft, NAMES, st.sampled_from(["", "070", "440", "570", "999"]))
    return GameDraft(
        title=draw(NAMES),
        subtitle=draw(WORDS),
        document_type=draw(WORDS),
        alternative_titles=draw(lists),
        contributors=draw(st.lists(person, max_size=3).map(tuple)),
        publications=draw(st.lists(st.builds(PublicationDraft, NAMES, WORDS), max_size=2).map(tuple)),
        edition=draw(WORDS),
        year=draw(st.none() | st.integers(0, 9999)),
        identifiers=draw(lists),
        languages=draw(st.lists(st.sampled_from(["fr", "en", "pt-BR", "xx"]), unique=True).map(tuple)),
        categories=draw(lists),
        keywords=draw(lists),
        players_min=players[0],
        players_max=players[1],
        age_min_months=ages[0],
        age_max_months=ages[1],
        minutes_min=times[0],
        minutes_max=times[1],
        principle=draw(WORDS),
        pedagogy=draw(WORDS),
        contents=draw(WORDS),
        note=draw(WORDS),
    )


@FORMS
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(game=games(), note=WORDS)
def test_any_record_comes_back_as_it_left(form: Form, game: GameDraft, note: str) -> None:
    assert_comes_back(leaving(game, CopyDraft("0012", note=note), documents=("a.pdf",)), form)


@FORMS
def test_long_texts_are_split_and_come_back(form: Form) -> None:
    game = GameDraft(title="Finca", principle="Le moulin tourne. " * 900, contents="x" * 9000)
    assert_comes_back(leaving(game), form)
    record = record_of(leaving(game), form.dialect, language="fr")
    assert max(len(value.encode()) for one in record.fields for _code, value in one.subfields) < 9990


def test_what_iso_2709_cannot_hold_is_left_out_by_name_and_the_boxes_stay() -> None:
    game = GameDraft(title="Finca", principle="Le moulin tourne.\n" * 9000)
    (piece,) = file_of([leaving(game, *BOXES)], Form.UNIMARC, language="fr")
    assert 90_000 < len(piece.data) <= 99_999
    assert piece.left_out == ("909", "330")
    (draft,) = back(piece.data)
    assert [box.barcode for box in draft.copies] == ["01877", "90859"]
    assert draft.game.principle.startswith("Le moulin tourne.\nLe moulin")
    assert_comes_back(leaving(game, *BOXES), Form.UNIMARC_XML)


def test_lengths_of_iso_2709_are_right_and_leader_9_says_the_characters() -> None:
    for dialect, sign in ((Dialect.UNIMARC, b" "), (Dialect.MARC21, b"a")):
        data = iso2709.write(record_of(leaving(FULL, *BOXES), dialect, language="fr")).data
        assert (int(data[:5]), data[9:10]) == (len(data), sign)
        base = int(data[12:17])
        assert data[base - 1 : base] == b"\x1e"


def test_fixed_fields_have_their_length() -> None:
    for game in (FULL, GameDraft(title="Go"), replace(FULL, document_type="texte imprimé")):
        unimarc = record_of(leaving(game), Dialect.UNIMARC, language="fr")
        marc21 = record_of(leaving(game), Dialect.MARC21, language="fr")
        assert (len(unimarc.leader), len(unimarc.first("100", "a"))) == (24, 36)
        assert (len(marc21.leader), len(marc21.control("008"))) == (24, 40)
        assert (unimarc.first("100", "a")[26:28], marc21.control("008")[35:38] != "   ") == ("50", True)


def test_what_is_public_says_nothing_for_the_desk() -> None:
    for dialect in Dialect:
        record = record_of(leaving(FULL, *BOXES), dialect, language="fr", is_public=True)
        assert not list(record.select("909"))
        assert "abîmé" not in str(record)
        assert "01877" in str(record)


def test_somebody_elses_909_is_passed_over() -> None:
    field = MarcField("909", subfields=(("a", "year"), ("b", "1999")))
    record = MarcRecord(" " * 24, (MarcField("200", subfields=(("a", "Go"),)), field))
    data = iso2709.write(record).data
    (draft,) = back(data.replace(data[:5], b"%05d" % len(data)))
    assert draft.game.year is None


# --- the library -------------------------------------------------------------------------------


def shelf() -> dict[str, tuple[object, ...]]:
    """All that the catalogue says, by title and boxes."""
    return {
        f"{out.game.title} {sorted(box.barcode for box in out.copies)} {out.game.year}": (
            comparable(out.game),
            out.copies,
            out.documents,
        )
        for out in outgoing(Game.objects.all())
    }


def there_and_back(path: Path, form: Form) -> dict[str, tuple[object, ...]]:
    """The shelf of an empty library that takes in the export of this one."""
    call_command("export_records", "--format", form.value, path)
    Copy.objects.all().delete()
    Game.objects.all().delete()
    assert import_files([path], Options()).problems == []
    return shelf()


def take_in(shared: Path) -> None:
    """The demo library, and all records of the cases."""
    demo = sorted(Path("fixtures/library").glob("records-*.txt"))
    kinds = ("*marc*.xml", "*marc*.mrc", "pmb-*.txt")
    cases = [path for kind in kinds for path in sorted((shared / "cases").glob(kind))]
    import_files([*demo, *sorted((shared / "seeds").glob("*.txt")), *cases], Options(language="fr"))


@pytest.mark.django_db
@FORMS
def test_the_demo_library_and_all_cases_come_back_into_an_empty_library(
    shared: Path, tmp_path: Path, form: Form
) -> None:
    take_in(shared)
    before = shelf()
    assert len(before) == Game.objects.count() > 20
    assert there_and_back(tmp_path / "out", form) == before


@pytest.mark.django_db
def test_all_that_was_ever_handed_comes_back(shared: Path, tmp_path: Path) -> None:
    """Tables, BoardGameGeek and pages too; of two games one is a bare title, as `NOT_CARRIED` says."""
    handed = [path for path in sorted((shared / "cases").iterdir()) if path.suffix not in {".meta", ".md"}]
    import_files([*sorted((shared / "seeds").glob("*.txt")), *handed], Options(language="fr"))
    before = shelf()
    assert len(before) > 100
    after = there_and_back(tmp_path / "out", Form.UNIMARC)
    lost = before.keys() - after.keys()
    assert {name: before[name] for name in after} == after
    assert [name for name in lost if name != "Eclipse [] None"] == []


@pytest.mark.django_db
def test_a_library_that_reads_its_own_export_changes_nothing(tmp_path: Path) -> None:
    game = make_game("Finca", publications=(PublicationDraft("Filosofia"),), note="Thème : fruits")
    make_copy(game, "0042", note="au fond", condition="in_repair")
    make_rules(game, "# But\n\nRécolter.")
    before = shelf()
    path = tmp_path / "out.mrc"
    call_command("export_records", "--format", "unimarc", path)
    import_files([path], Options())
    assert (shelf(), game.rules_texts.count()) == (before, 1)


@pytest.mark.django_db
def test_the_library_is_read_in_the_same_number_of_queries_however_large() -> None:
    def queries_with(more: int) -> int:
        for at in range(more):
            make_copy(make_game(f"Jeu {at}", keywords=("a",)))
        with CaptureQueriesContext(connection) as seen:
            assert len(list(outgoing(Game.objects.all()))) >= more
        return len(seen)

    assert queries_with(2) == queries_with(30)


# --- the standard ------------------------------------------------------------------------------

# Of the UNIMARC Manual, the fields that we write: indicators, subfields, and whether more than
# one may stand in a record. Fields of 9-- are the library's own.
UNIMARC = {
    "010": ("  ", "abdz", True),
    "072": ("01  ", "abcdz", True),
    "073": ("01 0", "abcdz", True),
    "100": ("  ", "a", False),
    "101": ("012  ", "abcdefghij", False),
    "200": ("01  ", "abcdefghivz", False),
    "205": ("  ", "abdfg", True),
    "210": ("01   ", "abcdefgh", True),
    "300": ("  ", "a", True),
    "327": ("012 ", "abcdefghipuz", True),
    "330": ("  ", "a", True),
    "333": ("  ", "a", True),
    "517": ("01  ", "aehijnz", True),
    "606": ("012  1", "ajxyz23", True),
    "610": ("012 ", "a", True),
    "700": ("  01", "abcdfgp34", False),
    "701": ("  01", "abcdfgp34", True),
    "702": ("  01", "abcdfgp345", True),
    "801": ("  0123", "abcgh2", True),
}


def test_unimarc_holds_to_the_manual() -> None:
    for game in (FULL, GameDraft(title="Go")):
        record = record_of(leaving(game, *BOXES), Dialect.UNIMARC, language="fr")
        tags = [one.tag for one in record.fields if one.tag < "900"]
        assert tags == sorted(tags)
        assert {"001", "100", "200", "801"} <= set(tags)
        for one in record.fields:
            if not one.subfields or one.tag >= "900":
                continue
            marks, codes, is_repeatable = UNIMARC[one.tag]
            assert set(one.indicators) <= set(marks), one
            assert {code for code, _value in one.subfields} <= set(codes), one
            assert is_repeatable or tags.count(one.tag) == 1, one


def test_every_reason_for_not_carrying_something_is_given() -> None:
    assert all(NOT_CARRIED.values())
    assert "rules" in NOT_CARRIED


def test_a_record_for_an_envelope_says_its_own_namespace() -> None:
    for dialect, space in marc_xml.NAMESPACES.items():
        record = record_of(leaving(FULL, *BOXES), dialect, language="fr", is_public=True)
        root = fromstring(marc_xml.write(record, dialect, is_alone=True))
        assert root.tag == f"{{{space}}}record"
