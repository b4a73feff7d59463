"""Files of a process manager in JavaScript."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vllm_triage.readers.launch.js_literal import objects
from vllm_triage.readers.launches import read_launches

ONE = """module.exports = {
  apps: [{
    name: 'v', // the server
    script: '/venv/bin/vllm',
    args: 'serve m/x --max-num-seqs 64',
    interpreter: 'none',
    env: { CUDA_VISIBLE_DEVICES: '0,1', N: 2, },
  }]
};"""
LISTED = """module.exports = { apps : [ { script: "python3",
  args: ["-m", "vllm.entrypoints.openai.api_server", "--model", "m/x", "--port", process.env.PORT] } ] }"""


def test_an_application_is_read_with_its_environment() -> None:
    (launch,) = read_launches(ONE).launches
    assert (launch.source, launch.words) == ("pm2", ("m/x", "--max-num-seqs", "64"))
    assert launch.env == {"CUDA_VISIBLE_DEVICES": "0,1", "N": "2"}


def test_what_would_have_to_be_computed_is_a_variable() -> None:
    (launch,) = read_launches(LISTED).launches
    assert launch.words == ("--model", "m/x", "--port", "$PORT")
    assert launch.unset == ("PORT",)


def test_the_same_file_in_json_is_read() -> None:
    (launch,) = read_launches('{"apps": [{"script": "vllm", "args": "serve m/x --port 1"}]}').launches
    assert launch.words == ("m/x", "--port", "1")


@pytest.mark.parametrize(("text", "value"), [
    ("module.exports = {a: 1, 'b': [true, \"x\\n\"], /* c */ d: `e${f.g}`}", {"a": "1", "b": ["true", "x\n"], "d": "e$f_g"}),
    ("export default [1, 'a' + b, f(x)]", ["1", "a", "$f_x"]),
    ("const a = {b: {", {"b": {}}),
])  # fmt: skip
def test_literals_become_texts_lists_and_mappings(text: str, value: object) -> None:
    assert objects(text) == [value]


@given(st.text(alphabet="{}[]:,'\"`/*a $\n", max_size=60))
def test_any_text_is_read_to_its_end(text: str) -> None:
    assert isinstance(objects(f"module.exports = {text}"), list)
