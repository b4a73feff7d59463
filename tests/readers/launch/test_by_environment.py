"""Launches that say everything in environment variables."""

import pytest

from vllm_triage.readers.launch.by_environment import by_environment, looks_like_settings
from vllm_triage.readers.launches import read_launches

FLAGS = ("m/x", "--max-model-len", "8192", "--enforce-eager")
GIVEN = "MODEL_NAME=m/x", "MAX_MODEL_LEN=8192", "ENFORCE_EAGER=true"


@pytest.mark.parametrize("text", [
    "docker run " + "".join(f"-e {pair} " for pair in GIVEN) + "acme/vllm-worker:1",
    "services:\n  v:\n    image: acme/vllm-worker\n    environment:\n" + "".join(f"      - {pair}\n" for pair in GIVEN),
    "\n".join(GIVEN) + "\n# a comment\n",
])  # fmt: skip
def test_variables_named_after_arguments_are_read_as_such_and_said(text: str) -> None:
    (launch,) = read_launches(text).launches
    assert launch.words == FLAGS
    assert any("vLLM itself reads no variable MODEL_NAME" in note for note in launch.notes)


def test_vllms_own_image_does_not_read_them_and_that_is_said() -> None:
    (launch,) = read_launches("docker run -e MAX_MODEL_LEN=8192 -e MODEL=m/x vllm/vllm-openai:v0.18.0 --model m/y").launches
    assert launch.words == ("--model", "m/y")
    assert any("no effect" in note for note in launch.notes)


@pytest.mark.parametrize("env", [{"MODEL": "m/x"}, {"DTYPE": "half"}, {"PORT": "1", "HOST": "a"}, {"VLLM_PORT": "1", "MODEL": "m"}])
def test_one_common_name_means_nothing(env: dict[str, str]) -> None:
    assert by_environment(env) == ({}, ())


def test_a_text_with_commands_holds_more_than_settings() -> None:
    assert looks_like_settings("A=1\necho a") is None
    assert looks_like_settings('A=1\nexport B="2 3"') == {"A": "1", "B": "2 3"}
