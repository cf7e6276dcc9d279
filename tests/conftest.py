"""What every test starts from: a data folder of its own, and no search index but its own."""

import os
import tempfile
from pathlib import Path

import pytest

# Before Django reads its settings: state of a test run never meets the state of a library.
os.environ["LUDOTHECA_DATA"] = tempfile.mkdtemp(prefix="ludotheca-test-")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(autouse=True)
def _own_places(settings, tmp_path) -> None:  # type: ignore[no-untyped-def]
    settings.SEARCH_INDEX_DIR = tmp_path / "index"
    settings.MEDIA_ROOT = tmp_path / "documents"
    # A password's cost is no test's business, and it is most of a test's time.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def shared() -> Path:
    """The handed files; tests that read them fail loudly where they are missing."""
    assert SHARED.is_dir(), f"{SHARED} is missing: the handed files stand beside the checkout"
    return SHARED
