"""Scrapes with vLLM's meaning: now, between, and since the start are never mixed up."""

import re

import pytest

from captures import SERVED, capture, server
from vllm_triage.readers.exposition import Scrape, read_exposition
from vllm_triage.readers.metrics import read_metrics
from vllm_triage.readers.reading import Partial

RUNS_WITH_ALL = [
    run
    for run in SERVED
    if run not in ("mamba-hybrid", "v018-swa-hybrid", "no-chunked-long", "v018-default", "prefix-repeat")
]


def scrapes(*texts: str) -> list[Scrape]:
    return [scrape for text in texts for scrape in read_exposition(text)[0]]


def read(*texts: str, interval_s: float | None = None) -> Partial:
    part = read_metrics(scrapes(*texts), interval_s)
    assert part is not None
    return part


def values(part: Partial) -> dict[str, float]:
    return {r.name: r.value for r in part.readings}


def source(part: Partial, name: str) -> str:
    return next(r.source for r in part.readings if r.name == name)


def text(running: float, generated: float, *, engine: str = "0", model: str = "m", extra: str = "") -> str:
    labels = f'engine="{engine}",model_name="{model}"'
    return (
        f"vllm:num_requests_running{{{labels}}} {running}\n"
        f"vllm:num_requests_waiting{{{labels}}} 3\n"
        f"vllm:kv_cache_usage_perc{{{labels}}} 0.5\nvllm:generation_tokens_total{{{labels}}} {generated}\n"
        f"vllm:prompt_tokens_total{{{labels}}} {generated * 2}\n"
        f"vllm:num_preemptions_total{{{labels}}} {generated / 100}\n{extra}"
    )


def test_one_scrape_gives_gauges_as_now_and_histograms_as_lifetime_means() -> None:
    part = read(capture("seqs4", "metrics_during.txt"))
    found = values(part)
    assert (found["running"], found["waiting"], found["waiting_capacity"], found["waiting_deferred"]) == (4, 13, 13, 0)
    assert found["ttft_ms_mean"] == pytest.approx(21.582441 / 89 * 1000)
    assert "lifetime mean of 89" in source(part, "ttft_ms_mean")
    assert {r.kind for r in part.readings if r.name.startswith(("ttft", "itl", "tpot", "e2e", "queue"))} == {"lifetime"}


def test_one_scrape_never_yields_a_rate() -> None:
    for run in RUNS_WITH_ALL:
        found = values(read(capture(run, "metrics_after.txt")))
        assert not found.keys() & {"output_tok_s", "total_tok_s", "prompt_tok_s", "request_rate", "preemption_rate"}


@pytest.mark.parametrize("run", RUNS_WITH_ALL)
def test_two_scrapes_give_means_of_what_happened_between_them(run: str) -> None:
    part = read(capture(run, "metrics_before.txt"), capture(run, "metrics_after.txt"))
    found = values(part)
    bench = re.search(r'"total_output_tokens": (\d+), ', capture(run, "bench.json"))
    completed = re.search(r'"completed": (\d+),', capture(run, "bench.json"))
    assert bench is not None
    assert completed is not None
    assert found["requests"] >= int(completed.group(1))
    assert found["output_tokens"] == pytest.approx(int(bench.group(1)) / int(completed.group(1)), rel=0.12)
    assert "between the scrapes" in source(part, "ttft_ms_mean")


def test_the_order_of_the_scrapes_does_not_matter() -> None:
    one, two, three = (capture("tinykv-preempt", f"metrics_{when}.txt") for when in ("before", "during", "after"))
    wanted = values(read(one, two, three))
    for order in ((three, two, one), (two, three, one), (three, one, two)):
        assert values(read(*order)) == wanted


def test_a_scrape_pasted_twice_counts_once() -> None:
    one, two = capture("seqs4", "metrics_before.txt"), capture("seqs4", "metrics_after.txt")
    assert values(read(one, two, two, one)) == values(read(one, two))
    assert values(read(two, two)) == values(read(two))


def test_gauges_of_several_scrapes_are_those_of_the_busiest_instant() -> None:
    part = read(*(capture("seqs4", f"metrics_{when}.txt") for when in ("before", "during", "after")))
    found = values(part)
    assert (found["running"], found["waiting"], found["waiting_max"]) == (4, 13, 13)
    assert "busiest of 3 scrapes" in source(part, "running")


def test_dated_scrapes_give_rates_over_the_time_between_them() -> None:
    part = read(f"# t=0\n{text(8, 1000)}", f"# t=30\n{text(8, 4000)}")
    found = values(part)
    assert found["output_tok_s"] == pytest.approx(100)
    assert found["prompt_tok_s"] == pytest.approx(200)
    assert found["total_tok_s"] == pytest.approx(300)
    assert found["preemption_rate"] == pytest.approx(1)
    assert found["preemptions_total"] == 40
    assert "30 s" in source(part, "output_tok_s")


