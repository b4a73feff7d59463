"""``vllm-triage simulate``: a change tried, and ``--schedule``."""

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


LAUNCH = "vllm serve Qwen/Qwen3-8B --max-num-seqs 8"
WHERE = ["--gpu", "H100", "--vllm-version", "0.30.0", "--workload", "12 users, 500 in, 20 out"]


@pytest.mark.parametrize(
    "change", [["--change", "--enforce-eager"], ["--change=--enforce-eager"], ["--changes", "--enforce-eager"]]
)
def test_a_change_may_begin_with_dashes(change: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", LAUNCH, *WHERE, *change]) == 1
    assert "--enforce-eager: " in capsys.readouterr().out


def test_each_change_is_a_configuration_and_json_is_the_tools_answer(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--change", "--max-num-seqs 4", "--change", "--max-num-seqs 16 without --enforce-eager", "--json"]
    assert main(["simulate", LAUNCH, *WHERE, *words]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [change["change"] for change in answer["changes"]] == words[1::2][:2]
    assert answer["status"] == "simulated"


def test_a_workload_may_be_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "traffic.json"
    traffic = {"arrivals": "closed", "concurrency": 3, "input": {"mean": 300}, "output": {"mean": 10}}
    file.write_text(json.dumps(traffic), encoding="utf-8")
    main(["simulate", LAUNCH, "--gpu", "H100", "--workload", str(file), "--change", "--max-num-seqs 2"])
    assert "3 users at once, 300 tokens in, 10 out" in capsys.readouterr().out


def test_without_a_change_it_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", LAUNCH, *WHERE]) == 2
    assert "changes: required" in capsys.readouterr().err


def test_ctrl_c_ends_in_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("vllm_triage.report.answers.simulate.run", interrupted)
    assert main(["simulate", LAUNCH, *WHERE, "--change", "--max-num-seqs 4"]) == 130
    assert capsys.readouterr().err == "vllm-triage: stopped\n"
