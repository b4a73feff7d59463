import pytest

from captures import RUNS, capture
from vllm_triage.facts import metrics


@pytest.mark.parametrize(
    ("old", "today"),
    [
        ("vllm:gpu_cache_usage_perc", "kv_cache_usage_perc"),
        ("vllm:time_per_output_token_seconds_bucket", "inter_token_latency_seconds"),
        ("gpu_prefix_cache_hits_total", "prefix_cache_hits"),
        ("vllm:num_preemptions_total", "num_preemptions"),
        ("vllm_num_requests_running", "num_requests_running"),
    ],
)
def test_an_old_or_exposed_name_leads_to_todays_name(old: str, today: str) -> None:
    assert metrics.canonical(old) == today


def test_the_per_request_time_per_output_token_is_not_the_inter_token_latency() -> None:
    assert metrics.canonical("vllm:request_time_per_output_token_seconds") == "request_time_per_output_token_seconds"


def test_iteration_tokens_total_keeps_its_suffix_because_it_is_a_histogram() -> None:
    found = metrics.find("vllm:iteration_tokens_total_sum")
    assert found is not None
    assert (found.name, found.kind, found.exposed) == (
        "iteration_tokens_total",
        "histogram",
        "vllm:iteration_tokens_total",
    )


@pytest.mark.parametrize(
    ("name", "version", "there"),
    [
        ("num_requests_swapped", "0.8.5", True),
        ("num_requests_swapped", "0.10.2", False),
        ("num_requests_waiting_by_reason", "0.18.0", False),
        ("num_requests_waiting_by_reason", "0.33.0", True),
        ("gpu_cache_usage_perc", "0.11.2", True),
        ("gpu_cache_usage_perc", "0.12.0", False),
        ("num_requests_recomputed", "0.33.0", False),
    ],
)
def test_a_metric_exists_from_its_first_to_its_last_release(name: str, version: str, there: bool) -> None:
    assert metrics.exists(name, version) is there


def test_the_recomputed_counter_is_said_not_to_count_preemption() -> None:
    found = metrics.find("prompt_tokens_recomputed")
    assert found is not None
    assert "Not the recomputation after preemption" in found.meaning


@pytest.mark.parametrize("run", [run for run in RUNS if not run.startswith("fail")])
def test_every_metric_a_real_server_exposes_is_known_for_its_version(run: str) -> None:
    version = "0.18.0" if run.startswith("v018") else "0.32.0"
    name = "metrics_after.txt"
    try:
        text = capture(run, name)
    except FileNotFoundError:
        pytest.skip("no scrape was kept of this run")
    exposed = {line.split(" ")[2] for line in text.splitlines() if line.startswith("# TYPE vllm:")}
    names = {name for name in exposed if not name.endswith("_created")}
    assert names
    assert not {name for name in names if not metrics.exists(name, version)}


def test_every_row_is_complete_and_replacements_exist() -> None:
    for name in metrics.names():
        found = metrics.find(name)
        assert found is not None
        assert found.name == name
        assert found.meaning.endswith(".")
        assert found.replaced_by is None or metrics.find(found.replaced_by) is not None
        assert metrics.aliases(found.replaced_by or name)[0] == (found.replaced_by or name)
