"""The examples of the README and of examples/README.md run and come out as they say."""

import json
import re
import shlex
from pathlib import Path

import pytest

from vllm_triage.surfaces.cli import main

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
ALL = re.findall(r"`(vllm-triage [^`]+)`", (EXAMPLES / "README.md").read_text(encoding="utf-8"))
PLANS = [command for command in ALL if "plan" in command.split()[2]]
COMMANDS = [command for command in ALL if command not in PLANS]


@pytest.mark.parametrize("command", COMMANDS)
def test_an_example_stands_in_the_queue(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    words = shlex.split(command)[1:]
    main(words if words[0] == "call" else [*words, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["verdict"]["bottleneck"] == "queue_stall"


@pytest.mark.parametrize("command", PLANS)
def test_a_plan_keeps_the_checkpoint_as_it_is_on_four_gpus(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert main(shlex.split(command)[1:]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["status"] == "planned"
    assert ("TP4", "BF16") in {(row["layout"], row["precision"]) for row in answer["plans"]}


def test_there_is_an_example_of_each_kind() -> None:
    assert PLANS
    assert {command.split()[1] for command in COMMANDS} == {"diagnose", "call"}


def test_the_readmes_main_job_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(r"<!-- main job -->\s*```sh\n(.+?)\n```", readme, re.DOTALL)
    monkeypatch.chdir(ROOT)
    status = main(shlex.split(block.rsplit("vllm-triage ", 1)[1]))
    out, err = capsys.readouterr()
    assert (status, err) == (1, "")
    assert "WAITING queue" in out
