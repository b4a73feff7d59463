"""Hold the resolved settings against what vLLM itself resolved, and trim such answers into test data.

    python tools/record_settings.py compare LAUNCHES.jsonl.gz... --configs DIR
    python tools/record_settings.py trim LAUNCHES.jsonl.gz... --configs DIR --out FILE.json.gz --count 120

LAUNCHES holds one JSON object a line, as a run of vLLM's ``create_engine_config`` gave it: ``argv``, ``gpu``, ``ok``
and the fields of each configuration; its file name begins with the vLLM version. DIR holds a folder with a config.json
for each model named in ``argv``. `compare` prints every disagreement and the share that agrees, field by field.
"""

import argparse
import gzip
import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from vllm_triage.engine.accelerators import accelerator
from vllm_triage.engine.model_of import overrides_in_force, shape_of
from vllm_triage.engine.settings import resolve
from vllm_triage.facts import gpus
from vllm_triage.readers.arguments import read_arguments

FIELDS: dict[str, tuple[str, str]] = {
    "gpu_memory_utilization": ("cache_config", "gpu_memory_utilization"),
    "max_num_batched_tokens": ("scheduler_config", "max_num_batched_tokens"),
    "max_num_scheduled_tokens": ("scheduler_config", "max_num_scheduled_tokens"),
    "max_num_seqs": ("scheduler_config", "max_num_seqs"),
    "max_model_len": ("model_config", "max_model_len"),
    "dtype": ("model_config", "dtype"),
    "quantization": ("model_config", "quantization"),
    "enforce_eager": ("model_config", "enforce_eager"),
    "enable_chunked_prefill": ("scheduler_config", "enable_chunked_prefill"),
    "enable_prefix_caching": ("cache_config", "enable_prefix_caching"),
    "async_scheduling": ("scheduler_config", "async_scheduling"),
    "long_prefill_token_threshold": ("scheduler_config", "long_prefill_token_threshold"),
    "scheduling_policy": ("scheduler_config", "policy"),
    "scheduler_reserve_full_isl": ("scheduler_config", "scheduler_reserve_full_isl"),
    "disable_hybrid_kv_cache_manager": ("scheduler_config", "disable_hybrid_kv_cache_manager"),
    "tensor_parallel_size": ("parallel_config", "tensor_parallel_size"),
    "pipeline_parallel_size": ("parallel_config", "pipeline_parallel_size"),
    "data_parallel_size": ("parallel_config", "data_parallel_size"),
    "enable_expert_parallel": ("parallel_config", "enable_expert_parallel"),
    "distributed_executor_backend": ("parallel_config", "distributed_executor_backend"),
    "block_size": ("cache_config", "block_size"),
    "kv_cache_dtype": ("cache_config", "cache_dtype"),
    "kv_cache_memory_bytes": ("cache_config", "kv_cache_memory_bytes"),
    "num_gpu_blocks_override": ("cache_config", "num_gpu_blocks_override"),
    "kv_offloading_size": ("cache_config", "kv_offloading_size"),
    "mamba_block_size": ("cache_config", "mamba_block_size"),
    "mamba_cache_mode": ("cache_config", "mamba_cache_mode"),
    "compilation_mode": ("compilation_config", "mode"),
    "cudagraph_mode": ("compilation_config", "cudagraph_mode"),
    "max_cudagraph_capture_size": ("compilation_config", "max_cudagraph_capture_size"),
    "cudagraph_capture_sizes": ("compilation_config", "cudagraph_capture_sizes"),
}
"""Setting -> where vLLM's configuration holds it."""
DRAFT = ("method", "num_speculative_tokens", "prompt_lookup_min", "prompt_lookup_max")