def test_an_interval_the_user_states_is_used_for_undated_scrapes() -> None:
    assert values(read(text(8, 1000), text(8, 4000), interval_s=15))["output_tok_s"] == pytest.approx(200)


def test_idle_edges_do_not_dilute_a_rate() -> None:
    dated = [f"# t={t}\n{text(8, n)}" for t, n in ((0, 1000), (60, 1000), (70, 2000), (130, 2000))]
    assert values(read(*dated))["output_tok_s"] == pytest.approx(100)


@pytest.mark.parametrize("name", ["kv", "seqs", "healthy"])
def test_undated_scrapes_under_steady_load_get_a_derived_interval_that_says_so(name: str) -> None:
    part = read(server(f"{name}_1"), server(f"{name}_2"))
    found = values(part)
    assert found["output_tok_s"] == pytest.approx(found["running"] / found["itl_ms_mean"] * 1000, rel=0.18)
    assert "derived" in source(part, "output_tok_s")
    assert "derived" in part.what


def test_undated_scrapes_of_a_changing_load_give_no_rate() -> None:
    found = values(read(capture("seqs4", "metrics_before.txt"), capture("seqs4", "metrics_after.txt")))
    assert "output_tok_s" not in found


def test_a_counter_that_fell_is_a_restart_and_only_what_follows_is_compared() -> None:
    part = read(f"# t=0\n{text(8, 9000)}", f"# t=10\n{text(8, 100)}", f"# t=20\n{text(8, 1100)}")
    assert values(part)["output_tok_s"] == pytest.approx(100)
    assert any("two processes" in line for line in part.unread)


def test_scrapes_of_two_processes_are_not_subtracted() -> None:
    start = "process_start_time_seconds {}\n"
    part = read(text(8, 1000) + start.format(1000), text(8, 9000) + start.format(5000))
    assert "output_tok_s" not in values(part)
    assert any("process_start_time_seconds" in line for line in part.unread)


def test_data_parallel_engines_are_added_and_the_fullest_pool_counts() -> None:
    one, two = (
        text(10, 1000, engine="0"),
        text(30, 3000, engine="1").replace(
            'perc{engine="1",model_name="m"} 0.5', 'perc{engine="1",model_name="m"} 0.97'
        ),
    )
    part = read(one + two)
    found = values(part)
    assert part.engines == 2
    assert (found["running"], found["waiting"], found["kv_usage"]) == (40, 6, 0.97)
    assert found["engine_imbalance"] == pytest.approx(33 / 23)
    assert "sum of 2 engines" in source(part, "running")


def test_engines_scraped_separately_are_one_server() -> None:
    together = read(text(10, 1000, engine="0") + text(30, 3000, engine="1"))
    apart = read(text(10, 1000, engine="0"), text(30, 3000, engine="1"))
    assert values(apart) == values(together)
    assert apart.engines == 2


def test_replicas_scraped_one_after_the_other_twice_are_one_server_over_time() -> None:
    def replica(pod: str, at: float, generated: float) -> str:
        return f"# t={at}\n" + text(10, generated).replace('engine="0"', f'engine="0",pod="{pod}"')

    part = read(replica("a", 0, 1000), replica("b", 1, 90_000), replica("a", 30, 4000), replica("b", 31, 96_000))
    found = values(part)
    assert part.engines == 2
    assert found["running"] == 20
    assert found["output_tok_s"] == pytest.approx(9000 / 30)


def test_refused_and_failed_requests_between_the_scrapes_are_counted() -> None:
    def counted(errors: int, refused: int) -> str:
        return (
            f'vllm:request_success_total{{engine="0",finished_reason="error",model_name="m"}} {errors}\n'
            f'vllm:request_success_total{{engine="0",finished_reason="stop",model_name="m"}} {errors * 10}\n'
            f'vllm:admission_rejections_total{{model_name="m",reason="max_num_queued_reqs"}} {refused}\n'
        )

    found = values(read(text(8, 1000, extra=counted(1, 5)), text(8, 4000, extra=counted(3, 12))))
    assert found["failed"] == 9


def test_the_gauges_of_v0_are_read() -> None:
    old = (
        'vllm:gpu_prefix_cache_hit_rate{model_name="m"} 0.25\nvllm:cpu_prefix_cache_hit_rate{model_name="m"} -1.0\n'
        'vllm:spec_decode_draft_acceptance_rate{model_name="m"} 0.6\nvllm:num_requests_running{model_name="m"} 12\n'
        'vllm:avg_generation_throughput_toks_per_s{model_name="m"} 345.6\n'
        'vllm:gpu_cache_usage_perc{model_name="m"} 0.86\n'
    )
    found = values(read(old))
    assert found == {
        "prefix_hit_rate": 0.25,
        "acceptance_rate": 0.6,
        "running": 12,
        "output_tok_s": 345.6,
        "kv_usage": 0.86,
    }
    assert not read(old.replace("0.25", "-1.0")).unread


