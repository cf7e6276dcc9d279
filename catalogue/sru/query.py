"""A query in CQL as a database query of games. Raises Refused with the diagnostic for what it cannot do."""

import logging
from typing import Any

import cql
import cql.lexer
import cql.parser
from django.db.models import Q, QuerySet

from catalogue.models import Game
from catalogue.sru import indexes
from catalogue.sru.diagnostics import Diagnostic, Refused

LONGEST, MOST_CLAUSES = 2000, 30
DEFAULT = "cql.serverChoice"
SORTS = dict.fromkeys(("dc.title", "bib.title", "bath.title", "title"), "sort_title")
SORTS |= dict.fromkeys(("dc.date", "bib.date", "date", "year"), "year")
DIRECTIONS = {"ascending": "", "sort.ascending": "", "descending": "-", "sort.descending": "-"}

# The parser logs its stack at every mistyped query; the diagnostic says what is to be said.
logging.getLogger("cql").setLevel(logging.CRITICAL + 1)


def games(text: str) -> QuerySet[Game]:
    """The games that a query asks for, in its order, else by title."""
    root = _parse(text)
    found = Game.objects.filter(_Reader().read(root))
    return found.order_by(*(_key(spec) for spec in root.sortSpecs), "sort_title", "pk")


def _parse(text: str) -> Any:
    if not text.strip():
        raise Refused(Diagnostic.EMPTY_TERM)
    if len(text) > LONGEST:
        raise Refused(Diagnostic.TOO_LONG, str(LONGEST))
    try:
        parsed = cql.parse(text)
    # The parser's own generated tables also fail with errors of Python's on some broken queries.
    except (
        cql.parser.CQLParserError,
        cql.lexer.CQLLexerError,
        RecursionError,
        AttributeError,
        IndexError,
    ) as error:
        raise Refused(Diagnostic.SYNTAX, str(error)[:200]) from error
    if parsed is None:
        raise Refused(Diagnostic.SYNTAX)
    return parsed.root


class _Reader:
    """Walks the tree, and counts its clauses."""

    def __init__(self) -> None:
        self.clauses = 0

    def read(self, node: Any) -> Q:
        if isinstance(node, cql.parser.CQLTriple):
            return self._joined(node)
        self.clauses += 1
        if self.clauses > MOST_CLAUSES:
            raise Refused(Diagnostic.TOO_MANY_BOOLEANS, str(MOST_CLAUSES))
        if node.index is None:
            return indexes.condition(DEFAULT, "=", node.term)
        if node.relation.modifiers:
            raise Refused(Diagnostic.UNSUPPORTED_MODIFIER, str(node.relation.modifiers[0].name))
        relation = str(node.relation.comparitor).lower().removeprefix("cql.")
        return indexes.condition(str(node.index), relation, node.term)

    def _joined(self, node: Any) -> Q:
        word = node.operator.value.lower()
        if word not in {"and", "or", "not"}:
            raise Refused(Diagnostic.UNSUPPORTED_BOOLEAN, word)
        if node.operator.modifiers:
            raise Refused(Diagnostic.UNSUPPORTED_BOOLEAN_MODIFIER, str(node.operator.modifiers[0].name))
        left, right = self.read(node.left), self.read(node.right)
        if word == "or":
            # An empty Q is every record, and not nothing.
            return left | right if left and right else Q()
        return left & (right if word == "and" else _without(right))


def _without(right: Q) -> Q:
    return ~right if right else Q(pk__in=())


def _key(spec: Any) -> str:
    column = SORTS.get(str(spec.index).lower())
    if column is None:
        raise Refused(Diagnostic.UNSUPPORTED_SORT, str(spec.index))
    sign = ""
    for modifier in spec.modifiers or ():
        name = str(modifier.name).lower()
        if name not in DIRECTIONS:
            raise Refused(Diagnostic.UNSUPPORTED_SORT, name)
        sign = DIRECTIONS[name]
    return sign + column
