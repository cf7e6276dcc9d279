"""The roles of a toy library's staff, as groups of permissions.

Views ask for a permission, never for a role, so a library may cut its roles otherwise in the admin:
a role is made once with the permissions below and afterwards left as the library wants it.
"""

from typing import Any

from django.apps import apps

ROLES: dict[str, tuple[str, ...]] = {
    "desk": ("loans.use_desk", "loans.use_till"),
    "librarian": ("loans.use_desk", "loans.use_till", "catalogue.edit_catalogue"),
    "manager": (
        *("loans.use_desk", "loans.use_till"),
        *("loans.waive_refusal", "loans.manage_money", "catalogue.edit_catalogue"),
    ),
}


def ensure_roles(**_: Any) -> None:
    """Make each role that is missing, with its permissions."""
    groups = apps.get_model("auth", "Group").objects
    for role, codes in ROLES.items():
        group, made = groups.get_or_create(name=role)
        if made:
            group.permissions.set(_permission(code) for code in codes)


def _permission(code: str) -> Any:
    app, codename = code.split(".")
    permissions = apps.get_model("auth", "Permission").objects
    return permissions.get(content_type__app_label=app, codename=codename)
