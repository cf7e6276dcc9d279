"""Every string of the interface stands in every language; the tool that collects them loses none."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from config import translations
from tests.make import make_user


@pytest.mark.parametrize("locale", translations.LOCALES)
def test_every_string_is_translated(locale: str) -> None:
    findings = translations.check(settings.BASE_DIR, locale, translations.collect(settings.BASE_DIR))
    assert [f"{f.what}: {f.text}" for f in findings] == []


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A small tree with a string in code, a plural and a context in a template."""
    (tmp_path / "catalogue").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "catalogue" / "a.py").write_text(
        'from x import gettext_lazy as _\n\nWORD = _("Hello %(name)s")\n'
    )
    (tmp_path / "templates" / "a.html").write_text(
        "{% load i18n %}\n  <p>{% blocktranslate trimmed count n=n %}\n"
        "    {{ n }} copy{% plural %}{{ n }} copies\n"
        '  {% endblocktranslate %}</p>\n<p>{% translate "May" context "month" as may %} {{ may }}</p>\n'
    )
    return tmp_path


def refresh(root: Path) -> str:
    """Collect and return the French catalogue."""
    translations.update(root, "fr", translations.collect(root))
    return translations.catalogue_path(root, "fr").read_text()


def whats(root: Path) -> set[tuple[str, str]]:
    """What is wrong with the French catalogue."""
    return {(f.what, f.text) for f in translations.check(root, "fr", translations.collect(root))}


def test_strings_of_code_and_templates_are_collected(house: Path) -> None:
    found = {(m.context, m.id) for m in translations.collect(house) if m.id}
    assert found == {
        (None, "Hello %(name)s"),
        (None, ("%(n)s copy", "%(n)s copies")),
        ("month", "May"),
    }


def test_collecting_twice_changes_nothing(house: Path) -> None:
    assert refresh(house) == refresh(house)


def test_a_translation_survives_collecting_and_an_obsolete_one_goes(house: Path) -> None:
    po = translations.catalogue_path(house, "fr")
    po.parent.mkdir(parents=True)
    po.write_text(
        'msgid "Hello %(name)s"\nmsgstr "Bonjour %(name)s"\n\nmsgid "Gone"\nmsgstr "Parti"\n',
        encoding="utf-8",
    )
    after = refresh(house)
    assert "Bonjour %(name)s" in after
    assert "Gone" not in after


def test_a_guessed_translation_is_emptied(house: Path) -> None:
    refresh(house)
    po = translations.catalogue_path(house, "fr")
    po.write_text(po.read_text().replace('msgctxt "month"\nmsgid "May"\nmsgstr ""', GUESS))
    assert ("fuzzy", "May") in whats(house)
    assert "Mai" not in refresh(house)
    assert ("untranslated", "May") in whats(house)


GUESS = '#, fuzzy\nmsgctxt "month"\nmsgid "May"\nmsgstr "Mai"'


def test_a_missing_placeholder_is_found(house: Path) -> None:
    text = refresh(house)
    po = translations.catalogue_path(house, "fr")
    po.write_text(
        text.replace('msgid "Hello %(name)s"\nmsgstr ""', 'msgid "Hello %(name)s"\nmsgstr "Bonjour"')
    )
    assert ("placeholders differ", "Hello %(name)s") in whats(house)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/desk/transfers/", ">Vers</label>"),
        ("/desk/money/vouchers/", ">virement</option>"),
        ("/desk/notices/log/", ">envoyé</option>"),
        ("/desk/bookings/", ">Au</label>"),
    ],
)
def test_a_word_of_two_senses_is_said_in_the_right_one(client: Client, address: str, said: str) -> None:
    client.force_login(make_user("manager"))
    html = client.get(address, headers={"accept-language": "fr"}).content.decode()
    assert said in re.sub(r"\s+", " ", html).replace("> ", ">").replace(" <", "<")