def rows(paths: list[Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(version, launch) of every launch vLLM accepted."""
    for path in paths:
        found = re.search(r"\d+\.\d+\.\d+", path.name)
        if found is None:
            raise SystemExit(f"{path}: no version in the file's name")
        version = found[0]
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if row["ok"]:
                    yield version, row


def wanted(row: dict[str, Any]) -> dict[str, Any]:
    """The compared fields of one launch as vLLM resolved them."""
    out: dict[str, Any] = {}
    for name, (section, field) in FIELDS.items():
        held = row.get(section) or {}
        if field in held:
            value = held[field]
            out[name] = value.removeprefix("torch.") if isinstance(value, str) and name == "dtype" else value
    if out.get("compilation_mode") is not None:
        out["compilation_mode"] = int(out["compilation_mode"])
    if row["gpu"] == "none":  # a CPU has no graphs, whatever size is left over; from 0.33 its workers set the block
        out.pop("max_cudagraph_capture_size", None)
        if out.get("block_size") == 16:
            out.pop("block_size")
    draft = row.get("speculative_config")
    out["speculative_config"] = None if draft is None else {key: draft.get(key) for key in DRAFT}
    return out


def got(version: str, row: dict[str, Any], configs: Path, env: dict[str, str]) -> dict[str, Any]:
    """The same fields as this product resolves them."""
    _, model, *words = shlex.split(row["argv"])
    gpu = gpus.CPU if row["gpu"] == "none" else gpus.find(row["gpu"])
    arguments = read_arguments((model, *words), version)
    overrides, _ = overrides_in_force(arguments.values, version)
    shape = shape_of(config_of(model, configs), model, overrides)
    spec = arguments.values.get("speculative_config")
    draft = spec.get("model") if isinstance(spec, dict) else None
    drafted = isinstance(draft, str) and (configs / Path(draft).name).is_dir()
    settings = resolve(
        arguments.values, version, None if gpu is None else accelerator(gpu), None, shape,
        usage=row.get("usage", "server"), env=env,
        draft=shape_of(config_of(str(draft), configs), str(draft), {}) if drafted else None,
    )  # fmt: skip
    out = {name: settings[name].value for name in FIELDS if name in settings}
    draft = settings["speculative_config"].value
    out["speculative_config"] = {key: draft.get(key) for key in DRAFT} if isinstance(draft, dict) else None
    return out


@cache
def config_of(model: str, configs: Path) -> dict[str, Any]:
    """The config.json of a model folder."""
    config: dict[str, Any] = json.loads((configs / Path(model).name / "config.json").read_text(encoding="utf-8"))
    return config


def agrees(name: str, want: Any, have: dict[str, Any]) -> bool:
    """True when the setting says what vLLM says. A setting that a model or release does not have is silent."""
    if name == "speculative_config" and isinstance(want, dict) and isinstance(have.get(name), dict):
        return all(have[name][key] == want[key] or (key.startswith("prompt") and not want[key]) for key in DRAFT)
    if name in ("mamba_block_size", "mamba_cache_mode") and name not in have:
        return True  # told only of models with recurrent state, where it means something
    return name in have and have[name] == want and isinstance(have[name], bool) == isinstance(want, bool)


def compare(paths: list[Path], configs: Path, env: dict[str, str]) -> int:
    """Print disagreements; 1 when there are any."""
    good: Counter[tuple[str, str]] = Counter()
    bad: Counter[tuple[str, str]] = Counter()
    for version, row in rows(paths):
        have = got(version, row, configs, env)
        for name, want in wanted(row).items():
            if agrees(name, want, have):
                good[version, name] += 1
            else:
                bad[version, name] += 1
                print(
                    f"{version} {name}: vLLM {want}, here {have.get(name, 'absent')}: {row['gpu']} {row['argv']}"[:400]
                )
    for version in sorted({v for v, _ in good}):
        for name in (*FIELDS, "speculative_config"):
            hits, misses = good[version, name], bad[version, name]
            if misses:
                print(f"{version} {name}: {hits}/{hits + misses}")
        hits = sum(n for (v, _), n in good.items() if v == version)
        misses = sum(n for (v, _), n in bad.items() if v == version)
        print(f"{version}: {hits}/{hits + misses} agree")
    return int(bool(bad))


def trim(paths: list[Path], configs: Path, out: Path, count: int, leave_out: list[str]) -> int:
    """Keep up to `count` launches of each version, from the wordiest to the plainest, as one gzip of JSON."""
    kept: dict[str, list[dict[str, Any]]] = {}
    for version, row in rows(paths):
        _, model, *words = shlex.split(row["argv"])
        if any(text in row["argv"] for text in leave_out):
            continue
        kept.setdefault(version, []).append(
            {
                "model": Path(model).name,
                "words": words,
                "gpu": row["gpu"],
                "usage": row.get("usage", "server"),
                "settings": wanted(row),
            }
        )
    names = sorted({entry["model"] for entries in kept.values() for entry in entries})
    models = {name: json.loads((configs / name / "config.json").read_text(encoding="utf-8")) for name in names}
    for version, entries in kept.items():
        entries.sort(key=lambda e: (-len(e["words"]), e["words"], e["gpu"]))
        kept[version] = [entries[i * len(entries) // count] for i in range(count)] if count < len(entries) else entries
    text = json.dumps({"models": models, "launches": kept}, separators=(",", ":"), sort_keys=True)
    out.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{out}: {sum(map(len, kept.values()))} launches, {out.stat().st_size:,} bytes")
    return 0


def main() -> int:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(
        description="Compare resolved settings with vLLM's own, or trim vLLM's into test data."
    )
    parser.add_argument("command", choices=("compare", "trim"))
    parser.add_argument("launches", type=Path, nargs="+")
    parser.add_argument("--configs", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument(
        "--leave-out", action="append", default=[], metavar="TEXT", help="drop launches with TEXT in their command"
    )
    parser.add_argument(
        "--without-triton", action="store_true", help="the answers come from a machine without Triton: no V2 runner"
    )
    options = parser.parse_args()
    if options.command == "compare":
        return compare(
            options.launches, options.configs, {"VLLM_USE_V2_MODEL_RUNNER": "0"} if options.without_triton else {}
        )
    return trim(options.launches, options.configs, options.out, options.count, options.leave_out)


if __name__ == "__main__":
    sys.exit(main())
