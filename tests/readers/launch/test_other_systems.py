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


TOLD = ("m/x", "--max-num-seqs", "8")
MORE_SYSTEMS = {
    "a SkyPilot task": (
        "resources:\n  accelerators: H100:8\nenvs:\n  MODEL: m/x\nrun: |\n  vllm serve $MODEL --max-num-seqs 8\n", TOLD),
    "an Argo workflow": (
        ("kind: Workflow\nspec:\n  entrypoint: main\n  templates:\n  - name: main\n    container:\n"
        "      image: vllm/vllm-openai:v0.18.0\n      command: [vllm]\n      args: [serve, m/x, --max-num-seqs, '8']\n"), TOLD),
    "Helm values inside an Argo CD application": (
        ("kind: Application\nspec:\n  source:\n    helm:\n      values: |\n        containers:\n        - image: vllm/vllm-openai\n"
        "          args: [m/x, --max-num-seqs, '8']\n"), TOLD),
    "a Kubernetes deployment in Terraform": (
        ('resource "kubernetes_deployment" "v" {\n  spec { container {\n    image = "vllm/vllm-openai:v0.18.0"\n'
        '    args  = ["m/x", "--max-num-seqs", "8"]\n  } }\n}\n'), TOLD),
    "an ECS task in Terraform": (
        ('resource "aws_ecs_task_definition" "v" {\n  container_definitions = jsonencode([{\n    image = "vllm/vllm-openai"\n'
        '    command = ["m/x", "--max-num-seqs", "8"]\n  }])\n}\n'), TOLD),
    "an ECS task definition": (
        '{"containerDefinitions":[{"name":"v","image":"vllm/vllm-openai","command":["m/x","--max-num-seqs","8"]}]}', TOLD),
    "a Nomad job": (
        ('job "v" {\n  driver = "docker"\n  config {\n    image = "vllm/vllm-openai"\n    args = [\n      "m/x",\n'
        '      "--max-num-seqs", "8",\n    ]\n  }\n}\n'), TOLD),
    "a JSON patch": (
        "- op: replace\n  path: /spec/template/spec/containers/0/args\n  value: [--model, m/x, --max-num-seqs, '8']\n",
        ("--model", *TOLD)),
    "a supervisor program": (
        '[program:v]\ncommand=/opt/bin/vllm serve m/x --max-num-seqs 8\nenvironment=A="1",B="2"\n', TOLD),
    "a quadlet": ("[Container]\nImage=docker.io/vllm/vllm-openai:v0.18.0\nExec=m/x --max-num-seqs 8\n", TOLD),
    "kubectl run": ("kubectl run v --image=vllm/vllm-openai:v0.18.0 --port=80 -- m/x --max-num-seqs 8", TOLD),
    "gcloud run": ('gcloud run deploy v --image=vllm/vllm-openai --gpu=1 --args="m/x,--max-num-seqs,8"', TOLD),
    "gcloud with a mark of its own": ('gcloud run deploy v --image vllm/vllm-openai --args="^|^m/x|--max-num-seqs|8"', TOLD),
    "a list that grows, joined for a shell": (
        ('import subprocess\ncmd = ["vllm", "serve", "m/x"]\ncmd += ["--max-num-seqs", str(8)]\n'
        'subprocess.Popen(" ".join(cmd), shell=True)\n'), TOLD),
    "a list that is appended to": (
        ('import subprocess, sys\ncmd = [sys.executable, "-m", "vllm.entrypoints.openai.api_server"]\n'
        'cmd.append("--max-num-seqs")\ncmd.extend(["8"])\nsubprocess.run(cmd)\n'), ("--max-num-seqs", "8")),
    "words put into a call": (
        'args = ["--max-num-seqs", "8"]\nsubprocess.run(["vllm", "serve", "m/x", *args])\n', TOLD),
    "an f-string that is split": ('n = 8\ncmd = f"vllm serve m/x --max-num-seqs {n}"\nsubprocess.run(cmd.split())\n', TOLD),
    "a switch that the script decides": (
        'FAST = True\nsubprocess.run(["vllm", "serve", "m/x", "--enforce-eager" if FAST else "--no-enforce-eager"])\n',
        ("m/x", "--enforce-eager")),
    "a list that nothing starts": ('vllm_args = [\n    "python", "-m", "vllm.entrypoints.api_server", "--max-num-seqs=8",\n]\n',
                                   ("--max-num-seqs=8",)),
}  # fmt: skip


@pytest.mark.parametrize("name", MORE_SYSTEMS)
def test_systems_that_start_a_server_in_their_own_words(name: str) -> None:
    text, words = MORE_SYSTEMS[name]
    paste = read_launches(text)
    assert [launch.words for launch in paste.launches] == [words]


def test_what_such_a_system_says_around_the_server_is_read_too() -> None:
    sky = read_launches(MORE_SYSTEMS["a SkyPilot task"][0])
    assert (sky.gpu, sky.gpu_count) == ("H100", 8)
    assert read_launches(MORE_SYSTEMS["a supervisor program"][0]).launches[0].env == {"A": "1", "B": "2"}
    assert read_launches(MORE_SYSTEMS["a Kubernetes deployment in Terraform"][0]).version == "0.18.0"
    assert read_launches(MORE_SYSTEMS["gcloud run"][0]).launches[0].gpu_count == 1


def test_what_python_computes_is_named_and_what_it_adds_on_a_condition_is_left_out() -> None:
    text = (
        'import subprocess\ncmd = ["vllm", "serve", "m/x", "--port", str(port())]\nif eager:\n    cmd += ["--enforce-eager"]\n'
        "subprocess.run(cmd)\n"
    )
    launch = read_launches(text).launches[0]
    assert launch.words == ("m/x", "--port", "$port")
    assert launch.unset == ("port",)


def test_a_reference_in_terraform_is_a_value_that_is_not_in_the_paste() -> None:
    text = 'resource "x" "v" {\n  image = "vllm/vllm-openai"\n  args = ["--model", var.model, "--port", "${var.port}"]\n}\n'
    launch = read_launches(text).launches[0]
    assert launch.words == ("--model", "${var.model}", "--port", "${var.port}")
    assert {"var.model", "var.port"} <= set(launch.unset)


def test_common_blocks_of_a_compose_file_start_nothing() -> None:
    text = (
        "x-common: &c\n  image: vllm/vllm-openai:v0.18.0\nservices:\n  a:\n    <<: *c\n    command: [--model, m/x]\n"
        "  b:\n    <<: *c\n    command: [--model, m/y]\n"
    )
    assert [launch.words for launch in read_launches(text).launches] == [("--model", "m/x"), ("--model", "m/y")]
