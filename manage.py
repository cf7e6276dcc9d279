#!/usr/bin/env python
"""Django's command line for Ludotheca; `make run` and every administrator start here."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        # Django would show a misspelt setting as a traceback, or as an unknown command.
        import config.settings  # noqa: F401
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    execute_from_command_line(sys.argv)
