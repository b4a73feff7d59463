"""Hold the memory model against public startup records: ``python tools/measure_pool.py [pool.jsonl] [--each]``.

Each record is one real start: version, device, model, flags, and what the log printed. Two questions are asked:

* given the GiB the log printed for KV, are the tokens those the log printed, within the rounding of the GiB?
* from the configuration alone, how far is the predicted pool from the printed one, and does the interval hold it?

A record counts where its version, device and model are known here; the others are listed with what is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "server"))

from vllm_triage.domain import Deployment, MemoryBudget
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate

SHARED = Path(os.environ.get("VLLM_TRIAGE_SHARED", Path(__file__).resolve().parents[2] / "shared"))

FLAGS = {
    "gpu_memory_utilization": "--gpu-memory-utilization",
    "max_model_len": "--max-model-len",
    "max_num_seqs": "--max-num-seqs",
    "max_num_batched_tokens": "--max-num-batched-tokens",
    "kv_cache_dtype": "--kv-cache-dtype",
    "block_size": "--block-size",
    "decode_context_parallel_size": "--decode-context-parallel-size",
    "dtype": "--dtype",
    "max_cudagraph_capture_size": "--max-cudagraph-capture-size",
    "kv_cache_memory_bytes": "--kv-cache-memory-bytes",
    "cpu_offload_gb": "--cpu-offload-gb",
}
SWITCHES = {
    "enforce_eager": "--enforce-eager",
    "enable_expert_parallel": "--enable-expert-parallel",
    "enable_lora": "--enable-lora",
}
RUNTIME = {"fp8": "fp8", "bitsandbytes": "bitsandbytes"}
STORED = {"awq": "-AWQ", "gptq": "-GPTQ"}
"""Re-releases by the ``quant`` of a record, where the model's name does not say it."""


@dataclass(frozen=True, slots=True)
class Case:
    """A record as a deployment, with what the log printed."""

    name: str
    version: str | None
    deployment: Deployment
    log: Mapping[str, Any]
    pinned: bool


def cases(path: Path) -> Iterator[Case]:
    """Every record that can be put as a deployment."""
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        version = version_of(record["vllm_version"])
        gpu = record.get("gpu") or {}
        name = re.sub(r"\(.*?\)", "", str(gpu.get("model") or "")).strip()
        deployment = deploy(command_of(record), vllm_version=version, gpu=name or None)
        yield Case(
            f"{record['vllm_version'][:12]} {record['model'][:44]} {name} tp{record['tp']}",
            version,
            deployment,
            record["log"],
            any(key.startswith("kv_cache_memory") for key in record["flags"]),
        )


def version_of(text: str) -> str | None:
    """The release a record names; None for forks and undated builds."""
    found = re.match(r"v?(\d+\.\d+(?:\.\d+)?)", text)
    if found is None or "fork" in text or "inferred" in text:
        return None
    version = found.group(1)
    return version if version.count(".") == 2 else version + ".0"


def command_of(record: Mapping[str, Any]) -> str:
    """The launch a record describes."""
    name = re.split(r"[ (]", record["model"].strip())[0] or "unknown"
    suffix = STORED.get(str(record.get("quant") or "").split(" ")[0].lower(), "")
    words = ["vllm", "serve", name if suffix.lower() in name.lower() else name + suffix]
    for key, flag in (
        ("tp", "--tensor-parallel-size"),
        ("pp", "--pipeline-parallel-size"),
        ("dp", "--data-parallel-size"),
    ):
        if isinstance(record.get(key), int) and record[key] > 1:
            words += [flag, str(record[key])]
    flags = record["flags"]
    for key, flag in FLAGS.items():
        value = flags.get(key)
        if isinstance(value, int | float) or (isinstance(value, str) and re.fullmatch(r"[\w.]+", value)):
            words += [flag, str(value)]
    words += [flag for key, flag in SWITCHES.items() if flags.get(key) is True]
    if isinstance(flags.get("enable_prefix_caching"), bool):
        words.append("--enable-prefix-caching" if flags["enable_prefix_caching"] else "--no-enable-prefix-caching")
    if isinstance(flags.get("cudagraph_capture_sizes"), list):
        words += ["--cudagraph-capture-sizes", *map(str, flags["cudagraph_capture_sizes"])]
    if found := re.match(
        r"mtp[ _]?(\d+)", str(flags.get("speculative") or flags.get("speculative_config") or "").lower()
    ):
        words += ["--speculative-config", json.dumps({"method": "mtp", "num_speculative_tokens": int(found.group(1))})]
    if record.get("quant") in RUNTIME and "fp8" not in record["model"].lower():
        words += ["--quantization", RUNTIME[record["quant"]]]
    return shlex.join(words)


