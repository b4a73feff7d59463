"""The published cases whose cause is unambiguous, each read the way a user's paste is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from verdicts.bottleneck.pasting import DATA, paste

CASES: list[dict[str, Any]] = [
    json.loads(path.read_text(encoding="utf-8")) for path in sorted((DATA / "gold").glob("G*.json"))
]
LOADS = [
    pytest.param(case, load, id=f"{case['id']}-{load['metrics'].get('concurrency', 'open')}")
    for case in CASES
    for load in case["loads"]
]
SEATS_TOLERANCE = 0.10
"""The pools are predicted within a range; the published seats were computed with a simpler memory model."""


@pytest.mark.parametrize(("case", "load"), LOADS)
def test_a_gold_case_gets_its_published_cause(case: dict[str, Any], load: dict[str, Any]) -> None:
    expected = load.get("expect", case["expect"])
    verdict = paste(case["command"], gpu=case["gpu"], version=case["vllm_version"], given=load["metrics"])
    if expected.get("knee"):
        assert verdict.bottleneck in (None, "kv_starvation", "decode_bound")
        assert verdict.confidence < 0.8
        return
    for field in ("status", "bottleneck", "outside", "sub_bound"):
        if field in expected:
            assert getattr(verdict, field) == expected[field], verdict.derived
    assert not [r for r in verdict.refusals if not r.acknowledged and r.rule != "core-metrics"]


@pytest.mark.parametrize(("case", "load"), LOADS)
def test_a_gold_case_shows_r_seats_and_budget(case: dict[str, Any], load: dict[str, Any]) -> None:
    expected = {**case["expect"], **load.get("expect", {})}
    verdict = paste(case["command"], gpu=case["gpu"], version=case["vllm_version"], given=load["metrics"])
    told = verdict.derived
    for name, tolerance in (("R", 0.03), ("token_budget", 0.0), ("S_seq", 0.0)):
        if name in expected:
            assert told[name] == pytest.approx(expected[name], rel=tolerance), name
    if "S_kv" in expected:
        low, high = told["S_kv_range"]  # type: ignore[misc]
        assert low * (1 - SEATS_TOLERANCE) <= expected["S_kv"] <= high * (1 + SEATS_TOLERANCE)
        assert low <= told["S_kv"] <= high  # type: ignore[operator]
    if "conflict" in expected:
        assert any(expected["conflict"] in str(said) for said in told["conflicts"])  # type: ignore[union-attr]
    assert list(verdict.missing) == expected.get("missing", [])


def test_every_gold_case_names_its_source() -> None:
    assert [case["id"] for case in CASES] == sorted(f"G{n}" for n in range(1, 14))
    assert all(case["source"] for case in CASES)


def test_the_larger_budget_of_g13_is_the_mis_sized_one() -> None:
    launch = "vllm serve Qwen/Qwen3-30B-A3B --max-num-batched-tokens {}"
    core = {
        "ttft_ms_mean": 900.0,
        "itl_ms_mean": 110.0,
        "itl_ms_p50": 95.0,
        "output_tok_s": 50.0,
        "concurrency": 6.0,
        "input_tokens": 6000.0,
        "output_tokens": 180.0,
    }
    large = paste(launch.format(16384), gpu="GB10", version="0.31.0", given={**core, "itl_ms_p99": 798.0})
    assert (large.bottleneck, large.sub_bound) == ("chunked_prefill_missized", "budget_too_large")
    small = paste(launch.format(2048), gpu="GB10", version="0.31.0", given={**core, "itl_ms_p99": 574.0})
    assert small.derived["chunk_step_ms"] < large.derived["chunk_step_ms"]  # type: ignore[operator]


def test_the_source_files_are_where_the_readme_of_the_data_says() -> None:
    assert {path.stem for path in Path(DATA / "gold").iterdir()} == {case["id"] for case in CASES}
