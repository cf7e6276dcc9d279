"""How the API reads a body: JSON, and nothing in it that could not be answered, stored or walked through.

Named by the settings for every view of the API. What is no JSON is a 400 of the framework's own kind.
"""

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class JSONBodies(JSONParser):
    """JSON without half characters, and not nested beyond what Python follows."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The value; ParseError says why there is none."""
        try:
            read = super().parse(stream, media_type, parser_context)
            _refuse_half_characters(read)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply") from error
        except UnicodeEncodeError as error:
            raise ParseError("JSON parse error - half of a surrogate pair (\\ud800 to \\udfff)") from error
        return read


def _refuse_half_characters(read: Any) -> None:
    """Half a pair is a character to Python, and to no database and no answer (RFC 8259, section 8.2)."""
    json.dumps(read, ensure_ascii=False).encode()
