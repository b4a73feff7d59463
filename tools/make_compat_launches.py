"""Make launches for the differential test of check_compat against vLLM's own configuration code.

``python tools/make_compat_launches.py COUNT SEED VERSION`` prints ``GPU<TAB>serve MODEL ...`` lines: random
combinations of what the rules decide, with flags of that release only, about one mistake each.
``python tools/make_compat_launches.py alone VERSION [SEED]`` prints every flag of a release alone, at ordinary and
unusual values; with a seed, on GPUs and models drawn for each. MODEL is the name of a folder with a config.json; the
oracle that answers the lines is vLLM's ``create_engine_config``.
"""

import json
import random
import shlex
import sys
from collections.abc import Callable, Iterator

from vllm_triage.facts.flags import FlagSpec, table

GPUS = ("t4", "a100", "l4", "l40s", "h100", "h100", "h200", "b200")
MODELS = (
    "qwen3-8b", "llama31-70b", "gpt-oss-20b", "gemma3-1b", "dsv2-lite", "falcon-h1-tiny", "qwen3-tiny", "qwen3-30b-a3b",
    "qwen3-next", "command-a", "deepseek-v3", "llama31-70b-fp8", "llama2-7b", "falcon3",
)  # fmt: skip

Option = Callable[[random.Random], list[str]]


def of(flag: str, *values: str) -> Option:
    """A flag with one of these values; a bare flag without any."""
    return lambda rng: [flag, rng.choice(values)] if values else [flag]


def either(*options: Option) -> Option:
    """One of several options."""
    return lambda rng: rng.choice(options)(rng)


def both(*options: Option) -> Option:
    """Several options together."""
    return lambda rng: [word for option in options for word in option(rng)]


def with_json(flag: str, *values: dict[str, object]) -> Option:
    """A flag with one of these objects."""
    return lambda rng: [flag, json.dumps(rng.choice(values), separators=(",", ":"))]


def speculation(rng: random.Random) -> list[str]:
    """A speculative configuration, right or wrong in one place."""
    config: dict[str, object] = {
        "method": rng.choice(
            ["ngram", "ngram", "ngram_gpu", "suffix", "eagle", "eagle3", "mtp", "medusa", "deepseek_mtp", "x"]
        ),
        "num_speculative_tokens": rng.choice([1, 2, 3, 5, 8, 0, -1]),
    }
    if rng.random() < 0.6:
        config["prompt_lookup_max"] = rng.choice([1, 2, 4, 8, 0])
    if rng.random() < 0.3:
        config["prompt_lookup_min"] = rng.choice([1, 2, 5])
    wrong: list[dict[str, object]] = [
        {"tensor_parallel_size": 2}, {"unknown_key": 1}, {"disable_padded_drafter_batch": True}, {"max_model_len": 512},
        {"use_heterogeneous_vocab": True}, {"enable_adaptive_verification": True}, {"parallel_drafting": True},
        {"num_speculative_tokens": None}, {"draft_tensor_parallel_size": 3}, {"quantization": "fp8"},
    ]  # fmt: skip
    if rng.random() < 0.3:
        config |= rng.choice(wrong)
    config = {key: value for key, value in config.items() if value is not None}
    return ["--speculative-config", json.dumps(config, separators=(",", ":"))]


