"""Settings from the environment: a misspelt value is refused with a sentence, never taken for the default."""

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.mark.parametrize(("raw", "meant"), [("1", True), ("Yes", True), (" off ", False), ("", False)])
def test_a_switch_reads_the_usual_words(monkeypatch: pytest.MonkeyPatch, raw: str, *, meant: bool) -> None:
    monkeypatch.setenv("X", raw)
    assert env.flag("X", default=not meant) is meant


@pytest.mark.parametrize("raw", ["ture", "2", "-"])
def test_a_misspelt_switch_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, raw: str) -> None:
    monkeypatch.setenv("DEBUG", raw)
    with pytest.raises(ImproperlyConfigured, match=f"DEBUG='{raw}'"):
        env.flag("DEBUG", default=False)


@pytest.mark.parametrize("raw", ["80a", "0", "65536", "-1", "٣", "1e3", ""])
def test_a_port_is_a_whole_number_in_range(monkeypatch: pytest.MonkeyPatch, raw: str) -> None:
    monkeypatch.setenv("PORT", raw)
    with pytest.raises(ImproperlyConfigured, match="PORT"):
        env.number("PORT", 8000, low=1, high=65535)


def test_an_unknown_choice_names_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_ENGINE", "woosh")
    with pytest.raises(ImproperlyConfigured, match="whoosh"):
        env.choice("SEARCH_ENGINE", "whoosh", {"whoosh"})


def test_the_secret_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "data" / "secret-key"
    first = env.secret("NO_SUCH_VARIABLE", file)
    assert len(first) >= 50
    assert env.secret("NO_SUCH_VARIABLE", file) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [p.name for p in file.parent.iterdir()] == ["secret-key"]


def test_a_folder_that_cannot_hold_the_secret_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(ImproperlyConfigured, match="LUDOTHECA_DATA"):
        env.secret("NO_SUCH_VARIABLE", tmp_path / "data" / "secret-key")


@pytest.mark.parametrize(
    ("raw", "server"),
    [
        ("", env.MailServer()),
        ("smtp://mail.example.org", env.MailServer("mail.example.org", 25)),
        (
            "smtp+tls://max%40example.org:p%2Fw@mail.example.org",
            env.MailServer("mail.example.org", 587, "max@example.org", "p/w", starttls=True),
        ),
        ("smtps://mail.example.org:4465/", env.MailServer("mail.example.org", 4465, tls=True)),
    ],
)
def test_a_mail_server_says_how_it_is_spoken_to(
    monkeypatch: pytest.MonkeyPatch, raw: str, server: env.MailServer
) -> None:
    monkeypatch.setenv("EMAIL_URL", raw)
    assert env.mail_server("EMAIL_URL") == server


@pytest.mark.parametrize(
    "raw", ["mail.example.org", "http://x", "smtp://", "smtp://x:port", "smtp://u:secret@"]
)
def test_a_mail_server_that_cannot_be_read_is_refused_and_its_password_not_shown(
    monkeypatch: pytest.MonkeyPatch, raw: str
) -> None:
    monkeypatch.setenv("EMAIL_URL", raw)
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL") as refused:
        env.mail_server("EMAIL_URL")
    assert "secret" not in str(refused.value)


def test_mail_comes_from_the_user_of_the_server_or_from_who_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    server = env.MailServer("mail.example.org", 587, "max@example.org")
    assert env.mailbox("LUDOTHECA_MAIL_FROM", "Ludothèque", server).endswith("<max@example.org>")
    monkeypatch.setenv("LUDOTHECA_MAIL_FROM", "games@example.org")
    assert env.mailbox("LUDOTHECA_MAIL_FROM", "L", server) == "L <games@example.org>"
    monkeypatch.setenv("LUDOTHECA_MAIL_FROM", "games")
    with pytest.raises(ImproperlyConfigured, match="LUDOTHECA_MAIL_FROM"):
        env.mailbox("LUDOTHECA_MAIL_FROM", "L", server)
    monkeypatch.delenv("LUDOTHECA_MAIL_FROM")
    with pytest.raises(ImproperlyConfigured, match="LUDOTHECA_MAIL_FROM"):
        env.mailbox("LUDOTHECA_MAIL_FROM", "L", env.MailServer("mail.example.org"))


@pytest.mark.parametrize("raw", ["", "https://games.example.org", "http://10.0.0.7:8000/"])
def test_an_address_is_that_of_a_whole_site(monkeypatch: pytest.MonkeyPatch, raw: str) -> None:
    monkeypatch.setenv("LUDOTHECA_ADDRESS", raw)
    assert env.address("LUDOTHECA_ADDRESS") == raw.rstrip("/")


@pytest.mark.parametrize(
    "raw", ["games.example.org", "https://games.example.org/ludo", "ftp://x", "https://"]
)
def test_an_address_that_leads_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch, raw: str) -> None:
    monkeypatch.setenv("LUDOTHECA_ADDRESS", raw)
    with pytest.raises(ImproperlyConfigured, match="LUDOTHECA_ADDRESS"):
        env.address("LUDOTHECA_ADDRESS")
