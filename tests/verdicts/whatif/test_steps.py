"""The schedule alone, where no step time is known."""

import pytest

from vllm_triage.domain import PoolReading
from vllm_triage.engine.cost import CannotPredict
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate
from vllm_triage.verdicts.whatif import in_steps, in_steps_after, steps_words

from .cases import CROWD, RATE, server

CPU = deploy("vllm serve Qwen/Qwen3-8B --max-num-seqs 8", "0.32.0", "cpu")
MEMORY = estimate(CPU, PoolReading(tokens=40_960, blocks=320))


def test_on_a_cpu_the_queue_is_counted_in_steps() -> None:
    before = in_steps(CPU, MEMORY, CROWD)
    after = in_steps_after(CPU, MEMORY, CROWD, {"max_num_seqs": 24})
    assert before.waiting > 10 > after.waiting
    assert after.first_token_steps < before.first_token_steps
    assert "waiting" in steps_words(before, after)


def test_the_same_schedule_is_said_to_be_the_same() -> None:
    before = in_steps(CPU, MEMORY, CROWD)
    assert steps_words(before, before) == "the schedule stays the same"


def test_requests_by_the_second_need_a_step_time() -> None:
    with pytest.raises(CannotPredict, match="concurrency instead of a rate"):
        in_steps(CPU, MEMORY, RATE)


def test_steps_need_a_pool() -> None:
    deployment, memory = server("vllm serve someone/unknown")
    with pytest.raises(CannotPredict, match="KV pool"):
        in_steps(deployment, memory, CROWD)
