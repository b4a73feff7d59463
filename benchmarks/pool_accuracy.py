"""The predicted KV pool beside public startup records, and beside peers that size one: writes a Markdown table.

    python benchmarks/pool_accuracy.py [pool.jsonl] [--peers DIR] > benchmarks/pool_accuracy.md

DIR is the ``bin`` of an environment with ``pip install ridgepoint servcalc vllm-wizard``. Each peer is given the
model's config and, where it asks, the parameter count known here; a record it refuses counts as refused, not as wrong.
Every record is predicted from configuration alone; what its log printed is used for nothing but the comparison.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from measure_pool import SHARED, Case, Tally, cases, figures, measure, missing
from vllm_triage.domain import BYTES_PER_GIB, ModelShape
from vllm_triage.facts import models

RIDGEPOINT = """
import json, sys
from ridgepoint import _core
given = json.loads(sys.argv[1])
print(_core.fit_shape(*given["shape"], given["gpu"], given["tp"], "vllm", given["dtype"], "fp16", 4096, 2048, True))
"""

GPUS = {
    # ours: (servcalc's name, ridgepoint's name, GiB as sold)
    "H100-SXM": ("H100 80GB", "h100-80gb", 80),
    "A100-80GB-SXM": ("A100 80GB", "a100-80gb", 80),
    "A100-40GB-PCIe": ("A100 40GB", "a100-40gb", 40),
    "V100-16GB": ("V100 16GB", "v100-16gb", 16),
    "RTX 3090": ("RTX 3090", "rtx3090-24gb", 24),
    "RTX 5090": ("RTX 5090", "rtx5090-32gb", 32),
}
RATIO = 0.9
"""The share of a device servcalc and ridgepoint plan with; the record's own is applied to their answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """One record as a peer is asked it."""

    shape: ModelShape
    folder: Path
    config: dict[str, Any]
    gpu: str
    utilization: float
    tp: int
    length: int

    @property
    def quantization(self) -> str:
        """The checkpoint's quantization, as its config names it; empty when there is none."""
        return str((self.config.get("quantization_config") or {}).get("quant_method") or "")

    @property
    def spare(self) -> float:
        """GiB the record's utilisation gives beyond the peers' fixed one."""
        return (self.utilization - RATIO) * GPUS[self.gpu][2]


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="?", default=SHARED / "corpus/pool.jsonl")
    parser.add_argument("--peers", type=Path, help="bin directory of an environment with the peers")
    given = parser.parse_args()
    tally = measure(given.records)
    print("\n".join(published(tally)))
    if given.peers is not None:
        print("\n".join(beside(given.records, given.peers)))
    print("\n".join(failures(tally)))


def published(tally: Tally) -> Iterator[str]:
    """The figures."""
    found = figures(tally)
    yield "# Predicted KV pool against public startup records"
    yield ""
    yield "Made by `python benchmarks/pool_accuracy.py --peers DIR`. A record counts where its version, GPU and model are"
    yield f"known here ({found['records']}); {found['not_counted']} others are not counted, listed at the end."
    yield ""
    yield "| question | answer |"
    yield "|---|---|"
    yield f"| pool from configuration alone: median error | {found['median_error']:.1%} |"
    yield f"| 90th percentile | {found['p90_error']:.1%} |"
    yield f"| stated interval holds the printed pool | {found['coverage']:.0%} |"
    exact = f"{found['tokens_exact']} of {found['tokens_records']}"
    yield f"| tokens given the printed GiB, within its rounding | {exact} |"
    yield ""
    yield "The few constants of the model (bytes per logit, copies of the hidden state, non-torch and graph memory) were"
    yield "read from the H100 records among these, and some were chosen while looking at the others too: only records that"
    yield "are not here are ones the model has never seen, and the row of any other device is no proof for that device."
    yield ""
    yield "| device | records | median error | within 3% | interval holds |"
    yield "|---|---|---|---|---|"
    groups: dict[str, list[tuple[float, bool]]] = {}
    for device, (error, held, _) in zip(tally.devices, tally.errors, strict=True):
        groups.setdefault(device, []).append((abs(error), held))
    others = [one for device, all_of in groups.items() if not device.startswith("H100") for one in all_of]
    for device, all_of in [*sorted(groups.items(), key=lambda item: -len(item[1])), ("all but the H100", others)]:
        close, within = sum(size <= 0.03 for size, _ in all_of), sum(holds for _, holds in all_of)
        median = statistics.median(size for size, _ in all_of)
        yield f"| {device} | {len(all_of)} | {median:.1%} | {close} | {within} |"


