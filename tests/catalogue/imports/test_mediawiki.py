"""The reader of wiki feeds on invented entries: Atom and flattened, what is passed over, what breaks off."""

from html import escape

from catalogue.draft import Problem, Reason, RecordDraft
from catalogue.imports import mediawiki
from tests.catalogue.imports.samples import HOST, WIKI, entry, feed

WHEN = "2023-05-02T10:00:00Z"


def read(text: str) -> tuple[dict[str, RecordDraft], list[Problem]]:
    results = list(mediawiki.read(text))
    drafts = {r.game.title: r for r in results if isinstance(r, RecordDraft)}
    return drafts, [r for r in results if isinstance(r, Problem)]


def atom(*entries: tuple[str, int, str, str, str]) -> str:
    """The same as a feed with its tags: the wiki escapes once, XML once more."""
    parts = []
    for page, revision, time, text, comment in entries:
        url = escape(f"{HOST}?title={page.replace(' ', '_')}&diff={revision}")
        body = escape(text).replace(escape("<br />"), "<br />")
        html = f"<p>Zoé : {escape(comment)}</p>\n<hr />\n<div>{body}</div>"
        parts.append(
            f"<entry><id>{url}</id><title>{page}</title><updated>{time}</updated>"
            f'<summary type="html">{escape(html)}</summary><author><name>Zoé</name></author></entry>'
        )
    opening = '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr">'
    return f"{opening}{''.join(parts)}</feed>"


def test_revisions_run_from_the_oldest_to_the_newest_with_times_and_comments() -> None:
    drafts, problems = read(WIKI)
    assert problems == []
    revisions = drafts["Moulinbleu"].rules[0].revisions
    assert [(r.source_key, r.comment, r.author) for r in revisions] == [
        ("11", "", "Zoé"),
        ("12", "/* But */", "Zoé"),
    ]
    assert revisions[-1].body == "## But\n\nMoudre vite."


def test_a_page_named_by_digits_is_told_from_the_number_of_its_revision() -> None:
    drafts, _ = read(WIKI)
    assert drafts["1830"].rules[0].revisions[0].source_key == "9"
    drafts, _ = read(feed(entry("1830", 95, WHEN, "== Rails ==")))
    assert drafts["1830"].rules[0].revisions[0].source_key == "95"


def test_atom_and_its_flattened_capture_are_the_same() -> None:
    text = "== But & fin ==<br />\nMoudre <u>vite</u> &#9312; a < b."
    same = [("Gamehelpmoulinbleu", 12, WHEN, text, "plus & mieux")]
    flat, _ = read(feed(*(entry(page, rev, time, text, comment) for page, rev, time, text, comment in same)))
    tagged, problems = read(atom(*same))
    assert problems == []
    assert flat["Moulinbleu"].rules == tagged["Moulinbleu"].rules
    assert flat["Moulinbleu"].key == tagged["Moulinbleu"].key


def test_redirects_blank_and_talk_pages_are_passed_over_and_told() -> None:
    text = feed(
        entry("Gamehelpa", 1, WHEN, "#REDIRECTION [[Gamehelpb]]"),
        entry("Gamehelpc", 2, WHEN, " "),
        entry("Discussion:Gamehelpd", 3, WHEN, "Bonjour"),
        entry("Gamehelpe", 4, WHEN, "== But ==<br />\nGagner."),
    )
    drafts, problems = read(text)
    assert list(drafts) == ["E"]
    assert [problem.reason for problem in problems] == [Reason.PAGE_SKIPPED] * 3


def test_a_state_in_which_somebody_emptied_the_page_is_no_revision() -> None:
    drafts, _ = read(
        feed(entry("Gamehelpe", 4, WHEN, "== But =="), entry("Gamehelpe", 3, "2023-05-01T10:00:00Z", ""))
    )
    assert [r.source_key for r in drafts["E"].rules[0].revisions] == ["4"]


def test_a_capture_that_breaks_off_loses_its_last_entry_only() -> None:
    drafts, problems = read(WIKI[:-30])
    assert list(drafts) == ["Moulinbleu"]
    assert [(problem.reason, problem.detail) for problem in problems] == [(Reason.TRUNCATED, "Gamehelp1830")]


def test_an_atom_file_that_breaks_off_keeps_its_whole_entries() -> None:
    whole = atom(("Gamehelpe", 4, WHEN, "== But ==", ""), ("Gamehelpf", 5, WHEN, "== Fin ==", ""))
    drafts, problems = read(whole[:-60])
    assert list(drafts) == ["E"]
    assert [problem.reason for problem in problems] == [Reason.TRUNCATED]


def test_an_entity_bomb_is_refused() -> None:
    bomb = '<!DOCTYPE f [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><feed xmlns="http://www.w3.org/2005/Atom">&b;</feed>'
    drafts, problems = read(bomb)
    assert drafts == {}
    assert [problem.reason for problem in problems] == [Reason.MALFORMED]


def test_an_entry_without_its_parts_is_told_and_the_others_are_read() -> None:
    whole = atom(("Gamehelpe", 4, WHEN, "== But ==", ""))
    drafts, problems = read(whole.replace("</feed>", "<entry><title>X</title></entry></feed>"))
    assert list(drafts) == ["E"]
    assert [(problem.place, problem.reason) for problem in problems] == [("entry 2", Reason.MALFORMED)]
