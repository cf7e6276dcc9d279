"""The difference of two states of a text: lines aligned, words marked, time bounded."""

from hypothesis import given
from hypothesis import strategies as st

from catalogue.rules.diff import Change, DiffBlock, compare

SAME, ADDED, REMOVED, CHANGED = Change.SAME, Change.ADDED, Change.REMOVED, Change.CHANGED


def kinds(old: str, new: str) -> list[Change]:
    return [block.kind for block in compare(old, new)]


def side(blocks: tuple[DiffBlock, ...], other: Change) -> list[str]:
    """The lines of one text, read back from the difference."""
    lines = ["".join(text for kind, text in block.pieces if kind is not other) for block in blocks]
    whole = [block.kind is not other for block in blocks]
    return [line for line, is_there in zip(lines, whole, strict=True) if is_there]


def test_equal_texts_have_no_difference() -> None:
    assert kinds("## Fin\n\nComptez.", "## Fin\n\n\nComptez.\n") == [SAME, SAME]


def test_a_changed_word_is_marked_within_its_line() -> None:
    (block,) = compare("Prenez 2 gemmes bleues.", "Prenez 3 gemmes bleues.")
    assert block == DiffBlock(
        CHANGED, ((SAME, "Prenez "), (REMOVED, "2"), (ADDED, "3"), (SAME, " gemmes bleues."))
    )


def test_an_added_line_leaves_its_neighbours_alone() -> None:
    assert kinds("## Tour\nun\ntrois", "## Tour\nun\ndeux\ntrois") == [SAME, SAME, ADDED, SAME]


def test_a_removed_section_is_removed_line_by_line() -> None:
    assert kinds("un\n## Tour\nxyz\nfin", "un\nfin") == [SAME, REMOVED, REMOVED, SAME]


def test_a_line_that_has_nothing_in_common_is_another_line() -> None:
    assert kinds("A compléter", "Chaque joueur pioche une carte.") == [REMOVED, ADDED]


def test_a_text_that_was_empty_is_all_added() -> None:
    assert kinds("", "un\ndeux") == [ADDED, ADDED]


@given(*[st.lists(st.sampled_from(["un deux", "un trois", "## Fin", "", "x"])).map("\n".join)] * 2)
def test_both_texts_can_be_read_back(old: str, new: str) -> None:
    blocks = compare(old, new)
    assert side(blocks, ADDED) == [line for line in old.splitlines() if line]
    assert side(blocks, REMOVED) == [line for line in new.splitlines() if line]


@given(st.text(alphabet="ab .\n"), st.text(alphabet="ab .\n"))
def test_no_piece_is_empty(old: str, new: str) -> None:
    assert all(text for block in compare(old, new) for _, text in block.pieces)


def test_two_million_characters_of_equal_headings_are_compared() -> None:
    old = "## Fin\nLa partie se termine quand la pioche est vide, et chacun compte ses points.\n" * 20_000
    blocks = compare(old, old + "Fin.")
    assert [block.kind for block in blocks[-2:]] == [SAME, ADDED]


def test_two_long_texts_of_the_same_few_lines_in_another_order_are_compared() -> None:
    lines = [f"ligne numéro {number}" for number in range(200)] * 100
    dealt = [line for start in range(7) for line in lines[start::7]]
    assert len(compare("\n".join(lines), "\n".join(dealt))) >= len(lines)


def test_one_line_of_two_million_characters_is_compared() -> None:
    old = "Chaque joueur pioche une carte puis la pose devant lui. " * 36_000
    blocks = compare(old, old.replace("pose", "garde", 1))
    assert (REMOVED, "pose") in [piece for block in blocks for piece in block.pieces]
