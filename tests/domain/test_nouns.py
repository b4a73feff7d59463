"""Every noun is frozen, strict and closed."""

import inspect
from importlib import import_module
from pkgutil import iter_modules

import pytest
from pydantic import ValidationError

from vllm_triage import domain
from vllm_triage.domain import Interval, Measured, Noun, Observation, Verdict

NOUNS = [v for name in domain.__all__ if inspect.isclass(v := getattr(domain, name)) and issubclass(v, Noun)]


@pytest.mark.parametrize("noun", NOUNS, ids=lambda n: n.__name__)
def test_a_noun_is_frozen_strict_and_closed(noun: type[Noun]) -> None:
    assert (noun.model_config["frozen"], noun.model_config["strict"], noun.model_config["extra"]) == (
        True,
        True,
        "forbid",
    )
    assert noun.__doc__


def test_a_value_is_not_coerced() -> None:
    with pytest.raises(ValidationError):
        Measured(value="12", source="given")  # type: ignore[arg-type]


def test_a_noun_does_not_change() -> None:
    with pytest.raises(ValidationError):
        Interval(low=1.0, mid=2.0, high=3.0).low = 0.0  # type: ignore[misc]


def test_a_changed_copy_is_validated() -> None:
    with pytest.raises(ValidationError):
        Interval(low=1.0, mid=2.0, high=3.0).but(low="one")


def test_missing_core_metrics_are_named_in_order() -> None:
    seen = Observation(itl_ms_p99=Measured(value=40.0, source="given"))
    assert seen.missing_core() == ("ttft", "throughput", "concurrency")


def test_tpot_stands_in_for_itl_among_the_core_metrics() -> None:
    assert "itl" not in Observation(tpot_ms_mean=Measured(value=20.0, source="given")).missing_core()


@pytest.mark.parametrize("status", ["refused", "healthy"])
def test_a_refused_or_healthy_verdict_names_no_bottleneck(status: str) -> None:
    with pytest.raises(ValidationError, match="names no bottleneck"):
        Verdict(status=status, bottleneck="kv_starvation")  # type: ignore[arg-type]


def test_a_classified_verdict_names_what_binds() -> None:
    with pytest.raises(ValidationError, match="names a bottleneck"):
        Verdict(status="classified")


def test_every_noun_is_found_in_the_module_that_defines_it() -> None:
    modules = {path.name for path in iter_modules(domain.__path__)}
    assert set(domain._MODULES) == modules
    assert set(domain._MODULE_OF) == set(domain.__all__)
    for name in domain.__all__:
        assert getattr(domain, name) is getattr(import_module(f"{domain.__name__}.{domain._MODULE_OF[name]}"), name)


def test_a_noun_that_does_not_exist_is_refused_by_its_name() -> None:
    with pytest.raises(AttributeError, match="Nonsense"):
        domain.Nonsense  # noqa: B018 - asking is the test
