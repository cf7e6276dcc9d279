"""The librarians' pages for questions of readers: the list, one question with its answer, setting aside.

They stand here and not in `catalogue`, because they show the passages that the search finds nearest. The
writer is `catalogue.questions`.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalogue import questions
from catalogue.guard import EDIT, author_name, requires
from catalogue.models import AskedQuestion, Asking, QuestionState
from catalogue.records import ChangedMeanwhile
from search.ask_forms import AnswerForm, AsideForm
from search.find import PassageHit, find_passages

PAGE = 50
NEAREST = 5


@require_GET
@never_cache
@requires(EDIT)
def home(request: HttpRequest) -> HttpResponse:
    """The questions in one state: of those that wait the oldest first, of others the one settled last."""
    questions.forget_expired(now=timezone.now())
    state = request.GET.get("state", "")
    state = state if state in QuestionState.values else QuestionState.OPEN.value
    order = ("asked_at", "pk") if state == QuestionState.OPEN else ("-settled_at", "-pk")
    found = questions.counted().filter(state=state).order_by(*order)
    sizes = dict(AskedQuestion.objects.values_list("state").annotate(size=Count("pk")).order_by())
    page = {
        "questions": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "state": state,
        "states": [(value, label, sizes.get(value, 0)) for value, label in QuestionState.choices],
    }
    return render(request, "search/questions.html", page)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(EDIT)
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer a question, or correct its answer."""
    question = _question(pk)
    nearest = _nearest(question)
    if request.method != "POST":
        form = AnswerForm(question, nearest=nearest, about=question.game, initial=_initial(question, nearest))
        return _page(request, question, form, nearest)
    form = AnswerForm(question, request.POST, nearest=nearest)
    if not form.is_valid():
        return _page(request, question, form, nearest, status=422)
    return _save(request, question, form, nearest)


def _save(
    request: HttpRequest, question: AskedQuestion, form: AnswerForm, nearest: list[PassageHit]
) -> HttpResponse:
    seen, author = request.POST.get("seen", ""), author_name(request.user)
    try:
        with transaction.atomic():
            if question.game is None and form.chosen is not None:
                seen = questions.assign_game(question, form.chosen, seen=seen)
            given = questions.answer(question, form.draft(), seen=seen, author=author, now=timezone.now())
    except questions.SameQuestion as same:
        form.add_error("title", _("This question was asked of that game already."))
        return _page(request, question, form, nearest, status=409, same=same.question)
    except ChangedMeanwhile:
        now = _question(question.pk)
        form.add_error(None, _("Someone else has answered or changed this question meanwhile."))
        return _page(request, now, form, nearest, status=409, meanwhile=questions.answer_now(now))
    text = _("The answer is published.") if given.is_published else _("The answer is saved.")
    messages.success(request, text)
    return redirect("questions:edit", question.pk)


@require_POST
@requires(EDIT)
def set_aside(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a question off the list without an answer."""
    question = _question(pk)
    form = AsideForm(question, request.POST)
    if not form.is_valid():
        return _page(request, question, aside=form, status=422)
    given, seen = form.cleaned_data, request.POST.get("seen", "")
    author = author_name(request.user)

    def act() -> None:
        questions.set_aside(
            question,
            given["reason"],
            same_as=given["same_as"],
            seen=seen,
            author=author,
            now=timezone.now(),
        )

    return _done(request, question, act, _("Set aside: “%(question)s”."))


@require_POST
@requires(EDIT)
def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a question back on the list."""
    question, seen = _question(pk), request.POST.get("seen", "")
    return _done(
        request,
        question,
        lambda: questions.reopen(question, seen=seen),
        _("Back on the list: “%(question)s”."),
    )


@require_POST
@requires(EDIT)
def forget(request: HttpRequest, pk: int) -> HttpResponse:
    """Those who asked have been told: their names and addresses go."""
    question = _question(pk)
    questions.forget_askers(question)
    messages.success(request, _("The names and addresses of those who asked are deleted."))
    return redirect("questions:edit", question.pk)


def _done(request: HttpRequest, question: AskedQuestion, act: Callable[[], None], told: str) -> HttpResponse:
    try:
        act()
    except ChangedMeanwhile:
        messages.error(request, _("Someone else has changed this question meanwhile: look at it again."))
    else:
        messages.success(request, told % {"question": question.text})
    return redirect("questions:edit", question.pk)


def _question(pk: int) -> AskedQuestion:
    return get_object_or_404(questions.counted().select_related("same_as", "entry_text"), pk=pk)


def _nearest(question: AskedQuestion) -> list[PassageHit]:
    found = find_passages(
        question.text, game_id=question.game_id, reader_language=question.language, limit=NEAREST
    )
    # The question's own entry is no source of its answer.
    own = (question.entry_text_id, question.entry_anchor)
    return [hit for hit in found.hits if hit.text_id and (hit.text_id, hit.anchor) != own]


def _initial(question: AskedQuestion, nearest: list[PassageHit]) -> dict[str, Any]:
    told = questions.answer_now(question)
    if told is None:
        new = {"wording": question.text, "language": question.language, "is_published": True}
        return new | {"is_published": question.game_id is not None}
    cited = f"{told.cited_text_id}#{told.cited_anchor}" if told.cited_text_id else ""
    is_near = cited in {f"{hit.text_id}#{hit.anchor}" for hit in nearest}
    return {
        "wording": told.wording,
        "text": told.text,
        "language": told.language,
        "cite": cited if is_near else "",
        "cite_address": "" if is_near or not cited else f"/rules/{told.cited_text_id}/#{told.cited_anchor}",
        "is_published": told.is_published,
    }


def _page(
    request: HttpRequest,
    question: AskedQuestion,
    form: AnswerForm | None = None,
    nearest: list[PassageHit] | None = None,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    nearest = _nearest(question) if nearest is None else nearest
    if form is None:
        form = AnswerForm(question, nearest=nearest, about=question.game, initial=_initial(question, nearest))
    page = {
        "question": question,
        "form": form,
        "forms": [form],
        "aside": AsideForm(question),
        "nearest": [(f"{hit.text_id}#{hit.anchor}", hit) for hit in nearest],
        "seen": questions.mark(question),
        "askers": Asking.objects.filter(question=question).exclude(name="", contact=""),
        "history": question.answers.order_by("-pk"),
    }
    return render(request, "search/question.html", page | more, status=status)
