"""Log lines that show a launch, by version."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from vllm_triage.readers.arguments import read_arguments
from vllm_triage.readers.launches import Launch, read_launches

One = Callable[[str], Launch]
SHARED = Path(os.environ.get("VLLM_TRIAGE_SHARED", Path(__file__).parents[4] / "shared"))
RUNS = sorted((SHARED / "runs").glob("*")) if (SHARED / "runs").is_dir() else []
DATA = sorted((Path(__file__).parents[2] / "data" / "runs").glob("*"))


def test_what_was_typed_stands_in_the_line_of_arguments(one: One) -> None:
    launch = one(
        "(APIServer pid=1) INFO 01-01 00:00:00 [utils.py:1]  ▄▄ ▄█ █  █  version 0.18.0\n"
        "(APIServer pid=1) INFO 01-01 00:00:00 [utils.py:2] non-default args: {'model_tag': 'm/x',"
        " 'port': 1, 'model': 'm/x', "
        "'served_model_name': ['a', 'b'], 'enforce_eager': True, 'enable_prefix_caching': False,"
        " 'compilation_config': {'mode': "
        "<CompilationMode.NONE: 0>}, 'max_num_seqs': 8}\n"
    )
    assert (launch.source, launch.version, launch.place) == ("log", "0.18.0", "line 2")
    assert launch.words == (
        "m/x",
        "--port",
        "1",
        "--served-model-name",
        "a",
        "b",
        "--enforce-eager",
        "--no-enable-prefix-caching",
        "--compilation-config",
        '{"mode": "NONE"}',
        "--max-num-seqs",
        "8",
    )


def test_an_objects_printed_form_is_reported_and_not_guessed(one: One) -> None:
    launch = one(
        "non-default args: {'model': 'm/x', 'compilation_config': CompilationConfig(level=3), 'max_num_seqs': 8}"
    )
    assert launch.words == ("m/x", "--max-num-seqs", "8")
    assert any("compilation_config" in line for line in launch.unread)


def test_an_older_log_prints_every_argument_and_defaults_are_left_out(one: One) -> None:
    launch = one(
        "INFO api_server.py:1] vLLM API server version 0.7.3\n"
        "INFO api_server.py:2] args: Namespace(subparser='serve', model_tag='m/x', "
        "host=None, port=8000, model='m/x', max_num_seqs=64, enforce_eager=True, load_format=<LoadFormat.AUTO: "
        "'auto'>, "
        "dispatch_function=<function serve at 0x7f>)"
    )
    assert launch.version == "0.7.3"
    assert launch.words == ("m/x", "--max-num-seqs", "64", "--enforce-eager")


def test_the_engines_line_alone_gives_what_was_resolved(one: One) -> None:
    launch = one(
        "INFO [core.py:1] Initializing a V1 LLM engine (v0.18.0) with config: model='m/x', speculative_config=None,"
        " dtype=torch.bfloat16, "
        "max_seq_len=8192, tensor_parallel_size=2, quantization=None, enforce_eager=False, device_config=cpu,"
        " served_model_name=x"
    )
    assert launch.words[:1] == ("m/x",)
    assert {"--max-model-len", "8192", "--tensor-parallel-size", "2"} <= set(launch.words)
    assert (launch.version, launch.gpu) == ("0.18.0", "cpu")
    assert any("resolved" in note for note in launch.notes)


def test_a_command_and_the_log_of_its_start_are_one_launch(one: One) -> None:
    launch = one(
        "$ vllm serve m/x --max-num-seqs 8\nINFO 01-01 version 0.18.0\n"
        "INFO 01-01 00:00:00 [x.py:1] non-default args: {'model_tag': 'm/x', 'model': 'm/x', 'max_num_seqs': 8}\n"
        "INFO 01-01 [core.py:1] Initializing a V1 LLM engine (v0.18.0) with config: model='m/x', device_config=cuda"
    )
    assert (launch.source, launch.version) == ("shell", "0.18.0")


def test_a_log_that_shows_another_launch_than_the_command_stays_beside_it() -> None:
    paste = read_launches(
        "vllm serve m/x --port 1\n\nINFO non-default args: {'model_tag': 'm/x', 'model': 'm/x', 'max_num_seqs': 8}"
    )
    assert [launch.source for launch in paste.launches] == ["shell", "log"]


@pytest.mark.parametrize(
    "line",
    [
        "non-default args: {",
        "non-default args: {'a': ",
        "non-default args: {1: 2}}",
        "args: Namespace(a=",
        "non-default args: {" * 50,
    ],
)
def test_a_broken_line_is_reported(line: str) -> None:
    paste = read_launches(f"INFO {line}")
    assert all(launch.words == () for launch in paste.launches)
    assert paste.unread or paste.launches


def same_launch(folder: Path) -> tuple[int, int]:
    """How many of a captured server's logs show the launch that was typed, of how many that show any."""
    typed = read_launches((folder / "command.txt").read_text(encoding="utf-8")).launches[0]
    same = total = 0
    for name in ("startup.log", "server.log"):
        if (folder / name).exists() and (shown := read_launches((folder / name).read_text(encoding="utf-8")).launches):
            version = shown[0].version or "0.32.0"
            total += 1
            same += (
                len(shown) == 1
                and read_arguments(typed.words, version).values == read_arguments(shown[0].words, version).values
            )
    return same, total


@pytest.mark.parametrize(
    "folder", [path for path in DATA if (path / "command.txt").exists()], ids=lambda path: path.name
)
def test_the_log_of_a_captured_server_reads_to_the_launch_that_was_typed(folder: Path) -> None:
    same, total = same_launch(folder)
    assert same == total


@pytest.mark.skipif(not RUNS, reason="the shared captures are not here")
def test_all_shared_captures_read_to_the_launch_that_was_typed() -> None:
    results = {folder.name: same_launch(folder) for folder in RUNS}
    assert all(same == total for same, total in results.values()), results
    assert sum(total for _, total in results.values()) >= 50
