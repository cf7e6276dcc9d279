"""Ask a librarian: the form that every reader may fill in, and the page on which the answer will stand.

No account is needed and no script. The page has an address that nobody can guess; it tells the question and
the answer, and nothing of who asked.
"""

import re
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from catalogue import questions
from catalogue.guard import author_name
from catalogue.models import AskedQuestion, Game, LibrarianAnswer, QuestionState, RulesText
from catalogue.questions import QuestionDraft
from catalogue.rules import render as rules_html
from catalogue.text import one_line
from loans.models import Member
from search.ask_forms import AskForm

ROW_NUMBER = re.compile(r"[1-9][0-9]{0,14}", re.ASCII)
SALT = "search.ask_views.source"


@dataclass(frozen=True, slots=True)
class Cited:
    """The section of a rules text that an answer points at."""

    text: RulesText
    anchor: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered, as it is read; `place` is the question whose entry of a FAQ it is, if it is one."""

    wording: str
    language: str
    html: SafeString
    cited: Cited | None
    place: AskedQuestion | None


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def ask(request: HttpRequest) -> HttpResponse:
    """The form, with what the reader has looked for already in it; then the page of the question."""
    if request.method != "POST":
        about = _about(request.GET.get("game", ""))
        typed = one_line(request.GET.get("q", ""))[: questions.LONGEST_QUESTION]
        form = AskForm(about=about, initial={"text": typed, "language": request.LANGUAGE_CODE})
        return _form_page(request, form)
    form = AskForm(request.POST)
    if not form.is_valid():
        return _form_page(request, form, status=422)
    try:
        question = questions.ask(_draft(request, form), now=timezone.now())
    except questions.TooMany:
        form.add_error(
            None,
            _("That is a great many questions. Wait an hour before you send this one, or ask at the desk."),
        )
        return _form_page(request, form, status=429)
    return redirect("asked", question.token)


def ask_again(request: HttpRequest) -> HttpResponse:
    """The form with what was typed, where its token was no longer good: nothing was stored."""
    form = AskForm(request.POST)
    form.add_error(
        None,
        _("For your safety this form only works for a while. Nothing is lost: please send it once more."),
    )
    return _form_page(request, form, status=403)


@require_safe
@never_cache
def asked(request: HttpRequest, token: str) -> HttpResponse:
    """One question, and its answer once there is one."""
    question = get_object_or_404(AskedQuestion.objects.select_related("game", "same_as"), token=token)
    page = {
        "question": question,
        "reply": _reply(question),
        "is_set_aside": question.state == QuestionState.SET_ASIDE and question.same_as is None,
        "address": request.build_absolute_uri(request.path),
    }
    return _unlisted(render(request, "search/asked.html", page))


def _form_page(request: HttpRequest, form: AskForm, *, status: int = 200) -> HttpResponse:
    page = {
        "form": form,
        "forms": [form],
        "asker": _name(request),
        "days": questions.KEPT_AFTER_ANSWER.days,
        "most_days": questions.KEPT_AT_MOST.days,
    }
    return _unlisted(render(request, "search/ask.html", page, status=status))


def _unlisted(response: HttpResponse) -> HttpResponse:
    """No search machine lists these pages."""
    response["X-Robots-Tag"] = "noindex"
    return response


def _about(raw: str) -> Game | None:
    return Game.objects.filter(pk=int(raw)).first() if ROW_NUMBER.fullmatch(raw) else None


# --- who asks ----------------------------------------------------------------------------------


def _draft(request: HttpRequest, form: AskForm) -> QuestionDraft:
    given = form.cleaned_data
    return QuestionDraft(
        text=given["text"],
        language=given["language"],
        game=form.chosen,
        name=_name(request),
        contact=given["contact"],
        source=_source(request),
    )


def _name(request: HttpRequest) -> str:
    """How somebody who is signed in is named to the librarians; nothing for a visitor."""
    if not request.user.is_authenticated:
        return ""
    member = Member.objects.filter(user=request.user).first()
    return str(member) if member else author_name(request.user)


def _source(request: HttpRequest) -> str:
    """Tells askers apart for a day: an account or a network address, neither of them readable in it.

    Behind a proxy all visitors have its address; a site behind HTTPS is told the real one by its own proxy,
    as the last of the list.
    """
    address = request.META.get("REMOTE_ADDR", "")
    if request.is_secure():
        address = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip() or address
    who = f"user {request.user.pk}" if request.user.is_authenticated else f"address {address}"
    return salted_hmac(SALT, who, algorithm="sha256").hexdigest()


# --- the answer --------------------------------------------------------------------------------


def _reply(question: AskedQuestion) -> Reply | None:
    """The answer of the question, or of the one that it is the same as."""
    answering = question.same_as or question
    told = questions.answer_now(answering) if answering.state == QuestionState.ANSWERED else None
    if told is None:
        return None
    html = rules_html.to_html(told.text, below=2)
    cited = _cited(answering.answers.select_related("cited_text__game").last())
    return Reply(told.wording, told.language, html, cited, answering if told.is_published else None)


def _cited(given: LibrarianAnswer | None) -> Cited | None:
    path = questions.cited_path(given) if given else ()
    if not given or not given.cited_text or not path:
        return None
    return Cited(given.cited_text, given.cited_anchor, path)
