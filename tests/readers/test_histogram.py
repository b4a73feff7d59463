import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.readers.histogram import Histogram

INF = math.inf


def histogram(*pairs: tuple[float, float], total: float = 1.0) -> Histogram:
    return Histogram(total=total, count=pairs[-1][1], buckets=dict(pairs))


def test_a_quantile_is_linear_inside_its_bucket() -> None:
    found = histogram((1.0, 10.0), (2.0, 30.0), (INF, 30.0)).quantile(0.5)
    assert found == (pytest.approx(1.25), False)


def test_a_quantile_above_the_last_bound_is_said_to_be_a_lower_bound() -> None:
    assert histogram((1.0, 10.0), (2.0, 20.0), (INF, 100.0)).quantile(0.99) == (2.0, True)


def test_a_quantile_in_the_lowest_bucket_is_not_invented() -> None:
    assert histogram((0.01, 100.0), (0.025, 100.0), (INF, 100.0)).quantile(0.99) is None


@pytest.mark.parametrize("buckets", [{}, {1.0: 5.0, 2.0: 3.0, INF: 9.0}, {1.0: math.nan, INF: 9.0}])
def test_buckets_that_are_missing_or_not_cumulative_give_no_quantile(buckets: dict[float, float]) -> None:
    assert Histogram(total=1.0, count=9.0, buckets=buckets).quantile(0.5) is None


@pytest.mark.parametrize(("total", "count"), [(1.0, 0.0), (math.nan, 3.0), (-1.0, 3.0), (1.0, -2.0)])
def test_parts_that_make_no_sense_give_no_mean(total: float, count: float) -> None:
    assert Histogram(total=total, count=count).mean() is None


@given(st.lists(st.floats(0.02, 70), min_size=5, max_size=200), st.sampled_from([0.1, 0.5, 0.9, 0.99]))
@settings(max_examples=100, deadline=None)
def test_a_quantile_lies_in_the_bucket_of_the_exact_one(values: list[float], q: float) -> None:
    bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 40.0, 80.0]
    buckets = {b: float(sum(v <= b for v in values)) for b in bounds} | {INF: float(len(values))}
    found = Histogram(total=sum(values), count=float(len(values)), buckets=buckets).quantile(q)
    exact = sorted(values)[min(len(values) - 1, math.ceil(q * len(values) - 1e-9) - 1)]
    assert found is not None
    upper = next(b for b in bounds if exact <= b)
    lower = max((b for b in bounds if b < exact), default=0.0)
    assert lower - 1e-9 <= found[0] <= upper + 1e-9


def test_the_difference_of_two_scrapes_is_what_came_between() -> None:
    later = histogram((1.0, 10.0), (2.0, 30.0), (INF, 40.0), total=70.0)
    earlier = histogram((1.0, 4.0), (2.0, 10.0), (INF, 10.0), total=20.0)
    between = later.since(earlier)
    assert (between.count, between.total, between.mean()) == (30.0, 50.0, pytest.approx(5 / 3))
    assert between.buckets == {1.0: 6.0, 2.0: 20.0, INF: 30.0}
