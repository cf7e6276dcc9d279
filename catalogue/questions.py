"""Questions that readers put to the librarians: the only writer of `AskedQuestion` and what hangs on it.

The same question of the same game stands once. An answer may be published as an entry of the game's own FAQ,
by way of `records`, so that the search follows it; from then on the words of the FAQ are the answer, also
where somebody corrects them there. Who asked is known only as long as a reply takes: see KEPT_.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from catalogue import records
from catalogue.draft import RevisionDraft, RulesHead
from catalogue.models import (
    AsideReason,
    AskedQuestion,
    Asking,
    Game,
    LibrarianAnswer,
    QuestionState,
    RulesKind,
    RulesText,
)
from catalogue.records import ChangedMeanwhile
from catalogue.rules import faq, sections
from catalogue.rules.markup import escape
from catalogue.text import name_key, one_line

LONGEST_QUESTION = 600
LONGEST_ANSWER = 20_000
MOST_AN_HOUR = 20
HOUR = timedelta(hours=1)
KEPT_SOURCE = timedelta(days=1)
KEPT_AFTER_ANSWER = timedelta(days=30)
KEPT_AT_MOST = timedelta(days=180)
OWN_FAQ = "library-faq:"
"""How the `source_key` of a FAQ begins that the library writes itself; a publisher's is left alone."""


class TooMany(Exception):
    """So many questions came from one place within an hour that no person has typed them."""


class SameQuestion(Exception):
    """The question stands there already, asked of that game; `question` is that one."""

    def __init__(self, question: AskedQuestion) -> None:
        super().__init__(question.text)
        self.question = question


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """What a reader asks. `source` tells askers apart and nothing else: never an address in clear."""

    text: str
    language: str
    game: Game | None = None
    name: str = ""
    contact: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """What a librarian answers: the question as it shall be read, the answer in our Markdown."""

    wording: str
    text: str
    language: str
    cited_text_id: int | None = None
    cited_anchor: str = ""
    is_published: bool = False


# --- asking ------------------------------------------------------------------------------------


@transaction.atomic
def ask(draft: QuestionDraft, *, now: datetime) -> AskedQuestion:
    """Put a question; the same one of the same game is joined to the first.

    Raises TooMany, and ValueError for a question without a word.
    """
    text = one_line(draft.text)[:LONGEST_QUESTION]
    if not any(c.isalnum() for c in text):
        raise ValueError("A question needs words.")
    forget_expired(now=now)
    recent = Asking.objects.filter(source=draft.source, asked_at__gt=now - HOUR)
    if draft.source and recent.count() >= MOST_AN_HOUR:
        raise TooMany(draft.source)
    question, _made = AskedQuestion.objects.get_or_create(
        game=draft.game,
        key=_key(text),
        defaults={
            "token": secrets.token_urlsafe(16),
            "text": text,
            "language": draft.language,
            "asked_at": now,
        },
    )
    again = recent.filter(question=question).first() if draft.source else None
    asking = again or Asking(question=question, asked_at=now, source=draft.source)
    if question.state != QuestionState.ANSWERED:  # otherwise the answer is shown at once: no reply, no name
        asking.name = draft.name[:300] or asking.name
        asking.contact = draft.contact[:254] or asking.contact
    asking.save()
    return question


def _key(text: str) -> str:
    return hashlib.sha256(name_key(text).encode()).hexdigest()


# --- answering ---------------------------------------------------------------------------------


@transaction.atomic
def answer(
    question: AskedQuestion, draft: AnswerDraft, *, seen: str, author: str, now: datetime
) -> LibrarianAnswer:
    """Answer a question, or correct its answer, and publish it in the game's FAQ or take it out there.

    `seen` is the `mark` of what the page showed: raises ChangedMeanwhile where somebody was quicker, and
    ValueError for an answer that cannot be published because the question belongs to no game.
    """
    question = _locked(question, seen)
    if draft.is_published and question.game_id is None:
        raise ValueError("Only the answer to a question about a game can stand in a FAQ.")
    given = LibrarianAnswer.objects.create(
        question=question,
        wording=one_line(draft.wording)[:LONGEST_QUESTION] or question.text,
        text=draft.text.strip("\n"),
        language=draft.language,
        cited_text_id=draft.cited_text_id,
        cited_anchor=draft.cited_anchor,
        is_published=draft.is_published,
        answered_at=now,
        author=author[:200],
    )
    _move_entry(question, given, now)
    _settle(question, QuestionState.ANSWERED, now)
    return given


