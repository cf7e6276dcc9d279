"""BoardGameGeek: its answers and exported collections, handed and made up."""

from pathlib import Path

import pytest

from catalogue.draft import Doubt, Problem, Reason, RecordDraft
from catalogue.imports import bgg
from catalogue.imports.ingest import Options, import_files
from catalogue.imports.sniff import Format, sniff
from catalogue.models import Copy, Game, GameLink

THING = """<?xml version="1.0" encoding="utf-8"?>
<items termsofuse="https://boardgamegeek.com/xmlapi/termsofuse">
 <item type="{kind}" id="{number}">
  <name type="primary" sortindex="1" value="{title}"/>
  <name type="alternate" sortindex="5" value="{title} &amp;amp; Co"/>
  <description>Two &amp;quot;mills&amp;quot; &amp;mdash; a river.&amp;#10;&amp;#10;&amp;#10;End</description>
  <yearpublished value="-400"/>
  <minplayers value="0"/><maxplayers value="4"/><playingtime value="0"/><minplaytime value="0"/>
  <maxplaytime value="0"/><minage value="0"/>
  <link type="boardgamedesigner" id="3" value="(Uncredited)"/>
  <link type="boardgamepublisher" id="4" value="(Self-Published)"/>
  <link type="boardgamepublisher" id="5" value="Mill &amp;amp; Sons"/>
  {links}
  <versions>
   <item type="boardgameversion" id="9"><name type="primary" value="French edition"/>
    <yearpublished value="2008"/><productcode value="{code}"/>
    <link type="boardgamepublisher" id="7" value="Filosofia"/>
    <link type="language" id="2187" value="French"/><link type="language" id="2188" value="German"/></item>
   <item type="boardgameversion" id="10"><name type="primary" value="English edition"/>
    <yearpublished value="0"/><productcode value=""/>
    <link type="language" id="2184" value="English"/></item>
  </versions>
 </item></items>"""
COLLECTION_CSV = (
    "objectname,objectid,rating,numplays,weight,own,fortrade,want,wanttobuy,wanttoplay,prevowned,"
    "preordered,"
    "wishlist,wishlistpriority,wishlistcomment,comment,conditiontext,haspartslist,wantpartslist,collid,"
    "baverage,average,avgweight,rank,numowned,objecttype,originalname,minplayers,maxplayers,playingtime,"
    "maxplaytime,minplaytime,yearpublished,bggrecplayers,bggbestplayers,bggrecagerange,"
    "bgglanguagedependence,publisherid,imageid,year,language,other,itemtype,barcode,pricepaid,pp_currency,"
    "quantity,privatecomment,invlocation,version_publishers,version_languages,version_yearpublished,"
    "version_nickname\n"
)


def row(**said: str) -> str:
    names = COLLECTION_CSV.strip().split(",")
    assert set(said) <= set(names)
    return ",".join(f'"{said.get(name, "")}"' for name in names) + "\n"


def thing(number: int = 42, title: str = "Mill", kind: str = "boardgame", links: str = "") -> str:
    code = f"34212713{number:05}"
    return THING.format(number=number, title=title, kind=kind, links=links, code=code)


def read(shared: Path, name: str) -> list[RecordDraft | Problem]:
    found = sniff(shared / "cases" / name)
    assert found.format is Format.BGG
    return list(bgg.read(found.text))


def of(text: str) -> list[RecordDraft]:
    return [result for result in bgg.read(text) if isinstance(result, RecordDraft)]


def told(text: str) -> list[Problem]:
    return [result for result in bgg.read(text) if isinstance(result, Problem)]


