"""`manage.py translations update|check|compile`: the message catalogues, for those who change strings."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import translations


class Command(BaseCommand):
    """Collects, checks and compiles what the pages say."""

    help = (
        "update: collect the strings of code and templates into config/locale, keeping translations. "
        "check: list what is untranslated, fuzzy, obsolete or has other placeholders. "
        "compile: make the files that the running program reads."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One word."""
        parser.add_argument("action", choices=("update", "check", "compile"))

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it for every language but the source."""
        source = translations.collect(settings.BASE_DIR)
        findings: list[translations.Finding] = []
        for locale in translations.LOCALES:
            if options["action"] == "update":
                translations.update(settings.BASE_DIR, locale, source)
            elif options["action"] == "compile":
                self.stdout.write(str(translations.compile_catalogue(settings.BASE_DIR, locale)))
            else:
                findings += translations.check(settings.BASE_DIR, locale, source)
        for finding in findings:
            self.stdout.write(f"{finding.locale}  {finding.what}: {finding.text}")
        if findings:
            raise CommandError(
                f"{len(findings)} strings are not right; edit config/locale, then check again."
            )
