"""What must not change a verdict: order, repetition, old names, units, and metrics nobody asked for."""

import itertools
import re

import pytest

from verdicts.bottleneck.pasting import RUNS, SERVERS, paste
from vllm_triage.domain import Verdict

COMMAND = "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-num-seqs 64"
SCRAPES = [(SERVERS / f"seqs_{n}.prom").read_text(encoding="utf-8") for n in (1, 2)]
CAPTURE = [
    (RUNS / "tinykv-preempt" / name).read_text(encoding="utf-8")
    for name in ("startup.log", "metrics_during.txt", "bench.json")
]
LAUNCH = (RUNS / "tinykv-preempt" / "command.txt").read_text(encoding="utf-8")


def said(verdict: Verdict) -> tuple[object, ...]:
    return verdict.status, verdict.bottleneck, verdict.sub_bound, verdict.outside, verdict.confidence


BASE = said(paste(COMMAND, SCRAPES, gpu="H100"))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_of_pasted_texts_does_not_matter(order: tuple[int, ...]) -> None:
    assert said(paste(LAUNCH, [CAPTURE[n] for n in order], gpu="CPU")) == said(paste(LAUNCH, CAPTURE, gpu="CPU"))


def test_a_scrape_pasted_twice_counts_once() -> None:
    assert said(paste(COMMAND, [*SCRAPES, SCRAPES[1]], gpu="H100")) == BASE


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc"),
        ("vllm:inter_token_latency_seconds", "vllm:time_per_output_token_seconds"),
    ],
)
def test_an_old_name_means_the_same(new: str, old: str) -> None:
    assert said(paste(COMMAND, [text.replace(new, old) for text in SCRAPES], gpu="H100")) == BASE


def test_metrics_of_other_programs_change_nothing() -> None:
    noise = '\nnode_load1 93\nDCGM_FI_DEV_GPU_UTIL{gpu="0"} 100\nDCGM_FI_DEV_FB_USED{gpu="0"} 79000\n'
    assert said(paste(COMMAND, [text + noise for text in SCRAPES], gpu="H100")) == BASE


@pytest.mark.parametrize("usage", ["3%", "100%"])
def test_utilisation_is_dropped_and_said(usage: str) -> None:
    text = f"|   0  NVIDIA H100 80GB HBM3  | 00000000:01:00.0 Off | GPU-Util {usage} |"
    verdict = paste(COMMAND, [*SCRAPES, f'DCGM_FI_DEV_GPU_UTIL{{gpu="0"}} {usage[:-1]}', text], gpu="H100")
    assert said(verdict) == BASE
    assert any("UTIL" in ignored.signal.upper() for ignored in verdict.ignored)


def test_seconds_given_as_milliseconds_are_the_same_load() -> None:
    case = {"output_tok_s": 4000.0, "concurrency": 300.0, "input_tokens": 800.0, "output_tokens": 200.0}
    given = paste(COMMAND, gpu="H100", given={**case, "ttft_ms_mean": 9000.0, "tpot_ms_mean": 15.0})
    prose = paste(COMMAND, ["mean TTFT 9 s, TPOT 15 ms"], gpu="H100", given=case)
    assert said(prose) == said(given)


LOAD = {"ttft_ms_mean": 9000.0, "tpot_ms_mean": 15.0, "output_tok_s": 4000.0, "concurrency": 300.0}


@pytest.mark.parametrize(
    "text",
    [
        "mean TTFT 9 s, TPOT 15 ms, output throughput 4000 tok/s, 300 concurrent users",
        "TTFT 9000 ms, TPOT 0.015 s, 4k tok/s output, 300 users",
        '{"ttft_mean_s": 9, "tpot_mean_ms": 15, "output_tok_s": 4000, "concurrency": 300}',
        "ttft_mean_ms: 9000\ntpot_mean_s: 0.015\noutput_tok_s: 4000\nconcurrency: 300",
        "| TTFT mean (s) | TPOT (ms) | output throughput (tok/s) | concurrency |\n|---|---|---|---|\n| 9 | 15 | 4000 | 300 |",
    ],
)
def test_the_same_load_in_words_names_tables_and_units_is_the_same_verdict(text: str) -> None:
    assert said(paste(COMMAND, [text], gpu="H100")) == said(paste(COMMAND, gpu="H100", given=LOAD))


@pytest.mark.parametrize("name", ["kv", "seqs", "healthy"])
def test_a_scrape_with_its_usage_in_percent_is_the_same_server(name: str) -> None:
    texts = [(SERVERS / f"{name}_{n}.prom").read_text(encoding="utf-8") for n in (1, 2)]
    percent = [re.sub(r"(kv_cache_usage_perc\{[^}]*\}) ([\d.]+)", lambda m: f"{m[1]} {float(m[2]) * 100}", t) for t in texts]
    assert percent != texts
    assert said(paste(None, percent)) == said(paste(None, texts))
