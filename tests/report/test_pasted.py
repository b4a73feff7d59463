"""What is pasted as the command and is (also) a measurement is read as one."""

from pathlib import Path

import pytest

from vllm_triage.report import tools

RUNS = Path(__file__).parents[1] / "data" / "runs"


def captured(run: str, file: str) -> str:
    return (RUNS / run / file).read_text(encoding="utf-8")


def test_a_startup_log_as_command_is_launch_and_measured_pool() -> None:
    log = captured("seqs4", "startup.log")
    as_command = tools.call("estimate_kv_bytes", {"command": log}).to_json()
    as_evidence = tools.call("estimate_kv_bytes", {"evidence": [log]}).to_json()
    assert as_command["pool"] == as_evidence["pool"]
    assert as_command["pool"]["basis"] == "measured"


@pytest.mark.parametrize("file", ["bench.json", "metrics_during.txt", "bench.txt"])
def test_a_measurement_as_command_is_evidence_and_no_launch(file: str) -> None:
    text = captured("seqs4", file)
    as_command = tools.call("classify_bottleneck", {"command": text}).to_json()
    assert as_command == tools.call("classify_bottleneck", {"evidence": [text]}).to_json()


def test_everything_in_one_paste_is_read_as_launch_and_measurements() -> None:
    files = ("command.txt", "startup.log", "metrics_during.txt")
    paste = "\n".join(captured("seqs4", file) for file in files) + "\n" + captured("seqs4", "bench.txt")
    answer = tools.call("classify_bottleneck", {"command": paste}).to_json()
    assert (answer["status"], answer["bottleneck"]) == ("classified", "queue_stall")


def test_a_launch_of_many_lines_stays_a_launch() -> None:
    script = "#!/bin/sh\nset -e\nexec vllm serve Qwen/Qwen3-8B \\\n  --max-num-seqs 4\n"
    flat = tools.call("estimate_kv_bytes", {"command": "vllm serve Qwen/Qwen3-8B --max-num-seqs 4", "gpu": "H100-SXM"})
    assert tools.call("estimate_kv_bytes", {"command": script, "gpu": "H100-SXM"}).to_json() == flat.to_json()
