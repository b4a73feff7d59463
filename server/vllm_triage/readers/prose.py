from .reading import Partial


def read_prose(text: str) -> Partial | None:
    return None