@transaction.atomic
def set_aside(
    question: AskedQuestion,
    reason: AsideReason,
    *,
    same_as: AskedQuestion | None = None,
    seen: str,
    author: str,
    now: datetime,
) -> None:
    """Take a question from the list without an answer of its own; `reopen` undoes it.

    Raises ChangedMeanwhile.
    """
    question = _locked(question, seen)
    _withdraw(question, author, now)
    question.aside_reason = reason
    question.same_as = same_as if same_as != question else None
    _settle(question, QuestionState.SET_ASIDE, now)


@transaction.atomic
def reopen(question: AskedQuestion, *, seen: str) -> None:
    """Put a question that was set aside back on the list. Raises ChangedMeanwhile."""
    question = _locked(question, seen)
    question.aside_reason = ""
    question.same_as = None
    _settle(question, QuestionState.OPEN, None)


@transaction.atomic
def assign_game(question: AskedQuestion, game: Game, *, seen: str) -> str:
    """Say of which game a question is that came without one; returns its new `mark`.

    Raises ChangedMeanwhile, SameQuestion.
    """
    question = _locked(question, seen)
    question.game = game
    question.version += 1
    try:
        with transaction.atomic():
            question.save(update_fields=["game", "version"])
    except IntegrityError as error:
        other = AskedQuestion.objects.filter(game=game, key=question.key).first()
        if other is None:
            raise
        raise SameQuestion(other) from error
    return mark(question)


def mark(question: AskedQuestion) -> str:
    """A sign of what the staff see of a question: another one as soon as its answer or its state is."""
    said = answer_now(question)
    digest = hashlib.sha256(f"{said.wording}\0{said.text}".encode()).hexdigest()[:16] if said else ""
    return f"{question.version}.{digest}"


def _locked(question: AskedQuestion, seen: str) -> AskedQuestion:
    now = AskedQuestion.objects.select_for_update().get(pk=question.pk)
    if mark(now) != seen:
        raise ChangedMeanwhile(now)
    return now


def _settle(question: AskedQuestion, state: QuestionState, now: datetime | None) -> None:
    question.state = state
    question.settled_at = now
    question.version += 1
    if state is not QuestionState.SET_ASIDE:
        question.aside_reason, question.same_as = "", None
    question.save()


# --- the FAQ -----------------------------------------------------------------------------------


def _move_entry(question: AskedQuestion, given: LibrarianAnswer, now: datetime) -> None:
    """Let the FAQ say what the answer says: in the FAQ of its language, or nowhere."""
    before = question.entry_text
    if before is not None and not (given.is_published and before.language == given.language):
        _withdraw(question, given.author, now)
    if given.is_published:
        _publish(question, given, now)


def _publish(question: AskedQuestion, given: LibrarianAnswer, now: datetime) -> None:
    assert question.game is not None  # noqa: S101 - `answer` has refused it
    game = records.lock_game(question.game.pk)
    text = question.entry_text or _own_faq(game, given.language)
    body = _body(text) if text else ""
    # An entry that somebody has taken out of the FAQ by hand is added again.
    made, anchor = faq.with_entry(body, given.wording, _written(given), old=_entry(question, body))
    comment = _("Question of a reader: %(question)s") % {"question": given.wording}
    revision = RevisionDraft(made, made_at=now, comment=comment, author=given.author)
    if text is None:
        head = RulesHead(
            language=given.language,
            kind=RulesKind.FAQ,
            source_name=settings.LIBRARY_NAME,
            source_key=f"{OWN_FAQ}{secrets.token_hex(8)}",
        )
        text = records.add_rules_text(game, head, revision)
    else:
        records.add_revisions(text, [revision])
        _keep_up(text, body, made)
    question.entry_text, question.entry_anchor = text, anchor


