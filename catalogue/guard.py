"""Who may open a staff page, and what happens to what was typed when the session has ended.

A stranger is sent to sign in; who is signed in without the right is refused. A form that arrives after
its session is not thrown away: it is carried through signing in and then taken as if nothing had been.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
EDIT = "catalogue.edit_catalogue"
PREFIX = "sign-in"
OWN_FIELDS = {"csrfmiddlewaretoken", f"{PREFIX}-username", f"{PREFIX}-password"}


def requires(permission: str) -> Callable[[View], View]:
    """A page for those who hold `permission`."""

    def decorate(view: View) -> View:
        @wraps(view)
        @sensitive_post_parameters(f"{PREFIX}-password")
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                refusal = _sign_in(request)
                if refusal is not None:
                    return refusal
            if not request.user.has_perm(permission):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return cast(View, guarded)

    return decorate


def _sign_in(request: HttpRequest) -> HttpResponse | None:
    """None once the request has brought a right password; else the page that asks for it."""
    if request.method != "POST":
        return redirect_to_login(request.get_full_path())
    asked = f"{PREFIX}-username" in request.POST
    form = AuthenticationForm(request, data=request.POST if asked else None, prefix=PREFIX)
    if asked and form.is_valid():
        login(request, form.get_user())
        return None
    page = {"form": form, "kept": _kept(request), "has_files": bool(request.FILES)}
    return render(request, "catalogue/sign_in_again.html", page, status=403)


def _kept(request: HttpRequest) -> list[tuple[str, Any]]:
    return [(name, v) for name, values in request.POST.lists() if name not in OWN_FIELDS for v in values]


def author_name(user: AbstractUser | AnonymousUser) -> str:
    """How a person is named on what they write."""
    full = user.get_full_name() if isinstance(user, AbstractUser) else ""
    return full or user.get_username()
