"""Whatever a text is, cutting loses no word, keeps to the sizes, and gives each passage a name of its own."""

import re

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from catalogue.rules.render import to_html
from catalogue.rules.sections import parse
from search.passages import LONG, cut, split_body

QUICK = (Phase.explicit, Phase.reuse, Phase.generate)
"""Long texts are shrunk for minutes; they are made of few kinds of lines, and read well as they are."""

WORD = st.text("abcéß", min_size=1, max_size=6)
SENTENCE = st.lists(WORD, min_size=1, max_size=40).map(lambda words: " ".join(words) + ".")
LINE = st.one_of(
    SENTENCE,
    WORD.map(lambda word: f"{word} :"),
    SENTENCE.map(lambda text: f"- {text}"),
    SENTENCE.map(lambda text: f"  - {text}"),
    SENTENCE.map(lambda text: f"3. {text}"),
    st.lists(WORD, min_size=1, max_size=3).map(lambda cells: f"| {' | '.join(cells)} |"),
    st.sampled_from(
        ["", "", "|---|---|", "***", "\\", "> x", "\t\tx", "x\u2028y", "\u202eאב", "e\u0301\u0301"]
    ),
)
HEADING = st.tuples(
    st.sampled_from(["##", "###", "####"]), st.sampled_from(["Fin", "Tour", "Fin 2", "x ?", "★"])
)
BLOCK = st.one_of(LINE, HEADING.map(" ".join), st.lists(WORD, min_size=150, max_size=420).map(" ".join))
TEXT = st.one_of(st.lists(BLOCK, max_size=30).map("\n".join), st.text(max_size=200))


def words(text: str) -> list[str]:
    """What counts as words: marks of lists, tables and headings do not."""
    return re.findall(r"\w+", text)


@given(TEXT)
@settings(max_examples=60, deadline=None, phases=QUICK)
def test_every_word_of_every_section_stands_in_a_passage_of_it(text: str) -> None:
    passages = cut(text)
    bodies = {section.anchor: section.body for section in parse(text)}
    held: dict[str, list[str]] = {}
    for passage in passages:
        for part in passage.parts:
            held.setdefault(part.anchor, []).extend(words(passage.body))
    everywhere = {word for passage in passages for word in words(passage.body)}
    for anchor, body in bodies.items():
        assert set(words(body)) <= set(held.get(anchor, everywhere))


@given(TEXT)
@settings(max_examples=60, deadline=None, phases=QUICK)
def test_passages_have_1_to_180_words_and_names_of_their_own(text: str) -> None:
    passages = cut(text)
    assert all(1 <= passage.size <= LONG for passage in passages)
    assert len({passage.id for passage in passages}) == len(passages)
    assert [passage.ordinal for passage in passages] == list(range(len(passages)))


@given(TEXT)
@settings(max_examples=60, deadline=None, phases=QUICK)
def test_no_passage_reaches_over_a_heading_that_it_does_not_name(text: str) -> None:
    sections = {section.anchor: section for section in parse(text)}
    for passage in cut(text):
        for part in passage.parts:
            assert sections[part.anchor].path == part.path
            assert part.path[: len(passage.path)] == passage.path


@given(st.lists(LINE, max_size=60).map("\n".join))
@settings(max_examples=60, deadline=None, phases=QUICK)
def test_the_pieces_of_a_section_follow_one_another(body: str) -> None:
    lines = [line for line, _ in split_body(body)]
    assert lines == sorted(lines)
    assert all(0 <= line <= body.count("\n") for line in lines)


@given(TEXT)
@settings(max_examples=60, deadline=None, phases=QUICK)
def test_every_passage_has_its_place_on_the_page(text: str) -> None:
    passages = cut(text)
    further = {p.anchor: [(q.line, q.id) for q in passages if q.anchor == p.anchor] for p in passages}
    html = str(to_html(text, targets=further))
    assert all(f'<span id="{passage.id}"></span>' in html for passage in passages)
