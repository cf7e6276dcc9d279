"""What a harvester asks (OAI-PMH 2.0, sections 3 and 4): verb and arguments, read or refused. Knows no rows.

Messages are for programmers and stay in English, as the protocol's own words are.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum


class Verb(StrEnum):
    """The six requests."""

    IDENTIFY = "Identify"
    LIST_METADATA_FORMATS = "ListMetadataFormats"
    LIST_SETS = "ListSets"
    GET_RECORD = "GetRecord"
    LIST_IDENTIFIERS = "ListIdentifiers"
    LIST_RECORDS = "ListRecords"


class Fault(StrEnum):
    """The protocol's error codes (section 3.6)."""

    BAD_VERB = "badVerb"
    BAD_ARGUMENT = "badArgument"
    BAD_TOKEN = "badResumptionToken"  # noqa: S105 - a code, no secret
    NO_FORMAT = "cannotDisseminateFormat"
    NO_ITEM = "idDoesNotExist"
    NO_RECORDS = "noRecordsMatch"
    NO_SETS = "noSetHierarchy"


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message


@dataclass(frozen=True, slots=True)
class Request:
    """A request whose arguments are all known, there once, and written as they should be."""

    verb: Verb
    arguments: dict[str, str]

    def get(self, name: str) -> str:
        """The argument, or "" where it is not given."""
        return self.arguments.get(name, "")


@dataclass(frozen=True, slots=True)
class Window:
    """From when on, and up to before when; None is without a bound."""

    since: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Moment:
    at: datetime
    is_day: bool


TOKEN = "resumptionToken"  # noqa: S105 - an argument's name
LISTS = {Verb.LIST_IDENTIFIERS, Verb.LIST_RECORDS}
REQUIRED = {
    Verb.GET_RECORD: {"identifier", "metadataPrefix"},
    Verb.LIST_IDENTIFIERS: {"metadataPrefix"},
    Verb.LIST_RECORDS: {"metadataPrefix"},
}
OPTIONAL = {
    Verb.LIST_METADATA_FORMATS: {"identifier"},
    Verb.LIST_SETS: {TOKEN},
    Verb.LIST_IDENTIFIERS: {"from", "until", "set", TOKEN},
    Verb.LIST_RECORDS: {"from", "until", "set", TOKEN},
}
MARKS = r"[A-Za-z0-9\-_.!~*'()]+"
PREFIX = re.compile(MARKS)
SET = re.compile(rf"{MARKS}(?::{MARKS})*")
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
SECOND = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
EARLIEST, LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def read(pairs: Iterable[tuple[str, str]]) -> Request:
    """The request. Raises Refused with badVerb or badArgument."""
    given: dict[str, str] = {}
    repeated: set[str] = set()
    for name, value in pairs:
        if name in given:
            repeated.add(name)
        given[name] = value
    verb = _verb(given.pop("verb", None), is_repeated="verb" in repeated)
    if repeated:
        raise _bad(f"Given more than once: {_names(repeated)}.")
    _check_names(verb, given)
    request = Request(verb, given)
    if TOKEN not in given:
        _check_values(request)
    return request


def window(request: Request) -> Window:
    """What `from` and `until` say; both ends belong to it, at the fineness in which they are given."""
    since, until = _moment(request, "from"), _moment(request, "until")
    if since and until and since.is_day != until.is_day:
        raise _bad("from and until have to be of the same granularity.")
    if since and until and since.at > until.at:
        raise _bad("from is later than until.")
    return Window(since.at if since else None, _after(until) if until else None)


def _verb(given: str | None, *, is_repeated: bool) -> Verb:
    if given is None:
        raise Refused(Fault.BAD_VERB, "There is no verb.")
    if is_repeated:
        raise Refused(Fault.BAD_VERB, "The verb is given more than once.")
    try:
        return Verb(given)
    except ValueError as error:
        raise Refused(Fault.BAD_VERB, f"The verbs are {', '.join(Verb)}.") from error


def _check_names(verb: Verb, given: dict[str, str]) -> None:
    required = REQUIRED.get(verb, set())
    if unknown := set(given) - required - OPTIONAL.get(verb, set()):
        raise _bad(f"{verb} has no argument {_names(unknown)}.")
    if TOKEN in given:
        if others := set(given) - {TOKEN}:
            raise _bad(f"{TOKEN} stands alone, without {_names(others)}.")
    elif missing := required - set(given):
        raise _bad(f"{verb} needs {_names(missing)}.")


def _check_values(request: Request) -> None:
    """Whatever passes may stand in the echo of the request without breaking the schema."""
    for name, pattern in (("metadataPrefix", PREFIX), ("set", SET)):
        if name in request.arguments and not pattern.fullmatch(request.arguments[name]):
            raise _bad(f"{name} has characters that it cannot have, or none.")
    window(request)


def _moment(request: Request, name: str) -> _Moment | None:
    if name not in request.arguments:
        return None
    value = request.arguments[name]
    is_day = bool(DAY.fullmatch(value))
    if not is_day and not SECOND.fullmatch(value):
        raise _bad(f"{name}: write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
    try:
        return _Moment(datetime.fromisoformat(value).replace(tzinfo=UTC), is_day)
    except ValueError as error:
        raise _bad(f"{name}: there is no such time.") from error


def _after(until: _Moment) -> datetime:
    """The first moment that is not in the day, or the second, any more."""
    step = timedelta(days=1) if until.is_day else timedelta(seconds=1)
    return until.at + step if until.at <= LATEST - step else LATEST


def _bad(message: str) -> Refused:
    return Refused(Fault.BAD_ARGUMENT, message)


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(name[:40] for name in names))