# id: title, number and first of the other titles, year, designers, artists, publishers, players, age, time
THINGS = {
    "2088": (
        *("Coup", 2, "Holiday AG", 1975, ["Wolfgang Kramer"], []),
        *(["ASS Altenburger Spielkarten", "F.X. Schmid", "Krone Spiele (ASS)", "MIKA"], 4),
        *((2, 6), 120, (90, 90), ("Abstract Strategy", "Economic", "Number")),
        *(("Commodity Speculation", "Tile Placement"), []),
    ),
    "242277": (
        *("Scythe: The Rise of Fenris", 12, "Scythe: A Fenris felemelkedése", 2018),
        *(["Ryan Lopez DeVinaspre", "Jamey Stegmaier"], ["Jakub Rozalski"]),
        *(["Stonemaier Games", "Albi", "Arclight", "CrowD Games", "Delta Vision Publishing"], 12),
        *((1, 5), 144, (75, 150)),
        ("Civilization", "Economic", "Expansion for Base-game", "Fighting", "Territory Building"),
        (
            *("Area Majority / Influence", "Campaign / Battle Card Driven", "Cooperative Game"),
            "Variable Player Powers",
        ),
        ["Scythe"],
    ),
    "28720": (
        *("Brass: Lancashire", 4, "Brass", 2007, ["Martin Wallace"]),
        ["Lina Cossette", "Peter Dennis", "David Forest", "Eckhard Freytag", "Damien Mammoliti"],
        *(["Roxley", "Warfrog Games", "Crowd Games", "Eagle-Gryphon Games", "FRED Distribution, Inc."], 9),
        *((2, 4), 168, (60, 120), ("Economic", "Industry / Manufacturing", "Transportation")),
        *(("Hand Management", "Route/Network Building"), []),
    ),
    "8148": (
        *("Trio", 2, "Chirp", 1972, ["David W. Currie"], [], ["Challenge Games", "Tedco, Inc"], 2),
        *((2, 2), 84, (10, 10), ("Abstract Strategy",)),
        *(("Pattern Building", "Pattern Recognition"), []),
    ),
}


@pytest.mark.parametrize(("number", "facts"), THINGS.items())
def test_facts_of_the_things(shared: Path, number: str, facts: tuple[object, ...]) -> None:
    (draft,) = read(shared, f"bgg-thing-{number}.xml")
    assert isinstance(draft, RecordDraft)
    game = draft.game
    assert draft.key == f"bgg:{number}"
    assert (game.title, len(game.alternative_titles), game.alternative_titles[0], game.year) == facts[:4]
    assert [c.name for c in game.contributors if c.role == "070"] == facts[4]
    assert [c.name for c in game.contributors if c.role == "440"] == facts[5]
    publishers = [p.publisher for p in game.publications]
    assert (publishers[: len(facts[6])], len(publishers)) == facts[6:8]  # type: ignore[arg-type]
    assert ((game.players_min, game.players_max), game.age_min_months) == facts[8:10]
    assert ((game.minutes_min, game.minutes_max), game.categories, game.keywords) == facts[10:13]
    assert [name.title for name in draft.expands] == facts[13]
    assert "&" not in game.principle.replace("& ", "")
    assert "\n\n" in game.principle or number == "8148"


def test_best_number_of_players_stands_in_the_note(shared: Path) -> None:
    (draft,) = read(shared, "bgg-thing-28720.xml")
    assert isinstance(draft, RecordDraft)
    assert draft.game.note == "BoardGameGeek: best with 4; recommended with 2, 3 players"


def test_collection_with_38_games_owned(shared: Path) -> None:
    found = read(shared, "bgg-collection-38.xml")
    games = [draft for draft in found if isinstance(draft, RecordDraft)]
    assert (len(found), len(games)) == (38, 38)
    assert [draft.game.title for draft in games[:5]] == [
        *("Azul", "Balderdash", "Betrayal at House on the Hill", "Carcassonne"),
        "Carcassonne: Expansion 2 – Traders & Builders",
    ]
    assert all(draft.game.year and draft.game.players_min for draft in games)
    assert len({copy.barcode for draft in games for copy in draft.copies}) == 38


def test_an_answer_that_is_queued_says_when_to_come_back(shared: Path) -> None:
    (problem,) = read(shared, "bgg-collection-queued.xml")
    assert isinstance(problem, Problem)
    assert (problem.place, problem.reason) == ("line 1", Reason.NOT_READY)


def test_hits_of_a_search(shared: Path) -> None:
    hits = read(shared, "bgg-search-eclipse.xml")
    games = [hit for hit in hits if isinstance(hit, RecordDraft)]
    assert [(hit.known_as[0], hit.game.title, hit.game.year) for hit in games] == [
        ("bgg:11542", "Eclipse", 1999),
        ("bgg:23272", "Eclipse", None),
        ("bgg:72125", "Eclipse", 2011),
        ("bgg:824", "Eclipse", 1995),
        ("bgg:8148", "Eclipse", 1972),
    ]
    assert [hit.known_as[0] for hit in games if hit.doubts] == ["bgg:824", "bgg:8148"]