OPTIONS: tuple[tuple[float, Option], ...] = (
    (0.30, of("--max-model-len", "1024", "4096", "8k", "32k", "40960", "131072", "131073", "262144", "auto")),
    (0.30, of("--max-num-seqs", "1", "2", "64", "256", "512", "1024", "4096")),
    (0.30, of("--max-num-batched-tokens", "1", "8", "256", "512", "2048", "8192", "16384", "1M")),
    (0.15, either(of("--enable-chunked-prefill"), of("--no-enable-chunked-prefill"))),
    (0.15, either(of("--enable-prefix-caching"), of("--no-enable-prefix-caching"))),
    (0.15, either(of("--async-scheduling"), of("--no-async-scheduling"))),
    (0.20, of("--kv-cache-dtype", "auto", "fp8", "fp8_e4m3", "fp8_e5m2", "bfloat16", "float16", "nvfp4", "turboquant_4bit_nc",
              "int8_per_token_head", "fp8_ds_mla")),
    (0.15, of("--block-size", "1", "16", "32", "48", "64", "128", "256")),
    (0.30, of("-tp", "1", "2", "3", "4", "6", "8")),
    (0.12, of("-pp", "2", "3", "4")),
    (0.10, of("--decode-context-parallel-size", "1", "2", "4", "8")),
    (0.12, of("--data-parallel-size", "1", "2", "4")),
    (0.30, speculation),
    (0.10, of("--dtype", "auto", "bfloat16", "float16", "float32", "half")),
    (0.10, of("--quantization", "fp8", "awq", "gptq", "bitsandbytes", "mxfp4", "experts_int8", "fbgemm_fp8", "gguf", "nope",
              "compressed-tensors", "torchao", "modelopt", "ptpc_fp8")),
    (0.08, of("--long-prefill-token-threshold", "0", "512", "40000", "200000", "-1")),
    (0.06, of("--max-num-partial-prefills", "1", "2", "4")),
    (0.05, of("--max-long-partial-prefills", "1", "2")),
    (0.08, of("--enforce-eager")),
    (0.08, either(of("-O0"), of("-O1"), of("-O2"), of("-O3"))),
    (0.08, of("--max-cudagraph-capture-size", "0", "8", "64", "512", "4096", "100000")),
    (0.08, lambda rng: ["--cudagraph-capture-sizes", *rng.choice([["1"], ["1", "2", "4"], ["4", "2"], ["8", "100000"]])]),
    (0.08, with_json("--compilation-config", {"cudagraph_mode": "FULL"}, {"cudagraph_mode": "PIECEWISE"}, {"mode": 0},
                     {"cudagraph_capture_sizes": [1, 2]}, {"max_cudagraph_capture_size": 16},
                     {"pass_config": {"enable_sp": True}}, {"cudagraph_mode": "NONE"}, {"mode": 3})),
    (0.12, of("--enable-expert-parallel")),
    (0.08, of("--enable-eplb")),
    (0.05, with_json("--eplb-config", {"num_redundant_experts": 2}, {"window_size": 10}, {"step_interval": 0})),
    (0.04, of("--all2all-backend", "pplx", "naive", "allgather_reducescatter", "deepep_low_latency")),
    (0.04, of("--enable-dbo")),
    (0.03, of("--enable-elastic-ep")),
    (0.10, both(of("--enable-lora"), of("--max-loras", "1", "4", "0"))),
    (0.05, both(of("--enable-lora"), of("--max-loras", "4"), of("--max-cpu-loras", "2", "8"))),
    (0.03, of("--max-lora-rank", "8", "32", "3")),
    (0.06, of("--distributed-executor-backend", "mp", "uni", "external_launcher")),
    (0.06, with_json("--kv-transfer-config", {"kv_connector": "NixlConnector", "kv_role": "kv_both"},
                     {"kv_connector": "OffloadingConnector", "kv_role": "kv_both"}, {"kv_connector": "SharedStorageConnector"})),
    (0.05, with_json("--kv-events-config", {"enable_kv_cache_events": True, "publisher": "zmq"}, {"publisher": "zmq"},
                     {"enable_kv_cache_events": False, "publisher": "zmq"})),
    (0.05, either(of("--disable-hybrid-kv-cache-manager"), of("--no-disable-hybrid-kv-cache-manager"))),
    (0.05, of("--kv-cache-memory-bytes", "1G", "8G", "0", "-1")),
    (0.05, of("--num-gpu-blocks-override", "1000", "0", "-5")),
    (0.05, of("--cpu-offload-gb", "0", "4", "-1")),
    (0.04, of("--offload-group-size", "0", "4", "-1")),
    (0.04, of("--offload-num-in-group", "1", "5", "0")),
    (0.04, of("--offload-backend", "auto", "uva", "prefetch")),
    (0.04, of("--kv-offloading-size", "8", "0")),
    (0.05, of("--gpu-memory-utilization", "0.5", "0.95", "1.0", "1.01", "-0.1", "0")),
    (0.05, of("--mamba-cache-mode", "none", "align", "all")),
    (0.05, of("--mamba-block-size", "16", "64", "0", "1024")),
    (0.05, of("--scheduling-policy", "fcfs", "priority")),
    (0.04, of("--performance-mode", "balanced", "interactivity", "throughput")),
    (0.05, of("--kv-sharing-fast-prefill")),
    (0.04, of("--max-num-active-seqs", "8", "5000")),
    (0.04, of("--max-num-scheduled-tokens", "128", "4096", "100000")),
    (0.04, of("--watermark", "0", "0.1", "1", "-0.1")),
    (0.04, of("--stream-interval", "1", "0", "10")),
    (0.04, of("--prefill-schedule-interval", "1", "0", "4")),
    (0.04, of("--attention-backend", "FLASH_ATTN", "FLASHINFER", "TRITON_ATTN", "FLEX_ATTENTION", "FLASHMLA", "auto")),
    (0.03, both(of("--attention-backend", "FLASH_ATTN"), with_json("--attention-config", {"backend": "FLASH_ATTN"}))),
    (0.03, of("--api-server-count", "1", "4")),
    (0.03, of("--data-parallel-external-lb")),
    (0.03, of("--data-parallel-hybrid-lb")),
    (0.03, of("--data-parallel-rank", "0", "1")),
    (0.03, of("--data-parallel-size-local", "1", "2", "8")),
    (0.03, of("--nnodes", "1", "2", "3")),
    (0.03, of("--dcp-comm-backend", "ag_rs", "a2a")),
    (0.03, of("--cp-kv-cache-interleave-size", "1", "3", "16")),
    (0.03, of("--prefill-context-parallel-size", "1", "2")),
    (0.03, of("--numa-bind-nodes", "0")),
    (0.03, of("--max-parallel-loading-workers", "1", "0")),
    (0.03, of("--disable-chunked-mm-input")),
    (0.03, of("--no-disable-cascade-attn")),
    (0.03, of("--enable-return-routed-experts")),
    (0.03, of("--enable-sleep-mode")),
    (0.03, of("--runner", "auto", "generate", "pooling")),
    (0.03, of("--max-logprobs", "-1", "-2", "0", "5")),
    (0.03, of("--per-request-spec-decode-metrics", "none", "summary")),
    (0.03, of("--enable-batch-sharded-sampling")),
    (0.03, both(of("--spec-method", "ngram"), of("--spec-tokens", "3"))),
)  # fmt: skip


