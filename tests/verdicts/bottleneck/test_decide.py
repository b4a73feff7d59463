from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.physics import CPU, deployment, memory, seen
from verdicts.bottleneck.hearing import CALM, hear, load
from vllm_triage.domain import BOTTLENECKS, Ignored, Observation
from vllm_triage.domain.verdict import MeasureNext
from vllm_triage.engine.roofline import roofline
from vllm_triage.verdicts.bottleneck import classify

NEXT = get_args(MeasureNext)


def test_missing_metrics_are_refused_by_name_and_nothing_is_named() -> None:
    verdict = hear(seen(ttft_ms_mean=9000.0, running=10, waiting=40, kv_usage=0.99))
    assert verdict.status == "refused"
    assert verdict.missing == ("itl", "throughput")
    assert (verdict.bottleneck, verdict.outside) == (None, None)


def test_a_refusal_still_shows_the_arithmetic() -> None:
    assert hear(seen(input_tokens=1000.0, output_tokens=200.0)).derived["S_kv"] is not None


def test_a_standing_house_rule_stops_the_classification_and_an_acknowledged_one_does_not() -> None:
    where = deployment(gpu_memory_utilization=0.5)
    assert hear(load(), where).status == "refused"
    acknowledged = hear(load(), where, acknowledge=["raise-ceiling-first"])
    assert acknowledged.status == "healthy"
    assert [(r.rule, r.acknowledged) for r in acknowledged.refusals] == [("raise-ceiling-first", True)]


def test_utilisation_changes_nothing_but_the_ignored_list() -> None:
    dropped = Ignored(signal="DCGM_FI_DEV_GPU_UTIL", why="never evidence")
    with_it, without = hear(load().but(ignored=(dropped,))), hear(load())
    assert with_it.ignored == (dropped,)
    assert with_it.but(ignored=()) == without


def test_every_class_that_does_not_bind_is_ruled_out_with_a_reason() -> None:
    verdict = hear(
        load(ttft_ms_mean=9000.0, tpot_ms_mean=15.0, output_tok_s=4000.0, concurrency=300.0),
        deployment(max_num_seqs=64),
    )
    assert {r.bottleneck for r in verdict.ruled_out} == set(BOTTLENECKS) - {verdict.bottleneck}
    assert all(r.because for r in verdict.ruled_out)


def test_healthy_rules_out_all_five() -> None:
    assert {r.bottleneck for r in hear(load()).ruled_out} == set(BOTTLENECKS)


def test_a_low_prefix_hit_rate_on_a_healthy_server_is_no_finding() -> None:
    verdict = hear(load(prefix_hit_rate=0.01, running=6, waiting=0, kv_usage=0.08))
    assert verdict.status == "healthy"
    assert "prefix" not in str([e.to_json() for e in verdict.evidence])


def test_late_first_tokens_of_unknown_cause_are_ambiguous_with_the_deciding_measurement() -> None:
    verdict = hear(load(ttft_ms_mean=9000.0, concurrency=200.0), deployment(max_num_seqs=None, gpu=None), memory(None))
    assert verdict.status == "ambiguous"
    assert verdict.measure_next.startswith("WAITING queue depth")
    assert verdict.bottleneck is None


def test_a_cpu_says_what_cannot_be_known() -> None:
    verdict = hear(load(), deployment(gpu=CPU))
    assert verdict.derived["decode_floor_ms"] is None
    assert any("CPU" in str(name) for name in verdict.derived["not_known"])  # type: ignore[union-attr]


def test_a_figure_below_the_floor_is_a_conflict_and_costs_confidence() -> None:
    verdict = hear(load(tpot_ms_mean=2.0, itl_ms_mean=2.0, output_tok_s=5000.0))
    assert any("below the floor" in str(said) for said in verdict.derived["conflicts"])  # type: ignore[union-attr]
    assert verdict.confidence < 0.8


def test_an_idle_scrape_beside_a_benchmark_confirms_nothing_and_says_so() -> None:
    loaded = {"ttft_ms_mean": 9000.0, "tpot_ms_mean": 15.0, "output_tok_s": 4000.0, "concurrency": 300.0}
    where = deployment(max_num_seqs=64)
    idle = hear(load(**loaded, running=0, waiting=0, kv_usage=0.0), where)
    assert idle.bottleneck == hear(load(**loaded), where).bottleneck == "queue_stall"
    assert any("idle" in str(note) for note in idle.derived["notes"])  # type: ignore[union-attr]


NAMES = [
    *CALM,
    "itl_ms_p50",
    "itl_ms_p99",
    "running",
    "waiting",
    "waiting_deferred",
    "kv_usage",
    "preemption_rate",
    "preemptions_total",
    "queue_ms_mean",
    "prefill_ms_mean",
    "request_rate",
    "total_tok_s",
    "ttft_ms_p50",
    "ttft_ms_p99",
    "acceptance_length",
    "prefix_hit_rate",
]


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(st.sampled_from(NAMES), st.floats(0, 1e7)),
    st.sampled_from([None, 0, 1000, 400_000]),
    st.booleans(),
    st.sampled_from([None, 4, 1024]),
)
def test_any_measurements_give_a_verdict_that_keeps_its_word(
    values: dict[str, float], pool: int | None, measured: bool, seats: int | None
) -> None:
    where, budget, observed = (
        deployment(max_num_seqs=seats),
        memory(pool, weights_gib=15.0, measured=measured),
        seen(**values),
    )
    verdict = classify(where, observed, budget, roofline(where, observed, budget))
    assert any(verdict.measure_next.startswith(name) for name in NEXT)
    if observed.missing_core():
        assert verdict.status == "refused"
    if verdict.status == "classified":
        assert verdict.evidence
        assert verdict.confidence >= 0.3
    verdict.to_json()


def test_nothing_at_all_is_refused_and_asks_for_all_four() -> None:
    verdict = classify(None, Observation(), None, roofline(None, Observation(), None))
    assert verdict.missing == ("ttft", "itl", "throughput", "concurrency")


@pytest.mark.parametrize("status", ["classified", "healthy", "ambiguous", "refused"])
def test_every_status_ends_naming_what_to_measure_next(status: str) -> None:
    cases = {
        "classified": hear(
            load(ttft_ms_mean=9000.0, output_tok_s=4000.0, tpot_ms_mean=15.0, concurrency=300.0),
            deployment(max_num_seqs=64),
        ),
        "healthy": hear(load()),
        "refused": hear(Observation()),
        "ambiguous": hear(
            load(ttft_ms_mean=9000.0, concurrency=200.0), deployment(max_num_seqs=None, gpu=None), memory(None)
        ),
    }
    assert cases[status].status == status
    assert any(cases[status].measure_next.startswith(name) for name in NEXT)
