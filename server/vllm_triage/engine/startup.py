"""Why an engine does not start for want of memory, and the smallest change with which it does.

Changes are tried in order of least harm: more of the device, a smaller profile run, a shorter context, a smaller KV
type, more GPUs. Each is computed, not guessed; none is offered that does not suffice.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

from ..domain import Deployment, PoolReading, Problem, Setting
from .budget import Terms, device_of, predict
from .kv_groups import UngroupableError
from .kv_plan import Plan
from .setting_values import as_int
from .sizing import Sizing, sizing_of

__all__ = ["problems_of"]

CEILING = 0.95
"""Highest utilisation offered: the rest is for CUDA graphs, fragments and the driver."""

STARVED = frozenset({"no_kv_memory", "max_len_exceeds_kv"})


def problems_of(
    deployment: Deployment,
    sizing: Sizing | None,
    terms: Terms | None,
    planned: Plan | None,
    read: PoolReading | None,
    gib: float | None,
) -> tuple[Problem, ...]:
    """What keeps this deployment from starting: as a log says, else as predicted.

    Args:
        deployment: what was configured.
        sizing: its caches; None where the model is not known.
        terms: its predicted budget, where it could be made.
        planned: the pool, where it could be planned.
        read: what a startup log says.
        gib: GiB per GPU the pool was planned for.
    """
    kind = None if read is None else read.error_kind
    if kind == "free_memory":
        return (_free_memory(deployment, read),)
    if kind in ("oom_load", "oom_profile", "oom_graphs", "oom_sampler"):
        return (_out_of_memory(deployment, sizing, terms, str(kind)),)
    if sizing is None:
        return (_unsized(read),) if kind in STARVED and read is not None else ()
    if kind in STARVED or (kind is None and planned is not None and not planned.fits and planned.groups):
        have = read.available_kv_gib if read is not None and read.available_kv_gib is not None else gib
        return (_starved(deployment, sizing, terms, have, read, seen=kind is not None),)
    return ()


@dataclass(frozen=True, slots=True)
class Way:
    """One change that suffices, in words."""

    flag: str
    text: str


def _starved(
    deployment: Deployment,
    sizing: Sizing,
    terms: Terms | None,
    have: float | None,
    read: PoolReading | None,
    *,
    seen: bool,
) -> Problem:
    """The pool cannot hold one request of the maximum length."""
    need = read.needed_kv_gib if read is not None and read.needed_kv_gib is not None else sizing.needed_gib
    length = sizing.request.max_model_len
    ways = list(_ways(deployment, sizing, terms, have, need, read))
    got = "nothing" if have is None or have <= 0 else f"{have:.2f} GiB"
    said = "vLLM refused to start" if seen else "predicted: vLLM will refuse to start"
    cause = f"one request of {length:,} tokens needs {need:.2f} GiB of KV cache per GPU, and {got} is left for it"
    if have is not None and have <= 0 and terms is not None:
        cause += f" (usable {terms.device.usable:.1f} GiB; weights {terms.weights.gib:.1f}, activation {terms.activation.gib:.1f})"
    fix = (
        "; or ".join(way.text for way in ways)
        or "fewer weights per GPU: more GPUs (--tensor-parallel-size) or a quantized checkpoint"
    )
    return Problem(severity="error", flag=ways[0].flag if ways else "--tensor-parallel-size", code="max-len-exceeds-kv" if have and have > 0 else "no-kv-memory",
                   message=f"{said}: {cause}", fix=fix)  # fmt: skip


def _ways(
    deployment: Deployment,
    sizing: Sizing,
    terms: Terms | None,
    have: float | None,
    need: float,
    read: PoolReading | None,
) -> Iterator[Way]:
    """Changes that suffice by themselves, least harm first."""
    have = have if have is not None else 0.0
    yield from _by_utilization(deployment, terms, have, need)
    yield from _by_profile(deployment, sizing, terms, have)
    length = (
        read.estimated_max_model_len
        if read is not None and read.estimated_max_model_len
        else sizing.longest(have)
        if have > 0
        else 0
    )
    if length >= 1:
        yield Way("--max-model-len", f"--max-model-len {length} is the longest that fits")
    yield from _by_cache_dtype(deployment, sizing, have)
    yield from _by_parallelism(deployment, sizing)


def _by_utilization(deployment: Deployment, terms: Terms | None, have: float, need: float) -> Iterator[Way]:
    """More of the device, where it suffices below the ceiling; it does nothing for a pinned pool."""
    device = device_of(deployment)
    if device is None or _pinned(deployment):
        return
    now = device.usable / device.total
    wanted = ceil((now + (need - have + 0.05) / device.total) * 100) / 100
    if now < wanted <= CEILING and (terms is None or terms.device.total > 0):
        yield Way(
            "--gpu-memory-utilization",
            f"--gpu-memory-utilization {wanted:.2f} gives the pool {(wanted - now) * device.total:.1f} GiB more",
        )


def _by_profile(deployment: Deployment, sizing: Sizing, terms: Terms | None, have: float) -> Iterator[Way]:
    """A smaller profile run: fewer sequences to sample, or fewer tokens per step."""
    if terms is None or _pinned(deployment) or have <= -terms.activation.gib:
        return
    for name, flag, floor_value in (
        ("max_num_seqs", "--max-num-seqs", 16),
        ("max_num_batched_tokens", "--max-num-batched-tokens", 2048),
    ):
        value = as_int(deployment.setting(name), 0)
        while value // 2 >= floor_value:
            value //= 2
            saved = _what_if(deployment, sizing, **{name: value})
            if saved is not None and saved[1].fits:
                yield Way(flag, f"{flag} {value} frees {saved[0] - terms.pool.mid:.1f} GiB of activation memory")
                break


def _by_cache_dtype(deployment: Deployment, sizing: Sizing, have: float) -> Iterator[Way]:
    """Keys and values in 8 bits, where they are in 16 now."""
    if sizing.layout.cache_dtype not in ("auto", "bfloat16", "float16") or have <= 0:
        return
    halved = _resized(deployment, kv_cache_dtype="fp8")
    if halved is not None and halved.plan(have).fits:
        yield Way("--kv-cache-dtype", "--kv-cache-dtype fp8 halves the bytes per token")


def _by_parallelism(deployment: Deployment, sizing: Sizing) -> Iterator[Way]:
    """The smallest tensor parallel size that fits: it must divide the attention heads and the vocabulary."""
    now = as_int(deployment.setting("tensor_parallel_size"), 1)
    shape = sizing.shape
    for tp in (2, 4, 8, 16):
        if tp <= now or (shape.q_heads and shape.q_heads % tp) or (shape.vocab and shape.vocab % tp):
            continue
        found = _what_if(deployment, sizing, tensor_parallel_size=tp)
        if found is not None and found[1].fits:
            yield Way("--tensor-parallel-size", f"--tensor-parallel-size {tp} leaves {found[0]:.1f} GiB per GPU")
            return


def _what_if(deployment: Deployment, sizing: Sizing, **changes: int) -> tuple[float, Plan] | None:
    """Predicted GiB and pool with other settings; None where they cannot be predicted."""
    changed = _changed(deployment, **changes)
    device = device_of(changed)
    terms = None if device is None else predict(changed, sizing.shape, device)
    if terms is None:
        return None
    try:
        return terms.pool.mid, sizing_of(changed, sizing.shape).plan(terms.pool.mid)
    except UngroupableError:
        return None


def _resized(deployment: Deployment, **changes: str) -> Sizing | None:
    """The caches with other settings."""
    if deployment.model is None:
        return None
    return sizing_of(_changed(deployment, **changes), deployment.model)


def _changed(deployment: Deployment, **changes: int | str) -> Deployment:
    """The deployment with some settings and arguments replaced."""
    settings = {
        **deployment.settings,
        **{name: Setting(value=value, origin="derived") for name, value in changes.items()},
    }
    return deployment.model_copy(update={"settings": settings, "args": {**deployment.args, **changes}})


def _pinned(deployment: Deployment) -> bool:
    """True when ``--kv-cache-memory-bytes`` sets the pool, whatever the utilisation."""
    return bool(deployment.setting("kv_cache_memory_bytes"))


FREE = re.compile(r"\(([\d.]+)\s*/\s*([\d.]+) GiB\)")


def _free_memory(deployment: Deployment, read: PoolReading | None) -> Problem:
    """Less is free at start than the utilisation asks for: something else is on the device."""
    found = FREE.search((read.error if read else None) or "")
    cause = "less memory is free on the device than gpu_memory_utilization asks for: another process, or an engine not yet gone, holds it"
    if found is None:
        return Problem(severity="error", flag="--gpu-memory-utilization", code="free-memory", message=cause,
                       fix="free the device (nvidia-smi shows what holds it), then start again with the same utilisation")  # fmt: skip
    free, total = float(found.group(1)), float(found.group(2))
    share = floor(free / total * 100) / 100 if total > 0 else 0.0
    asked = deployment.setting("gpu_memory_utilization")
    return Problem(
        severity="error", flag="--gpu-memory-utilization", code="free-memory",
        message=f"{cause}: {free:.1f} of {total:.1f} GiB are free, {asked} of it was asked for",
        fix=f"free the other {total - free:.1f} GiB (nvidia-smi shows what holds them); if they must stay, this engine can have "
            f"--gpu-memory-utilization {share:.2f} at most, with a smaller pool",
    )  # fmt: skip


def _out_of_memory(deployment: Deployment, sizing: Sizing | None, terms: Terms | None, kind: str) -> Problem:
    """CUDA ran out of memory: while loading, in the profile run, capturing graphs, or warming up the sampler."""
    if kind == "oom_load":
        ways = list(_by_parallelism(deployment, sizing)) if sizing is not None else []
        has = f": they take about {terms.weights.gib:.1f} of {terms.device.total:.1f} GiB" if terms else ""
        fix = (
            ways[0].text
            if ways
            else "divide them over more GPUs (--tensor-parallel-size), or serve a quantized checkpoint"
        )
        return Problem(
            severity="error",
            flag="--tensor-parallel-size",
            code="oom-load",
            message=f"the weights do not fit one GPU{has}",
            fix=fix,
        )
    if kind == "oom_profile":
        return Problem(severity="error", flag="--max-num-batched-tokens", code="oom-profile",
                       message="the profile run itself ran out: activations of one step do not fit beside the weights" + _activation(terms),
                       fix=_halved(deployment, "max_num_batched_tokens", "--max-num-batched-tokens"))  # fmt: skip
    if kind == "oom_sampler":
        return Problem(severity="error", flag="--max-num-seqs", code="oom-sampler",
                       message="warming up the sampler ran out: one row of logits per sequence, sorted, beside a pool that is already taken"
                       + _activation(terms), fix=_halved(deployment, "max_num_seqs", "--max-num-seqs"))  # fmt: skip
    graphs = f" (about {terms.cuda_graphs.gib:.1f} GiB)" if terms and terms.cuda_graphs.gib else ""
    later = (
        "; this version captures them after the pool is taken and does not reserve for them"
        if terms and not terms.graphs_subtracted
        else ""
    )
    return Problem(severity="error", flag="--max-cudagraph-capture-size", code="oom-graphs",
                   message=f"capturing CUDA graphs{graphs} ran out{later}",
                   fix=_halved(deployment, "max_cudagraph_capture_size", "--max-cudagraph-capture-size") + "; --enforce-eager needs none, and is slower")  # fmt: skip


def _activation(terms: Terms | None) -> str:
    return f" (about {terms.activation.gib:.1f} GiB)" if terms else ""


def _halved(deployment: Deployment, name: str, flag: str) -> str:
    """Half of a setting as the first thing to try."""
    value = as_int(deployment.setting(name), 0)
    return f"{flag} {max(value // 2, 1)} (now {value})" if value else f"a smaller {flag}"


def _unsized(read: PoolReading) -> Problem:
    """The pool is too small, of a model that is not known."""
    length = read.estimated_max_model_len
    fix = (
        f"--max-model-len {length} is the longest that fits"
        if length
        else "raise --gpu-memory-utilization towards 0.95, or lower --max-model-len"
    )
    return Problem(severity="error", flag="--max-model-len" if length else "--gpu-memory-utilization", code="no-kv-memory",
                   message="vLLM refused to start: the KV cache does not hold one request of the maximum length", fix=fix)  # fmt: skip
