"""What every engine must do, run on Whoosh; also on its successor, where PYTHONPATH names that first."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from search.engines import (
    AllOf,
    AnyOf,
    Busy,
    Engine,
    Entry,
    Except,
    Held,
    Phrase,
    Prefix,
    State,
    Term,
    Unreadable,
    Writer,
)
from search.engines.whoosh import WhooshEngine


class Interrupted(Exception):
    """Something else went wrong."""


def entry(game: int, words: str, *, shelf: str = "fr", key: str = "", revision: int = 1) -> Entry:
    listed = words.split()
    return Entry(
        shelf,
        key or f"{game}.0",
        game,
        revision,
        {"fold": listed, "stem": listed, "exact": listed},
        f"<{words}>",
    )


def nothing_more(_held: Iterable[Held], _writer: Writer) -> None:
    """Nothing has changed while the index was built."""


def fill(engine: Engine, *entries: Entry) -> None:
    games: dict[int, list[Entry]] = {}
    for e in entries:
        games.setdefault(e.game_id, []).append(e)
    with engine.rebuild() as made:
        made.fill(games.items())
        made.take_over(nothing_more)


def found(engine: Engine, wanted: object, shelf: str = "fr") -> list[int]:
    return [hit.game_id for hit in engine.find(shelf, wanted, 10)]  # type: ignore[arg-type]


class EngineContract:
    """One class for every engine: a subclass brings the `engine` fixture."""

    def test_a_word_finds_the_entries_that_hold_it_best_first(self, engine: Engine) -> None:
        fill(engine, entry(1, "ane ane ane ble"), entry(2, "ane moulin fruit charrette"), entry(3, "moulin"))
        assert found(engine, Term("stem", "ane")) == [1, 2]

    def test_a_hit_brings_back_what_was_stored(self, engine: Engine) -> None:
        fill(engine, entry(7, "ane", key="3.1", revision=5))
        (hit,) = engine.find("fr", Term("stem", "ane"), 10)
        assert (hit.key, hit.game_id, hit.revision, hit.payload) == ("3.1", 7, 5, "<ane>")
        assert hit.score > 0

    def test_phrases_prefixes_and_combinations(self, engine: Engine) -> None:
        fill(engine, entry(1, "jeu de plateau"), entry(2, "plateau de jeu"), entry(3, "jeton"))
        assert found(engine, Phrase("fold", ("plateau", "de", "jeu"))) == [2]
        assert found(engine, Phrase("fold", ("jeton",))) == [3]
        assert sorted(found(engine, Prefix("fold", "je"))) == [1, 2, 3]
        assert sorted(found(engine, AnyOf((Term("fold", "jeton"), Term("fold", "plateau"))))) == [1, 2, 3]
        assert found(engine, AllOf((Term("fold", "jeton"), Term("fold", "plateau")))) == []
        assert found(engine, Except(Prefix("fold", "je"), Term("fold", "plateau"))) == [3]
        assert found(engine, AnyOf(())) == []
        assert found(engine, AllOf((Term("fold", "jeton"),))) == [3]

    def test_a_term_of_no_weight_only_narrows(self, engine: Engine) -> None:
        fill(engine, entry(1, "ane ble"), entry(2, "ane ble"))
        (hit,) = engine.find("fr", AllOf((Term("game", "2", 0.0), Term("stem", "ane"))), 10)
        (alone, _) = engine.find("fr", Term("stem", "ane"), 10)
        assert hit.game_id == 2
        assert hit.score == pytest.approx(alone.score)

    def test_narrowing_to_a_game_loses_none_of_its_entries(self, engine: Engine) -> None:
        ours = [entry(7, "ane " * (n % 7 + 1) + "ble", key=f"7.{n}") for n in range(300)]
        theirs = [entry(8, "ane " * 30, key=f"8.{n}") for n in range(600)]
        fill(engine, *theirs, *ours)
        hits = engine.find("fr", AllOf((Term("game", "7", 0.0), AnyOf((Term("stem", "ane"),)))), 250)
        assert len({hit.key for hit in hits}) == 250
        assert {hit.game_id for hit in hits} == {7}

    def test_shelves_have_their_own_words(self, engine: Engine) -> None:
        fill(engine, entry(1, "chat"), entry(2, "chat", shelf="en"))
        assert found(engine, Term("stem", "chat"), "en") == [2]
        assert found(engine, Term("stem", "chat"), "de") == []
        assert engine.size("fr") == 1

    def test_replacing_a_game_shows_its_new_entries_and_none_of_the_old(self, engine: Engine) -> None:
        fill(engine, entry(1, "ancien"), entry(2, "autre"))
        with engine.writer() as writer:
            writer.replace(1, [entry(1, "nouveau", revision=2)])
        assert found(engine, Term("stem", "ancien")) == []
        assert found(engine, Term("stem", "nouveau")) == [1]
        assert sorted(h.game_id for h in engine.contents()) == [1, 2]

    def test_a_game_replaced_twice_in_one_batch_stands_once(self, engine: Engine) -> None:
        fill(engine, entry(1, "un"))
        with engine.writer() as writer:
            writer.replace(1, [entry(1, "deux")])
            writer.replace(1, [entry(1, "trois")])
        assert [h.game_id for h in engine.contents()] == [1]
        assert found(engine, Term("stem", "trois")) == [1]

    def test_a_dropped_game_is_never_shown_again(self, engine: Engine) -> None:
        fill(engine, entry(1, "un"), entry(2, "un"))
        assert len(found(engine, Term("stem", "un"))) == 2
        with engine.writer() as writer:
            writer.replace(1, [])
        assert found(engine, Term("stem", "un")) == [2]
        assert [h.game_id for h in engine.contents()] == [2]

    def test_nothing_counts_when_the_writing_block_fails(self, engine: Engine) -> None:
        fill(engine, entry(1, "un"))
        with suppress(Interrupted), engine.writer() as writer:
            writer.replace(1, [])
            raise Interrupted
        assert found(engine, Term("stem", "un")) == [1]
        with engine.writer() as writer:
            writer.replace(1, [entry(1, "deux")])
        assert found(engine, Term("stem", "deux")) == [1]

    def test_a_second_writer_is_told_so_at_once(self, engine: Engine) -> None:
        fill(engine)
        with engine.writer(), pytest.raises(Busy), engine.writer():
            pass

    def test_a_second_rebuild_is_told_so_at_once(self, engine: Engine) -> None:
        with engine.rebuild(), pytest.raises(Busy), engine.rebuild():
            pass

    def test_the_old_index_serves_until_the_new_one_takes_over(self, engine: Engine) -> None:
        fill(engine, entry(1, "ancien"))
        with engine.rebuild() as made:
            made.fill([(2, [entry(2, "nouveau")])])
            assert found(engine, Term("stem", "ancien")) == [1]
            with engine.writer() as writer:
                writer.replace(3, [entry(3, "entretemps")])
            made.take_over(lambda _held, writer: writer.replace(3, [entry(3, "entretemps")]))
        assert found(engine, Term("stem", "ancien")) == []
        assert found(engine, Term("stem", "nouveau")) == [2]
        assert found(engine, Term("stem", "entretemps")) == [3]

    def test_a_rebuild_that_fails_leaves_the_old_index_serving(self, engine: Engine) -> None:
        fill(engine, entry(1, "ancien"))
        with suppress(Interrupted), engine.rebuild() as made:
            made.fill([(2, [entry(2, "nouveau")])])
            raise Interrupted
        assert engine.state() is State.READY
        assert found(engine, Term("stem", "ancien")) == [1]

    def test_generation_changes_with_every_change(self, engine: Engine) -> None:
        fill(engine, entry(1, "un"))
        first = engine.generation()
        assert engine.generation() == first
        with engine.writer() as writer:
            writer.replace(1, [entry(1, "deux")])
        second = engine.generation()
        fill(engine, entry(1, "trois"))
        assert len({first, second, engine.generation()}) == 3

    def test_words_and_frequencies(self, engine: Engine) -> None:
        fill(engine, entry(1, "ane ble"), entry(2, "ane"))
        assert dict(engine.words("fr", "fold")) == {"ane": 2, "ble": 1}
        assert engine.frequencies("fr", "fold", ["ane", "loup"]) == {"ane": 2, "loup": 0}

    def test_without_an_index_reading_says_so(self, engine: Engine) -> None:
        assert engine.state() is State.MISSING
        with pytest.raises(Unreadable):
            engine.find("fr", Term("stem", "un"), 10)
        with pytest.raises(Unreadable), engine.writer():
            pass

    def test_eight_threads_read_while_one_writes(self, engine: Engine) -> None:
        fill(engine, *(entry(n, f"commun mot{n}") for n in range(1, 30)))
        answers: set[tuple[int, ...]] = set()
        done = threading.Event()

        def read() -> None:
            while not done.is_set():
                answers.update((n, *found(engine, Term("stem", f"mot{n}"))) for n in (1, 7, 29))

        readers = [threading.Thread(target=read) for _ in range(8)]
        for reader in readers:
            reader.start()
        for round_ in range(10):
            with engine.writer() as writer:
                writer.replace(500, [entry(500, f"commun tour{round_}")])
        done.set()
        for reader in readers:
            reader.join()
        assert answers == {(1, 1), (7, 7), (29, 29)}


class TestWhoosh(EngineContract):
    """The contract on the embedded engine, and what is true of it alone."""

    @pytest.fixture
    def engine(self, tmp_path: Path) -> Iterator[WhooshEngine]:
        return WhooshEngine(tmp_path / "index")  # type: ignore[return-value]

    def test_the_folder_is_for_its_owner_only(self, engine: WhooshEngine) -> None:
        fill(engine)
        assert {p.stat().st_mode & 0o777 for p in (engine.root, *engine.root.glob("gen-*"))} == {0o700}

    def test_an_index_of_another_format_is_outdated(self, engine: WhooshEngine) -> None:
        fill(engine)
        (made,) = engine.root.glob("gen-*/format.json")
        made.write_text('{"schema": 0}')
        assert engine.state() is State.OUTDATED

    def test_a_torn_index_is_unreadable_and_stays_where_it_is(self, engine: WhooshEngine) -> None:
        fill(engine, entry(1, "un"))
        files = [p for p in engine.root.glob("gen-*/fr/*") if p.suffix != ".lock"]
        for file in files:
            file.write_bytes(file.read_bytes()[:7])
        again = WhooshEngine(engine.root)
        assert again.state() is State.UNREADABLE
        assert all(file.exists() for file in files)

    def test_reported_damage_is_remembered_until_the_rebuild(self, engine: WhooshEngine) -> None:
        fill(engine, entry(1, "un"))
        engine.report_damage()
        assert engine.state() is State.UNREADABLE
        fill(engine, entry(1, "un"))
        assert engine.state() is State.READY

    def test_a_commit_that_fails_frees_the_lock(
        self, engine: WhooshEngine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fill(engine, entry(1, "un"))

        def torn(*_: object) -> None:
            raise OSError("no space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("search.engines.generation._merge_many", torn)
            with pytest.raises(OSError, match="no space"), engine.writer() as writer:
                writer.replace(1, [entry(1, "deux")])
        with engine.writer() as writer:
            writer.replace(1, [entry(1, "trois")])
        assert found(engine, Term("stem", "trois")) == [1]

    def test_edits_are_merged_among_themselves_and_a_large_segment_is_left_alone(
        self, engine: WhooshEngine
    ) -> None:
        def segments() -> set[str]:
            return {path.name for path in engine.root.glob("gen-*/fr/*.trm")}

        fill(engine, *(entry(n, f"commun mot{n}") for n in range(1, 400)))
        large = segments()
        for n in range(20):
            with engine.writer() as writer:
                writer.replace(500, [entry(500, f"commun tour{n}")])
        assert large < segments()
        assert len(segments()) <= 7
        assert found(engine, Term("stem", "tour19")) == [500]
        assert found(engine, Term("stem", "tour18")) == []

    def test_an_entry_that_cannot_be_written_spoils_nothing(self, engine: WhooshEngine) -> None:
        fill(engine, entry(1, "un"))
        bad = Entry("fr", "9.0", 9, 1, {"no such field": ["x"]}, "")
        with pytest.raises(Exception, match="no such field"), engine.writer() as writer:
            writer.replace(9, [bad])
        with engine.writer() as writer:
            writer.replace(1, [entry(1, "deux")])
        assert found(engine, Term("stem", "deux")) == [1]

    def test_words_are_added_up_as_whoosh_itself_would(self, engine: WhooshEngine) -> None:
        fill(
            engine,
            entry(1, "ane ane ble"),
            entry(2, "ane moulin fruit charrette"),
            entry(3, "moulin ble ble"),
        )
        with engine.writer() as writer:
            writer.replace(4, [entry(4, "ane ble moulin")])
            writer.replace(3, [])
        words = AnyOf((Term("stem", "ane", 0.5), Term("stem", "ble"), Term("fold", "moulin", 2.0)))
        plain, through = engine.find("fr", words, 10), engine.find("fr", AllOf((words,)), 10)
        assert [hit.key for hit in plain] == [hit.key for hit in through]
        assert [hit.score for hit in plain] == pytest.approx([hit.score for hit in through])

    def test_what_another_process_committed_is_seen_at_the_next_look(
        self, engine: WhooshEngine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fill(engine, entry(1, "ane"))
        assert found(engine, Term("stem", "ane")) == [1]
        with WhooshEngine(engine.root).writer() as writer:
            writer.replace(1, [entry(1, "moulin")])
        monkeypatch.setattr("search.engines.whoosh.LOOK_S", 0.0)
        assert found(engine, Term("stem", "ane")) == []
        assert found(engine, Term("stem", "moulin")) == [1]

    def test_between_two_looks_commits_take_no_answer_away(
        self, engine: WhooshEngine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("search.engines.whoosh.LOOK_S", 3600.0)
        fill(engine, entry(1, "ane fruit"))
        assert found(engine, Term("stem", "ane")) == [1]
        other = WhooshEngine(engine.root)
        for n in range(2, 12):
            with other.writer() as writer:
                writer.replace(n, [entry(n, "moulin")])
        assert found(engine, Term("stem", "fruit")) == [1]
        fill(other, entry(1, "ane fruit"))
        fill(other, entry(1, "ane fruit"))
        assert found(engine, AllOf((Term("stem", "fruit"), Term("fold", "ane")))) == [1]

    def test_many_small_commits_keep_few_files(self, engine: WhooshEngine) -> None:
        fill(engine, entry(1, "un"))
        for n in range(2, 30):
            with engine.writer() as writer:
                writer.replace(n, [entry(n, f"un mot{n}")])
        assert len(engine.find("fr", Term("stem", "un"), 100)) == 29
        assert len(list(engine.root.glob("gen-*/fr/*.trm"))) <= 7

    def test_leftovers_of_a_killed_rebuild_are_swept_away(self, engine: WhooshEngine) -> None:
        fill(engine, entry(1, "un"))
        left = engine.root / "gen-left"
        left.mkdir()
        fill(engine, entry(1, "deux"))
        assert not left.exists()