def launches(count: int, seed: int, version: str) -> Iterator[str]:
    """Random launches of flags that the release has."""
    rng = random.Random(seed)  # noqa: S311
    known = table(version)
    for _ in range(count):
        words = ["serve", rng.choice(MODELS)]
        for probability, option in OPTIONS:
            if rng.random() < probability * 0.45:
                given = option(rng)
                flags = [word for word in given if word.startswith("--") or word in ("-tp", "-pp")]
                words += given if all(known.by_option(flag) is not None for flag in flags) else []
        yield f"{rng.choice(GPUS)}\t{shlex.join(words)}"


def alone(version: str, seed: int | None = None) -> Iterator[str]:
    """Every flag of a release, one at a time; on a small model and an H100 without a seed."""
    rng = random.Random(seed)  # noqa: S311
    for spec in sorted(table(version).by_dest.values(), key=lambda spec: spec.flag):
        for value in _values(spec):
            gpu, model = ("h100", "qwen3-tiny") if seed is None else (rng.choice(GPUS), rng.choice(MODELS))
            yield f"{gpu}\t{shlex.join(['serve', model, *value])}"


def _values(spec: FlagSpec) -> Iterator[list[str]]:
    """Ordinary and unusual values of one flag."""
    if spec.dest in ("config", "help", "version", "model", "model_tag", "tokenizer", "hf_config_path", "download_dir"):
        return
    if spec.type is None and not spec.choices and spec.nargs in (None, 0) and spec.action not in ("store", "append"):
        yield [spec.flag]
        return
    given = [str(choice) for choice in spec.choices][:12]
    kind = spec.type or ""
    if not given:
        given = (
            ["-1", "0", "1", "3", "1000000"]
            if "int" in kind
            else ["-1", "0", "0.5", "1", "2.5"]
            if "float" in kind
            else []
        )
    if not given:
        given = ["{}", '{"unheard_of":1}'] if spec.config or "json" in kind or "loads" in kind else ["x"]
    for value in given:
        yield [spec.flag, value]


def main() -> None:
    """Print the lines."""
    told = sys.argv[1:]
    by_flag = told[0] == "alone"
    lines = alone(told[1], int(told[2]) if told[2:] else None) if by_flag else launches(int(told[0]), int(told[1]), told[2])
    for line in lines:
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