def test_exported_collection_of_22_columns(shared: Path) -> None:
    found = read(shared, "bgg-csv-22cols.csv")
    games = [draft for draft in found if isinstance(draft, RecordDraft)]
    assert (len(found), len(games)) == (20, 20)
    assert sum(len(draft.copies) for draft in games) == 10
    assert sum(bool(draft.game.categories) for draft in games) == 2
    facts = [
        (d.game.title, d.game.players_min, d.game.players_max, d.game.minutes_max, d.game.year)
        for d in games[:6]
    ]
    assert facts == [
        ("Altiplano", 2, 5, 120, 2017),
        ("ArcheOlogic", 1, 4, 45, 2023),
        ("Azul", 2, 4, 45, 2017),
        ("Bridge", 4, 4, 60, 1925),
        ("Calico", 1, 4, 45, 2020),
        ("Cascadia", 1, 4, 45, 2021),
    ]
    assert all(draft.game.age_min_months is None for draft in games)
    assert next(d.game.year for d in games if d.game.title == "Go") is None


def test_an_export_that_lacks_columns_names_them(shared: Path) -> None:
    (problem,) = read(shared, "bgg-csv-malformed.csv")
    assert isinstance(problem, Problem)
    assert (problem.place, problem.reason, problem.detail) == ("line 1", Reason.COLUMNS_MISSING, "own")
    (problem,) = told("objectname,rating,numplays,own\nAzul,8,1,1\n")
    assert (problem.reason, problem.detail) == (Reason.COLUMNS_MISSING, "objectid")


def test_what_is_no_name_no_year_and_no_number_is_left_out() -> None:
    (draft,) = of(thing())
    game = draft.game
    assert game.alternative_titles == ("Mill & Co",)
    assert (game.contributors, [p.publisher for p in game.publications]) == ((), ["Mill & Sons"])
    assert (game.year, game.players_min, game.players_max) == (None, None, 4)
    assert (game.minutes_min, game.minutes_max, game.age_min_months) == (None, None, None)
    assert game.principle == 'Two "mills" — a river.\n\nEnd'


def test_versions_bring_their_languages_and_codes_and_are_told_one_by_one() -> None:
    (draft,) = of(thing())
    assert draft.game.languages == ("fr", "de", "en")
    assert draft.game.identifiers == ("3421271300042",)
    assert draft.game.note.split("\n") == [
        "Edition: French edition (Filosofia, French, German, 2008, 3421271300042)",
        "Edition: English edition (English)",
    ]


def test_exported_collection_with_versions_quantities_and_two_rows_of_one_game() -> None:
    text = COLLECTION_CSV + "".join(
        [
            row(
                objectname="Mill &amp; Co",
                objectid="42",
                own="1",
                collid="77",
                quantity="2",
                barcode="3421271300441",
                version_languages="French, German",
                version_yearpublished="2008",
                yearpublished="2001",
                version_publishers="Filosofia",
                bggbestplayers="4",
                bggrecplayers="2,3",
                bggrecagerange="10+",
                minplayers="2",
                maxplayers="4",
                minplaytime="30",
                maxplaytime="60",
                invlocation="Shelf 3",
                conditiontext="box torn",
            ),
            row(objectname="Mill & Co", objectid="42", own="1", collid="78", version_languages="English"),
            row(objectname="Wish", objectid="43", own="0", wishlist="1"),
            row(objectname="Broken", objectid="6.37702E+15", own="1"),
        ]
    )
    mill, wish = of(text)
    assert (mill.game.title, mill.game.year) == ("Mill & Co", 2008)
    assert mill.game.languages == ("fr", "de", "en")
    assert mill.game.identifiers == ("3421271300441",)
    assert (mill.game.minutes_min, mill.game.minutes_max, mill.game.age_min_months) == (30, 60, 120)
    assert mill.game.note == "BoardGameGeek: best with 4; recommended with 2,3 players"
    assert [copy.barcode for copy in mill.copies] == ["BGG-77-1", "BGG-77-2", "BGG-78"]
    assert (mill.copies[0].section, mill.copies[0].note) == ("Shelf 3", "box torn")
    assert wish.copies == ()
    assert [(p.place, p.reason) for p in told(text)] == [("line 5", Reason.CODE_DAMAGED)]