def beside(records: Path, peers: Path) -> Iterator[str]:
    """The same records asked of each peer."""
    ours: dict[str, float] = {}
    asked = [(case, question) for case in cases(records) if (question := as_question(case)) is not None]
    answers: dict[str, list[float | None]] = {name: [] for name in PEERS}
    for index, (case, question) in enumerate(asked):
        printed = float(case.log["available_kv_gib"])
        ours[str(index)] = predicted(case) / printed - 1
        for name, ask in PEERS.items():
            pool = ask(question, peers)
            answers[name].append(None if pool is None else pool / printed - 1)
    yield ""
    yield f"## Beside peers, {len(asked)} records"
    yield ""
    yield "| tool | median error | 90th percentile | within 3% | refused or failed |"
    yield "|---|---|---|---|---|"
    yield row("vllm-triage", list(ours.values()))
    for name, errors in answers.items():
        yield row(name, errors)


def row(name: str, errors: list[float | None] | list[float]) -> str:
    """One tool's line."""
    sizes = sorted(abs(error) for error in errors if error is not None)
    if not sizes:
        return f"| {name} | - | - | - | {len(errors)} |"
    close = sum(size <= 0.03 for size in sizes)
    ninety = sizes[int(0.9 * (len(sizes) - 1))]
    refused = len(errors) - len(sizes)
    return f"| {name} | {statistics.median(sizes):.1%} | {ninety:.1%} | {close} of {len(errors)} | {refused} |"


def predicted(case: Case) -> float:
    """Our pool in GiB."""
    from vllm_triage.engine.memory import estimate  # noqa: PLC0415 - beside the peers only

    pool = estimate(case.deployment).budget.kv_pool_gib
    return 0.0 if pool is None else pool.mid


def as_question(case: Case) -> Question | None:
    """The record as a peer can be asked it, where it can."""
    printed, deployment = case.log.get("available_kv_gib"), case.deployment
    if missing(case) or not isinstance(printed, int | float) or printed <= 0:
        return None
    facts = models.find(deployment.model_id or "")
    if facts is None or deployment.model is None or deployment.gpu is None or deployment.gpu.name not in GPUS:
        return None
    folder = Path(tempfile.mkdtemp(prefix="pool-"))
    config = dict(facts.config)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    ask = deployment.setting
    tp, length, share = ask("tensor_parallel_size"), ask("max_model_len"), ask("gpu_memory_utilization")
    return Question(
        shape=deployment.model,
        folder=folder,
        config=config,
        gpu=deployment.gpu.name,
        utilization=share if isinstance(share, int | float) else RATIO,
        tp=tp if isinstance(tp, int) else 1,
        length=length if isinstance(length, int) else 8192,
    )


def parameters(shape: ModelShape) -> int:
    """Parameters of the whole model."""
    return int(shape.params_total or sum(part.params for part in shape.weights))


