"""Published vLLM results as runs: the launch, the traffic, and what was measured.

The rows (``data/bench.jsonl`` below VLLM_TRIAGE_SHARED, default ``../shared`` beside the checkout) come from two kinds
of source. AIConfigurator's silicon samples are mostly InferenceMAX runs, whose scripts are public
(SemiAnalysisAI/InferenceX, benchmarks/single_node/*.sh): `concurrency` users, ten requests each, lengths drawn evenly
between 0.8 and 1 times the nominal ones; "attention DP" is ``-tp 1 -dp N --enable-expert-parallel``. The GPUStack
performance lab publishes its launch command and sends everything at once.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from vllm_triage.domain import Deployment, Lengths, MemoryBudget, Workload
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.machine import machine
from vllm_triage.engine.memory import estimate
from vllm_triage.facts import models

__all__ = ["Refused", "Run", "data", "read_runs"]

ROOT = Path(__file__).parent.parent
DEVICES = {"h100_sxm": "H100 SXM", "h200_sxm": "H200", "b200_sxm": "B200", "b300_sxm": "B300"}
SHAREGPT_SPREAD = (1.2, 0.9)
"""Standard deviation over mean of ShareGPT's prompts and outputs as the lab's 1,000 samples have them: assumed."""


class Refused(ValueError):
    """The row cannot be made a run; the message is the reason it is counted under."""


@dataclass(frozen=True, slots=True)
class Run:
    """One published result. Latencies in ms, rates per second over all replicas."""

    number: int
    group: str
    """Model and GPU: what is held back together."""
    model: str
    gpu: str
    family: str
    setup: str
    """All that was configured, but for the load: rows of one setup differ in load alone."""
    deployment: Deployment
    memory: MemoryBudget
    workload: Workload
    kind: str
    ttft_ms: float
    tpot_ms: float
    output_tok_s: float
    published_rate: bool
    """False where the rate follows from the latencies by Little's law."""


def data() -> Path:
    """Where the published rows lie."""
    return Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared")) / "data" / "bench.jsonl"


def read_runs() -> tuple[list[Run], dict[str, int]]:
    """All vLLM runs, and how many rows were left out for which reason."""
    runs: list[Run] = []
    left_out: dict[str, int] = {}
    cached = {row["source"] for number, row in _rows() if _too_fast(number, row)}
    published: dict[tuple[str, ...], str] = {}
    for number, row in _rows():
        try:
            if row["source"] in cached:
                raise Refused("its sweep multiplies faster than the device: prompts must have been cached")
            run = _run(number, row)
            figures = (run.model, *(str(row.get(name)) for name in ("ttft_mean", "tpot_mean", "isl", "osl")))
            if published.setdefault(figures, run.gpu) != run.gpu:
                raise Refused("the same figures are published for another device")
            runs.append(run)
        except Refused as reason:
            left_out[str(reason)] = left_out.get(str(reason), 0) + 1
    return runs, left_out


FASTEST = 0.65
"""Share of the peak FLOPs that no served model was seen to reach: the next below it is at 0.58."""


def _too_fast(number: int, row: dict[str, Any]) -> bool:
    """Whether a run multiplies faster than a device does, all prompts taken to be computed."""
    try:
        run = _run(number, row)
    except Refused:
        return False
    box = machine(run.deployment, run.memory)
    computed = run.output_tok_s * (1 + run.workload.input.mean / run.workload.output.mean)
    return bool(box.active and box.peak) and 2 * (box.active or 0.0) * computed > FASTEST * box.gpus * (box.peak or 0.0)


def _rows() -> Iterator[tuple[int, dict[str, Any]]]:
    with data().open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            if row.get("engine") == "vllm":
                yield number, row


def _run(number: int, row: dict[str, Any]) -> Run:
    if not (row.get("ttft_mean") and row.get("tpot_mean") and row.get("isl") and row.get("osl")):
        raise Refused("latencies or lengths are not given")
    command, device, version = _command(row), _device(row), row.get("engine_version")
    deployment, memory = _deployed(command, version if version and version[0].isdigit() else None, device)
    if deployment.model is None:
        raise Refused("the model is not in the catalogue")
    if deployment.gpu is None:
        raise Refused("the device is not in the catalogue")
    workload = _workload(row)
    rate = row.get("out_tok_s") or _little(row, workload)
    run = Run(
        number=number, group=f"{_base(deployment.model.id)} @ {deployment.gpu.name}", model=deployment.model.id,
        gpu=deployment.gpu.name, family=_family(deployment), setup=f"{command} | {device} | {version}",
        deployment=deployment, memory=memory, workload=workload, kind=row["kind"], ttft_ms=row["ttft_mean"],
        tpot_ms=row["tpot_mean"], output_tok_s=rate, published_rate="out_tok_s" in row,
    )  # fmt: skip
    _plausible(run)
    return run


@cache
def _deployed(command: str, version: str | None, device: str) -> tuple[Deployment, MemoryBudget]:
    found = deploy(command, version, device)
    return found, estimate(found)


def _base(model: str) -> str:
    """The model without what its name says of precision: one group whatever the quantization."""
    return re.sub(r"-(?:FP8|NVFP4|AWQ|Instruct|2507)|^Meta-", "", model.rsplit("/", maxsplit=1)[-1])


def _family(deployment: Deployment) -> str:
    model = deployment.model
    assert model is not None
    kinds = {run.kind for run in model.runs}
    if kinds & {"mamba", "linear"}:
        return "hybrid"
    if model.uses_mla:
        return "mla"
    return "dense" if model.moe is None else "moe"


