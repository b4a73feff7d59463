"""Hold check_compat against what vLLM's own configuration code answered, and keep such answers as test data.

    python tools/measure_compat.py measure tests/data/compat
    python tools/measure_compat.py measure ANSWERS.jsonl... --configs DIR
    python tools/measure_compat.py pack ANSWERS.jsonl... --configs DIR --out tests/data/compat

ANSWERS holds one JSON object a line, as ``tools/record_compat.py`` writes it; its file name holds the vLLM version.
DIR holds a folder with a config.json for each model named in ``argv``. `measure` prints every disagreement and two
shares: a launch is refused or not, and the settings the engine changed are the ones the findings name.
"""

import argparse
import gzip
import json
import re
import shlex
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vllm_triage.domain import CompatReport, Deployment
from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.registry import find

NAMES = {
    "qwen3-8b": "Qwen/Qwen3-8B",
    "llama31-70b": "meta-llama/Llama-3.1-70B-Instruct",
    "gpt-oss-20b": "openai/gpt-oss-20b",
    "gemma3-1b": "google/gemma-3-1b-it",
    "dsv2-lite": "deepseek-ai/DeepSeek-V2-Lite",
}
"""The models of the recorded launches by the name of their folder; the others are made up."""
SETTINGS: dict[str, tuple[str, str]] = {
    "async_scheduling": ("scheduler_config", "async_scheduling"),
    "enable_prefix_caching": ("cache_config", "enable_prefix_caching"),
    "enable_chunked_prefill": ("scheduler_config", "enable_chunked_prefill"),
    "block_size": ("cache_config", "block_size"),
    "max_model_len": ("model_config", "max_model_len"),
    "max_num_seqs": ("scheduler_config", "max_num_seqs"),
    "max_num_batched_tokens": ("scheduler_config", "max_num_batched_tokens"),
    "max_cudagraph_capture_size": ("compilation_config", "max_cudagraph_capture_size"),
    "cudagraph_capture_sizes": ("compilation_config", "cudagraph_capture_sizes"),
    "disable_hybrid_kv_cache_manager": ("scheduler_config", "disable_hybrid_kv_cache_manager"),
    "kv_cache_dtype": ("cache_config", "cache_dtype"),
    "mamba_cache_mode": ("cache_config", "mamba_cache_mode"),
    "quantization": ("model_config", "quantization"),
    "long_prefill_token_threshold": ("scheduler_config", "long_prefill_token_threshold"),
}
"""Setting -> where vLLM's configuration holds it."""
ENVIRONMENT = re.compile(
    r"Ray|Arctic|bitsandbytes|tokenizer|Cannot find the config file|Failed to (import|infer)|No module named|compiled"
    r"|Invalid repository ID|File does not exist|model_file or model_proto"
    r"|cutlass|cumem allocator|Triton|num_stages|_OpNamespace",
    re.I,
)
"""What the recording environment refused, not vLLM."""
LATER = {
    "attention-backend-invalid": "the worker: get_attn_backend_cls, vllm/platforms/cuda.py (0.18.0 line 252, 0.33.0 line 438)",
    "sinks-unsupported": "the worker: get_attn_backend_cls, vllm/platforms/cuda.py (0.18.0 line 282)",
    "mla-fp8-device": "the worker: get_attn_backend_cls, vllm/platforms/cuda.py, and TritonMLAImpl.__init__, "
    "vllm/v1/attention/backends/mla/triton_mla.py (0.33.0 line 203)",
    "nvfp4-kv-device": "the worker: get_attn_backend_cls, and FlashInferMetadataBuilder.__init__, "
    "vllm/v1/attention/backends/flashinfer.py (0.23.0 line 626)",
    "bfloat16-unsupported": "the worker: check_if_supports_dtype in Worker.init_device, vllm/v1/worker/gpu_worker.py "
    "(0.18.0 line 257, 0.33.0 line 498)",
    "fp8-e5m2-checkpoint": "the worker: _init_kv_cache_quant, vllm/model_executor/layers/attention/attention.py "
    "(0.18.0 line 167, 0.33.0 line 219)",
    "offload-with-cache-groups": "the worker: GPUModelRunner.may_reinitialize_input_batch, "
    "vllm/v1/worker/gpu_model_runner.py (0.18.0 line 6182)",
    "weights-not-divisible": "the worker: VocabParallelEmbedding.__init__, "
    "vllm/model_executor/layers/vocab_parallel_embedding.py, and ColumnParallelLinear.__init__ (0.6.6.post1 to 0.33.0)",
    "bfloat16-kv-device": "the worker: TritonAttentionImpl.__init__, vllm/v1/attention/backends/triton_attn.py (0.33.0 line 525)",
    "encoder-quantized-kv": "the first request: FlashAttentionImpl._forward_encoder_attention, "
    "vllm/v1/attention/backends/flash_attn.py (0.28.0)",
    "prefix-match-unit": "the engine core: vllm/v1/core/kv_cache_utils.py (0.28.0 line 664)",
    "drafts-with-microbatches": "the worker's warm-up: vllm/v1/spec_decode/llm_base_proposer.py (0.28.0 line 1828)",
    "sequence-parallel-drafts": "the worker: CompilationConfig.adjust_cudagraph_sizes_for_spec_decode, "
    "vllm/config/compilation.py, called by the runner (0.29.0 line 1525)",
    "flashinfer-window": "the worker: FlashInferMetadataBuilder.__init__, vllm/v1/attention/backends/flashinfer.py (0.28.0 line 884)",
    "sparse-interleave": "the worker: DeepseekV32IndexerMetadataBuilder.__init__, vllm/v1/attention/backends/mla/indexer.py "
    "(0.28.0 line 539)",
    "indexer-cache-device": "the worker: vllm/v1/attention/backends/mla/indexer.py (0.28.0)",
    "aiter-attention-models": "the worker: AiterFlashAttentionImpl.__init__, vllm/v1/attention/backends/rocm_aiter_fa.py (0.28.0)",
    "cpu-fp8-heads": "the worker: CPUAttentionBackendImpl.__init__, vllm/v1/attention/backends/cpu_attn.py (0.28.0)",
    "kv-heads-not-divisible": "the worker: QKVParallelLinear.__init__, vllm/model_executor/layers/linear.py (0.33.0 line 1066)",
    "vision-heads-not-divisible": "the worker: `divide` in the vision attention, "
    "vllm/model_executor/models/qwen2_5_vl.py (0.33.0 line 371)",
    "encoder-attention-backend": "the worker: get_vit_attn_backend, vllm/platforms/cuda.py (0.33.0 line 538)",
    "bitsandbytes-tensor-parallel": "the worker: BitsAndBytesModelLoader, "
    "vllm/model_executor/model_loader/bitsandbytes_loader.py (0.11.0 line 522)",
    "experts-quantization": "the worker: the experts' apply, "
    "vllm/model_executor/layers/quantization/compressed_tensors/compressed_tensors_moe.py (0.8.0 line 557)",
    "local-chunk-block": "the worker's first step: make_local_attention_virtual_batches, vllm/v1/attention/backends/utils.py",
    "dcp-backend": "the worker: check_attention_cp_compatibility, vllm/v1/worker/cp_utils.py (0.33.0 line 21)",
    "dcp-interleave-with-drafts": "the worker: check_attention_cp_compatibility, vllm/v1/worker/cp_utils.py (0.28.0 line 40)",
    "dcp-fp8-kv": "the worker's first step: vllm/model_executor/layers/attention/mla_attention.py (0.24.0)",
    "dcp-compressed-latents": "the worker: DeepseekV32IndexerMetadataBuilder, vllm/v1/attention/backends/mla/indexer.py "
    "(0.28.0 line 621)",
    "capture-sizes-below-drafts": "the worker: adjust_cudagraph_sizes_for_spec_decode, called from "
    "vllm/v1/worker/gpu_model_runner.py (0.18.0 line 6090)",
    "connector-with-states": "the engine core: unify_hybrid_kv_cache_specs, vllm/v1/core/kv_cache_utils.py (0.18.0 line 1157)",
    "kv-connector-missing": "the engine core: KVConnectorFactory, vllm/distributed/kv_transfer/kv_connector/factory.py, "
    "called by Scheduler.__init__ (0.9.0 line 76); from 0.22 VllmConfig.__post_init__ asks it first",
    "kv-connector-unknown": "the engine core: KVConnectorFactory, vllm/distributed/kv_transfer/kv_connector/factory.py",
    "executor-unknown": "the engine client: Executor.get_class, vllm/v1/executor/abstract.py (0.18.0 line 82)",
    "parallel-size-zero": "the engine client: Executor.get_class, vllm/v1/executor/abstract.py (0.18.0 line 82)",
    "tool-choice-without-parser": "the API server: validate_parsed_serve_args, vllm/entrypoints/openai/cli_args.py (0.18.0 "
    "line 366), vllm/entrypoints/common/cli_args.py (0.33.0 line 553)",
    "reasoning-parser-unknown": "the API server: validate_api_server_args, vllm/entrypoints/openai/api_server.py (0.18.0 line "
    "508); later releases ask in the configuration",
}
"""Rules about what stops a step after the recorded one (the API server, the engine core or a worker), and where it does.

Others say so themselves, in their documentation: see :func:`place`.
"""
LATER_STEP = re.compile(r"[Ww]orker|builds (or loads )?the model|Loading (stops|fails)|[Ff]irst (step|run|request)|captures")
"""Words in which a rule's documentation puts what happens after the configuration was accepted."""
ENLARGED = (
    "the worker: Platform.update_block_size_for_backend, vllm/platforms/interface.py (0.23.0 to 0.33.0), once the attention "
    "backends are known"
)
"""Where the blocks of hybrid models are enlarged from 0.20 on."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch and what vLLM made of it."""

    version: str
    gpu: str
    argv: str
    outcome: str
    """``ok``, ``config``, ``parse`` or ``environment``."""
    got: dict[str, Any]
    said: str = ""


