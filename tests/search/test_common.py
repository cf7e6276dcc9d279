"""Common words of a language: kept beside the index, made anew where the file is missing, torn or old."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings

from search import common


@pytest.fixture(autouse=True)
def nothing_in_memory() -> Iterator[None]:
    common.ranks.cache_clear()
    yield
    common.ranks.cache_clear()


def kept(settings: LazySettings) -> list[Path]:
    return list(Path(settings.SEARCH_INDEX_DIR, common.FOLDER).iterdir())


def read_again(language: str) -> dict[str, int]:
    common.ranks.cache_clear()
    return common.ranks(language)


def test_words_of_every_day_stand_before_words_of_rules() -> None:
    ranks = common.ranks("fr")
    assert ranks["vouloir"] < ranks["pion"]
    assert ranks["etre"] < 1000, "folded, as all words that are looked up"


def test_another_language_has_no_common_words() -> None:
    assert common.ranks("other") == common.ranks("../fr") == {}


def test_the_next_process_reads_the_kept_words(settings: LazySettings) -> None:
    first = common.ranks("it")
    (file,) = kept(settings)
    words = file.read_text("utf-8").split("\n")
    assert read_again("it") == first
    file.write_text("\n".join(["zzz", *words[1:]]), "utf-8")
    assert read_again("it")["zzz"] == 0


@pytest.mark.parametrize("torn", [b"", b"che\nnon\ndi", b"\xff\xfe"])
def test_a_torn_file_is_made_anew(torn: bytes, settings: LazySettings) -> None:
    first = common.ranks("it")
    (file,) = kept(settings)
    whole = file.read_bytes()
    file.write_bytes(torn)
    assert read_again("it") == first
    assert kept(settings) == [file]
    assert file.read_bytes() == whole


def test_a_folder_that_cannot_be_written_is_no_harm(settings: LazySettings, tmp_path: Path) -> None:
    settings.SEARCH_INDEX_DIR = tmp_path / "a file" / "index"
    (tmp_path / "a file").write_text("")
    assert common.ranks("en")["the"] < 10
