"""OAI-PMH: the whole matrix of verbs, arguments, errors, dates, sets, signs of removed games and tokens."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from lxml import etree

from catalogue import records
from catalogue.draft import ContributorDraft, CopyDraft, GameDraft
from catalogue.models import Branch, Category, Copy, Game, Person, RemovedGame, RulesText
from catalogue.oai import listing, tokens
from tests.make import make_copy, make_game, make_rules

pytestmark = pytest.mark.django_db
OAI = "{http://www.openarchives.org/OAI/2.0/}"
LISTS = pytest.mark.parametrize("verb", ["ListRecords", "ListIdentifiers"])
FORMATS = pytest.mark.parametrize("prefix", ["oai_dc", "marc21", "unimarc"])
DC = "metadataPrefix=oai_dc"


class Harvester:
    """Asks and reads, by GET or by POST."""

    def __init__(self, client: Client, method: str) -> None:
        self.client, self.method = client, method

    def ask(self, query: str) -> etree._Element:
        if self.method == "GET":
            response = self.client.get(f"/oai?{query}")
        else:
            form = "application/x-www-form-urlencoded"
            response = self.client.post("/oai", query, content_type=form)
        assert response.status_code == 200
        assert response["Content-Type"] == "text/xml; charset=utf-8"
        return etree.fromstring(response.content)

    def errors(self, query: str) -> list[str]:
        return [e.get("code", "") for e in self.ask(query).iter(f"{OAI}error")]

    def numbers(self, query: str) -> list[int]:
        return [number(h) for h in self.ask(query).iter(f"{OAI}header")]


def number(header: etree._Element) -> int:
    return int(text(header, "identifier").rpartition(":")[2])


def text(node: etree._Element, name: str) -> str:
    found = next(node.iter(f"{OAI}{name}"), None)
    assert found is not None, etree.tostring(node)
    return found.text or ""


@pytest.fixture(params=["GET", "POST"])
def oai(client: Client, request: pytest.FixtureRequest) -> Harvester:
    return Harvester(client, request.param)


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "PAGE", 2)


def identifier(game: Game) -> str:
    return f"oai:ludotheca.invalid:{game.pk}"


def changed(game: Game, at: datetime) -> Game:
    Game.objects.filter(pk=game.pk).update(updated_at=at)
    return game


# --- verbs and arguments -----------------------------------------------------------------------


def test_it_says_who_it_is(oai: Harvester) -> None:
    changed(make_game(), datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC))
    root = oai.ask("verb=Identify")
    said = {name: text(root, name) for name in ("protocolVersion", "deletedRecord", "granularity")}
    assert said == {
        "protocolVersion": "2.0",
        "deletedRecord": "persistent",
        "granularity": "YYYY-MM-DDThh:mm:ssZ",
    }
    assert text(root, "earliestDatestamp") == "2024-05-06T07:08:09Z"
    assert text(root, "baseURL") == "http://testserver/oai"


def test_it_goes_by_the_address_that_the_library_has_given_itself(client: Client, settings) -> None:  # type: ignore[no-untyped-def]
    settings.LIBRARY_ADDRESS = "https://games.example.org"
    make_game()
    root = Harvester(client, "GET").ask(f"verb=ListIdentifiers&{DC}")
    assert text(root, "identifier").startswith("oai:games.example.org:")


def test_an_empty_library_is_a_repository_too(oai: Harvester) -> None:
    assert oai.errors("verb=Identify") == []
    assert oai.errors("verb=ListSets") == ["noSetHierarchy"]
    assert oai.errors(f"verb=ListRecords&{DC}") == ["noRecordsMatch"]


@FORMATS
def test_a_record_in_each_format(oai: Harvester, prefix: str) -> None:
    game = make_game("Finca", document_type="Jeu", identifiers=("4015566600032",))
    root = oai.ask(f"verb=GetRecord&metadataPrefix={prefix}&identifier={identifier(game)}")
    (metadata,) = root.iter(f"{OAI}metadata")
    assert "Finca" in "".join(metadata.itertext())
    request = next(root.iter(f"{OAI}request"))
    assert dict(request.attrib) == {
        "verb": "GetRecord",
        "metadataPrefix": prefix,
        "identifier": identifier(game),
    }


def test_the_formats_of_all_and_of_one(oai: Harvester) -> None:
    game = make_game()
    for query in ("", f"&identifier={identifier(game)}"):
        root = oai.ask(f"verb=ListMetadataFormats{query}")
        assert [e.text for e in root.iter(f"{OAI}metadataPrefix")] == ["oai_dc", "marc21", "unimarc"]


ARGUMENTS = {
    "Identify": "",
    "ListMetadataFormats": "",
    "ListSets": "",
    "GetRecord": f"&{DC}&identifier=oai:ludotheca.invalid:1",
    "ListIdentifiers": f"&{DC}",
    "ListRecords": f"&{DC}",
}
EACH_VERB = pytest.mark.parametrize(("verb", "arguments"), ARGUMENTS.items())


@EACH_VERB
def test_an_unknown_argument(oai: Harvester, verb: str, arguments: str) -> None:
    assert oai.errors(f"verb={verb}{arguments}&colour=red") == ["badArgument"]


@EACH_VERB
def test_an_argument_given_twice(oai: Harvester, verb: str, arguments: str) -> None:
    assert oai.errors(f"verb={verb}{arguments}&colour=red&colour=red") == ["badArgument"]
    if arguments:
        assert oai.errors(f"verb={verb}{arguments}&{DC}") == ["badArgument"]
    assert oai.errors(f"verb={verb}&verb={verb}{arguments}") == ["badVerb"]


@pytest.mark.parametrize("query", ["", "verb=", "verb=Everything", "verb=identify", "colour=red", "verb=%00"])
def test_a_verb_that_there_is_not(oai: Harvester, query: str) -> None:
    root = oai.ask(query)
    assert [e.get("code") for e in root.iter(f"{OAI}error")] == ["badVerb"]
    assert not next(root.iter(f"{OAI}request")).attrib


@pytest.mark.parametrize(
    "query", ["GetRecord", f"GetRecord&{DC}", "GetRecord&identifier=x", "ListRecords", "ListIdentifiers"]
)
def test_an_argument_that_is_missing(oai: Harvester, query: str) -> None:
    assert oai.errors(f"verb={query}") == ["badArgument"]


@pytest.mark.parametrize("spelt", ["x", "oai:elsewhere.org:1", "oai:ludotheca.invalid:0", "%00", "%ED%A0%80"])
def test_an_identifier_that_there_is_not(oai: Harvester, spelt: str) -> None:
    make_game()
    assert oai.errors(f"verb=GetRecord&{DC}&identifier={spelt}") == ["idDoesNotExist"]
    assert oai.errors(f"verb=ListMetadataFormats&identifier={spelt}") == ["idDoesNotExist"]


def test_a_format_that_there_is_not(oai: Harvester) -> None:
    game = make_game()
    one = f"verb=GetRecord&metadataPrefix=mods&identifier={identifier(game)}"
    assert oai.errors(one) == ["cannotDisseminateFormat"]
    assert oai.errors("verb=ListRecords&metadataPrefix=mods") == ["cannotDisseminateFormat"]
    assert oai.errors("verb=ListRecords&metadataPrefix=%01") == ["badArgument"]


# --- dates -------------------------------------------------------------------------------------

DAYS = "from=2024-03-02&until=2024-03-02"
SECONDS = "from=2024-03-02T10:00:00Z&until=2024-03-02T10:00:00Z"


@LISTS
@pytest.mark.parametrize("window", [DAYS, SECONDS])
def test_both_ends_of_a_time_belong_to_it(oai: Harvester, verb: str, window: str) -> None:
    at = datetime(2024, 3, 2, 10, 0, 0, 999_999, tzinfo=UTC)
    inside = changed(make_game(), at)
    changed(make_game(), at - timedelta(days=1))
    changed(make_game(), at + timedelta(days=1))
    assert oai.numbers(f"verb={verb}&{DC}&{window}") == [inside.pk]


@LISTS
@pytest.mark.parametrize(
    "window",
    [
        "from=2024-03-03&until=2024-03-02",
        "from=2024-03-02&until=2024-03-02T10:00:00Z",
        "from=2024-02-30",
        "from=2024-13-01",
        "until=yesterday",
        "from=2024-03-02T10:00Z",
        "from=2024-03-02T10:00:00%2B01:00",
        "from=",
        "from=0000-01-01",
        "until=%D9%A2%D9%A0%D9%A2%D9%A4-01-01",
    ],
)
def test_a_time_that_cannot_be(oai: Harvester, verb: str, window: str) -> None:
    make_game()
    assert oai.errors(f"verb={verb}&{DC}&{window}") == ["badArgument"]


@LISTS
def test_times_at_the_ends_of_the_calendar(oai: Harvester, verb: str) -> None:
    game = make_game()
    assert oai.numbers(f"verb={verb}&{DC}&from=0001-01-01&until=9999-12-31") == [game.pk]
    assert oai.errors(f"verb={verb}&{DC}&until=0001-01-01") == ["noRecordsMatch"]
    assert oai.errors(f"verb={verb}&{DC}&from=9999-12-31T23:59:59Z") == ["noRecordsMatch"]


# --- sets --------------------------------------------------------------------------------------


def test_kinds_branches_and_sections_are_sets(oai: Harvester) -> None:
    toy = make_game("Ours", document_type="Jouet d'éveil")
    make_copy(toy, branch="Nord", section="A 407")
    bare = make_game("Go")
    root = oai.ask("verb=ListSets")
    names = {text(s, "setSpec"): text(s, "setName") for s in root.iter(f"{OAI}set")}
    assert sorted(names.values()) == ["A 407", "Jouet d'éveil", "Nord"]
    for spec in names:
        assert re.fullmatch(r"[a-z0-9.-]+", spec)
        assert oai.numbers(f"verb=ListIdentifiers&{DC}&set={spec}") == [toy.pk]
    header = oai.ask(f"verb=GetRecord&{DC}&identifier={identifier(bare)}")
    assert list(header.iter(f"{OAI}setSpec")) == []


def test_a_set_that_there_is_not(oai: Harvester) -> None:
    make_game()
    for spec in ("x", "branch-99", "section-0", "type-jeu", "branch-999999999999999999"):
        assert oai.errors(f"verb=ListRecords&{DC}&set={spec}") == ["noRecordsMatch"]
    assert oai.errors(f"verb=ListRecords&{DC}&set=a%20b") == ["badArgument"]


def test_a_kind_in_other_letters_is_a_set(oai: Harvester) -> None:
    game = make_game("将棋", document_type="遊戯")
    spec = text(oai.ask("verb=ListSets"), "setSpec")
    assert oai.numbers(f"verb=ListIdentifiers&{DC}&set={spec}") == [game.pk]


# --- games that are gone -----------------------------------------------------------------------


def test_a_removed_game_leaves_a_sign_in_all_three_verbs(oai: Harvester) -> None:
    make_game("Go")
    gone = make_game("Finca", document_type="Jeu")
    asked = identifier(gone)
    records.delete_game(gone)
    for query in (
        "ListRecords",
        "ListIdentifiers",
        "ListRecords&set=type-jeu",
        f"GetRecord&identifier={asked}",
    ):
        root = oai.ask(f"verb={query}&{DC}")
        (header,) = [h for h in root.iter(f"{OAI}header") if text(h, "identifier") == asked]
        assert header.get("status") == "deleted"
        record = header.getparent()
        assert record is not None
        assert query.startswith("ListIdentifiers") or [node.tag for node in record] == [f"{OAI}header"]
    assert oai.errors(f"verb=ListMetadataFormats&identifier={asked}") == []


def test_a_game_that_could_not_be_removed_leaves_no_sign(oai: Harvester) -> None:
    game = make_copy().game
    with pytest.raises(records.InUse):
        records.delete_game(game)
    assert not RemovedGame.objects.exists()


def test_a_game_that_came_back_is_not_gone(oai: Harvester) -> None:
    game = make_game()
    RemovedGame.objects.create(game_id=game.pk, removed_at=game.updated_at)
    assert oai.numbers(f"verb=ListIdentifiers&{DC}") == [game.pk]


# --- tokens ------------------------------------------------------------------------------------


def harvest(
    oai: Harvester, query: str, between: Callable[[], object] = lambda: None
) -> tuple[list[int], list[etree._Element]]:
    """All numbers, and the tokens; `between` happens after the first page."""
    verb = query.partition("&")[0]
    found: list[int] = []
    met: list[etree._Element] = []
    while True:
        root = oai.ask(query)
        assert list(root.iter(f"{OAI}error")) == []
        found += [number(h) for h in root.iter(f"{OAI}header")]
        token = next(root.iter(f"{OAI}resumptionToken"), None)
        if token is None:
            return found, met
        met.append(token)
        if len(met) == 1:
            between()
        if not token.text:
            return found, met
        query = f"{verb}&resumptionToken={token.text}"


@pytest.mark.usefixtures("small_pages")
@LISTS
def test_a_long_list_comes_in_pages_and_its_last_token_is_empty(oai: Harvester, verb: str) -> None:
    games = [make_game(f"Jeu {n}") for n in range(5)]
    records.delete_game(games[2])
    found, met = harvest(oai, f"verb={verb}&{DC}")
    assert found == [game.pk or found[2] for game in games]
    assert [(t.get("cursor"), t.get("completeListSize")) for t in met] == [("0", "5"), ("2", "5"), ("4", "5")]
    assert [bool(t.text) for t in met] == [True, True, False]


def test_a_short_list_has_no_token(oai: Harvester) -> None:
    make_game()
    assert harvest(oai, f"verb=ListRecords&{DC}")[1] == []


@pytest.mark.usefixtures("small_pages")
@LISTS
@pytest.mark.parametrize("window", ["", "&until=9000-01-01", "&until=NOW", "&from=2020-01-01"])
def test_what_changes_during_a_harvest_is_neither_lost_nor_doubled(
    oai: Harvester, verb: str, window: str
) -> None:
    games = [changed(make_game(f"Jeu {n}"), datetime(2024, 1, 9 - n, tzinfo=UTC)) for n in range(7)]
    numbers = [game.pk for game in games]

    def edit() -> None:
        for at in (0, 3, 6):
            records.update_game(games[at], GameDraft(title=f"Anders {at}"))
        records.delete_game(games[5])
        records.delete_game(games[1])

    window = window.replace("NOW", "2024-06-01")
    found, _tokens = harvest(oai, f"verb={verb}&{DC}{window}", edit)
    assert found == numbers


@pytest.mark.usefixtures("small_pages")
def test_a_token_that_is_not_ours(oai: Harvester) -> None:
    for _ in range(3):
        make_game()
    token = text(oai.ask(f"verb=ListRecords&{DC}"), "resumptionToken")
    for bad in ("junk", "", token[:-1], token[1:], f"{token}x", "%00", "a:b:c"):
        assert oai.errors(f"verb=ListRecords&resumptionToken={bad}") == ["badResumptionToken"]
    assert oai.errors(f"verb=ListIdentifiers&resumptionToken={token}") == ["badResumptionToken"]
    assert oai.errors(f"verb=ListSets&resumptionToken={token}") == ["badResumptionToken"]
    assert oai.errors(f"verb=ListRecords&{DC}&resumptionToken={token}") == ["badArgument"]
    assert oai.errors(f"verb=GetRecord&resumptionToken={token}") == ["badArgument"]


@pytest.mark.usefixtures("small_pages")
def test_an_old_token(oai: Harvester, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        make_game()
    monkeypatch.setattr(tokens, "LIFE", timedelta(seconds=-1))
    token = text(oai.ask(f"verb=ListRecords&{DC}"), "resumptionToken")
    assert oai.errors(f"verb=ListRecords&resumptionToken={token}") == ["badResumptionToken"]


# --- what a record says ------------------------------------------------------------------------


@FORMATS
def test_characters_that_xml_cannot_hold_are_left_out(oai: Harvester, prefix: str) -> None:
    make_game("Fin\x01ca\ufffe <&>", document_type="Je\x02u", keywords=("a\x1f]]>",), principle="\x0b")
    root = oai.ask(f"verb=ListRecords&metadataPrefix={prefix}")
    assert "<&>" in "".join(root.itertext())


@FORMATS
def test_what_is_for_the_desk_stays_here(oai: Harvester, prefix: str) -> None:
    make_copy(barcode="0042", note="Madame Martin l'a rendu sale")
    assert "Martin" not in "".join(oai.ask(f"verb=ListRecords&metadataPrefix={prefix}").itertext())


def _moves() -> dict[str, Callable[[Game], object]]:
    return {
        "record": lambda game: records.update_game(game, GameDraft(title="Anders")),
        "copy added": lambda game: records.add_copy(game, CopyDraft(barcode="43")),
        "copy changed": lambda _game: records.update_copy(Copy.objects.get(), CopyDraft(barcode="44")),
        "copy removed": lambda _game: records.delete_copy(Copy.objects.get()),
        "person renamed": lambda _game: records.rename(Person.objects.get(), "Ralf Anders"),
        "branch renamed": lambda _game: records.rename(Branch.objects.get(), "Sud"),
        "rules removed": lambda _game: records.delete_rules_text(RulesText.objects.get()),
        "document": lambda game: records.attach_document(game, "Règle.pdf"),
        "category completed": lambda _game: make_game("Go", categories=("A 406 Jeu de stratégie",)),
    }


@pytest.mark.parametrize("what", _moves())
def test_every_change_moves_the_datestamp(what: str) -> None:
    person = ContributorDraft("Ralf zur Linde", "070")
    game = make_game(contributors=(person,), categories=("A 406",))
    make_copy(game, "42", branch="Nord")
    make_rules(game, "# But")
    changed(game, datetime(2024, 1, 1, tzinfo=UTC))
    _moves()[what](game)
    assert Game.objects.get(pk=game.pk).updated_at.year > 2024
    assert Category.objects.exists()
