"""All settings, read from the environment through `config.env`.

All state stands in one folder, LUDOTHECA_DATA: database file, search index, documents, secret.
"""

import os
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("LUDOTHECA_DATA", str(BASE_DIR / "data"))).resolve()

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", DATA_DIR / "secret-key")
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS", "")
CSRF_FAILURE_VIEW = "config.errors.csrf_failed"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "catalogue",
    "loans",
    "search",
    "config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.cors.PublicReading",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.library",
            ],
        },
    },
]


def _database(url: str) -> dict[str, Any]:
    try:
        parsed: dict[str, Any] = dict(dj_database_url.parse(url))
    except (ValueError, KeyError) as error:
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read: say sqlite:///PATH or postgres://USER:PASSWORD@HOST/NAME."
        ) from error
    if parsed["ENGINE"] == "django.db.backends.sqlite3":
        # Immediate transactions make check-then-write serial, as row locks do on PostgreSQL;
        # FULL keeps a loan that was answered through a power cut.
        parsed["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
        }
    elif parsed["ENGINE"] == "django.db.backends.postgresql":
        parsed["CONN_HEALTH_CHECKS"] = True
    else:
        raise ImproperlyConfigured("DATABASE_URL: SQLite and PostgreSQL are supported.")
    # A new connection costs more than a lend: SQLite reads its whole schema for each.
    parsed["CONN_MAX_AGE"] = 60
    return parsed


DATABASES = {"default": _database(env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'ludotheca.sqlite3'}"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = ["config.staff.StaffBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

LANGUAGE_CODE = env.choice("LUDOTHECA_LANGUAGE", "fr", {"fr", "en", "es", "de"})
LANGUAGES = [("fr", _("French")), ("en", _("English")), ("es", _("Spanish")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
TIME_ZONE = env.time_zone("LUDOTHECA_TIME_ZONE", "Europe/Brussels")
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "config" / "static"]
MEDIA_ROOT = DATA_DIR / "documents"
MEDIA_URL = "documents/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

LIBRARY_NAME = env.text("LUDOTHECA_NAME", "Ludotheca")
# Printed on boxes: where it is not said, the address under which the page itself was asked for.
LIBRARY_ADDRESS = env.address("LUDOTHECA_ADDRESS")
# Where nothing is said, nothing is sent, and the page of notices says how to say it.
_MAIL = env.mail_server("EMAIL_URL")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _MAIL.host else 'dummy'}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = _MAIL.host, _MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.user, _MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.starttls, _MAIL.tls
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.mailbox("LUDOTHECA_MAIL_FROM", LIBRARY_NAME, _MAIL)
# ISO 4217, of a currency with hundredths; a change converts nothing that is in the books.
CURRENCIES = {"AUD", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "NOK", "NZD", "PLN", "SEK", "USD"}
CURRENCY = env.choice("LUDOTHECA_CURRENCY", "EUR", CURRENCIES)
# How many months after the return a loan keeps its member; each member may choose fewer.
HISTORY_MONTHS = env.number("LUDOTHECA_HISTORY_MONTHS", 12, low=1, high=120)
SEARCH_ENGINE = env.choice("SEARCH_ENGINE", "whoosh", {"whoosh"})
SEARCH_INDEX_DIR = DATA_DIR / "index"
# Meaning beyond words, an extra: needs requirements-semantic.txt.
SEMANTIC_MODEL = "search.sentences.UniversalSentences" if env.flag("SEMANTIC", default=False) else ""
if SEMANTIC_MODEL:
    # The model counts on the calling thread: a server has threads of its own for the cores there are.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
# Plain HTTP on one's own machine is the first run; a site behind HTTPS says so.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.flag("HTTPS", default=False)
if env.flag("HTTPS", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.SessionAuthentication",
        "rest_framework.authentication.BasicAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.json_bodies.JSONBodies"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "loans.api.exception_handler",
}
SPECTACULAR_SETTINGS = {
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api_schema.say_common_answers",
    ],
    "TITLE": "Ludotheca",
    "DESCRIPTION": "Catalogue, rules desk and lending desk of a toy library.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "RefusalCode": "loans.rules.RefusalCode",
        "HoldState": "loans.models.HoldState",
        "BookingState": "loans.models.BookingState",
        "CatalogueConflictCode": "catalogue.serializers.CatalogueConflict",
        "KindEnum": "catalogue.models.RulesKind",
        "CareKind": "loans.models.CareKind",
        "MailState": "loans.models.MailState",
        "Settled": "loans.models.Settled",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # A page that is not there, or a visitor without the right, is no event for whoever runs the site.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
