"""Servers whose trouble no queue shows: long prompts that stop the streams, and a decode step at its floor."""

import pytest

from verdicts.bottleneck.made_up import Server, scrapes
from verdicts.bottleneck.pasting import paste

LAUNCH = "vllm serve meta-llama/Llama-3.1-8B-Instruct"


@pytest.mark.parametrize("command", [LAUNCH, f"{LAUNCH} --max-num-batched-tokens 16384", None])
@pytest.mark.parametrize("stall", [0.35, 0.7])
@pytest.mark.parametrize("prompt", [6000, 16000])
@pytest.mark.parametrize("ttft", [0.6, 2.0])
def test_long_prompts_without_a_queue_that_stop_the_streams_are_a_chunk_too_large(
    command: str | None, stall: float, prompt: int, ttft: float
) -> None:
    server = Server(
        running=14, waiting=0, kv=0.42, ttft={ttft: 0.9, 2 * ttft: 0.1}, itl={0.009: 0.95, stall: 0.05}, prompt=prompt,
        output=250, rate=0.9,
    )  # fmt: skip
    verdict = paste(command, scrapes(server), gpu="H100" if command else None)
    assert (verdict.status, verdict.bottleneck, verdict.sub_bound) == (
        "classified", "chunked_prefill_missized", "budget_too_large",
    )  # fmt: skip


@pytest.mark.parametrize("command", [LAUNCH, f"{LAUNCH} --max-num-seqs 256", None])
@pytest.mark.parametrize("kv", [0.5, 0.78, 0.88])
@pytest.mark.parametrize("ttft", [0.2, 0.9])
def test_a_crowd_of_slow_streams_without_a_queue_is_the_decode_step(command: str | None, kv: float, ttft: float) -> None:
    server = Server(
        running=240, waiting=0, kv=kv, ttft={ttft: 1.0}, itl={0.07: 0.2, 0.1: 0.8}, prompt=700, output=500, rate=5.0
    )
    verdict = paste(command, scrapes(server), gpu="H100" if command else None)
    assert (verdict.status, verdict.bottleneck) == ("classified", "decode_bound")


@pytest.mark.parametrize("command", [LAUNCH, None])
def test_the_same_crowd_with_quick_streams_is_healthy(command: str | None) -> None:
    server = Server(
        running=60, waiting=0, kv=0.5, ttft={0.2: 1.0}, itl={0.01: 0.8, 0.025: 0.2}, prompt=500, output=400, rate=11.0
    )
    assert paste(command, scrapes(server), gpu="H100" if command else None).status == "healthy"
