"""All forms that a person meets on a walk over all addresses of the site, as they would be sent."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.http import QueryDict
from django.test import Client
from django.urls import get_resolver

from loans.models import PolicyRule
from tests.architecture.test_addresses import addresses

MORE = (
    "/desk/?member=1",
    "/desk/?member=2&event=1",
    "/desk/?copy=1",
    "/desk/households/1/leave/?who=1",
    "/desk/policies/add/loan_days/",
    "/desk/notices/texts/due_soon/fr/",
    "/desk/figures/late/",
)
"""Pages in a state, and pages whose address names something."""

OTHERS = ("/admin", "/api", "/accounts", "/i18n")
"""Django's own pages, and what has no forms."""


@dataclass(slots=True)
class Form:
    """A form on a page: where it goes, and what it would send."""

    action: str
    method: str
    values: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> tuple[object, ...]:
        """What it has in common with the same form about something else."""
        path = re.sub("|".join(PolicyRule.values), "RULE", re.sub(r"\d+", "1", urlsplit(self.action).path))
        return self.method, path, self.values.get("do"), *(re.sub(r"\d+", "1", name) for name in self.values)


class Reader(HTMLParser):
    """The forms of one page. Files are left out; of radios and buttons the first is taken."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.forms = address, list[Form]()
        self.by_id, self.open = dict[str, Form](), list[Form]()
        self.choosing = self.typing = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A form, or something in it."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urljoin(self.address, given.get("action") or self.address)
            self.open = [Form(action, given.get("method", "get").lower())]
            self.forms += self.open
            self.by_id[given.get("id", "")] = self.open[0]
        form = self.by_id.get(given.get("form", "")) if given.get("form") else next(iter(self.open), None)
        if form and tag in {"input", "button", "select", "textarea"} and given.get("name"):
            self._add(form, tag, given)
        elif self.open and tag == "option" and self.choosing and "selected" in given:
            self.open[0].values[self.choosing] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        """The end of a form, or of a box to type or choose in."""
        if tag == "form":
            self.open = []
        elif tag in {"select", "textarea"}:
            self.choosing = self.typing = ""

    def handle_data(self, data: str) -> None:
        """What stands in a box for several lines."""
        if self.open and self.typing:
            self.open[0].values[self.typing] += data

    def _add(self, form: Form, tag: str, given: dict[str, str]) -> None:
        name = given["name"]
        if given.get("type") != "file" and name != "csrfmiddlewaretoken":
            form.values.setdefault(name, given.get("value", ""))
        if tag == "select":
            self.choosing = name
        elif tag == "textarea":
            self.typing = name


def forms_of_all_pages(client: Client) -> list[Form]:
    """Each kind of form once; every page is asked for on the way, and may not break."""
    found: dict[tuple[object, ...], Form] = {}
    for form in _forms(client):
        found.setdefault(form.kind, form)
    return list(found.values())


def _forms(client: Client) -> Iterator[Form]:
    paths = (address.path for address in addresses(get_resolver().url_patterns))
    for path in (*MORE, *(path for path in paths if not path.startswith(OTHERS))):
        answer = client.get(path)
        assert answer.status_code < 500, path
        if not answer.streaming and "html" in answer.get("Content-Type", ""):
            reader = Reader(path)
            reader.feed(answer.content.decode())
            yield from (form for form in reader.forms if not form.action.startswith(OTHERS))


def send(client: Client, form: Form, **other: str) -> int:
    """Send a form with other values; the status of the answer, or of the page that it leads to."""
    values = QueryDict(mutable=True)
    values.update(form.values | other)
    sender = client.post if form.method == "post" else client.get
    return sender(form.action, values, follow=True).status_code
