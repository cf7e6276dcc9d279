"""A letter as an e-mail: plain text, the same as simple HTML, and the headers that mail programs ask for."""

from email.utils import parseaddr
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from loans.telling.letter import Letter

STYLE = Path(__file__).parent / "mail.css"


def as_mail(letter: Letter, *, to: str, name: str, stop: str = "") -> EmailMultiAlternatives:
    """The mail to `to`. `name` makes its identifier: a mail that is sent again after a break keeps it."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    headers = {"Message-ID": f"<{name}@{domain}>", "Auto-Submitted": "auto-generated"}
    if stop:
        # RFC 8058: one click, without a question.
        headers |= {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    mail = EmailMultiAlternatives(letter.subject, letter.as_text(), settings.DEFAULT_FROM_EMAIL, [to])
    mail.extra_headers = headers
    mail.attach_alternative(as_html(letter), "text/html")
    return mail


def as_html(letter: Letter) -> str:
    """The letter for readers of HTML: no picture, nothing from elsewhere."""
    return render_to_string("loans/notices/mail.html", {"letter": letter, "style": _style()})


def _style() -> SafeString:
    css = mark_safe(STYLE.read_text(encoding="utf-8"))  # noqa: S308 - our own file
    return format_html("<style>{}</style>", css)
