"""Real servers on a CPU, and three made-up ones on an H100: gauges and configuration decide."""

from pathlib import Path

import pytest

from verdicts.bottleneck.pasting import RUNS, SERVERS, paste
from vllm_triage.domain import Verdict

TEXTS = ("startup.log", "metrics_during.txt", "bench.json")


def capture(name: str, *texts: str) -> Verdict:
    """One capture as a user would paste it."""
    run = RUNS / name
    return paste(
        (run / "command.txt").read_text(encoding="utf-8"),
        [(run / text).read_text(encoding="utf-8") for text in texts or TEXTS if (run / text).exists()],
        gpu="CPU",
    )


@pytest.mark.parametrize(
    ("name", "bottleneck", "sub"),
    [
        ("seqs4", "queue_stall", "seats"),
        ("v018-seqs4", "queue_stall", "seats"),
        ("tinykv-preempt", "kv_starvation", None),
        ("blocks-override", "kv_starvation", None),
        ("mid-kvfull", "kv_starvation", None),
        ("v018-blocks-preempt", "kv_starvation", None),
    ],
)
def test_a_captured_shortage_is_named_and_sure(name: str, bottleneck: str, sub: str | None) -> None:
    verdict = capture(name)
    assert (verdict.status, verdict.bottleneck, verdict.sub_bound) == ("classified", bottleneck, sub)
    assert verdict.confidence >= 0.8


@pytest.mark.parametrize("name", ["default", "mamba-hybrid", "mla", "spec-draft", "swa-hybrid", "prefix-repeat"])
def test_a_captured_server_without_a_shortage_is_healthy(name: str) -> None:
    assert capture(name).status == "healthy"


@pytest.mark.parametrize(
    "name", ["fail-default-mem", "fail-maxlen-kv", "fail-nochunk-mbt", "fail-tp2", "fail-unknown-flag", "fail-util"]
)
def test_a_captured_failure_to_start_is_said_and_no_bottleneck_named(name: str) -> None:
    verdict = capture(name, "startup.log")
    assert (verdict.status, verdict.outside, verdict.bottleneck) == ("classified", "startup_failure", None)
    assert verdict.evidence[0].observed


@pytest.mark.parametrize("name", ["seqs4", "default"])
def test_a_cpu_capture_uses_no_gpu_number(name: str) -> None:
    told = capture(name).derived
    assert [told[figure] for figure in ("decode_floor_ms", "prefill_floor_ms", "chunk_step_ms", "mfu")] == [None] * 4
    assert any("CPU" in str(said) for said in told["not_known"])  # type: ignore[union-attr]


def test_gauges_alone_decide_without_the_launch_or_the_log() -> None:
    run = RUNS / "tinykv-preempt"
    texts = [(run / name).read_text(encoding="utf-8") for name in ("metrics_during.txt", "bench.json")]
    assert paste(None, texts).bottleneck == "kv_starvation"


def test_a_benchmark_pasted_with_an_idle_scrape_is_not_called_idle() -> None:
    verdict = capture("seqs4", "startup.log", "metrics_after.txt", "bench.json")
    assert verdict.bottleneck in ("queue_stall", None)
    assert verdict.status != "healthy"


def scrapes(name: str) -> list[str]:
    return [Path(SERVERS / f"{name}_{n}.prom").read_text(encoding="utf-8") for n in (1, 2)]


@pytest.mark.parametrize(
    ("name", "command", "status", "bottleneck"),
    [
        ("kv", "vllm serve meta-llama/Llama-3.1-8B-Instruct", "classified", "kv_starvation"),
        ("seqs", "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-num-seqs 64", "classified", "queue_stall"),
        ("healthy", "vllm serve meta-llama/Llama-3.1-8B-Instruct", "healthy", None),
        ("kv", None, "classified", "kv_starvation"),
        ("seqs", None, "classified", "queue_stall"),
        ("healthy", None, "healthy", None),
    ],
)
def test_two_scrapes_of_a_server_tell_what_it_has(
    name: str, command: str | None, status: str, bottleneck: str | None
) -> None:
    verdict = paste(command, scrapes(name), gpu="H100" if command else None)
    assert (verdict.status, verdict.bottleneck) == (status, bottleneck)
    busy = name == "kv" and command is not None  # prompts at the rate an H100 computes them: a larger pool may not help
    assert verdict.confidence >= (0.5 if busy else 0.8)


def test_one_scrape_has_no_rate_and_asks_for_the_throughput() -> None:
    verdict = paste("vllm serve meta-llama/Llama-3.1-8B-Instruct", scrapes("kv")[:1], gpu="H100")
    assert verdict.status == "refused"
    assert verdict.missing == ("throughput",)


def test_the_parts_of_both_latencies_of_a_queueing_server_add_up() -> None:
    told = paste("vllm serve meta-llama/Llama-3.1-8B-Instruct --max-num-seqs 64", scrapes("seqs"), gpu="H100").derived
    for parts in (told["ttft_parts_ms"], told["itl_parts_ms"]):
        assert isinstance(parts, dict)
        numbers = {name: float(str(value)) for name, value in parts.items()}
        assert sum(numbers.values()) - numbers["measured"] == pytest.approx(numbers["measured"], rel=0.002)
    assert isinstance(told["ttft_parts_ms"], dict)
    assert told["ttft_parts_ms"]["queue"] > 4000  # type: ignore[operator]


@pytest.mark.parametrize("name", ["v018-default", "v018-swa-hybrid"])
def test_a_slow_first_wave_without_a_gauge_is_not_called_anything(name: str) -> None:
    verdict = capture(name)
    assert verdict.status == "ambiguous"
    assert any("first ones after a start" in str(note) for note in verdict.derived["notes"])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "name", ["seqs4", "v018-seqs4", "tinykv-preempt", "blocks-override", "mid-kvfull", "v018-blocks-preempt"]
)
def test_a_benchmark_alone_never_calls_a_short_server_healthy(name: str) -> None:
    assert capture(name, "bench.json").status != "healthy"


def test_a_nearly_full_pool_of_a_server_without_its_launch_is_not_called_a_queue_for_seats() -> None:
    run = RUNS / "mid-kvfull"
    texts = [(run / name).read_text(encoding="utf-8") for name in ("metrics_during.txt", "bench.json")]
    assert paste(None, texts).bottleneck == "kv_starvation"
