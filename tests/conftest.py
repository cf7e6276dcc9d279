"""What every test starts from: a data folder of its own, and no search index but its own."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

pytest_plugins = ["tests.pages.browser"]

# Before Django reads its settings: state of a test run never meets the state of a library.
os.environ["LUDOTHECA_DATA"] = tempfile.mkdtemp(prefix="ludotheca-test-")

# How long an example takes says how busy the machine is, not whether the program is right.
hypothesis_settings.register_profile(
    "ludotheca", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
hypothesis_settings.load_profile("ludotheca")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session", autouse=True)
def _no_set_up_needed() -> None:
    """Static files are looked for when they are asked for: there may be no folder of collected ones."""
    from django.conf import settings  # noqa: PLC0415 - settings are read after the lines above

    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(autouse=True)
def _own_places(settings, tmp_path) -> None:  # type: ignore[no-untyped-def]
    settings.SEARCH_INDEX_DIR = tmp_path / "index"
    settings.MEDIA_ROOT = tmp_path / "documents"
    # A password's cost is no test's business, and it is most of a test's time.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """SQLite in a file: the live server's threads need connections of their own."""
    from django.conf import settings  # noqa: PLC0415 - settings are read after the lines above

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        folder = tmp_path_factory.mktemp("database")
        database.setdefault("TEST", {})["NAME"] = str(folder / "test.sqlite3")


@pytest.fixture
def shared() -> Path:
    """The handed files; tests that read them fail loudly where they are missing."""
    assert SHARED.is_dir(), f"{SHARED} is missing: the handed files stand beside the checkout"
    return SHARED
