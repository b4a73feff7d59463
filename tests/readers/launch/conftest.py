"""Short ways to say what a paste must read as."""

from collections.abc import Callable

import pytest

from vllm_triage.readers.launches import Launch, read_launches


@pytest.fixture
def one() -> Callable[[str], Launch]:
    """The only launch of a paste."""

    def read(text: str) -> Launch:
        launches = read_launches(text).launches
        assert len(launches) == 1, [launch.words for launch in launches]
        return launches[0]

    return read