def missing(case: Case) -> str:
    """What this record lacks to be predicted; empty when nothing."""
    if case.pinned:
        return "the pool was pinned"
    if case.version is None:
        return "version"
    if case.deployment.model is None:
        return f"model {case.deployment.model_id}"
    if case.deployment.gpu is None:
        return "device"
    return ""


@dataclass(slots=True)
class Tally:
    """What was found."""

    exact: list[tuple[bool, str]]
    errors: list[tuple[float, bool, str]]
    unknown: Counter[str]
    devices: list[str]
    """The device of each error."""


def measure(path: Path) -> Tally:
    """Both questions over all records of `path`."""
    tally = Tally([], [], Counter(), [])
    for case in cases(path):
        if lacks := missing(case):
            tally.unknown[lacks] += 1
            continue
        printed, tokens = case.log.get("available_kv_gib"), case.log.get("gpu_kv_cache_tokens")
        if isinstance(printed, int | float) and printed > 0 and isinstance(tokens, int):
            tally.exact.append(given_bytes(case, float(printed), tokens))
        predicted = estimate(case.deployment)
        if isinstance(printed, int | float) and printed > 0:
            tally.errors.append(from_configuration(case, predicted, float(printed)))
            tally.devices.append(case.deployment.gpu.name if case.deployment.gpu else "")
    return tally


def given_bytes(case: Case, printed: float, tokens: int) -> tuple[bool, str]:
    """Tokens from the printed GiB against the printed tokens: equal for some value that rounds to what was printed."""
    low = estimate(case.deployment, available_kv_gib=max(printed - 0.005, 0.0)).pool
    high = estimate(case.deployment, available_kv_gib=printed + 0.005).pool
    inside = low is not None and high is not None and (low.tokens or 0) <= tokens <= (high.tokens or 0)
    between = f"{low.tokens if low else None} to {high.tokens if high else None}"
    return inside, f"{case.name}: {tokens:,} printed, {between} computed"


def from_configuration(case: Case, predicted: MemoryBudget, printed: float) -> tuple[float, bool, str]:
    """Relative error of the predicted pool, whether the interval holds the printed one, and a line to print."""
    bounds = predicted.budget.kv_pool_gib
    if bounds is None:
        return 1.0, False, f"{case.name}: not predicted ({'; '.join(predicted.not_modelled)})"
    error = bounds.mid / printed - 1
    parts, log = predicted.budget, case.log
    text = (
        f"{case.name}: {printed} printed, {bounds.mid:.2f} predicted ({error:+.1%}); weights {parts.weights_gib} vs "
        f"{log.get('model_weights_gib')}, activation {parts.activation_gib} vs "
        f"{log.get('peak_activation_gib')}, non-torch "
        f"{parts.non_torch_gib} vs {case.log.get('non_torch_gib')}, graphs {parts.cuda_graph_gib} vs "
        f"{case.log.get('cudagraph_gib_estimated') or case.log.get('cudagraph_gib')}"
    )
    return error, bounds.low <= printed <= bounds.high, text


def figures(tally: Tally) -> dict[str, float]:
    """The published figures."""
    sizes = sorted(abs(error) for error, _, _ in tally.errors)
    return {
        "tokens_exact": sum(ok for ok, _ in tally.exact),
        "tokens_records": len(tally.exact),
        "records": len(sizes),
        "median_error": statistics.median(sizes),
        "p90_error": sizes[int(0.9 * (len(sizes) - 1))],
        "coverage": sum(held for _, held, _ in tally.errors) / len(sizes),
        "not_counted": sum(tally.unknown.values()),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="?", default=SHARED / "corpus/pool.jsonl")
    parser.add_argument("--each", action="store_true", help="print every record, not only the worst")
    parser.add_argument("--json", action="store_true", help="print the figures alone, as JSON")
    given = parser.parse_args()
    tally = measure(given.records)
    if given.json:
        print(json.dumps(figures(tally)))
        return
    print(f"not counted: {dict(tally.unknown.most_common(40))}")
    found = figures(tally)
    print(f"\ntokens from the printed GiB: {found['tokens_exact']}/{found['tokens_records']} within its rounding")
    for ok, text in tally.exact:
        if given.each or not ok:
            print("  ", "ok  " if ok else "MISS", text)
    print(
        f"\npool from configuration alone, {found['records']} records: median error {found['median_error']:.1%}, "
        f"90th percentile {found['p90_error']:.1%}, interval holds {found['coverage']:.0%}"
    )
    for error, held, text in sorted(tally.errors, key=lambda item: -abs(item[0])):
        if given.each or abs(error) > 0.05 or not held:
            print("  ", "in " if held else "OUT", text)


if __name__ == "__main__":
    main()