def test_of_several_models_the_busiest_is_read_and_the_others_are_named() -> None:
    part = read(text(2, 500, model="small") + text(30, 9000, model="big"))
    assert part.model_name == "big"
    assert values(part)["running"] == 30
    assert any("small" in line for line in part.unread)


@pytest.mark.parametrize(
    ("today", "old"),
    [
        ("kv_cache_usage_perc", "gpu_cache_usage_perc"),
        ("inter_token_latency_seconds", "time_per_output_token_seconds"),
        ("prefix_cache_queries", "gpu_prefix_cache_queries"),
        ("prefix_cache_hits", "gpu_prefix_cache_hits"),
        ("request_queue_time_seconds", "time_in_queue_requests"),
    ],
)
def test_a_metric_under_its_old_name_changes_nothing(today: str, old: str) -> None:
    def renamed(text: str) -> str:
        return re.sub(rf"\bvllm:{today}(?=[_{{ ])", f"vllm:{old}", text)

    now = [server("kv_1"), server("kv_2")]
    assert values(read(*map(renamed, now))) == values(read(*now))


def test_a_collector_that_writes_vllm_underscore_changes_nothing() -> None:
    texts = [server("seqs_1"), server("seqs_2")]
    assert values(read(*(t.replace("vllm:", "vllm_") for t in texts))) == values(read(*texts))


def test_the_inter_token_latency_and_the_time_per_output_token_are_kept_apart() -> None:
    found = values(read(server("kv_1"), server("kv_2")))
    assert found["itl_ms_mean"] == pytest.approx(34.0, abs=0.1)
    assert found["tpot_ms_mean"] == pytest.approx(34.26, abs=0.1)
    without = values(read(*(re.sub(r"(?m)^vllm:request_time_per_output.*\n", "", server(n)) for n in ("kv_1", "kv_2"))))
    assert "tpot_ms_mean" not in without
    assert without["itl_ms_mean"] == found["itl_ms_mean"]


@pytest.mark.parametrize(("value", "usage"), [("0.93", 0.93), ("93.0", 0.93), ("1.0", 1.0), ("100", 1.0)])
def test_usage_as_a_fraction_and_as_percent_is_the_same(value: str, usage: float) -> None:
    part = read(
        text(8, 1000).replace('perc{engine="0",model_name="m"} 0.5', f'perc{{engine="0",model_name="m"}} {value}')
    )
    assert values(part)["kv_usage"] == pytest.approx(usage)


@pytest.mark.parametrize("value", ["NaN", "+Inf", "-4"])
def test_a_value_no_measurement_can_have_is_listed_and_not_used(value: str) -> None:
    part = read(
        text(8, 1000).replace('running{engine="0",model_name="m"} 8', f'running{{engine="0",model_name="m"}} {value}')
    )
    assert "running" not in values(part)
    assert any("num_requests_running" in line for line in part.unread)


def test_gpu_utilisation_is_dropped_said_so_and_changes_nothing_else() -> None:
    with_it = read(server("kv_1") + 'DCGM_FI_DEV_GPU_UTIL{gpu="0"} 99\n', server("kv_2"))
    without = read(server("kv_1"), server("kv_2"))
    assert values(with_it) == values(without)
    assert [i.signal for i in with_it.ignored] == ["DCGM_FI_DEV_GPU_UTIL"]
    assert not without.ignored


def test_irrelevant_metrics_change_nothing() -> None:
    noise = "".join(f'node_cpu_seconds_total{{cpu="{i}"}} {i}\n' for i in range(50))
    assert values(read(noise + server("kv_1"), server("kv_2") + noise)) == values(read(server("kv_1"), server("kv_2")))


def test_the_pool_is_read_from_the_cache_configuration() -> None:
    pool = read(capture("seqs4", "metrics_during.txt")).pool
    assert pool is not None
    assert (pool.tokens, pool.blocks, pool.block_size, pool.max_concurrency, pool.max_model_len) == (
        524288,
        4096,
        128,
        64.0,
        8192,
    )
    old = read(server("kv_1")).pool
    assert old is not None
    assert (old.tokens, old.blocks, old.block_size) == (None, 27400, 16)


def test_speculation_is_read_from_its_counters() -> None:
    found = values(read(capture("spec-draft", "metrics_before.txt"), capture("spec-draft", "metrics_after.txt")))
    assert 0 <= found["acceptance_rate"] <= 1
    assert 1 <= found["acceptance_length"] <= 4


def test_a_scrape_of_something_else_is_said_to_hold_no_vllm_metric() -> None:
    part = read('node_load1{host="a"} 3\n')
    assert not part.readings
    assert part.unread == ["metrics: no vllm:* metric in the scrape"]
