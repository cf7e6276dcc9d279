"""The road to the mail server: one SMTP conversation for a run, and what became of each mail.

What a server says decides: 4xx is put off, 5xx to the recipient is no such address, and where the line breaks
after the text has gone over, nobody knows whether it arrived. No rows are read or written here.
"""

import re
import smtplib
import ssl
from dataclasses import dataclass
from email.utils import parseaddr
from enum import StrEnum

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import sanitize_address

GOOD = (250, 251)
READ_ON = 354
LINE_END = re.compile(rb"\r?\n")


class Fate(StrEnum):
    """What became of a mail."""

    SENT = "sent"
    PUT_OFF = "put_off"
    NO_SUCH_ADDRESS = "no_such_address"
    REFUSED = "refused"
    UNCLEAR = "unclear"
    NO_SERVER = "no_server"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The fate of a mail, and the server's own words for it."""

    fate: Fate
    said: str = ""


def is_set_up() -> bool:
    """Whether a mail server was named."""
    return bool(settings.EMAIL_HOST)


class Postbox:
    """A conversation with the mail server of the settings; opened with the first mail, closed by `close`."""

    def __init__(self) -> None:
        self._line: smtplib.SMTP | None = None

    def close(self) -> None:
        """End the conversation."""
        if self._line is None:
            return
        try:
            self._line.quit()
        except (smtplib.SMTPException, OSError):
            self._line.close()
        self._line = None

    def deliver(self, mail: EmailMultiAlternatives) -> Outcome:
        """Hand one mail over. Never raises for what a server does."""
        try:
            line = self._open()
        except (smtplib.SMTPException, OSError) as error:
            self._drop()
            return Outcome(Fate.NO_SERVER, _said(error))
        outcome = _hand_over(line, mail)
        if outcome.fate == Fate.SENT:
            return outcome
        if outcome.fate in {Fate.UNCLEAR, Fate.NO_SERVER}:
            self._drop()
        else:
            self._begin_again(line)
        return outcome

    def _open(self) -> smtplib.SMTP:
        if self._line is None:
            self._line = _connect()
        return self._line

    def _begin_again(self, line: smtplib.SMTP) -> None:
        """Forget the mail that was refused, so that the next one may follow on the same line."""
        try:
            line.rset()
        except (smtplib.SMTPException, OSError):
            self._drop()

    def _drop(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line = None


def _connect() -> smtplib.SMTP:
    safe = ssl.create_default_context()
    host, port, wait = settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT
    if settings.EMAIL_USE_SSL:
        line: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=wait, context=safe)
    else:
        line = smtplib.SMTP(host, port, timeout=wait)
    if settings.EMAIL_USE_TLS:
        line.starttls(context=safe)
    if settings.EMAIL_HOST_USER:
        line.login(settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD)
    line.ehlo_or_helo_if_needed()
    return line


def _hand_over(line: smtplib.SMTP, mail: EmailMultiAlternatives) -> Outcome:
    text = LINE_END.sub(b"\r\n", mail.message().as_bytes())
    from_, to = (parseaddr(sanitize_address(each, "utf-8"))[1] for each in (mail.from_email, mail.to[0]))
    try:
        said = line.mail(from_)
        if said[0] not in GOOD:
            return _refused(said, Fate.REFUSED)
        said = line.rcpt(to)
        if said[0] not in GOOD:
            return _refused(said, Fate.NO_SUCH_ADDRESS)
        said = line.docmd("DATA")
        if said[0] != READ_ON:
            return _refused(said, Fate.REFUSED)
    except UnicodeEncodeError as error:
        return Outcome(Fate.NO_SUCH_ADDRESS, str(error))
    except (smtplib.SMTPException, OSError) as error:
        return Outcome(Fate.NO_SERVER, _said(error))
    return _text(line, text)


def _text(line: smtplib.SMTP, text: bytes) -> Outcome:
    """Send the text itself. From here on a broken line leaves it open whether it arrived."""
    # Lines that begin with a full stop get a second one (RFC 5321, 4.5.2).
    quoted = text.replace(b"\r\n.", b"\r\n..")
    ends = b".\r\n" if quoted.endswith(b"\r\n") else b"\r\n.\r\n"
    try:
        line.send(quoted + ends)
        said = line.getreply()
    except (smtplib.SMTPException, OSError) as error:
        return Outcome(Fate.UNCLEAR, _said(error))
    return Outcome(Fate.SENT) if said[0] in GOOD else _refused(said, Fate.REFUSED)


def _refused(said: tuple[int, bytes], for_good: Fate) -> Outcome:
    code, words = said
    told = f"{code} {words.decode('utf-8', 'replace')}"
    if code < 0:
        return Outcome(Fate.NO_SERVER, told)
    return Outcome(for_good if 500 <= code < 600 else Fate.PUT_OFF, told)


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        words = error.smtp_error
        return f"{error.smtp_code} {words.decode('utf-8', 'replace') if isinstance(words, bytes) else words}"
    return str(error) or type(error).__name__
