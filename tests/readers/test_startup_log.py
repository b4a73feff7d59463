# ruff: noqa: E501 - printed lines are kept as they are printed
"""Real logs first; then one log per generation of the lines, in the exact formats of the releases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captures import RUNS, capture
from vllm_triage.domain import PoolReading
from vllm_triage.readers.startup_log import looks_like_startup_log, read_startup, read_startup_log

V0 = """INFO 01-05 10:00:00 api_server.py:712] vLLM API server version 0.6.6.post1
INFO 01-05 10:00:02 llm_engine.py:234] Initializing an LLM engine (v0.6.6.post1) with config: model='meta-llama/Llama-3.1-8B', speculative_config=None, max_seq_len=8192, tensor_parallel_size=2, quantization=None, enforce_eager=False, kv_cache_dtype=auto, device_config=cuda, chunked_prefill_enabled=False
INFO 01-05 10:00:30 model_runner.py:1099] Loading model weights took 7.5120 GB
INFO 01-05 10:00:33 worker.py:241] Memory profiling takes 2.51 seconds
INFO 01-05 10:00:33 worker.py:241] the current vLLM instance can use total_gpu_memory (79.22GiB) x gpu_memory_utilization (0.90) = 71.29GiB
INFO 01-05 10:00:33 worker.py:241] model weights take 7.48GiB; non_torch_memory takes 3.58GiB; PyTorch activation peak memory takes 1.26GiB; the rest of the memory reserved for KV Cache is 58.97GiB.
INFO 01-05 10:00:33 gpu_executor.py:76] # GPU blocks: 60384, # CPU blocks: 4096
INFO 01-05 10:00:33 gpu_executor.py:80] Maximum concurrency for 8192 tokens per request: 117.94x
INFO 01-05 10:00:52 model_runner.py:1535] Graph capturing finished in 15 secs, took 0.28 GiB
"""
V1 = """INFO 06-01 09:00:00 [api_server.py:1043] vLLM API server version 0.9.2
INFO 06-01 09:00:00 [cli_args.py:309] non-default args: {'model': 'Qwen/Qwen3-32B', 'max_model_len': 32768, 'enable_prefix_caching': False}
INFO 06-01 09:00:10 [config.py:1472] Using max model len 32768
INFO 06-01 09:00:10 [config.py:2285] Chunked prefill is enabled with max_num_batched_tokens=8192.
INFO 06-01 09:00:50 [gpu_model_runner.py:1801] Model loading took 61.0347 GiB and 25.104 seconds
INFO 06-01 09:01:20 [gpu_worker.py:232] Available KV cache memory: 8.16 GiB
INFO 06-01 09:01:20 [kv_cache_utils.py:716] GPU KV cache size: 33,424 tokens
INFO 06-01 09:01:20 [kv_cache_utils.py:720] Maximum concurrency for 32,768 tokens per request: 1.02x
INFO 06-01 09:01:45 [gpu_model_runner.py:2326] Graph capturing finished in 24 secs, took 0.85 GiB
"""
TWO_WORKERS = """(APIServer pid=1) INFO 03-20 10:00:00 [utils.py:297]  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.18.0
(APIServer pid=1) INFO 03-20 10:00:00 [utils.py:297]   █▄█▀ █     █     █     █  model   openai/gpt-oss-20b
(Worker_TP0 pid=2) INFO 03-20 10:01:00 [gpu_model_runner.py:4567] Model loading took 7.01 GiB memory and 12.000000 seconds
(Worker_TP1 pid=3) INFO 03-20 10:01:00 [gpu_model_runner.py:4567] Model loading took 7.02 GiB memory and 12.000000 seconds
(Worker_TP0 pid=2) INFO 03-20 10:01:20 [gpu_model_runner.py:5687] Estimated CUDA graph memory: 1.40 GiB total
(Worker_TP0 pid=2) INFO 03-20 10:01:20 [gpu_worker.py:457] Available KV cache memory: 59.32 GiB
(Worker_TP1 pid=3) INFO 03-20 10:01:20 [gpu_worker.py:457] Available KV cache memory: 59.10 GiB
(EngineCore pid=4) INFO 03-20 10:01:20 [kv_cache_utils.py:1316] GPU KV cache size: 2,590,000 tokens
(EngineCore pid=4) INFO 03-20 10:01:20 [kv_cache_utils.py:1321] Maximum concurrency for 131,072 tokens per request: 24.94x
(Worker_TP0 pid=2) INFO 03-20 10:01:50 [gpu_worker.py:618] CUDA graph pool memory: 1.55 GiB (actual), 1.40 GiB (estimated), difference: 0.15 GiB (9.7%).
"""
ONE_LINE = "(EngineCore pid=4) INFO 10-01 10:01:20 [kv_cache_utils.py:1148] GPU + host KV cache size: 1,048,576 tokens, Maximum concurrency for 131,072 tokens per request: 8.00x\n"


def pool(text: str) -> PoolReading:
    found = read_startup_log(text)
    assert found is not None
    return found


@pytest.mark.parametrize("run", [run for run in RUNS if not run.startswith("fail") and run != "request-errors"])
def test_a_real_start_tells_pool_version_and_launch(run: str) -> None:
    part = read_startup(capture(run, "startup.log"))
    assert part is not None
    assert part.pool is not None
    assert part.pool.error is None
    assert part.vllm_version == ("0.18.0" if run.startswith("v018") else "0.32.0")
    assert part.device == "CPU"
    assert part.pool.tokens is not None
    if run != "v018-swa-hybrid":  # before 0.21 a hybrid's token line was not concurrency x length
        assert part.pool.max_concurrency == pytest.approx(part.pool.tokens / (part.pool.max_model_len or 0), abs=0.006)
    assert part.launch is not None
    flags = {word.split("=")[0] for word in capture(run, "command.txt").split() if word.startswith("--")}
    assert flags <= set(part.launch.split())


def test_the_printed_pool_is_read_to_the_token() -> None:
    assert pool(capture("default", "startup.log")).tokens == 6_791_936
    overridden = pool(capture("blocks-override", "startup.log"))
    assert (overridden.tokens, overridden.blocks, overridden.max_concurrency) == (5120, 40, 2.5)


def test_v0_prints_the_whole_memory_profile() -> None:
    found = pool(V0)
    assert (found.total_gib, found.weights_gib, found.non_torch_gib, found.activation_gib) == (79.22, 7.48, 3.58, 1.26)
    assert (found.available_kv_gib, found.blocks, found.max_concurrency, found.max_model_len) == (
        58.97,
        60384,
        117.94,
        8192,
    )
    assert found.cuda_graph_gib == 0.28
    part = read_startup(V0)
    assert part is not None
    assert (part.vllm_version, part.model_name) == ("0.6.6.post1", "meta-llama/Llama-3.1-8B")
    assert part.launch is not None
    assert part.launch.startswith("vllm serve meta-llama/Llama-3.1-8B --max-model-len 8192 --tensor-parallel-size 2")


def test_weights_alone_in_gigabytes_become_gibibytes() -> None:
    found = pool("INFO 01-05 10:00:30 model_runner.py:1099] Loading model weights took 16.0000 GB\n")
    assert found.weights_gib == pytest.approx(16 * 1e9 / 2**30)


def test_v1_of_the_two_line_era() -> None:
    found = pool(V1)
    assert (found.tokens, found.max_concurrency, found.max_model_len) == (33_424, 1.02, 32_768)
    assert (found.weights_gib, found.available_kv_gib, found.cuda_graph_gib) == (61.0347, 8.16, 0.85)
    part = read_startup(V1)
    assert part is not None
    assert part.settings["max_num_batched_tokens"] == 8192
    assert part.launch == "vllm serve Qwen/Qwen3-32B --max-model-len 32768 --no-enable-prefix-caching"


def test_of_several_workers_the_smallest_pool_and_the_largest_weights_bind() -> None:
    found = pool(TWO_WORKERS)
    assert (found.weights_gib, found.available_kv_gib, found.tokens) == (7.02, 59.10, 2_590_000)
    assert found.cuda_graph_gib == 1.55  # measured outranks the estimate


def test_the_one_line_form_with_any_device_prefix() -> None:
    found = pool(ONE_LINE)
    assert (found.tokens, found.max_concurrency, found.max_model_len) == (1_048_576, 8.0, 131_072)


def test_of_several_starts_the_last_is_read() -> None:
    first = TWO_WORKERS.replace("2,590,000", "1,000")
    part = read_startup(first + TWO_WORKERS)
    assert part is not None
    assert part.pool is not None
    assert part.pool.tokens == 2_590_000
    assert "2 starts" in part.what


@pytest.mark.parametrize(
    ("usage", "non_torch", "activation", "graphs"),
    [
        (
            "14.99 GiB for weight, 1.89 GiB for peak activation, 0.25 GiB for non-torch memory, and 0.62 GiB for CUDAGraph memory.",
            0.25,
            1.89,
            0.62,
        ),
        (
            "15.31 GiB for consumed memory (weights + non-torch), 2.49 GiB for peak activation, and 0.62 GiB for CUDAGraph memory.",
            0.32,
            1.89,
            0.62,
        ),
    ],
)
def test_the_line_after_graph_capture_tells_where_all_memory_went(
    usage: str, non_torch: float, activation: float, graphs: float
) -> None:
    log = (
        "INFO [gpu_model_runner.py:5355] Model loading took 14.99 GiB memory and 3.000000 seconds\n"
        "INFO [gpu_model_runner.py:6748] Estimated CUDA graph memory: 0.60 GiB total\n"
        f"INFO [gpu_worker.py:649] Free memory on device (78.68/79.19 GiB) on startup. Desired GPU memory utilization is (0.9, 71.27 GiB). Actual usage is {usage} "
        "Replace gpu_memory_utilization config with `--kv-cache-memory=1` (0.0 GiB) to fit. Current kv cache memory in use is 54.14 GiB.\n"
    )
    found = pool(log)
    assert (found.free_gib, found.total_gib, found.weights_gib, found.available_kv_gib) == (78.68, 79.19, 14.99, 54.14)
    assert (found.non_torch_gib, found.activation_gib, found.cuda_graph_gib) == (non_torch, activation, graphs)
    assert found.error is None


def test_resolved_settings_are_kept_for_those_who_predict() -> None:
    part = read_startup(capture("v018-seqs4", "startup.log"))
    assert part is not None
    wanted = {
        "max_num_batched_tokens": 2048,
        "async_scheduling": True,
        "max_model_len": 8192,
        "enforce_eager": True,
        "dtype": "bfloat16",
    }
    assert wanted.items() <= part.settings.items()


def test_an_auto_fitted_length_is_the_length() -> None:
    line = "INFO [kv_cache_utils.py:2631] Auto-fit max_model_len: reduced from 131072 to 40960 to fit in available GPU memory (9.1 GiB available)\n"
    assert pool(V1.split("INFO 06-01 09:01:20 [kv_cache_utils", maxsplit=1)[0] + line).max_model_len == 40960


@pytest.mark.parametrize("text", ["", "hello", "TTFT p99 9s", '{"mean_ttft_ms": 3}', "vllm serve m"])
def test_other_text_is_no_startup_log(text: str) -> None:
    assert not looks_like_startup_log(text)
    assert read_startup(text) is None


def test_a_log_cut_anywhere_is_read_as_far_as_it_goes() -> None:
    for text in (V0, V1, capture("tinykv-preempt", "startup.log"), capture("fail-maxlen-kv", "startup.log")):
        seen: set[str] = set()
        for cut in range(0, len(text), 997):
            behind = read_startup(text[cut:])
            assert behind is None or behind.what.startswith("startup log")
            before = read_startup(text[: text.rfind("\n", 0, cut) + 1])
            now = set() if before is None else known(before.pool)
            assert seen <= now, cut  # a further line takes nothing back
            seen = now
        assert seen <= known(read_startup_log(text))


def known(pool: PoolReading | None) -> set[str]:
    """The figures a log told."""
    return set() if pool is None else {name for name in PoolReading.model_fields if getattr(pool, name) is not None}


@given(
    st.text(max_size=80),
    st.sampled_from(
        ["non-default args: ", "KV cache size: ", "LLM engine (v0.9) with config: ", "ValueError: ", "vllm: error: "]
    ),
    st.text(max_size=80),
)
@settings(max_examples=150, deadline=None)
def test_no_text_around_a_known_mark_breaks_the_reader(before: str, mark: str, after: str) -> None:
    found = read_startup(f"{before}{mark}{after}")
    assert found is None or found.what.startswith("startup log")
    assert found is None or found.pool or found.launch or found.vllm_version or found.settings
