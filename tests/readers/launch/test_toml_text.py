"""TOML."""

import pytest

from vllm_triage.readers.launch.toml_text import toml_tree
from vllm_triage.readers.launches import read_launches


@pytest.mark.parametrize("text", [
    '[vllm]\nmodel = "m/x"\nmax_model_len = 8192\ntensor_parallel_size = 2\n',
    '[tool.poe.tasks]\nserve = "vllm serve m/x --max-model-len 8192 --tensor-parallel-size 2"\n',
    '[tasks.serve]\nrun = """\nvllm serve m/x \\\\\n  --max-model-len 8192 --tensor-parallel-size 2\n"""\n',
])  # fmt: skip
def test_options_and_commands_are_read(text: str) -> None:
    (launch,) = read_launches(text).launches
    assert launch.words == ("m/x", "--max-model-len", "8192", "--tensor-parallel-size", "2")


@pytest.mark.parametrize("text", ["[Service]\nExecStart=/bin/vllm serve m", "a = 1", "[x]\ny = ["])
def test_other_texts_are_none(text: str) -> None:
    assert toml_tree(text) is None
