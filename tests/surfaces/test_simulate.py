"""``vllm-triage simulate --schedule``."""

import json
from pathlib import Path

import pytest

from readers.test_scenarios import LINE
from vllm_triage.surfaces.cli import main


def test_each_scenario_is_a_line_with_its_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scenarios.jsonl"
    file.write_text(json.dumps(LINE) + "\n" + json.dumps({**LINE, "id": "two"}) + "\n", encoding="utf-8")
    assert main(["simulate", "--schedule", str(file), "--vllm-version", "0.18.0"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(answer["id"], answer["vllm"]) for answer in answers] == [("one", "0.18.0"), ("two", "0.18.0")]
    assert all(answer["steps"] for answer in answers)


def test_a_refused_scenario_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scenarios.jsonl"
    file.write_text(json.dumps({**LINE, "num_blocks": 2}), encoding="utf-8")
    assert main(["simulate", "--schedule", str(file)]) == 1
    assert "refused" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--schedule", "no-such-file"], ["--schedule", "FILE", "--vllm-version", "0.9.0"]])
def test_bad_input_is_said_in_one_line(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scenarios.jsonl"
    file.write_text("{}", encoding="utf-8")
    assert main(["simulate", *(str(file) if word == "FILE" else word for word in words)]) == 2
    assert capsys.readouterr().err.startswith("vllm-triage: ")
