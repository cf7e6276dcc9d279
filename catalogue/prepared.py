"""Queries of a fixed shape, made into SQL once: Django takes longer to make them than a database to answer.

A prepared query is an ordinary queryset whose values are filled in when it is asked; the rows are what that
queryset gives. For what the desk asks at every scan. Elsewhere a plain queryset is easier to read.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")
Value = int | str | date | None

STANDS_FOR: dict[type, Callable[[int], Value]] = {
    int: lambda place: -2_000_000_000 - place,
    str: lambda place: f"value {place} of a prepared query",
    date: lambda place: date(1, 1, 1 + place),
}
"""Values that no row has, and every kind of column could: they tell where in the SQL the real ones go."""


@dataclass(frozen=True, slots=True)
class _Made(Generic[Row]):
    rows: QuerySet[Any, Row]
    compiler: SQLCompiler
    sql: str
    params: tuple[Any, ...]
    places: dict[int, int]


class Prepared(Generic[Row]):
    """`Prepared(lambda pk: Copy.objects.filter(pk=pk), int)`: what is in the call is asked by `query(7)`.

    A value may be None where the column may be compared with it: nothing equals it then, as in SQL.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Row]], *kinds: type) -> None:
        self._make, self._kinds = make, kinds
        self._made: dict[str, _Made[Row]] = {}

    def __call__(self, *values: Value) -> list[Row]:
        """The rows for these values."""
        made = self._made.get(connection.vendor) or self._compile()
        filled = copy(made.compiler)
        params = tuple(values[made.places[i]] if i in made.places else p for i, p in enumerate(made.params))
        filled.connection = connection
        filled.as_sql = lambda *_args, **_kwargs: (made.sql, params)  # type: ignore[method-assign,assignment]
        rows = made.rows.all()
        rows.query.get_compiler = lambda *_args, **_kwargs: filled  # type: ignore[method-assign]
        return list(rows)

    def first(self, *values: Value) -> Row | None:
        """The first of them, if there is any."""
        return next(iter(self(*values)), None)

    def get(self, *values: Value) -> Row:
        """The one row there is. Raises the model's DoesNotExist."""
        row = self.first(*values)
        if row is None:
            raise self._made[connection.vendor].rows.model.DoesNotExist
        return row

    def _compile(self) -> _Made[Row]:
        stand_ins = [STANDS_FOR[kind](place) for place, kind in enumerate(self._kinds)]
        rows = self._make(*stand_ins)
        compiler = rows.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        names = [str(stand_in) for stand_in in stand_ins]
        places = {i: names.index(str(param)) for i, param in enumerate(params) if str(param) in names}
        if set(places.values()) != set(range(len(names))):
            raise ValueError("A value of a prepared query is not among the values of its SQL.")
        made = _Made(rows, compiler, sql, tuple(params), places)
        self._made[connection.vendor] = made
        return made
