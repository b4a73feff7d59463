import pytest

from vllm_triage.readers.prose_words import CLASS, METRICS, statistic_field, words_of


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("45 ms", "time", 45), ("9s", "time", 9000), ("1.5 minutes", "time", 90_000),
        ("250us", "time", 0.25), ("850 tok/s", "tokens/s", 850),
        ("850 tokens per second", "tokens/s", 850), ("4 req/s", "requests/s", 4),
        ("98%", "share", 0.98), ("4k tokens", "tokens", 4000),
        ("1,234", "", 1234), ("毫秒 12 毫秒", "time", 12),
    ],
)  # fmt: skip
def test_a_number_is_brought_to_the_unit_of_its_class(text: str, kind: str, value: float) -> None:
    (number,) = [w for w in words_of(text) if w.kind == "number"]
    assert (number.name, number.value) == (kind, pytest.approx(value))


@pytest.mark.parametrize("text", ["H100", "Qwen3-32B", "v0.18.0", "80 GB", "8 GPUs", "8xH100", "p99", "0.9.2", "a-4"])
def test_names_versions_and_other_units_hold_no_number(text: str) -> None:
    assert not [w for w in words_of(text) if w.kind == "number"]


def test_every_family_of_words_has_a_class() -> None:
    assert {name for name, _ in METRICS if name} == set(CLASS)


@pytest.mark.parametrize(
    ("metric", "statistic", "field"),
    [
        ("ttft", None, "ttft_ms_mean"),
        ("ttft", "p99", "ttft_ms_p99"),
        ("ttft", "p75", None),
        ("queue", "p50", None),
        ("waiting", None, "waiting"),
        ("gpu_util", None, None),
        ("", None, None),
    ],
)  # fmt: skip
def test_a_metric_and_a_statistic_have_one_field_or_none(metric: str, statistic: str | None, field: str | None) -> None:
    assert statistic_field(metric, statistic) == field
