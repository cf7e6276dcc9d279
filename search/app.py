"""The library as an installable web app: its manifest, and the script that keeps games for reading offline.

Nothing here knows a member: what the worker keeps it asks for without cookies (see `js/worker.js`). Reads the
static files alone. Called by `table_views`.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

FILES = (
    *("css/ludotheca.css", "js/site.js", "js/app.js", "js/finder.js", "js/offline.js"),
    *("css/desk.css", "css/offline.css", "js/desk_store.js", "js/desk_offline.js"),
    *("django_htmx/htmx-2.min.js", "img/icons.svg", "img/shapes.svg", "img/mark.svg"),
)
ICONS = (
    ("img/icon-192.png", "192x192", "any"),
    ("img/icon-512.png", "512x512", "any"),
    ("img/icon-maskable-512.png", "512x512", "maskable"),
    ("img/mark.svg", "any", "any"),
)
PAPER, ACCENT = "#fbf7ef", "#0c5c68"


def manifest() -> dict[str, Any]:
    """What a phone is told when the library is put on its home screen (W3C Web Application Manifest)."""
    home = reverse("home")
    return {
        "id": home,
        "name": settings.LIBRARY_NAME,
        "short_name": settings.LIBRARY_NAME[:12],
        "description": _("games and their rules"),
        "lang": get_language(),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": ACCENT,
        "icons": [{"src": static(name), "sizes": sizes, "purpose": use} for name, sizes, use in ICONS],
    }


def worker() -> str:
    """The service worker with the names of the static files it keeps; another release is another script."""
    source = _source("js/worker.js")
    files = [static(name) for name in FILES]
    library = {
        "version": _fingerprint(source, *files, *map(_source, FILES)),
        "statics": settings.STATIC_URL,
        "hashed": getattr(staticfiles_storage, "manifest_name", None) is not None,
        "offline": reverse("offline"),
        "desk": {"page": reverse("loans:desk"), "kept": reverse("loans:offline-desk")},
        "files": files,
    }
    return f"const LIBRARY = {json.dumps(library)};\n{source}"


def _fingerprint(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def _source(name: str) -> str:
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found).read_text(encoding="utf-8")
