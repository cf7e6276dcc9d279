"""Whatever is done to a file, reading it ends with records or problems, and never with an exception."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from catalogue.draft import Problem, RecordDraft
from catalogue.imports import mediawiki, pmb, rules_file
from catalogue.imports.sniff import recognise
from tests.catalogue.imports.samples import FRONT, NOTICE, RULES, TABLE, WIKI

ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"><entry>
<id>https://w.org/index.php?title=Gamehelpa&amp;diff=4</id><title>Gamehelpa</title>
<updated>2023-05-02T10:00:00Z</updated><summary type="html">&lt;p&gt;Z : &lt;/p&gt;
&lt;hr /&gt;
&lt;div&gt;== But ==&lt;/div&gt;</summary><author><name>Z</name></author></entry></feed>"""
DAMAGED_ADDRESS = ATOM.replace("https://w.org", "https://[s.d.]w.org")
PIECES = st.sampled_from(
    [
        "|",
        " : ",
        "Titre : ",
        "Contenu : ",
        "Exemplaires (2)\nCote",
        "[s.d.]",
        "</div>",
        "<p>",
        "---\n",
        "\n",
        "9" * 30,
    ]
)
SAMPLES = st.sampled_from([NOTICE, TABLE, RULES, FRONT, WIKI, ATOM, WIKI + NOTICE])


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A sample with a part cut out and something put in its place."""
    text = draw(SAMPLES)
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, len(text)))
    return text[:start] + draw(st.one_of(PIECES, st.text(max_size=20))) + text[end:]


@settings(max_examples=150, deadline=None)
@given(damaged())
@example(DAMAGED_ADDRESS)
def test_no_damage_makes_a_reader_raise(text: str) -> None:
    for read in (pmb.read, mediawiki.read, rules_file.read):
        for result in read(text):
            assert isinstance(result, RecordDraft | Problem)


@settings(max_examples=150, deadline=None)
@given(SAMPLES, st.integers(0, 1500), st.binary(max_size=8), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_no_bytes_make_recognition_raise(text: str, at: int, put: bytes, encoding: str) -> None:
    data = text.encode(encoding)
    found = recognise(data[:at] + put + data[at + 1 :])
    assert found.format or found.problems
    assert "\x00" not in found.text


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes_are_told_to_be_nothing(data: bytes) -> None:
    found = recognise(data)
    assert found.format or found.problems
