from ...domain import Json
from ..reading import Partial


def read_json(document: Json) -> Partial | None:
    return None


def read_text(text: str) -> Partial | None:
    return None