def _withdraw(question: AskedQuestion, author: str, now: datetime) -> None:
    text = question.entry_text
    if text is None:
        return
    records.lock_game(text.game_id)
    comment = _("Withdrawn: %(question)s") % {"question": question.text}
    body = _body(text)
    old = _entry(question, body)
    if old is not None:
        made = faq.without_entry(body, old)
        records.add_revisions(text, [RevisionDraft(made, made_at=now, comment=comment, author=author)])
        _keep_up(text, body, made)
    question.entry_text, question.entry_anchor = None, ""


def _entry(question: AskedQuestion, body: str) -> faq.Entry | None:
    """The question's entry in its FAQ, also where somebody has corrected its heading by hand."""
    if question.entry_text is None:
        return None
    entries = faq.entries(body)
    for entry in entries:
        if entry.anchor == question.entry_anchor:
            return entry
    others = question.entry_text.published_questions.exclude(pk=question.pk)
    taken = set(others.values_list("entry_anchor", flat=True))
    words = {_written(given) for given in question.answers.select_related("cited_text")}
    return next((e for e in entries if e.answer in words and e.anchor not in taken), None)


def _keep_up(text: RulesText, before: str, after: str) -> None:
    """Other questions' entries are still found where a heading like theirs has come or gone."""
    moved = faq.moved(before, after)
    for question in text.published_questions.filter(entry_anchor__in=moved):
        question.entry_anchor = moved[question.entry_anchor]
        question.save(update_fields=["entry_anchor"])


def _own_faq(game: Game, language: str) -> RulesText | None:
    own = RulesText.objects.filter(game=game, kind=RulesKind.FAQ, language=language)
    return own.filter(source_key__startswith=OWN_FAQ).first()


def _body(text: RulesText) -> str:
    current = text.revisions.order_by("-made_at", "-number").first()
    return current.body if current else ""


def _written(given: LibrarianAnswer) -> str:
    cited = _citation(given)
    return f"{given.text}\n\n{cited}" if cited else given.text


def _citation(given: LibrarianAnswer) -> str:
    """The line of the FAQ that names the cited section; nothing where there is none (any more)."""
    path = cited_path(given)
    if not path or given.cited_text is None:
        return ""
    named = " › ".join(map(escape, path))
    return f"→ {named}" + (
        "" if given.cited_text.language == given.language else f" ({given.cited_text.language})"
    )


def cited_path(given: LibrarianAnswer) -> tuple[str, ...]:
    """The headings down to the section that an answer cites."""
    if given.cited_text is None:
        return ()
    parsed = sections.parse(_body(given.cited_text))
    return next((s.path for s in parsed if s.anchor == given.cited_anchor), ())


# --- reading -----------------------------------------------------------------------------------


def answer_now(question: AskedQuestion) -> AnswerDraft | None:
    """What the answer says now: the FAQ's own words where it is published, the last answer otherwise."""
    given = question.answers.select_related("cited_text").last()
    if given is None:
        return None
    told = AnswerDraft(given.wording, given.text, given.language, given.cited_text_id, given.cited_anchor)
    entry = _entry(question, _body(question.entry_text)) if question.entry_text else None
    if entry is None:
        return told
    words = entry.answer.removesuffix(_citation(given)).strip("\n")
    return AnswerDraft(
        entry.question, words, given.language, given.cited_text_id, given.cited_anchor, is_published=True
    )


def counted() -> QuerySet[AskedQuestion]:
    """Questions with their games and how often each was asked (`times`)."""
    return AskedQuestion.objects.select_related("game").annotate(times=Count("askings"))


def open_count() -> int:
    """How many questions wait for an answer."""
    return AskedQuestion.objects.filter(state=QuestionState.OPEN).count()


# --- forgetting --------------------------------------------------------------------------------


def forget_askers(question: AskedQuestion) -> None:
    """Empty what is known of those who asked: they have been told."""
    question.askings.update(name="", contact="")


def forget_expired(*, now: datetime) -> None:
    """Empty what is known of askers whose time is over; at every start, question, look of the staff."""
    Asking.objects.filter(asked_at__lt=now - KEPT_SOURCE).exclude(source="").update(source="")
    old = Q(asked_at__lt=now - KEPT_AT_MOST) | Q(
        question__settled_at__lt=now - KEPT_AFTER_ANSWER, asked_at__lte=F("question__settled_at")
    )
    Asking.objects.filter(old).exclude(name="", contact="").update(name="", contact="")