def run(*words: str) -> str | None:
    """What a peer prints, None when it refuses."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    except (subprocess.SubprocessError, OSError):
        return None
    return done.stdout


def servcalc(question: Question, peers: Path) -> float | None:
    """Its capacity in sequences of one block, times the bytes of one; one GPU only."""
    if question.tp > 1:
        return None
    name = GPUS[question.gpu][0]
    config = str(question.folder / "config.json")
    said = run(str(peers / "servcalc"), config, "--gpu", name, "--prompt", "14", "--gen", "2", "--json")
    if said is None:
        return None
    answer = json.loads(said)
    pool = answer["memory_capacity_seqs"] * 16 * answer["kv_bytes_per_token"] / BYTES_PER_GIB
    return float(pool) + question.spare


def ridgepoint(question: Question, peers: Path) -> float | None:
    """Its `kv_pool_bytes`, from the dimensions its own adapter would read."""
    shape, text = question.shape, question.config.get("text_config") or question.config
    kinds, layers = text.get("layer_types") or [], int(text["num_hidden_layers"])
    kv_layers = sum("full" in str(kind) for kind in kinds) or layers
    heads = int(text["num_attention_heads"])
    kv_heads = int(text.get("num_key_value_heads") or heads)
    head_dim = int(text.get("head_dim") or text["hidden_size"] // heads)
    rank = int(text.get("kv_lora_rank") or 0)
    geometry = "mla" if rank else "mha" if kv_heads == heads else "gqa"
    rope = int(text.get("qk_rope_head_dim") or 64) if rank else 0
    params = parameters(shape)
    dims = [head_dim, heads, kv_heads, rank, rope]
    sizes = [layers, kv_layers, text["hidden_size"], params, int(shape.params_active or params)]
    given = {
        "shape": ["x", *sizes, geometry, *dims],
        "gpu": GPUS[question.gpu][1],
        "tp": question.tp,
        "dtype": question.quantization if question.quantization in ("fp8", "awq", "gptq") else "fp16",
    }
    said = run(str(peers / "python"), "-c", RIDGEPOINT, json.dumps(given))
    if said is None:
        return None
    pool = json.loads(said)["memory"]["kv_pool_bytes"]["best"] / BYTES_PER_GIB
    return float(pool) / question.tp + question.spare


def vllm_wizard(question: Question, peers: Path) -> float | None:
    """What its plan leaves: allocation less weights less overhead."""
    params = parameters(question.shape) / 1e9
    words = ["plan", "--model", str(question.folder), "--params-b", f"{params:.3f}", "--json"]
    words += ["--gpu", GPUS[question.gpu][0], "--vram-gb", str(GPUS[question.gpu][2])]
    words += ["--gpus", str(question.tp)]
    method = question.quantization
    if method in ("awq", "gptq", "fp8"):
        words += ["--quantization", method]
    words += ["--tensor-parallel-size", str(question.tp), "--max-model-len", str(question.length)]
    said = run(str(peers / "vllm-wizard"), *words, "--gpu-memory-utilization", str(question.utilization))
    found = dict(re.findall(r'"(\w+_gb)": ([-\d.]+)', said or ""))
    if not {"vram_target_alloc_gb", "weights_gb", "overhead_gb"} <= found.keys():
        return None
    return float(found["vram_target_alloc_gb"]) - float(found["weights_gb"]) - float(found["overhead_gb"])


PEERS: dict[str, Callable[[Question, Path], float | None]] = {
    "ridgepoint 0.1.2": ridgepoint,
    "servcalc 0.1.0": servcalc,
    "vllm-wizard 0.2.0": vllm_wizard,
}


def failures(tally: Tally) -> Iterator[str]:
    """Every record that is off, and those not counted."""
    yield ""
    yield "## Records off by more than 3%, or outside the interval"
    yield ""
    for error, held, text in sorted(tally.errors, key=lambda item: -abs(item[0])):
        if abs(error) > 0.03 or not held:
            yield f"- {'' if held else 'outside: '}{text}"
    yield ""
    yield "## Tokens that differ, given the printed GiB"
    yield ""
    yield from (f"- {text}" for ok, text in tally.exact if not ok)
    yield ""
    yield "## Not counted"
    yield ""
    yield from (f"- {count} x {reason}" for reason, count in tally.unknown.most_common())


if __name__ == "__main__":
    main()
