from ..domain import Json
from .reading import Partial


def read_prometheus_json(document: Json) -> Partial | None:
    return None
