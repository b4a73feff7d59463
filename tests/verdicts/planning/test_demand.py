from itertools import islice
from math import isclose
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.planning.stand_in import traffic
from vllm_triage.domain import Lengths, TraceRow, Workload
from vllm_triage.engine.simulation.lengths import draws
from vllm_triage.verdicts.planning.demand import MOST_ROWS, demand_of, longest, sampled


def test_a_closed_loop_is_users_and_lengths() -> None:
    found = demand_of(traffic("64 users, 2000 in, 300 out"), cached=True)
    assert (found.users, found.rate, found.prompt, found.output, found.held, found.longest) == (
        64, None, 2000, 300, 2150, 2300,
    )  # fmt: skip


def test_a_shared_prefix_is_held_but_not_computed_where_it_is_cached() -> None:
    shared = Workload(arrivals="open", request_rate=4, input=Lengths(mean=3000), shared_prefix_tokens=2000)
    assert (demand_of(shared, cached=True).computed, demand_of(shared, cached=False).computed) == (1000, 3000)
    assert demand_of(shared, cached=True).prompt == 3000


def test_a_conversation_grows_with_its_turns() -> None:
    talk = Workload(arrivals="open", request_rate=2, turns=5, input=Lengths(mean=100), output=Lengths(mean=300))
    found = demand_of(talk, cached=True)
    assert (found.rate, found.prompt, found.longest, found.computed) == (10, 900, 2000, 100)


def test_a_trace_gives_its_rate_and_its_longest_request() -> None:
    rows = tuple(TraceRow(float(i), 1000 + i, 100) for i in range(11))
    found = demand_of(Workload(arrivals="trace", trace=rows), cached=True)
    assert (found.rate, found.longest, found.prompt) == (1.0, 1110, 1005)


def test_of_a_long_trace_the_busiest_stretch_is_simulated() -> None:
    calm = [TraceRow(10.0 * i, 10, 10) for i in range(MOST_ROWS)]
    busy = [TraceRow(20_000 + 0.1 * i, 20, 10) for i in range(MOST_ROWS)]
    kept = sampled(Workload(arrivals="trace", trace=(*calm, *busy)))
    assert {row.input_tokens for row in kept.trace} == {20}
    assert "busiest" in kept.notes[-1]


def test_traffic_that_goes_on_is_not_simulated_to_its_last_request() -> None:
    assert sampled(Workload(arrivals="closed", concurrency=8, requests=100_000)).requests is None
    assert sampled(Workload(arrivals="at_once", requests=1000)).requests == 1000


@pytest.mark.parametrize("shape", ["uniform", "exponential", "lognormal"])
def test_one_request_in_a_thousand_is_longer_than_the_longest(shape: str) -> None:
    lengths = Lengths.model_validate({"mean": 1000.0, "shape": shape, "spread": 0.5})
    drawn = sorted(islice(draws(lengths, Random(1)), 6400))  # noqa: S311 - not secrets
    assert drawn[-32] <= longest(lengths)
    assert isclose(longest(lengths), drawn[-7], rel_tol=0.25)


@settings(max_examples=30)
@given(st.floats(10, 1e5), st.sampled_from(["fixed", "uniform", "exponential", "lognormal"]), st.floats(0, 1))
def test_the_longest_is_never_shorter_than_the_mean(mean: float, shape: str, spread: float) -> None:
    assert longest(Lengths.model_validate({"mean": mean, "shape": shape, "spread": spread})) >= mean * 0.999
