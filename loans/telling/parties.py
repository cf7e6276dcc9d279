"""To whom news about a member goes: one letter for a household, one of his own for who keeps his loans to
himself. Only reads.

    the household's letter   all members but adults who hide their loans; to an adult with an address
    a letter of one's own    an adult who hides his loans, and who lives in no household
    on paper                 where there is no address, or the mail server has refused it

Whoever reads the household's letter finds his own news in it, even if he hides it from the others.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from loans.desk_state import DeskLine
from loans.models import Household, Member, NoMail, ReturnedMail
from loans.telling import links
from loans.telling.texts import LANGUAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """Those who get one letter: whose news it holds, who is written to, by which road.

    `key` names it over the days. `to` is empty where the letter goes on paper. `declines`: only what must be.
    """

    key: str
    members: tuple[Member, ...]
    addressee: Member
    to: str
    declines: bool

    @property
    def language(self) -> str:
        """The language of the letter: the addressee's, if we write it, else the library's."""
        wanted = self.addressee.language.split("-")[0].lower()
        return wanted if wanted in LANGUAGES else settings.LANGUAGE_CODE

    @property
    def household(self) -> Household | None:
        """The household, if the letter is for all of it."""
        return self.addressee.household if self.key.startswith("household:") else None

    @property
    def names_members(self) -> bool:
        """Whether a game must be told with the name of who has it."""
        return len(self.members) > 1


def parties_of(members: Iterable[int], today: date) -> list[Party]:
    """The parties to which these members (row ids) belong; four queries."""
    wanted = set(members)
    about = Q(pk__in=wanted) | Q(household__members__in=wanted)
    rows = Member.objects.filter(about).distinct().select_related("household").order_by("pk")
    by_household: dict[int, list[Member]] = {}
    alone = []
    for member in rows:
        if member.household_id:
            by_household.setdefault(member.household_id, []).append(member)
        else:
            alone.append(member)
    known = _known()
    found = [_alone(member, [], known) for member in alone]
    for people in by_household.values():
        found += _of_household(people, today, known)
    return [party for party in found if any(member.pk in wanted for member in party.members)]


def stop_url(member: Member, today: date) -> str:
    """Where the member, signed in, stops the letters that come to him or to his household."""
    found = parties_of([member.pk], today)
    return links.stop_here(found[0].key) if found and member.email else ""


def party_of(key: str, member: Member, today: date) -> Party | None:
    """The party of that name, if the member still belongs to it."""
    return next((party for party in parties_of([member.pk], today) if party.key == key), None)


def at_the_desk(member: Member, now: datetime) -> Iterator[DeskLine]:  # noqa: ARG001 - as all who say something
    """That mail does not reach the open member: the desk can ask for another address at once."""
    returned = ReturnedMail.objects.filter(member=member).first() if member.email else None
    if returned and returned.address == member.email:
        words = _("Mail to %(address)s comes back: ask for another address.")
        url = reverse("loans:member", args=[member.pk])
        yield DeskLine(words % {"address": member.email}, "ask", url)


@dataclass(frozen=True, slots=True)
class _Known:
    """Addresses that were refused, and who declines mail."""

    returned: frozenset[tuple[int, str]]
    households: frozenset[int]
    members: frozenset[int]


def _known() -> _Known:
    returned = ReturnedMail.objects.values_list("member_id", "address")
    declined = list(NoMail.objects.values_list("household_id", "member_id"))
    return _Known(
        frozenset(returned),
        frozenset(household for household, _member in declined if household),
        frozenset(member for _household, member in declined if member),
    )


def _of_household(people: list[Member], today: date, known: _Known) -> Iterator[Party]:
    private = [member for member in people if member.hides_loans and not member.is_child(today)]
    shared = [member for member in people if member not in private]
    if shared:
        addressee = _addressee(people, today, known)
        private = [member for member in private if member != addressee]
        yield Party(
            key=f"household:{people[0].household_id}",
            members=tuple(member for member in people if member not in private),
            addressee=addressee,
            to=_address(addressee, known),
            declines=people[0].household_id in known.households,
        )
    for member in private:
        yield _alone(member, people, known)


def _addressee(people: list[Member], today: date, known: _Known) -> Member:
    """An adult with an address if there is one, before that one who shares the loans with the others."""
    return min(
        people,
        key=lambda member: (member.is_child(today), not _address(member, known), member.hides_loans),
    )


def _alone(member: Member, people: list[Member], known: _Known) -> Party:
    """A letter of one's own. An address that others of the household have too is not private."""
    to = _address(member, known)
    shares = any(to.lower() == other.email.lower() for other in people if other != member)
    return Party(
        key=f"member:{member.pk}",
        members=(member,),
        addressee=member,
        to="" if shares else to,
        declines=member.pk in known.members,
    )


def _address(member: Member, known: _Known) -> str:
    return "" if (member.pk, member.email) in known.returned else member.email
