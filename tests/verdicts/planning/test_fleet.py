import pytest

from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.planning import read_fleets

MODEL = deploy("Qwen/Qwen3-8B", "0.33.0")


@pytest.mark.parametrize("text", ["8x H200-SXM, 16x L40S", "8x H200-SXM or 16x L40S", "8x H200-SXM and 16x L40S"])
def test_several_kinds_are_read(text: str) -> None:
    fleets = read_fleets(text, MODEL, {"h200": 4.0, "L40S": 1.0}).fleets
    assert [(f.gpu.name, f.count, f.price, f.node, f.nodes, f.linked) for f in fleets] == [
        ("H200-SXM", 8, 4.0, 8, 1, True), ("L40S", 16, 1.0, 8, 2, False),
    ]  # fmt: skip


def test_one_price_is_that_of_every_kind() -> None:
    assert {f.price for f in read_fleets("2x A10, 2x L4", MODEL, 0.5).fleets} == {0.5}


def test_a_kind_without_a_price_has_none() -> None:
    assert [f.price for f in read_fleets("2x A10, 2x L4", MODEL, {"A10": 0.5}).fleets] == [0.5, None]


def test_without_a_count_a_machine_is_planned_with_and_said() -> None:
    found = read_fleets("H100-SXM", MODEL, None)
    assert [f.count for f in found.fleets] == [8]
    assert "up to 8" in found.assumed[0]


def test_the_launch_says_which_gpus_there_are() -> None:
    launch = deploy("vllm serve Qwen/Qwen3-8B -tp 4", "0.33.0", "H100-SXM")
    assert [(f.gpu.name, f.count) for f in read_fleets(None, launch, None).fleets] == [("H100-SXM", 4)]


@pytest.mark.parametrize(("text", "why"), [(None, "which GPUs"), ("8x Hopper9", "catalogue"), ("cpu", "CPU")])
def test_what_is_missing_is_said(text: str | None, why: str) -> None:
    found = read_fleets(text, MODEL, None)
    assert not found.fleets
    assert why in found.missing[0]
