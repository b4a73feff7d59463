"""systemd units, SLURM scripts, Windows."""

from collections.abc import Callable

import pytest

from vllm_triage.readers.launches import Launch, read_launches

One = Callable[[str], Launch]


def test_a_unit_starts_its_command_with_its_environment(one: One) -> None:
    launch = one(
        '[Service]\nUser=x\n# Environment=OLD=1\nEnvironment="A=one two" B=2\n'
        "Environment=PORT=8000\nEnvironmentFile=-/etc/v.env\n"
        "ExecStart=/opt/venv/bin/vllm serve m/x \\\n  --port ${PORT} \\\n"
        "  # a comment\n  --host $HOST\nRestart=always\n"
    )
    assert launch.words == ("m/x", "--port", "8000", "--host", "$HOST")
    assert launch.env == {"A": "one two", "B": "2", "PORT": "8000"}
    assert (launch.source, launch.unset) == ("systemd", ("HOST",))
    assert any("/etc/v.env" in line for line in launch.unread)


def test_a_unit_may_start_a_container(one: One) -> None:
    launch = one(
        "[Service]\nExecStartPre=-/usr/bin/docker stop v\n"
        "ExecStart=/usr/bin/docker run --rm --gpus 2 vllm/vllm-openai:v0.18.0 \\\n"
        " --model m/x\n"
    )
    assert (launch.words, launch.version, launch.gpu_count, launch.source) == (
        ("--model", "m/x"),
        "0.18.0",
        2,
        "systemd",
    )


def test_a_unit_written_by_a_script_keeps_the_scripts_variables(one: One) -> None:
    launch = one(
        'local args="--model m/x"\nargs+=" --port 1"\nExecStart=\nExecStart=/usr/bin/vllm serve $args --host \\$HOST\n'
    )
    assert launch.words == ("--model", "m/x", "--port", "1", "--host", "$HOST")


@pytest.mark.parametrize(
    ("directive", "gpu", "count"),
    [
        ("#SBATCH --gres=gpu:h100:8", "h100", 8),
        ("#SBATCH --gres=gpu:4", None, 4),
        ("#SBATCH --gpus-per-node=a100:2", "a100", 2),
        ("#SBATCH --gpus=2\n#SBATCH --constraint=h100", "h100", 2),
    ],
)
def test_a_batch_scripts_directives_name_the_hardware(directive: str, gpu: str | None, count: int) -> None:
    paste = read_launches(f"#!/bin/bash\n#SBATCH -N 1\n{directive}\nmodule load cuda\nsrun vllm serve m/x -tp 8\n")
    assert paste.launches[0].words == ("m/x", "-tp", "8")
    assert paste.launches[0].source == "slurm"
    assert (paste.gpu, paste.gpu_count) == (gpu, count)


def test_batch_files_know_carets_and_percent_signs(one: One) -> None:
    launch = one(
        '@echo off\nset PORT=8000\nset "M=C:\\models\\x 1"\n'
        "REM set PORT=1\npython -m vllm.entrypoints.openai.api_server ^\n"
        '  --model "%M%" ^\n  --port %PORT% --host %HOST%\n'
    )
    assert launch.words == ("--model", "C:\\models\\x 1", "--port", "8000", "--host", "%HOST%")
    assert (launch.source, launch.unset, launch.entrypoint) == ("cmd", ("HOST",), "api_server")


def test_batch_files_take_single_quotes_for_letters(one: One) -> None:
    assert one('vllm serve m/x ^\n --j "{\\"k\\": 1}" ^\n --q \'a b\'').words == (
        "m/x",
        "--j",
        '{"k": 1}',
        "--q",
        "'a",
        "b'",
    )


def test_powershell_knows_backticks_and_its_own_variables(one: One) -> None:
    launch = one("$env:A = \"1\"\n$m = 'm/x'\nvllm serve $m `\n  --j '{\"k\": 1}' `\n  --port $env:PORT")
    assert launch.words == ("m/x", "--j", '{"k": 1}', "--port", "$env:PORT")
    assert (launch.source, launch.env) == ("powershell", {"A": "1"})


def test_a_docker_command_on_windows_is_read_as_one(one: One) -> None:
    assert one("docker run --gpus all ^\n -v C:\\x:/x ^\n vllm/vllm-openai:v0.18.0 ^\n --model m/x").words == (
        "--model",
        "m/x",
    )
