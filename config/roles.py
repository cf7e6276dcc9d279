"""The roles of a toy library's staff, as groups of permissions.

Views ask for a permission, never for a role, so a library may cut its roles otherwise in the admin:
a role is made once with the permissions below and afterwards left as the library wants it. Only a
permission that is new in the database is given to the roles that are there already.
"""

from functools import reduce
from operator import or_
from typing import Any

from django.apps import apps
from django.db import connections
from django.db.models import Q

ROLES: dict[str, tuple[str, ...]] = {
    "desk": ("loans.use_desk", "loans.use_till", "loans.manage_members"),
    "librarian": (
        "loans.use_desk",
        "loans.use_till",
        "loans.manage_members",
        "loans.see_reports",
        "catalogue.edit_catalogue",
    ),
    "manager": (
        "loans.use_desk",
        "loans.use_till",
        "loans.manage_money",
        "loans.waive_refusal",
        "loans.manage_members",
        "loans.manage_policies",
        "loans.manage_calendar",
        "loans.manage_notices",
        "loans.see_reports",
        "loans.erase_members",
        "catalogue.edit_catalogue",
    ),
}
_known: set[str] = set()
"""The permissions that there were before this run of migrations."""


def remember_permissions(*, using: str, **_: Any) -> None:
    """Before the migrations: which permissions there are already."""
    _known.clear()
    model = apps.get_model("auth", "Permission")
    if model._meta.db_table in connections[using].introspection.table_names():
        rows = model.objects.using(using).values_list("content_type__app_label", "codename")
        _known.update(f"{app}.{codename}" for app, codename in rows)


def ensure_roles(**_: Any) -> None:
    """After the migrations: make each role that is missing, and give each what is new in it.

    A permission whose migration has not run yet is given when it has.
    """
    groups = apps.get_model("auth", "Group").objects
    for role, codes in ROLES.items():
        group, made = groups.get_or_create(name=role)
        new = [code for code in codes if made or code not in _known]
        group.permissions.add(*_permissions(new))


def _permissions(codes: list[str]) -> list[Any]:
    model = apps.get_model("auth", "Permission")
    names = [code.split(".") for code in codes]
    wanted = (Q(content_type__app_label=app, codename=codename) for app, codename in names)
    return list(model.objects.filter(reduce(or_, wanted, Q(pk=None))))
