"""classify_bottleneck: the contract's fields, refusals that name what is missing, the text."""

from pathlib import Path

from vllm_triage.report.answers.classify import Answer, Arguments, run
from vllm_triage.report.arguments import read_arguments

RUNS = Path(__file__).parents[2] / "data" / "runs"
FIXED = [
    "summary", "status", "bottleneck", "sub_bound", "outside", "confidence", "evidence", "ruled_out", "refusals",
    "missing", "ignored", "derived", "measure_next",
]


def classified(**arguments: object) -> Answer:
    return run(read_arguments(Arguments, arguments))


def capture(name: str) -> Answer:
    folder = RUNS / name
    files = ("command.txt", "startup.log", "bench.json", "metrics_during.txt")
    command, *evidence = [(folder / file).read_text(encoding="utf-8") for file in files]
    return classified(command=command, evidence=evidence)


def test_every_field_of_the_contract_is_there_even_when_nothing_is_known() -> None:
    data = classified().to_json()
    assert list(data)[: len(FIXED)] == FIXED
    assert data["status"] == "refused"
    assert data["bottleneck"] is None


def test_a_refusal_names_exactly_what_is_missing() -> None:
    answer = classified(ttft_ms_mean=300, output_tok_s=900, concurrency=8)
    assert answer.missing == ("itl",)
    assert "ITL" in answer.summary
    assert "TTFT" not in answer.summary.split("Needed:")[0]
    assert answer.found()


def test_a_queue_behind_the_seats_is_named_with_its_signals() -> None:
    answer = capture("seqs4")
    assert (answer.status, answer.bottleneck) == ("classified", "queue_stall")
    text = answer.to_text()
    assert all(signal.signal in text for signal in answer.evidence)
    assert all(out.bottleneck in text for out in answer.ruled_out)
    assert f"Measure next: {answer.measure_next}" in text


def test_gpu_utilisation_changes_nothing_and_is_said_to_be_ignored() -> None:
    given = {"ttft_ms_mean": 300, "itl_ms_mean": 20, "output_tok_s": 1500, "concurrency": 32}
    without = classified(**given)
    with_it = classified(**given, evidence=["DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 99\n"])
    assert with_it.bottleneck == without.bottleneck
    assert with_it.confidence == without.confidence
    assert any("GPU_UTIL" in item.signal for item in with_it.ignored)


def test_an_acknowledgement_may_be_one_word() -> None:
    assert read_arguments(Arguments, {"acknowledge": "raise-ceiling-first"}).acknowledge == ("raise-ceiling-first",)
