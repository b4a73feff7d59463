"""Incompatibilities that people reported in public, each as a launch that shows it: check_compat finds every one."""

import pytest

from verdicts.harness import launch, spec
from vllm_triage.verdicts.compat import check

VLLM = "https://github.com/vllm-project/vllm/"
DRAFT = spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3)
MTP = spec(method="mtp", num_speculative_tokens=1)
NIXL = '--kv-transfer-config \'{"kv_connector":"NixlConnector","kv_role":"kv_both"}\''
LMCACHE = '--kv-transfer-config \'{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}\''

REPORTS = [
    (VLLM + "issues/14117", "0.7.3", "deepseek-ai/DeepSeek-R1 -tp 8 -pp 2 --num-speculative-tokens 1", "v0-pipeline-with-speculation"),
    (VLLM + "issues/49355", "0.25.1", f"deepseek-ai/DeepSeek-V3 -pp 2 {MTP}", "speculation-with-pipeline"),
    (VLLM + "issues/52071", "0.26.0", f"deepseek-ai/DeepSeek-V3 -pp 2 --no-async-scheduling {MTP}", "speculation-with-pipeline"),
    (VLLM + "issues/4232", "0.8.5", "Qwen/Qwen3-14B -tp 6", "heads-not-divisible"),
    ("https://github.com/THU-KEG/AdaptThink/issues/1", "0.8.5", "Qwen/Qwen2.5-7B-Instruct -tp 8", "heads-not-divisible"),
    (VLLM + "issues/52435", "0.28.0", "deepseek-ai/DeepSeek-V3 -tp 3 --enable-expert-parallel", "heads-not-divisible"),
    (VLLM + "issues/40153", "0.19.0", "openai/gpt-oss-20b --attention-backend FLASHINFER @RTX 5090", "attention-backend-invalid"),
    (VLLM + "issues/26431", "0.11.2", "Qwen/Qwen3-8B --kv-cache-dtype fp8 @RTX 3090", "fp8-kv-attention"),
    (VLLM + "pull/25752", "0.10.2", "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching", "mamba-caching-unsupported"),
    (
        VLLM + "pull/25752", "0.10.2",
        "tiiuae/Falcon-H1-7B-Instruct " + spec(method="ngram", num_speculative_tokens=3), "mamba-drafting-unsupported",
    ),
    (VLLM + "issues/48401", "0.23.0", "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching --max-model-len 1024", "hybrid-prefix-block"),
    (VLLM + "issues/42911", "0.23.0", f"Qwen/Qwen3.6-27B {LMCACHE}", "connector-with-states"),
    (VLLM + "issues/49537", "0.18.0", f"Qwen/Qwen3.5-27B {NIXL}", "connector-with-states"),
    (VLLM + "issues/16395", "0.8.5", f"Qwen/Qwen2.5-7B-Instruct {NIXL}", "v0-connector-fallback"),
    (VLLM + "issues/18115", "0.8.5", "Qwen/Qwen2.5-7B-Instruct --preemption-mode swap", "v0-fallback"),
    (VLLM + "pull/35723", "0.17.1", "Qwen/Qwen3-8B --disable-log-requests", "parser-refuses"),
    (VLLM + "pull/36216", "0.18.0", "Qwen/Qwen3-8B --swap-space 4", "parser-refuses"),
    (VLLM + "pull/22138", "0.10.2", "Qwen/Qwen3-8B --num-scheduler-steps 8", "parser-refuses"),
    (VLLM + "pull/25334", "0.11.0", "Qwen/Qwen3-8B --preemption-mode swap", "parser-refuses"),
    (VLLM + "pull/25334", "0.11.0", "Qwen/Qwen3-8B --scheduler-delay-factor 0.5", "parser-refuses"),
    (VLLM + "pull/28006", "0.11.1", "Qwen/Qwen3-8B --rope-theta 10000", "parser-refuses"),
    (VLLM + "pull/29326", "0.12.0", "Qwen/Qwen3-8B --guided-decoding-backend xgrammar", "parser-refuses"),
    (VLLM + "pull/30396", "0.13.0", "Qwen/Qwen3-8B --cuda-graph-sizes 8", "parser-refuses"),
    (VLLM + "pull/21349", "0.10.0", "Qwen/Qwen3-8B --device cuda", "parser-refuses"),
    (VLLM + "pull/20979", "0.10.0", "Qwen/Qwen3-8B --enable-reasoning", "parser-refuses"),
    (VLLM + "pull/49389", "0.28.0", "Qwen/Qwen3-8B --calculate-kv-scales", "parser-refuses"),
    (VLLM + "blob/v0.8.5/vllm/engine/arg_utils.py", "0.8.5", "Qwen/Qwen2.5-7B-Instruct --num-speculative-tokens 3", "parser-refuses"),
    (
        VLLM + "blob/v0.33.0/vllm/config/vllm.py", "0.28.0",
        f"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True vllm serve Qwen/Qwen3-8B {NIXL}",
        "connector-with-expandable-segments",
    ),
    (
        VLLM + "blob/v0.33.0/vllm/model_executor/models/config.py", "0.28.0",
        "Qwen/Qwen3-Next-80B-A3B-Instruct -tp 4 --enable-prefix-caching --no-enable-chunked-prefill", "mamba-needs-chunks",
    ),
    (
        VLLM + "blob/v0.18.0/vllm/model_executor/layers/attention/attention.py", "0.10.0",
        "Qwen/Qwen3-32B-FP8 --kv-cache-dtype fp8_e5m2", "fp8-e5m2-checkpoint",
    ),
    (VLLM + "issues/52761", "0.29.0", f"deepseek-ai/DeepSeek-V4-Flash -pp 3 {MTP}", "draft-without-pipeline"),
    ("vllm/v1/worker/gpu_worker.py 0.19.0", "0.19.0", "Qwen/Qwen3-30B-A3B -dp 2 @1x H100-SXM", "engines-exceed-gpus"),
    ("vllm/config/model.py 0.19.0", "0.19.0", "Qwen/Qwen3-8B --max-model-len 65536", "context-beyond-model"),
    ("vllm/v1/worker/utils.py 0.19.0", "0.19.0", "Qwen/Qwen3-8B --gpu-memory-utilization 0.97", "utilization-near-one"),
    (
        "https://github.com/vllm-project/recipes/issues/565", "0.31.0",
        "deepseek-ai/DeepSeek-V3.2 -tp 8 --kv-cache-dtype fp8_e4m3 @8x H200", "sparse-mla-kv-dtype",
    ),
    ("vllm/v1/attention/backends/flashinfer.py 0.29.0", "0.29.0", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4 @RTX 5090", "nvfp4-kv-device"),
    ("vllm/entrypoints/openai 0.33.0", "0.33.0", "Qwen/Qwen3-8B --tool-call-parser hermes", "parser-without-tools"),
    (
        "vllm/v1/worker/gpu_worker.py 0.33.0", "0.33.0",
        "Qwen/Qwen3-8B --kv-cache-memory-bytes 6G --gpu-memory-utilization 0.9", "kv-pool-pinned",
    ),
    (VLLM + "pull/24322", "0.12.0", f"Qwen/Qwen3-8B {DRAFT}", "draft-model-unsupported"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "version", "command", "rule"), REPORTS, ids=[f"{r[3]}-{n}" for n, r in enumerate(REPORTS)]
)
def test_a_public_report_is_found(source: str, version: str, command: str, rule: str) -> None:
    command, _, gpu = command.partition(" @")
    report = check(launch(command, version, gpu or "8x H100-SXM"))
    assert rule in {finding.rule for finding in report.findings}, source
