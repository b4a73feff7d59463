"""Process managers."""

import pytest

from vllm_triage.readers.launches import read_launches


@pytest.mark.parametrize("command", [
    'pm2 start "vllm serve m/x --port 1" --name v',
    "pm2 start vllm --name v -- serve m/x --port 1",
    "pm2 start /venv/bin/vllm --interpreter /venv/bin/python --name=v --watch -- serve m/x --port 1",
    "sudo pm2 start python3 -n v -- -m vllm.entrypoints.openai.api_server m/x --port 1",
])  # fmt: skip
def test_what_pm2_starts_is_read(command: str) -> None:
    (launch,) = read_launches(command).launches
    assert launch.words == ("m/x", "--port", "1")


def test_other_commands_of_pm2_start_nothing() -> None:
    assert read_launches("pm2 logs vllm").launches == ()
