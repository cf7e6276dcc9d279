"""SRU: what can be searched, how it is paged, and the diagnostic for everything that cannot be."""

import re
from urllib.parse import urlencode

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from pytest_django.live_server_helper import LiveServer

from catalogue.draft import ContributorDraft, PublicationDraft
from tests.make import make_copy, make_game
from tests.outside import program, run

pytestmark = pytest.mark.django_db
SRU = "{http://www.loc.gov/zing/srw/}"
DIAGNOSTIC = "{http://www.loc.gov/zing/srw/diagnostic/}"


class Searcher:
    """Asks and reads."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def ask(self, **parameters: object) -> etree._Element:
        response = self.client.get("/sru?" + urlencode(parameters))
        assert response.status_code == 200
        return etree.fromstring(response.content)

    def search(self, query: str, **parameters: object) -> etree._Element:
        return self.ask(operation="searchRetrieve", version="1.2", query=query, **parameters)

    def titles(self, query: str, **parameters: object) -> list[str]:
        root = self.search(query, recordSchema="dc", **parameters)
        assert diagnostics(root) == [], query
        titles = root.iter("{http://purl.org/dc/elements/1.1/}title")
        return [(title.text or "") for title in titles]


def diagnostics(root: etree._Element) -> list[int]:
    return [int((uri.text or "").rpartition("/")[2]) for uri in root.iter(f"{DIAGNOSTIC}uri")]


def count(root: etree._Element) -> int:
    return int(next(root.iter(f"{SRU}numberOfRecords")).text or "")


@pytest.fixture
def sru(client: Client) -> Searcher:
    return Searcher(client)


@pytest.fixture
def shelf() -> None:
    finca = make_game(
        "Finca",
        year=2009,
        contributors=(ContributorDraft("Ralf zur Linde", "070"), ContributorDraft("Wolfgang Sentker", "070")),
        publications=(PublicationDraft("Hans im Glück"),),
        identifiers=("40155666003",),
        keywords=("fruits",),
        categories=("A 406 Jeu de stratégie",),
        languages=("fr", "de"),
        document_type="Jeu",
        players_min=2,
        players_max=4,
    )
    make_copy(finca, "01877")
    make_game("Le jeu de go", year=1990, alternative_titles=("Weiqi",), languages=("en",))
    make_game("Éléphant rouge", year=2020)


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("finca", ["Finca"]),
        ("title=elephant", ["Éléphant rouge"]),
        ("dc.title=ÉLÉPHANT", ["Éléphant rouge"]),
        ("title=eleph", []),
        ("title=eleph*", ["Éléphant rouge"]),
        ("title=*phant", ["Éléphant rouge"]),
        ("title=*eph*", ["Éléphant rouge"]),
        ('title adj "jeu de"', ["Le jeu de go", "Weiqi"]),
        ('title adj "de jeu"', []),
        ('title all "go jeu"', ["Le jeu de go", "Weiqi"]),
        ('title == "finca"', ["Finca"]),
        ("title=weiqi", ["Le jeu de go", "Weiqi"]),
        ('author all "linde sentker"', ["Finca"]),
        ("dc.creator=linde and dc.creator=sentker", ["Finca"]),
        ('publisher="hans im gluck"', ["Finca"]),
        ("subject=fruits", ["Finca"]),
        ("subject=strategie", ["Finca"]),
        ("ean=040155666003", []),
        ("ean=40155666003", ["Finca"]),
        ("barcode=01877", ["Finca"]),
        ("01877", ["Finca"]),
        ("year>2000 sortby year", ["Finca", "Éléphant rouge"]),
        ("year>2000 sortby year/sort.descending", ["Éléphant rouge", "Finca"]),
        ("dc.date<=1990", ["Le jeu de go", "Weiqi"]),
        ("language=ger", ["Finca"]),
        ("language=en", ["Le jeu de go", "Weiqi"]),
        ("players=4", ["Finca"]),
        ("finca or elephant", ["Éléphant rouge", "Finca"]),
        ("cql.allRecords=1 not title=go", ["Éléphant rouge", "Finca"]),
        ("cql.allRecords=1 not cql.allRecords=1", []),
        ("finca or cql.allRecords=1", ["Éléphant rouge", "Finca", "Le jeu de go", "Weiqi"]),
        ("title<>finca", ["Éléphant rouge", "Le jeu de go", "Weiqi"]),
        ("100%", []),
    ],
)
def test_what_a_query_finds(sru: Searcher, query: str, found: list[str]) -> None:
    assert sru.titles(query) == found


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("(title=", 10),
        ('"open', 10),
        ("colour=red", 16),
        ("title like a", 19),
        ("title=/stem a", 20),
        ("title>a", 22),
        ("year any 1", 22),
        ('title=""', 27),
        (" ", 27),
        ("title=a?b", 28),
        ("title=a*b", 28),
        ("year=MMIX", 36),
        ("a prox b", 37),
        ("a and/x b", 46),
        (" or ".join("a" * 31), 38),
        ("a" * 2001, 12),
        ("a sortby colour", 80),
    ],
)
def test_what_a_query_cannot_say(sru: Searcher, query: str, number: int) -> None:
    assert diagnostics(sru.search(query)) == [number]


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("parameters", "number"),
    [
        ({"operation": "scan"}, 4),
        ({"version": "3.0"}, 5),
        ({"startRecord": "0"}, 6),
        ({"startRecord": "x"}, 6),
        ({"maximumRecords": "-1"}, 6),
        ({"colour": "red"}, 8),
        ({"startRecord": "9"}, 61),
        ({"recordSchema": "mods"}, 66),
        ({"recordPacking": "zip"}, 71),
        ({"sortKeys": "title"}, 80),
    ],
)
def test_a_parameter_that_cannot_be(sru: Searcher, parameters: dict[str, str], number: int) -> None:
    whole = {"operation": "searchRetrieve", "version": "1.2", "query": "finca"} | parameters
    assert diagnostics(sru.ask(**whole)) == [number]


def test_a_search_without_a_query(sru: Searcher) -> None:
    assert diagnostics(sru.ask(operation="searchRetrieve", version="1.1")) == [7]


@pytest.mark.usefixtures("shelf")
def test_pages_and_counts(sru: Searcher) -> None:
    root = sru.search("cql.allRecords=1", maximumRecords=2)
    assert (count(root), len(list(root.iter(f"{SRU}record")))) == (3, 2)
    assert next(root.iter(f"{SRU}nextRecordPosition")).text == "3"
    root = sru.search("cql.allRecords=1", maximumRecords=2, startRecord=3)
    assert [p.text for p in root.iter(f"{SRU}recordPosition")] == ["3"]
    assert list(root.iter(f"{SRU}nextRecordPosition")) == []
    root = sru.search("cql.allRecords=1", maximumRecords=0)
    assert (count(root), list(root.iter(f"{SRU}record"))) == (3, [])


def test_no_more_than_fifty_at_once(sru: Searcher) -> None:
    for n in range(51):
        make_game(f"Jeu {n}")
    assert len(list(sru.search("jeu", maximumRecords=1000).iter(f"{SRU}record"))) == 50


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("schema", ["marcxml", "unimarcxml", "dc", "info:srw/schema/1/marcxml-v1.1"])
@pytest.mark.parametrize("packing", ["xml", "string"])
def test_each_schema_in_each_packing(sru: Searcher, schema: str, packing: str) -> None:
    root = sru.search("finca", recordSchema=schema, recordPacking=packing)
    (data,) = root.iter(f"{SRU}recordData")
    made = etree.fromstring((data.text or "").encode()) if packing == "string" else data[0]
    assert "Finca" in "".join(made.itertext())


@pytest.mark.parametrize("version", ["1.1", "1.2"])
def test_it_explains_itself(sru: Searcher, version: str) -> None:
    root = sru.ask(operation="explain", version=version)
    assert next(root.iter(f"{SRU}version")).text == version
    names = {e.text for e in root.iter("{http://explain.z3950.org/dtd/2.0/}name")}
    assert {"title", "creator", "isbn", "barcode"} <= names
    assert sru.ask().tag == root.tag


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [*'()=<>/"*?^\\ ', "and", "or", "not", "sortby", "title", "dc.date", "a", "é", "\0", "1"]
        ),
        max_size=14,
    ).map(" ".join)
    | st.text(max_size=40)
)
def test_any_query_is_answered(client: Client, query: str) -> None:
    response = client.post("/sru", {"operation": "searchRetrieve", "query": query})
    assert response.status_code == 200
    etree.fromstring(response.content)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shelf")
def test_zoomsh_searches_and_shows(live_server: LiveServer) -> None:
    zoomsh = program("zoomsh", "yaz")
    script = f"set sru get\nconnect {live_server.url}/sru\nsearch cql:title=finca\nshow 0 1 xml\nquit\n"
    told = run(zoomsh, given=script.encode()).decode()
    assert re.search(r": 1 hits", told), told
    assert "Finca" in told


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shelf")
def test_yaz_client_searches_and_is_told_what_is_wrong(live_server: LiveServer) -> None:
    client = program("yaz-client", "yaz")
    script = f"sru GET 1.2\nquerytype cql\nopen {live_server.url}/sru\nfind finca\nfind colour=red\nquit\n"
    told = run(client, given=script.encode()).decode()
    assert "Number of hits: 1" in told
    assert "Unsupported index" in told