def _plausible(run: Run) -> None:
    """Refuse figures that break Little's law or the memory's bandwidth: they describe something else."""
    pool = run.memory.pool
    if pool is None or not pool.tokens:
        raise Refused("the model does not fit as described")
    box = machine(run.deployment, run.memory)
    floor = 1e3 * (box.weights_read(1.0) or 0.0) / (box.bandwidth or 1e30) / (1 + box.drafts) / box.pp
    if run.tpot_ms < floor:
        raise Refused("TPOT is below what reading the weights takes")
    seats = run.workload.concurrency or run.workload.requests or 1
    if run.output_tok_s * run.tpot_ms / 1000 > 1.1 * seats:
        raise Refused("rate and TPOT contradict each other by Little's law")


def _command(row: dict[str, Any]) -> str:
    """The launch as published, or the one the row implies."""
    if row.get("serve_cmd"):
        return re.sub(r"=(\{[^ ]*\})", r"='\1'", str(row["serve_cmd"]))
    tp, dp, experts = row["tp"], row.get("attention_dp") or 1, int(row.get("moe_ep") or 1)
    across = int(row.get("moe_tp") or 1) * experts
    if across > 1 and dp == 1 and across != tp:
        raise Refused("experts and attention are spread over different numbers of GPUs, in a way that is not told")
    words = ["vllm serve", _checkpoint(row)]
    if row["precision"] == "fp8" and not _eight_bit(row["model"]):
        words.append("--quantization fp8")
    if dp > 1:
        words.append(f"-dp {dp} --enable-expert-parallel")
    elif tp > 1:
        words.append(f"-tp {tp}")
    if experts > 1 and dp == 1:
        words.append("--enable-expert-parallel")
    if row["kind"] == "ttft_tpot":
        words.append("--no-enable-prefix-caching")
    return " ".join(words)


def _checkpoint(row: dict[str, Any]) -> str:
    """The checkpoint that was served: NVIDIA's four-bit release where the row says so and the model's own is wider."""
    name = str(row["model"])
    if row.get("gemm") != "nvfp4" or _bits(name) in (4.0, 4.25):
        return name
    return f"nvidia/{name.rsplit('/', maxsplit=1)[-1]}-NVFP4"


def _bits(name: str) -> float:
    known = models.find(name)
    scheme = None if known is None else known.config.get("quantization_config")
    if not isinstance(scheme, dict):
        return 16.0
    return {"mxfp4": 4.25, "fp8": 8.0, "modelopt": 8.0}.get(str(scheme.get("quant_method")), 16.0)


def _eight_bit(name: str) -> bool:
    return "FP8" in name or _bits(name) == 8.0


def _device(row: dict[str, Any]) -> str:
    text = str(row["gpu"])
    if text in DEVICES:
        return f"{max(1, row['tp'] * row.get('pp', 1))}x {DEVICES[text]}"
    if "Ascend" in text:
        raise Refused("the device is not in the catalogue")
    found = re.match(r"(?:(\d+) × |A single )?(NVIDIA [A-Z]\d+(?: \d+GB HBM3| SXM 80GB| SXM)?)", text)
    return text if found is None else f"{found[1] or 1}x {found[2]}"


def _workload(row: dict[str, Any]) -> Workload:
    isl, osl = float(row["isl"]), float(row["osl"])
    if row["kind"] == "ttft_tpot":
        users = int(row["concurrency"])
        if "gap-analysis" in row["source"]:  # a sweep of NVIDIA's: fixed lengths, and no waves of users in its TTFT
            return Workload(arrivals="closed", concurrency=users, input=Lengths(mean=isl), output=Lengths(mean=osl))
        return Workload(
            arrivals="closed", concurrency=users, input=_tenth(isl), output=_tenth(osl), requests=10 * users
        )
    wide = bool(re.search(r"ShareGPT|Engine|vLLM|MindIE|tokens|Quant|Cache|Seqs|Batch", str(row.get("workload", ""))))
    mixed = wide and isl < 400 and osl not in (4.0, 100.0, 128.0, 200.0, 2000.0)
    spread = SHAREGPT_SPREAD if mixed else (0.0, 0.0)
    lengths = [
        Lengths(mean=mean, shape="lognormal" if wide_by else "fixed", spread=wide_by)
        for mean, wide_by in zip((isl, osl), spread, strict=True)
    ]
    requests = int(row.get("requests") or row.get("concurrency") or 1)
    if str(row.get("concurrency_kind", "")).startswith("max") or row["kind"] == "manual":
        stay = row["ttft_mean"] + osl * row["tpot_mean"]
        rate = row.get("req_s")
        crowd = float(row["concurrency"]) if not rate else max(1.0, rate * stay / 1000)
        return Workload(
            arrivals="closed", concurrency=round(crowd), input=lengths[0], output=lengths[1], requests=requests
        )
    return Workload(arrivals="at_once", requests=requests, input=lengths[0], output=lengths[1])


def _tenth(nominal: float) -> Lengths:
    """Drawn evenly from 0.8 to 1 times the nominal length."""
    return Lengths(mean=0.9 * nominal, shape="uniform", spread=1 / 9)


def _little(row: dict[str, Any], workload: Workload) -> float:
    """Output tokens per second of a closed loop."""
    stay = row["ttft_mean"] + (workload.output.mean - 1) * row["tpot_mean"]
    return float(1e3 * (workload.concurrency or 1) * workload.output.mean / stay)