@dataclass(slots=True)
class Tally:
    """How many launches of a release agree."""

    refusals: list[bool] = field(default_factory=list)
    later: int = 0
    """Of the disagreements, refusals of a step that was not recorded."""
    changes: list[bool] = field(default_factory=list)
    enlarged: int = 0
    """Of the disagreements, blocks the workers enlarge: from 0.20 after the recorded step."""
    spent: float = 0.0


def answered(paths: Iterable[Path]) -> Iterator[Launch]:
    """Recorded answers."""
    for path in paths:
        found = re.search(r"\d+\.\d+\.\d+", path.name)
        if found is None:
            raise SystemExit(f"{path}: no version in the file's name")
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for line in lines:
                yield _launch(found[0], json.loads(line))


def _launch(version: str, row: dict[str, Any]) -> Launch:
    error = row.get("error") or ""
    said = " ".join(" ".join(error if isinstance(error, list) else [error]).split("[type=")[0].split())
    outcome = "ok" if row["ok"] else str(row["stage"])
    if outcome == "config" and ENVIRONMENT.search(said):
        outcome = "environment"
    got = {}
    for name, (section, key) in SETTINGS.items() if row["ok"] else ():
        held = row.get(section) or {}
        listed = name != "cudagraph_capture_sizes" or "--cudagraph-capture-sizes" in row["argv"]
        if key in held and listed:
            got[name] = held[key]
    return Launch(version, row["gpu"], row["argv"], outcome, got, said)


