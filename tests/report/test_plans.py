"""The words of a plan, on a simulator that answers what it is told."""

from collections.abc import Callable

from verdicts.planning.stand_in import asked, foretold, simulator, traffic
from vllm_triage.domain import Deployment, Prediction
from vllm_triage.engine.machine import whole
from vllm_triage.report.plans import excluded, plan_row, scale_json, shortfall, summary_words
from vllm_triage.verdicts.planning import Ask, Fleets, Plan, plan, read_fleets

Answer = Callable[[Deployment, float], Prediction]
WORDS = "64 users, 2000 in, 300 out"


def made(
    answer: Answer, command: str = "Qwen/Qwen3-32B", gpu: str = "4x H100-SXM", price: float | None = None, **slo: float
) -> tuple[Ask, Fleets, Plan]:
    ask = asked(command, WORDS, **slo)
    fleets = read_fleets(gpu, ask.base, price)
    return ask, fleets, plan(ask, fleets.fleets, traffic(WORDS), simulate=simulator(answer))


def by_ranks(deployment: Deployment, _: float) -> Prediction:
    return foretold(tpot=80 / whole(deployment.setting("tensor_parallel_size")))


def summary(ask: Ask, fleets: Fleets, found: Plan) -> str:
    return summary_words(ask.base, fleets, traffic(WORDS), found)


def test_a_plan_that_meets_the_targets_is_named_with_its_figures_and_its_price() -> None:
    ask, fleets, found = made(by_ranks, price=2.5, tpot_ms_mean=50)
    text = summary(ask, fleets, found)
    assert text.startswith("For 64 users at once")
    assert "meets every target (tpot_ms_mean 40 ms (32 ms to 48 ms) against 50 ms); 5.00 an hour" in text
    row = plan_row(1, found.trials[0], found)
    assert row.why == "meets every target by the conservative bound, for least money"
    assert row.cost["per_hour"] == 5


def test_what_is_likely_says_so() -> None:
    _, _, found = made(by_ranks, tpot_ms_mean=22)
    row = plan_row(1, found.trials[0], found)
    assert (row.meets, row.why) == (
        "likely", "meets every target by the middle of the interval, not by its conservative end",
    )  # fmt: skip


def test_what_is_short_is_said_with_what_stands_behind_it() -> None:
    ask, fleets, found = made(lambda *_: foretold(tpot=90), tpot_ms_mean=30)
    short = shortfall(found)
    assert (short["metric"], short["short_by"]) == ("tpot_ms_mean", "200%")
    assert short["because"] == "the steps themselves: reading the weights and the KV cache, and the prompts in between"
    assert "Nothing on 4x H100-SXM meets the targets" in summary(ask, fleets, found)


def test_a_full_pool_and_a_queue_without_end_are_named() -> None:
    _, _, full = made(lambda *_: foretold(kv=1.0, waiting=60, running=4, ttft=9000), ttft_ms_mean=100)
    assert shortfall(full)["because"] == "the KV pool is full: 4 requests run, 60 wait"
    _, _, queue = made(lambda *_: foretold(overloaded=True, kv=0.5), ttft_ms_mean=100)
    assert shortfall(queue)["because"] == "requests come faster than the GPUs compute them"


def test_more_gpus_come_with_what_was_tried_first() -> None:
    ask, fleets, found = made(by_ranks, gpu="2x H100-SXM", tpot_ms_mean=15)
    scale = scale_json(found)
    assert scale["tried_first"]
    assert f"By the numbers {scale['gpus']}x H100-SXM would ({scale['layout']}" in summary(ask, fleets, found)
    assert scale_json(made(by_ranks, tpot_ms_mean=50)[2]) == {}


def test_what_was_left_out_has_a_line_each() -> None:
    ask, fleets, found = made(by_ranks, "meta-llama/Llama-3.1-70B-Instruct", tpot_ms_mean=50)
    lines = excluded(ask.base, fleets, found)
    assert "TP1 in BF16 on H100-SXM: weights 131 GiB per GPU do not fit 73 GiB usable of H100-SXM" in lines
    assert len(set(lines)) == len(lines)
    odd, fleets, found = made(by_ranks, "microsoft/phi-4", tpot_ms_mean=50)
    assert excluded(odd.base, fleets, found)[0].startswith("TP4: 10 KV heads do not divide so")


def test_engines_stopped_by_the_same_rule_share_a_line() -> None:
    ask = asked("Qwen/Qwen3-Next-80B-A3B-Instruct", WORDS, "0.9.2")
    fleets = read_fleets("8x H100-SXM", ask.base, None)
    found = plan(ask, fleets.fleets, traffic(WORDS), simulate=simulator(by_ranks))
    [line] = excluded(ask.base, fleets, found)
    assert "does not start (architecture-too-new)" in line
    assert "does not start on 8x H100-SXM" in summary(ask, fleets, found)
    assert "By the numbers" not in summary(ask, fleets, found)


def test_what_has_to_be_done_is_noted() -> None:
    _, _, found = made(by_ranks, "Qwen/Qwen3-30B-A3B", "8x L40S", tpot_ms_mean=30)
    rows = [plan_row(place, trial, found) for place, trial in enumerate(found.trials, start=1)]
    several = next(row for row in rows if row.servers > 1)
    assert any(note.startswith(f"Run {several.servers} of these") for note in several.notes)
    altered = [row for row in rows if row.precision != "BF16"]
    assert all(any("evaluate on your own task" in note for note in row.notes) for row in altered)
