"""Signed addresses in letters: to renew one loan once, and to stop letters. Pure but for the site's secret.

A signature says only that the address was made here; whether it may still be used stands in its row.
"""

from django.conf import settings
from django.core import signing
from django.urls import reverse

RENEW, STOP = "renewal-link", "stop-letters"


def renewal(link: int) -> str:
    """The address that renews by the `RenewalLink` of this number; empty where the site has no address."""
    return _address("mail:renew", signing.Signer(salt=RENEW).sign(str(link)))


def read_renewal(token: str) -> int | None:
    """The number in a token to renew; None if it was not made here."""
    return _number(token, RENEW)


def stop(party: str) -> str:
    """The address at which a party stops its letters; empty where the site has no address."""
    return _address("mail:stop", signing.Signer(salt=STOP).sign(party))


def stop_here(party: str) -> str:
    """The same as a path of this site, for who is signed in."""
    return reverse("mail:stop", args=[signing.Signer(salt=STOP).sign(party)])


def read_stop(token: str) -> str | None:
    """The party in a token to stop; None if it was not made here."""
    try:
        return str(signing.Signer(salt=STOP).unsign(token))
    except signing.BadSignature:
        return None


def _address(name: str, token: str) -> str:
    return f"{settings.LIBRARY_ADDRESS}{reverse(name, args=[token])}" if settings.LIBRARY_ADDRESS else ""


def _number(token: str, salt: str) -> int | None:
    try:
        said = signing.Signer(salt=salt).unsign(token)
    except signing.BadSignature:
        return None
    return int(said) if said.isdigit() else None