def packed(folder: Path) -> tuple[list[Launch], dict[str, dict[str, Any]]]:
    """The launches kept as test data, and the models' configurations."""
    launches = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            launches += [Launch(path.name.removesuffix(".jsonl.gz"), *json.loads(line)) for line in lines]
    return launches, json.loads((folder / "models.json").read_text(encoding="utf-8"))


def pack(launches: Iterable[Launch], configs: dict[str, dict[str, Any]], out: Path) -> None:
    """Add launches to those kept in `out`, compactly, each once, without the text of errors."""
    before = packed(out)[0] if (out / "models.json").is_file() else []
    kept: dict[str, dict[tuple[str, str], Launch]] = {}
    for launch in (*before, *launches):
        if launch.outcome != "environment":
            kept.setdefault(launch.version, {})[launch.gpu, launch.argv] = launch
    out.mkdir(parents=True, exist_ok=True)
    for version, rows in kept.items():
        lines = [json.dumps([x.gpu, x.argv, x.outcome, x.got], separators=(",", ":")) + "\n" for x in rows.values()]
        (out / f"{version}.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode(), 9, mtime=0))
    (out / "models.json").write_text(json.dumps(configs, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def deployed(launch: Launch, configs: dict[str, dict[str, Any]]) -> Deployment:
    """The launch as this product reads it."""
    _, model, *words = shlex.split(launch.argv)
    command = "vllm " + shlex.join(["serve", NAMES.get(model, f"example/{model}"), *words])
    return deploy(command, launch.version, launch.gpu, configs[model])


def place(rule_id: str) -> str | None:
    """Where after the recorded step a rule's refusal is decided; None for one that the configuration decides."""
    rule = find(rule_id)
    if rule_id in LATER or rule is None:
        return LATER.get(rule_id)
    return rule.evidence[0] if LATER_STEP.search(rule.sections["What happens"]) else None


def refuses(report: CompatReport) -> tuple[str, ...]:
    """The rules that say the launch does not start; what only the house forbids does start."""
    return tuple(sorted({f.rule for f in report.findings if f.severity == "fatal" and f.basis != "policy"}))


def changed(launch: Launch, deployment: Deployment) -> set[tuple[str, str, str]]:
    """(setting, asked, got) for what vLLM changed: flags given, and async scheduling where it is the default."""
    out = set()
    for name, got in launch.got.items():
        asked: Any = deployment.args.get(name)
        if name not in deployment.args or (name == "max_model_len" and asked == -1):
            continue
        if str(asked) != str(got) and not (isinstance(asked, list) and sorted(asked) == got):
            out.add((name, str(asked), str(got)))
    release = tuple(int(part) for part in launch.version.split("."))
    if release >= (0, 14) and "async_scheduling" not in deployment.args and launch.got.get("async_scheduling") is False:
        out.add(("async_scheduling", "True", "False"))
    return out


def told(launch: Launch, deployment: Deployment, report: CompatReport) -> set[tuple[str, str, str]]:
    """(setting, asked, got) as the findings name them, for the recorded settings; but not a default rightly told."""
    return {
        (change.setting, str(change.asked), str(change.got))
        for finding in report.findings
        for change in finding.changed
        if change.setting in launch.got
        and (
            change.setting in ("async_scheduling", *deployment.args)
            or str(change.got) != str(launch.got[change.setting])
        )
    }


@dataclass(frozen=True, slots=True)
class Comparison:
    """What vLLM did with one launch beside what check_compat says of it."""

    refusal: bool
    """Refused by both or by neither."""
    change: bool | None
    """The same settings changed to the same values; None where either refuses."""
    later: bool
    """What differs happens after the recorded step."""
    why: str
    """What differs, empty when nothing does."""
    spent: float
    """Seconds it took to read the launch and to check it."""


def compare(launch: Launch, configs: dict[str, dict[str, Any]]) -> Comparison:
    """Check one launch and hold it against its answer."""
    started = time.perf_counter()
    deployment = deployed(launch, configs)
    report = check(deployment)
    spent = time.perf_counter() - started
    rules, accepted = refuses(report), launch.outcome == "ok"
    if bool(rules) == accepted:
        said = "accepted" if accepted else launch.said[:160] or "refused"
        later = accepted and all(place(rule) for rule in rules)
        return Comparison(False, None, later, f"vLLM: {said}; here: {rules or 'starts'}", spent)
    if not accepted:
        return Comparison(True, None, False, "", spent)
    real, named = changed(launch, deployment), told(launch, deployment, report)
    if real == named:
        return Comparison(True, True, False, "", spent)
    return Comparison(True, False, at_start(launch.version, real, named), f"missed {real - named}, claimed {named - real}", spent)


def at_start(version: str, real: set[tuple[str, str, str]], named: set[tuple[str, str, str]]) -> bool:
    """True when all that differs is a block the workers enlarge, which from 0.20 they do after the recorded step."""
    release = tuple(int(part) for part in version.split("."))
    return release >= (0, 20) and not real - named and {setting for setting, _, _ in named - real} == {"block_size"}


def measure(launches: Iterable[Launch], configs: dict[str, dict[str, Any]]) -> dict[str, Tally]:
    """Compare each launch, print every disagreement, and count by release."""
    tallies: dict[str, Tally] = {}
    for launch in launches:
        if launch.outcome == "environment":
            continue
        tally = tallies.setdefault(launch.version, Tally())
        found = compare(launch, configs)
        tally.spent += found.spent
        tally.refusals.append(found.refusal)
        if found.change is not None:
            tally.changes.append(found.change)
        if found.why:
            tally.later += found.later and not found.refusal
            tally.enlarged += found.later and found.refusal
            note = " (a later step)" if found.later else ""
            print(f"  {launch.version} {launch.gpu} {launch.argv}\n      {found.why}{note}")
    return tallies


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("measure", "pack"))
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--configs", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.configs is None:
        launches, configs = packed(options.paths[0])
    else:
        launches = list(answered(options.paths))
        files = options.configs.glob("*/config.json")
        configs = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(files)}
    if options.command == "pack":
        pack(launches, configs, options.out)
        return
    for version, tally in sorted(measure(launches, configs).items()):
        count, right = len(tally.refusals), sum(tally.refusals)
        print(
            f"{version}: {right}/{count} agree on refused or not ({right / count:.1%}; with refusals of a later step "
            f"{(right + tally.later) / count:.1%}); {sum(tally.changes)}/{len(tally.changes)} on what was changed "
            f"({sum(tally.changes) / len(tally.changes):.1%}; with what happens when the workers start "
            f"{(sum(tally.changes) + tally.enlarged) / len(tally.changes):.1%}); {tally.spent / count * 1e3:.2f} ms each with reading"
        )


if __name__ == "__main__":
    main()
