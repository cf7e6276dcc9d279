"""Signing in: Django's own view, and then the language that the member chose at the desk."""

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse

from loans.models import Member


class SignIn(LoginView):
    """After signing in the pages speak the member's language, unless this browser has chosen another."""

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """The answer of Django's view, with the language in the cookie that `set_language` also writes."""
        answer = super().form_valid(form)
        language = _language_of(form)
        if language and settings.LANGUAGE_COOKIE_NAME not in self.request.COOKIES:
            _remember(answer, language)
        return answer


def _language_of(form: AuthenticationForm) -> str:
    spoken = Member.objects.filter(user=form.get_user()).values_list("language", flat=True).first() or ""
    return spoken if spoken in dict(settings.LANGUAGES) else ""


def _remember(answer: HttpResponse, language: str) -> None:
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite=settings.LANGUAGE_COOKIE_SAMESITE,
    )
