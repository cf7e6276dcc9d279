"""The desk page as a volunteer without JavaScript sees it; for tests to scan, press and read."""

import re
from typing import Any

from django.test import Client


class Page:
    """The page that a volunteer sees, and the form fields that it carries to the next Enter."""

    def __init__(self, client: Client, url: str = "/desk/", **headers: str) -> None:
        self.client, self.headers = client, headers
        self._shown(client.get(url, headers=headers))

    def _shown(self, response: Any) -> None:
        assert response.status_code == 200
        self.html = response.content.decode()
        self.panel = response.context["panel"]
        self.text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.html))
        self.answer = self.html.split("data-say>")[1].split("</div>")[0]
        self.said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.answer)).strip()

    def fields(self) -> dict[str, str]:
        """The hidden fields that belong to the form of the box."""
        found = re.findall(r'form="desk-form" name="(\w+)" value="([^"]*)"', self.html)
        nonce = self.html.split('name="nonce" value="')[1].split('"')[0]
        return {**dict(found), "nonce": nonce}

    def post(self, url: str, **fields: str) -> "Page":
        response = self.client.post(url, fields, follow=True, headers=self.headers)
        assert response.redirect_chain, "a form is answered by a redirect"
        self._shown(response)
        return self

    def scan(self, code: str) -> "Page":
        return self.post("/desk/scan/", scan=code, **self.fields())

    def press(self, words: str, **typed: str) -> "Page":
        """Press the first button that says `words`, with the hidden fields of its form."""
        for form in re.findall(r"<form.*?</form>", self.html, re.S):
            for button in re.findall(r"<button.*?</button>", form, re.S):
                if words in re.sub(r"\s+", " ", button):
                    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
                    fields |= dict(re.findall(r'<button[^>]* name="(\w+)" value="([^"]*)"', button))
                    action = re.search(r'formaction="([^"]+)"', button) or re.search(
                        r'action="([^"]+)"', form
                    )
                    return self.post(action[1], **{**fields, **typed})  # type: ignore[index]
        raise AssertionError(f"no button says {words!r}")
