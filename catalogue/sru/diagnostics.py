"""What can be wrong with a request: the numbers of SRU's list of diagnostics, with its words."""

from enum import IntEnum


class Diagnostic(IntEnum):
    """`info:srw/diagnostic/1/N`."""

    UNSUPPORTED_OPERATION = 4
    UNSUPPORTED_VERSION = 5
    UNSUPPORTED_VALUE = 6
    MISSING_PARAMETER = 7
    UNSUPPORTED_PARAMETER = 8
    SYNTAX = 10
    TOO_LONG = 12
    UNSUPPORTED_INDEX = 16
    UNSUPPORTED_RELATION = 19
    UNSUPPORTED_MODIFIER = 20
    UNSUPPORTED_COMBINATION = 22
    EMPTY_TERM = 27
    UNSUPPORTED_MASK = 28
    BAD_TERM = 36
    UNSUPPORTED_BOOLEAN = 37
    TOO_MANY_BOOLEANS = 38
    UNSUPPORTED_BOOLEAN_MODIFIER = 46
    OUT_OF_RANGE = 61
    UNKNOWN_SCHEMA = 66
    UNSUPPORTED_PACKING = 71
    UNSUPPORTED_SORT = 80

    @property
    def uri(self) -> str:
        """How the diagnostic is named in an answer."""
        return f"info:srw/diagnostic/1/{self.value}"


MESSAGES = {
    Diagnostic.UNSUPPORTED_OPERATION: "Unsupported operation",
    Diagnostic.UNSUPPORTED_VERSION: "Unsupported version",
    Diagnostic.UNSUPPORTED_VALUE: "Unsupported parameter value",
    Diagnostic.MISSING_PARAMETER: "Mandatory parameter not supplied",
    Diagnostic.UNSUPPORTED_PARAMETER: "Unsupported parameter",
    Diagnostic.SYNTAX: "Query syntax error",
    Diagnostic.TOO_LONG: "Too many characters in query",
    Diagnostic.UNSUPPORTED_INDEX: "Unsupported index",
    Diagnostic.UNSUPPORTED_RELATION: "Unsupported relation",
    Diagnostic.UNSUPPORTED_MODIFIER: "Unsupported relation modifier",
    Diagnostic.UNSUPPORTED_COMBINATION: "Unsupported combination of relation and index",
    Diagnostic.EMPTY_TERM: "Empty term unsupported",
    Diagnostic.UNSUPPORTED_MASK: "Masking character not supported",
    Diagnostic.BAD_TERM: "Term in invalid format for index or relation",
    Diagnostic.UNSUPPORTED_BOOLEAN: "Unsupported boolean operator",
    Diagnostic.TOO_MANY_BOOLEANS: "Too many boolean operators in query",
    Diagnostic.UNSUPPORTED_BOOLEAN_MODIFIER: "Unsupported boolean modifier",
    Diagnostic.OUT_OF_RANGE: "First record position out of range",
    Diagnostic.UNKNOWN_SCHEMA: "Unknown schema for retrieval",
    Diagnostic.UNSUPPORTED_PACKING: "Unsupported record packing",
    Diagnostic.UNSUPPORTED_SORT: "Sort not supported",
}


class Refused(Exception):
    """A request that is answered with a diagnostic; `details` names what was wrong in it."""

    def __init__(self, diagnostic: Diagnostic, details: str = "") -> None:
        super().__init__(f"{diagnostic}: {details}")
        self.diagnostic = diagnostic
        self.details = details
