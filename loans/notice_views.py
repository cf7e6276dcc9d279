"""Pages of what members are told: the texts with their preview, the dry run, the log, letters on paper.

The desk sees the log; who may manage notices changes texts and days, and prints letters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.forms import model_to_dict
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.guard import requires
from loans import notice_settings, notices
from loans.desk_state import read_day, row_id
from loans.models import Entry, Mail, MailState, Member, Notice, NoticeKind, ReturnedMail
from loans.notice_forms import PlanForm, TextForm
from loans.pages import Request, at_the_desk, today
from loans.telling import cases, mails, texts
from loans.telling import letters as on_paper
from loans.telling.compose import Sender
from loans.telling.letter import Letter
from loans.telling.news import plan
from loans.telling.postbox import Fate, Postbox, is_set_up

View = Callable[..., HttpResponse]
SHOWN_AT_ONCE = 50


def manages_notices(view: View) -> View:
    """For people who may change and send what members are told."""
    return never_cache(requires("loans.manage_notices")(view))


# --- the overview --------------------------------------------------------------------------------


@require_safe
@manages_notices
def index(request: Request) -> HttpResponse:
    """What is due today, the texts, the days, and whether mail can be sent at all."""
    return _index(request, PlanForm(initial=model_to_dict(plan())))


@require_POST
@manages_notices
def save_days(request: Request) -> HttpResponse:
    """Keep the days on which what is told."""
    form = PlanForm(request.POST)
    if not form.is_valid():
        return _index(request, form, status=422)
    notice_settings.save_plan(form.plan())
    return redirect(f"{reverse('loans:notices')}?saved=days")


def _index(request: Request, form: PlanForm, *, status: int = 200) -> HttpResponse:
    on = today()
    due = notices.planned(on)
    context = {
        "form": form,
        "saved": request.GET.get("saved", ""),
        "is_set_up": is_set_up(),
        "server": settings.EMAIL_HOST,
        "sender": settings.DEFAULT_FROM_EMAIL,
        "has_address": bool(settings.LIBRARY_ADDRESS),
        "mails": sum(bool(one.party.to) for one in due),
        "letters": sum(not one.party.to for one in due),
        "waiting": Mail.objects.filter(state__in=(MailState.WAITING, MailState.SENDING)).count(),
        "failed": Mail.objects.filter(state=MailState.FAILED, on__gte=on - notices.KEPT_IN_SIGHT).count(),
        "returned": notice_settings.returned_mails()[:SHOWN_AT_ONCE],
        "parts": [_part_line(part) for part in texts.PARTS],
        "languages": texts.LANGUAGES,
    }
    return render(request, "loans/notices/index.html", context, status=status)


@require_POST
@manages_notices
def trust_again(request: Request, pk: int) -> HttpResponse:  # noqa: ARG001 - Django's shape
    """The address works again, somebody says."""
    notice_settings.trust_again(get_object_or_404(ReturnedMail, pk=pk))
    return redirect("loans:notices")


def _part_line(part: str) -> dict[str, Any]:
    own = set(texts.own_languages(part))
    return {"part": part, "name": part_name(part), "texts": [(code, code in own) for code in texts.LANGUAGES]}


def part_name(part: str) -> str:
    """A part of a letter in words."""
    if part == texts.GREETING:
        return _("greeting")
    return _("closing") if part == texts.CLOSING else str(NoticeKind(part).label)


# --- the texts -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """Which text is asked about."""

    part: str
    language: str
    said: texts.PartText


def _asked(part: str, language: str) -> Asked:
    if part not in texts.PARTS or language not in texts.LANGUAGES:
        raise Http404
    return Asked(part, language, texts.wording(language).parts[part])


@require_http_methods(["GET", "HEAD", "POST"])
@manages_notices
def text(request: Request, part: str, language: str) -> HttpResponse:
    """The words of a part, beside a letter in which they stand."""
    asked = _asked(part, language)
    initial = {"subject": asked.said.subject, "body": asked.said.body}
    form = TextForm(request.POST or None, part=part, initial=initial)
    if request.method == "POST" and form.is_valid():
        draft = notice_settings.TextDraft(part=part, language=language, **form.typed())
        notice_settings.save_text(draft, by=request.user, now=timezone.now())
        return redirect(f"{request.path}?saved=1")
    return _show_text(request, asked, form)


@require_POST
@manages_notices
def preview(request: Request, part: str, language: str) -> HttpResponse:
    """The letter as it would be with what is typed now; alone for the script, else the whole page."""
    asked = _asked(part, language)
    form = TextForm(request.POST, part=part)
    if not request.htmx:
        return _show_text(request, asked, form)
    return render(request, "loans/notices/preview.html", _preview(asked, form))


@require_POST
@manages_notices
def restore(request: Request, part: str, language: str) -> HttpResponse:  # noqa: ARG001 - Django's shape
    """Back to the words that Ludotheca came with."""
    asked = _asked(part, language)
    notice_settings.restore_text(asked.part, asked.language)
    return redirect("loans:notices-text", part, language)


@require_POST
@manages_notices
def test_mail(request: Request, part: str, language: str) -> HttpResponse:
    """Send the letter of the preview to oneself, with what is typed now."""
    asked = _asked(part, language)
    form = TextForm(request.POST, part=part)
    tested = _send_to_myself(request, asked, form) if form.is_valid() else ""
    return _show_text(request, asked, form, tested=tested)


def _send_to_myself(request: Request, asked: Asked, form: TextForm) -> str:
    if not request.user.email:
        return _("Your account has no e-mail address: enter one in the administration, then try again.")
    if not is_set_up():
        return _("No mail server is set, so nothing was sent: see the page of notices.")
    letter = _letter(asked, form)
    name = f"ludotheca-test-{request.user.pk}-{int(timezone.now().timestamp())}"
    box = Postbox()
    outcome = box.deliver(mails.as_mail(letter, to=request.user.email, name=name))
    box.close()
    if outcome.fate == Fate.SENT:
        return _("Sent to %(address)s.") % {"address": request.user.email}
    return _("Not sent. The mail server says: %(said)s") % {"said": outcome.said}


def _show_text(request: Request, asked: Asked, form: TextForm, *, tested: str = "") -> HttpResponse:
    context = {
        "form": form,
        "part": asked.part,
        "language": asked.language,
        "name": part_name(asked.part),
        "is_own": asked.said.is_own,
        "known": texts.KNOWN[asked.part],
        "languages": texts.LANGUAGES,
        "saved": request.GET.get("saved") and request.method == "GET",
        "tested": tested,
    }
    status = 422 if form.is_bound and not form.is_valid() else 200
    context |= _preview(asked, form)
    return render(request, "loans/notices/text.html", context, status=status)


def _preview(asked: Asked, form: TextForm) -> dict[str, Any]:
    """The letter, or with a mistake in it none: then the form says which."""
    if form.is_bound and not form.is_valid():
        return {"form": form, "letter": None}
    return {"form": form, "letter": _letter(asked, form)}


def _letter(asked: Asked, form: TextForm) -> Letter:
    typed = form.typed() if form.is_bound else {"subject": asked.said.subject, "body": asked.said.body}
    said = texts.PartText(typed["subject"], typed["body"])
    return cases.example(asked.part, asked.language, said, now=timezone.now())


# --- today, the log ------------------------------------------------------------------------------


@require_safe
@manages_notices
def dry_run(request: Request) -> HttpResponse:
    """What would be sent if it were sent now, letter by letter; nothing is written."""
    on = _day(request)
    due = notices.planned(on)
    page = Paginator(due, SHOWN_AT_ONCE).get_page(request.GET.get("page"))
    sender = Sender(now=timezone.now())
    shown = [(one, one.letter(sender)) for one in page.object_list]
    context = {"today": on, "due": shown, "page": page, "is_set_up": is_set_up()}
    return render(request, "loans/notices/dry_run.html", context)


@require_safe
@at_the_desk
def log(request: Request) -> HttpResponse:
    """What was sent, by day and member."""
    told = Prefetch("notices", Notice.objects.order_by("pk"))
    rows = Mail.objects.select_related("member").prefetch_related(told)
    on, member = request.GET.get("on", ""), row_id(request.GET.get("member"))
    if on:
        rows = rows.filter(on=_read_day(on))
    if member:
        rows = rows.filter(member=member)
    if request.GET.get("state") in MailState.values:
        rows = rows.filter(state=request.GET["state"])
    page = Paginator(rows, SHOWN_AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "on": on,
        "state": request.GET.get("state", ""),
        "states": MailState.choices,
        "member": Member.objects.filter(pk=member or 0).first(),
    }
    return render(request, "loans/notices/log.html", context)


@require_safe
@at_the_desk
def mail(request: Request, pk: int) -> HttpResponse:
    """One mail: its story, and what stood in it."""
    row = get_object_or_404(Mail.objects.select_related("member"), pk=pk)
    letter = Letter.from_json(row.content) if row.content else None
    return render(request, "loans/notices/sent.html", {"mail": row, "letter": letter})


# --- letters on paper ----------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@manages_notices
def letters(request: Request) -> HttpResponse:
    """The letters to print: those of today that are due, and those of the days before, once more."""
    on = today()
    if request.method == "POST":
        notices.make_letters(on, now=timezone.now())
        return redirect("loans:notices-letters")
    context = {
        "today": on,
        "due": [one for one in notices.planned(on) if not one.party.to],
        "days": on_paper.days(),
    }
    return render(request, "loans/notices/letters.html", context)


@require_safe
@manages_notices
def letters_pdf(request: Request) -> HttpResponse:
    """All letters of a day in one file."""
    on = _day(request)
    made = on_paper.of_day(on)
    if not made:
        raise Http404(_("No letters were made on this day."))
    response = HttpResponse(on_paper.pdf_of(made, plan()), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="letters-{on}.pdf"'
    return response


# --- receipts, and a member's own calendar -------------------------------------------------------


@require_POST
@at_the_desk
def send_receipt(request: Request, pk: int) -> HttpResponse:
    """Put a receipt into the outbox."""
    rows = Entry.objects.select_related("branch", "member__household")
    row = notices.send_receipt(get_object_or_404(rows, pk=pk), now=timezone.now())
    context = {"mail": row, "entry": pk, "is_set_up": is_set_up()}
    return render(request, "loans/notices/receipt_sent.html", context, status=200 if row else 409)


@require_POST
@never_cache
@login_required
def my_calendar(request: Request) -> HttpResponse:
    """Make a new secret address for one's own due dates, or end it."""
    member = get_object_or_404(Member, user=request.user)
    if request.POST.get("do") == "end":
        notice_settings.end_calendar_feed(member)
    else:
        notice_settings.make_calendar_feed(member, now=timezone.now())
    return redirect(f"{reverse('loans:my-loans')}#calendar")


def _day(request: Request) -> date:
    on = request.GET.get("on", "")
    return _read_day(on) if on else today()


def _read_day(text: str) -> date:
    if day := read_day(text):
        return day
    raise Http404(_("A day is written like 2026-11-30."))
