"""JSON from programs, without what no database stores and no answer can repeat."""

from __future__ import annotations

import json
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class Json(JSONParser):
    """Refuses half a surrogate pair (`"\\ud800"`), which is valid JSON, but not text."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        found = super().parse(stream, media_type, parser_context)
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ParseError("JSON parse error - a text has half a surrogate pair") from None
        return found