def test_errors_in_place_of_an_answer_are_told_in_their_words() -> None:
    answers = [
        "<errors><error><message>Invalid username specified</message></error></errors>",
        '<error message="Rate limit exceeded."/>',
    ]
    problems = [problem for answer in answers for problem in told(answer)]
    assert [p.reason for p in problems] == [Reason.SOURCE_REFUSED] * 2
    assert "Invalid username" in problems[0].detail
    assert "Rate limit" in problems[1].detail


def test_an_answer_that_breaks_off_gives_what_was_whole_and_the_line() -> None:
    two = thing().replace("</items>", "") + thing(43, "Wheel").partition(">\n")[2].partition(">\n")[2]
    text = two[: two.rindex("<versions>")]
    found = list(bgg.read(text))
    assert [r.game.title for r in found if isinstance(r, RecordDraft)] == ["Mill"]
    assert [r.reason for r in found if isinstance(r, Problem)] == [Reason.TRUNCATED]


def test_entity_bombs_are_refused() -> None:
    bomb = '<!DOCTYPE items [<!ENTITY a "aaaa">]><items termsofuse="x"><item id="1"/></items>'
    (problem,) = told(bomb)
    assert problem.reason is Reason.TRUNCATED


def test_the_credit_line_is_known_from_the_key_of_the_source() -> None:
    expected = bgg.Credit("BoardGameGeek", "https://boardgamegeek.com/boardgame/42")
    assert bgg.credit("bgg:42") == bgg.credit("bgg:42:csv") == expected
    assert bgg.credit("pmb:42") is None


# --- in the catalogue --------------------------------------------------------------------------


def bring(tmp_path: Path, *texts: str) -> list[tuple[str, str]]:
    for number, text in enumerate(texts):
        (tmp_path / f"{number}").write_text(text)
    report = import_files([tmp_path / f"{number}" for number in range(len(texts))], Options())
    assert report.problems == []
    return [(str(record["title"]), str(record["result"])) for record in report.records]


@pytest.mark.django_db
@pytest.mark.parametrize("is_base_first", [True, False])
def test_expansions_are_linked_whatever_comes_first(tmp_path: Path, *, is_base_first: bool) -> None:
    base = thing(1, "Mill", links='<link type="boardgameexpansion" id="2" value="Mill: The Dam"/>')
    expansion = thing(
        *(2, "Mill: The Dam", "boardgameexpansion"),
        links='<link type="boardgameexpansion" id="1" value="Mill" inbound="true"/>',
    )
    bring(tmp_path, *((base, expansion) if is_base_first else (expansion, base)))
    link = GameLink.objects.get()
    assert (str(link.expansion), str(link.base)) == ("Mill: The Dam", "Mill")


@pytest.mark.django_db
def test_two_games_of_one_title_stay_two(shared: Path) -> None:
    report = import_files([shared / "cases" / "bgg-search-eclipse.xml"], Options())
    assert (report.created, report.problems) == (5, [])
    assert Game.objects.filter(title="Eclipse").count() == 5


@pytest.mark.django_db
def test_a_hit_by_another_name_renames_no_game(shared: Path) -> None:
    cases = shared / "cases"
    import_files([cases / "bgg-thing-8148.xml"], Options())
    import_files([cases / "bgg-search-eclipse.xml"], Options())
    assert Game.objects.filter(title="Trio").count() == 1
    assert Game.objects.count() == 5


@pytest.mark.django_db
def test_a_game_known_by_its_number_gets_its_title_when_the_answer_comes(
    tmp_path: Path, shared: Path
) -> None:
    bring(tmp_path, "bggid;owners\n28720;ana\n7;bo,bo\n")
    assert Game.objects.filter(title="BoardGameGeek 28720").exists()
    import_files([shared / "cases" / "bgg-thing-28720.xml"], Options())
    brass = Game.objects.get(title="Brass: Lancashire")
    assert brass.copies.count() == 1
    assert (Game.objects.count(), Copy.objects.count()) == (2, 3)
    assert brass.flags.filter(code=Doubt.TITLE_PROPOSED).exists()


@pytest.mark.django_db
def test_all_bgg_cases_together_and_again(shared: Path) -> None:
    paths = sorted((shared / "cases").glob("bgg-*.[xc][ms][lv]"))
    report = import_files(paths, Options())
    assert {problem.reason for problem in report.problems} == {Reason.NOT_READY, Reason.COLUMNS_MISSING}
    again = import_files(paths, Options())
    assert (again.created, again.updated) == (0, 0)
    assert len(again.problems) == 2
