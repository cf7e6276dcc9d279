"""Meaning beyond words, an extra that is off by default: a passage also counts by how near it stands to the
question in meaning, whatever the language of either.

It only lifts: words keep the order where they say enough, and they alone decide whether there is an answer.
Nearness counts by rank, for its figures say little. Vectors are learnt with the index (`sync`), and joined to
the matches of words within one game (`ordering`); the model is `sentences`, the store is `vectors`.
"""

import logging
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from search import sentences
from search.candidates import Candidate
from search.documents import payload_of
from search.engines import Entry
from search.questions import Question
from search.ranking import Level, Match

if TYPE_CHECKING:
    from search.vectors import Vectors

logger = logging.getLogger(__name__)

FOLDER = "meaning"
MEANING = 0.5
"""What the nearest passage gains, as a share of what the best one has by its words."""
REACH = 3
"""The passage at this rank gains half as much as the nearest."""
OPEN = 0.5
"""Where words say less than this, they are taken to say this much: so much is left open for meaning."""
NEAREST = 5
"""So many of the nearest passages may come in without any word of the question."""

_learnt: ContextVar[set[bytes] | None] = ContextVar("learnt", default=None)


# --- learning ----------------------------------------------------------------------------------


def learn(entries: Iterable[Entry]) -> None:
    """See to it that the passages among these entries have vectors. What fails is logged: words suffice."""
    vectors, model = _vectors(), sentences.model()
    if vectors is None or model is None:
        return
    try:
        _learn(vectors, model, entries)
    except Exception:
        logger.exception("Passages could not be learnt by meaning; they are found by their words.")


def _learn(vectors: "Vectors", model: sentences.Model, entries: Iterable[Entry]) -> None:
    from search.vectors import key  # noqa: PLC0415 - numpy is read only where the extra is on

    payloads = (payload_of(entry.payload) for entry in entries)
    texts = {key(text): text for text in (said(p) for p in payloads if "body" in p)}
    seen = _learnt.get()
    if seen is not None:
        seen.update(texts)
    new = vectors.missing(list(texts))
    if new:
        vectors.add(new, model.embed([texts[k] for k in new]))


@contextmanager
def relearning() -> Iterator[None]:
    """Around a rebuild: what no passage learnt meanwhile has used is forgotten at its end."""
    vectors = _vectors()
    if vectors is None:
        yield
        return
    names, seen = vectors.names(), set[bytes]()
    token = _learnt.set(seen)
    try:
        yield
    finally:
        _learnt.reset(token)
    vectors.forget(names, seen)
    for other in vectors.folder.parent.iterdir():
        if other != vectors.folder:
            shutil.rmtree(other, ignore_errors=True)


def said(payload: Mapping[str, Any]) -> str:
    """What of a passage is given to the model: its headings and its words."""
    return f"{' / '.join(payload['path'])}\n{payload['body']}"


# --- asking ------------------------------------------------------------------------------------


def with_meaning(
    question: Question, passages: Sequence[Candidate], matches: Sequence[Match | None]
) -> list[Match | None]:
    """How passages meet a question, nearness in meaning joined to how they meet its words; unchanged where
    the extra is off or knows nothing of them."""
    places = _places(_meant(question), [p.payload for p in passages])
    if not places:
        return list(matches)
    words = {question.words[i].fold for i in question.content}
    whole = [bool(words) and words <= p.reading.at(Level.FOLD).keys() for p in passages]
    return joined(matches, places, whole)


def joined(
    matches: Sequence[Match | None], places: Mapping[int, int], whole: Sequence[bool]
) -> list[Match | None]:
    """Matches with what their rank in meaning (`places`, from 0) adds. None of them is lifted over one that
    holds the `whole` question word by word."""
    most = MEANING * max(OPEN, *(m.score for m in matches if m), 0.0)
    own = [m.score if m else 0.0 for m in matches]
    lifted = [s + _share(places.get(i)) * most for i, s in enumerate(own)]
    ceiling = min((s for s, is_whole in zip(lifted, whole, strict=True) if is_whole), default=None)
    found: list[Match | None] = []
    for i, match in enumerate(matches):
        score = lifted[i]
        if ceiling is not None and not whole[i]:
            score = max(own[i], min(score, 0.99 * ceiling))
        if match:
            found.append(replace(match, score=score))
        else:
            found.append(Match(score, 0.0) if places.get(i, NEAREST) < NEAREST else None)
    return found


def _share(place: int | None) -> float:
    return 0.0 if place is None else REACH / (REACH + place)


def _meant(question: Question) -> str:
    """The question as it was understood, for the model: the game is known already."""
    return question.corrected or question.query.plain


def _places(text: str, payloads: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """The rank in nearness to the text, from 0, of each passage that has a vector."""
    vectors = _vectors()
    if vectors is None or not payloads:
        return {}
    from search.vectors import key  # noqa: PLC0415 - numpy is read only where the extra is on

    asked = _asked(settings.SEMANTIC_MODEL, text)
    known = vectors.of([key(said(p)) for p in payloads])
    near = {i: float(vector @ asked) for i, vector in enumerate(known) if vector is not None}
    return {i: place for place, i in enumerate(sorted(near, key=lambda i: (-near[i], i)))}


@lru_cache(maxsize=256)
def _asked(path: str, text: str) -> Any:  # noqa: ARG001 - another model, another vector
    model = sentences.model()
    assert model is not None, "asked only where there are vectors"  # noqa: S101
    return model.embed([text])[0]


def warm() -> None:
    """Read the model now, so that the first asker need not wait for it."""
    sentences.model()


def _vectors() -> "Vectors | None":
    model = sentences.model()
    if model is None:
        return None
    return _store(str(Path(settings.SEARCH_INDEX_DIR, FOLDER, model.version())), model.size)


@cache
def _store(folder: str, size: int) -> "Vectors":
    from search.vectors import Vectors  # noqa: PLC0415 - numpy is read only where the extra is on

    return Vectors(Path(folder), size)
