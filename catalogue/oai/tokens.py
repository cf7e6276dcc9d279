"""Resumption tokens: where a harvest stands, signed, so that nothing is kept here and nobody makes one up.

A harvest goes by the numbers of the games, which never change, and not by an offset or by datestamps, which
do: a game that is changed or removed while it runs keeps its place, comes once, and says what it says then.
What changed after the harvest began comes even if `until` would now leave it out; so the token carries that
moment.
"""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta

from django.core import signing

from catalogue.oai.request import Fault, Refused, Request, Verb

LIFE = timedelta(days=1)
SALT = "catalogue.oai"


@dataclass(frozen=True, slots=True)
class Harvest:
    """A list request and how far it has come; the times are seconds since 1970, for JSON."""

    verb: str
    arguments: dict[str, str]
    begun_at: float
    size: int
    after: int = 0  # the number of the last game that was handed over
    cursor: int = 0  # how many were
    expires_at: float = 0

    @property
    def request(self) -> Request:
        """What was asked at the beginning."""
        return Request(Verb(self.verb), self.arguments)

    @property
    def began(self) -> datetime:
        """When the first page was asked for."""
        return datetime.fromtimestamp(self.begun_at, UTC)

    @property
    def expires(self) -> datetime:
        """Until when the token is taken."""
        return datetime.fromtimestamp(self.expires_at, UTC)


def write(harvest: Harvest) -> str:
    """The token of a harvest."""
    return signing.Signer(salt=SALT).sign_object(asdict(harvest), compress=True)


def read(token: str, verb: Verb, *, now: datetime) -> Harvest:
    """The harvest of a token. Raises Refused for one that is not ours, too old, or of another verb."""
    try:
        harvest = Harvest(**signing.Signer(salt=SALT).unsign_object(token))
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise Refused(Fault.BAD_TOKEN, "This token was not written here.") from error
    if harvest.verb != verb:
        raise Refused(Fault.BAD_TOKEN, f"This token belongs to {harvest.verb}.")
    if harvest.expires < now:
        raise Refused(Fault.BAD_TOKEN, "This token has expired: begin again.")
    return harvest
