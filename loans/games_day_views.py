"""The pages of a games day: one box for badges and games, and the list of what is played.

The state stands in the address, as at the desk: the badges that wait for a box, the table that further
badges join, the last answer.
"""

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import messages as shown_messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from loans import commands, games_day, panel
from loans.act import Refused
from loans.commands import Command
from loans.desk_state import DeskState, row_id
from loans.models import GamesDay
from loans.pages import Request, act_of, at_the_desk


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """`badges` wait for a box; badges scanned now join the table `loan`; `event` is the last answer."""

    badges: tuple[str, ...] = ()
    loan: int | None = None
    event: int | None = None

    @classmethod
    def read(cls, fields: QueryDict) -> "TableState":
        """The state in an address or a form."""
        badges = tuple(badge[:64] for badge in fields.getlist("badge") if badge)
        loan, event = row_id(fields.get("loan")), row_id(fields.get("event"))
        return cls(badges=badges[: games_day.MOST_BADGES], loan=loan, event=event)

    def url(self, day: GamesDay) -> str:
        """The address of the page in this state."""
        query = [("badge", badge) for badge in self.badges]
        query += [(name, str(pk)) for name, pk in (("loan", self.loan), ("event", self.event)) if pk]
        address = reverse("loans:games-day", args=[day.pk])
        return address + ("?" + urlencode(query) if query else "")


@at_the_desk
def games_days(request: Request) -> HttpResponse:
    """The games days, and a form for a new one."""
    typed, problem = request.POST.get("name", ""), ""
    if request.method == "POST":
        try:
            day = games_day.open_day(typed, now=timezone.now())
            return redirect("loans:games-day", day.pk)
        except ValueError:
            problem = _("Give the day a name, so that it can be told from others.")
    days = GamesDay.objects.all()[:50]
    return render(request, "loans/games_day/days.html", {"days": days, "typed": typed, "problem": problem})


@require_safe
@at_the_desk
def day(request: Request, pk: int) -> HttpResponse:
    """One games day."""
    return _show(request, get_object_or_404(GamesDay, pk=pk), TableState.read(request.GET))


@require_POST
@at_the_desk
def scan(request: Request, pk: int) -> HttpResponse:
    """A badge or a box. An empty code: these badges are not waiting any more."""
    row = get_object_or_404(GamesDay.objects.select_related("member"), pk=pk)
    state, code = TableState.read(request.POST), request.POST.get("scan", "").strip()
    if not code or commands.read(code) == Command.DONE:
        return _answer(request, row, TableState())
    return _answer(request, row, _scanned(request, row, code, state))


def _scanned(request: Request, row: GamesDay, code: str, state: TableState) -> TableState:
    act = act_of(request)
    try:
        found = games_day.scan_code(row, code, state.badges, act=act)
    except Refused as refused:
        event = refused.event.pk if refused.event else None
        return TableState(badges=state.badges, loan=state.loan, event=event)
    if found.done is None:
        return _joined(found.badge, row, state)
    loan = found.done.loan
    return TableState(loan=loan.pk if loan.returned_at is None else None, event=found.done.event.pk)


def _joined(badge: str, row: GamesDay, state: TableState) -> TableState:
    """A badge after a box joins its table; before any box it waits for one."""
    loan = games_day.sit_down(row, badge, state.loan, now=timezone.now())
    if loan:
        return TableState(loan=loan.pk, event=state.event)
    return TableState(badges=tuple(dict.fromkeys((*state.badges, badge))))


@require_safe
@at_the_desk
def in_play(request: Request, pk: int) -> HttpResponse:
    """The list of what is played alone, for the page to refresh."""
    row = get_object_or_404(GamesDay, pk=pk)
    context = {"day": row, "tables": games_day.in_play(row)}
    return render(request, "loans/games_day/in_play.html", context)


@require_POST
@at_the_desk
def close(request: Request, pk: int) -> HttpResponse:
    """Everything comes back."""
    row = get_object_or_404(GamesDay, pk=pk)
    number = len(games_day.close(row, act=act_of(request)))
    words = ngettext(
        "%(number)s game was taken back. Nothing is in play any more.",
        "%(number)s games were taken back. Nothing is in play any more.",
        number,
    )
    shown_messages.success(request, words % {"number": number})
    return redirect("loans:games-day", row.pk)


def _answer(request: Request, row: GamesDay, state: TableState) -> HttpResponse:
    return _show(request, row, state) if request.htmx else redirect(state.url(row))


def _show(request: Request, row: GamesDay, state: TableState) -> HttpResponse:
    shown = panel.panel(DeskState(event=state.event), request.user, now=timezone.now())
    table = games_day.table_of(row, state.loan)
    context = {
        "day": row,
        "state": state,
        "url": state.url(row),
        "panel": shown,
        "table": table,
        "players": table.players.select_related("member") if table else (),
        "tables": games_day.in_play(row),
        "nonce": uuid4().hex,
    }
    template = "loans/games_day/panel.html" if request.htmx else "loans/games_day/day.html"
    return render(request, template, context)
