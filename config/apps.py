"""Start-up of the whole: the roles of the staff exist in every database."""

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate, pre_migrate

from config.roles import ensure_roles, remember_permissions


class ConfigConfig(AppConfig):
    """Makes the roles; has no models."""

    name = "config"
    label = "config"

    def ready(self) -> None:
        """Roles are made after every migration, so a fresh database (or a test's) has them.

        `loans` is the last app whose permissions the roles name; Django rings for apps with models only.
        """
        pre_migrate.connect(remember_permissions, sender=apps.get_app_config("loans"))
        post_migrate.connect(ensure_roles, sender=apps.get_app_config("loans"))
