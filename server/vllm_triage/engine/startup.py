"""Why an engine does not start for want of memory, and the smallest change with which it does.

Changes are tried in order of least harm: more of the device, a smaller profile run, a shorter context, a smaller KV
type, more GPUs. Each is computed, not guessed; none is offered that does not suffice. A starved pool is never answered
with a lower utilisation: that would make it smaller.
"""

import re
from collections.abc import Callable, Iterator
from math import ceil, floor
from typing import NamedTuple

from ..domain import Deployment, PoolReading, Problem, Setting
from .budget import Terms, activation_term, device_of, predict
from .kv_groups import UngroupableError
from .kv_plan import Plan
from .setting_values import as_int
from .sizing import Sizing, sizing_of

__all__ = ["problems_of"]

CEILING = 0.95
"""Highest utilisation offered: the rest is for CUDA graphs, fragments and the driver."""

LEAST = {"max_num_seqs": 16, "max_num_batched_tokens": 2048}
"""How far the profile run is shrunk before something else is tried."""

STARVED = frozenset({"no_kv_memory", "max_len_exceeds_kv"})


class Starved(NamedTuple):
    """A pool that does not hold one request of the maximum length, GiB per GPU."""

    deployment: Deployment
    sizing: Sizing
    terms: Terms | None
    have: float
    need: float
    longest: int
    """The longest request that fits; 0 when none does."""


class Way(NamedTuple):
    """One change that suffices by itself, in words."""

    flag: str
    text: str


def problems_of(
    deployment: Deployment,
    read: PoolReading | None,
    *,
    sizing: Sizing | None = None,
    terms: Terms | None = None,
    planned: Plan | None = None,
    gib: float | None = None,
) -> tuple[Problem, ...]:
    """What keeps this deployment from starting: as a log says, else as predicted.

    Args:
        deployment: what was configured.
        read: what a startup log says.
        sizing: its caches; None where the model is not known.
        terms: its predicted budget, where it could be made.
        planned: the pool, where it could be planned.
        gib: GiB per GPU the pool was planned for.
    """
    kind = None if read is None else read.error_kind
    if kind in OUT_OF_MEMORY:
        return (OUT_OF_MEMORY[kind](deployment, sizing, terms),)
    if kind == "free_memory":
        return (_free_memory(deployment, read),)
    if sizing is None:
        return (_unsized(read),) if read is not None and kind in STARVED else ()
    if kind in STARVED or (kind is None and planned is not None and planned.groups and not planned.fits):
        return (_starved(_case(deployment, sizing, terms, read, gib), seen=kind is not None),)
    return ()


def _case(
    deployment: Deployment, sizing: Sizing, terms: Terms | None, read: PoolReading | None, gib: float | None
) -> Starved:
    """The figures, as a log printed them where it did."""
    read = read or PoolReading()
    have = next((value for value in (read.available_kv_gib, gib) if value is not None), 0.0)
    need = sizing.needed_gib if read.needed_kv_gib is None else read.needed_kv_gib
    longest = read.estimated_max_model_len or (sizing.longest(have) if have > 0 else 0)
    return Starved(deployment, sizing, terms, have, need, longest)


def _starved(case: Starved, *, seen: bool) -> Problem:
    """The refusal, its cause, and what cures it."""
    ways = list(_ways(case))
    unsure = not seen and _in_doubt(case)
    said = "vLLM refused to start" if seen else f"predicted: vLLM {'may' if unsure else 'will'} refuse to start"
    left = f"{case.have:.2f} GiB is" if case.have > 0 else "nothing is"
    length = case.sizing.request.max_model_len
    message = (
        f"{said}: one request of {length:,} tokens needs {case.need:.2f} GiB of KV cache per GPU, {left} left for it"
    )
    if case.have <= 0 and case.terms is not None:
        terms = case.terms
        message += (
            f" (of {terms.device.usable:.1f} usable GiB the weights take {terms.weights.gib:.1f} and one step "
            f"{terms.activation.gib:.1f})"
        )
    if unsure and case.terms is not None:
        pool = case.terms.pool
        message += f"; the prediction is {pool.low:.1f} to {pool.high:.1f} GiB, the startup log tells"
    more_gpus = "fewer weights per GPU: more GPUs (--tensor-parallel-size), or a quantized checkpoint"
    return Problem(
        severity="warning" if unsure else "error",
        flag=ways[0].flag if ways else "--tensor-parallel-size",
        code="max-len-exceeds-kv" if case.have > 0 else "no-kv-memory",
        message=message,
        fix="; or ".join(way.text for way in ways) or more_gpus,
    )


def _in_doubt(case: Starved) -> bool:
    """Whether the pool is predicted and its interval reaches what is needed."""
    return case.terms is not None and case.have == case.terms.pool.mid and case.terms.pool.high >= case.need


def _ways(case: Starved) -> Iterator[Way]:
    """Changes that suffice by themselves, least harm first."""
    pinned = bool(case.deployment.setting("kv_cache_memory_bytes"))
    if pinned:
        yield Way(
            "--kv-cache-memory-bytes", f"--kv-cache-memory-bytes {ceil(case.need * 1024 + 64)}M, where the GPU has it"
        )
    else:
        yield from _by_utilization(case)
        yield from _by_profile(case)
    if case.longest:
        yield Way("--max-model-len", f"--max-model-len {case.longest} is the longest that fits")
    yield from _by_cache_dtype(case)
    if not pinned:
        yield from _by_parallelism(case.deployment, case.sizing)


def _by_utilization(case: Starved) -> Iterator[Way]:
    """More of the device, where it suffices below the ceiling."""
    device = device_of(case.deployment)
    if device is None:
        return
    now = device.usable / device.total
    wanted = ceil((now + (case.need - case.have + 0.05) / device.total) * 100) / 100
    if now < wanted <= CEILING:
        more = (wanted - now) * device.total
        yield Way(
            "--gpu-memory-utilization", f"--gpu-memory-utilization {wanted:.2f} gives the pool {more:.1f} GiB more"
        )


def _by_profile(case: Starved) -> Iterator[Way]:
    """A smaller profile run: fewer sequences to sample, or fewer tokens per step."""
    terms = case.terms
    if terms is None or case.have + terms.activation.gib < case.need:
        return
    for name, least in LEAST.items():
        value = as_int(case.deployment.setting(name), 0) // 2
        while value >= least:
            changed = activation_term(_changed(case.deployment, **{name: value}), case.sizing.shape)
            saved = terms.activation.gib - changed.gib
            if case.have + saved >= case.need + 0.05:
                flag = "--" + name.replace("_", "-")
                yield Way(flag, f"{flag} {value} frees {saved:.1f} GiB of activation memory")
                break
            value //= 2


def _by_cache_dtype(case: Starved) -> Iterator[Way]:
    """Keys and values in 8 bits, where they are in 16 now."""
    if case.sizing.layout.cache_dtype not in ("auto", "bfloat16", "float16") or case.have <= 0:
        return
    smaller = sizing_of(_changed(case.deployment, kv_cache_dtype="fp8"), case.sizing.shape)
    if smaller.plan(case.have).fits:
        yield Way("--kv-cache-dtype", "--kv-cache-dtype fp8 takes half the bytes per token")


def _by_parallelism(deployment: Deployment, sizing: Sizing) -> Iterator[Way]:
    """The smallest tensor parallel size that fits: it must divide the attention heads and the vocabulary."""
    now, shape = max(as_int(deployment.setting("tensor_parallel_size"), 1), 1), sizing.shape
    for tp in (2, 4, 8, 16):
        if tp <= now or (shape.q_heads and shape.q_heads % tp) or (shape.vocab and shape.vocab % tp):
            continue
        changed = _changed(deployment, tensor_parallel_size=tp)
        device = device_of(changed)
        terms = None if device is None else predict(changed, shape, device)
        if terms is None:
            return
        left = terms.pool.mid
        try:
            fits = left > 0 and sizing_of(changed, shape).plan(left).fits
        except UngroupableError:
            return
        if fits:
            yield Way("--tensor-parallel-size", f"--tensor-parallel-size {tp} leaves {left:.1f} GiB per GPU")
            return


def _changed(deployment: Deployment, **changes: int | str) -> Deployment:
    """The deployment with some settings and arguments replaced."""
    settings = {name: Setting(value=value, origin="derived") for name, value in changes.items()}
    return deployment.model_copy(
        update={"settings": {**deployment.settings, **settings}, "args": {**deployment.args, **changes}}
    )


FREE = re.compile(r"\(([\d.]{1,8}) ?/ ?([\d.]{1,8}) GiB\)")


def _free_memory(deployment: Deployment, read: PoolReading | None) -> Problem:
    """Less is free at start than the utilisation asks for: something else is on the device."""
    found = FREE.search((read.error if read else None) or "")
    asked = deployment.setting("gpu_memory_utilization")
    message = (
        "less memory is free on the device than --gpu-memory-utilization asks for: another process, or an engine that "
        "is not quite gone, holds it"
    )
    fix = "free the device (nvidia-smi shows what holds it), then start again with the same utilisation"
    if found is not None and float(found.group(2)) > 0:
        free, total = float(found.group(1)), float(found.group(2))
        message += f": {free:.1f} of {total:.1f} GiB are free, a share of {asked} was asked for"
        fix = (
            f"free the other {total - free:.1f} GiB (nvidia-smi shows what holds them); if they must stay, this engine "
            f"can have --gpu-memory-utilization {floor(free / total * 100) / 100:.2f} at most, with a smaller pool"
        )
    return Problem(severity="error", flag="--gpu-memory-utilization", code="free-memory", message=message, fix=fix)


def _weights_do_not_fit(deployment: Deployment, sizing: Sizing | None, terms: Terms | None) -> Problem:
    """CUDA ran out while loading."""
    ways = [] if sizing is None else list(_by_parallelism(deployment, sizing))
    size = f": they take about {terms.weights.gib:.1f} of {terms.device.total:.1f} GiB" if terms else ""
    return Problem(
        severity="error",
        flag="--tensor-parallel-size",
        code="oom-load",
        message=f"CUDA ran out of memory while loading: the weights do not fit one GPU{size}",
        fix=ways[0].text
        if ways
        else "divide them over more GPUs (--tensor-parallel-size), or serve a quantized checkpoint",
    )


def _step_does_not_fit(deployment: Deployment, sizing: Sizing | None, terms: Terms | None) -> Problem:
    """CUDA ran out in the profile run."""
    del sizing
    return Problem(
        severity="error",
        flag="--max-num-batched-tokens",
        code="oom-profile",
        message="CUDA ran out of memory in the profile run: one step does not fit beside the weights"
        + _about(None if terms is None else terms.activation.gib),
        fix=_halved(deployment, "max_num_batched_tokens") + ", or " + _halved(deployment, "max_num_seqs"),
    )


def _sampler_does_not_fit(deployment: Deployment, sizing: Sizing | None, terms: Terms | None) -> Problem:
    """CUDA ran out warming up the sampler."""
    del sizing
    return Problem(
        severity="error",
        flag="--max-num-seqs",
        code="oom-sampler",
        message="CUDA ran out of memory warming up the sampler: it sorts one row of logits per sequence beside a pool "
        "that is already taken" + _about(None if terms is None else terms.activation.gib),
        fix=_halved(deployment, "max_num_seqs"),
    )


def _graphs_do_not_fit(deployment: Deployment, sizing: Sizing | None, terms: Terms | None) -> Problem:
    """CUDA ran out capturing graphs."""
    del sizing
    unreserved = terms is not None and not terms.graphs_subtracted
    return Problem(
        severity="error",
        flag="--max-cudagraph-capture-size",
        code="oom-graphs",
        message="CUDA ran out of memory capturing graphs"
        + _about(None if terms is None else terms.cuda_graphs.gib)
        + ("; this version captures them after the pool is taken and does not reserve for them" if unreserved else ""),
        fix=_halved(deployment, "max_cudagraph_capture_size") + "; --enforce-eager needs none, and is slower",
    )


def _request_does_not_fit(deployment: Deployment, sizing: Sizing | None, terms: Terms | None) -> Problem:
    """CUDA ran out in a step for requests."""
    del sizing, terms
    return Problem(
        severity="error",
        flag="--gpu-memory-utilization",
        code="oom-serving",
        message="CUDA ran out of memory in a step for requests: the KV pool is taken at start, and what a step allocates beside "
        "it must fit into what --gpu-memory-utilization leaves free",
        fix="a lower --gpu-memory-utilization, or " + _halved(deployment, "max_num_batched_tokens"),
    )


OUT_OF_MEMORY: dict[str | None, Callable[[Deployment, Sizing | None, Terms | None], Problem]] = {
    "oom_load": _weights_do_not_fit,
    "oom_profile": _step_does_not_fit,
    "oom_sampler": _sampler_does_not_fit,
    "oom_graphs": _graphs_do_not_fit,
    "oom_serving": _request_does_not_fit,
}
"""The phase CUDA ran out in, and what it means."""


def _about(gib: float | None) -> str:
    return f" (about {gib:.1f} GiB)" if gib else ""


def _halved(deployment: Deployment, name: str) -> str:
    """Half of a setting as the first thing to try."""
    flag, value = "--" + name.replace("_", "-"), as_int(deployment.setting(name), 0)
    return f"{flag} {max(value // 2, 1)} (now {value})" if value else f"a smaller {flag}"


def _unsized(read: PoolReading) -> Problem:
    """The pool is too small, of a model that is not known."""
    length = read.estimated_max_model_len
    return Problem(
        severity="error",
        flag="--max-model-len" if length else "--gpu-memory-utilization",
        code="no-kv-memory",
        message="vLLM refused to start: the KV cache does not hold one request of the maximum length",
        fix=f"--max-model-len {length} is the longest that fits"
        if length
        else "raise --gpu-memory-utilization towards 0.95, or lower --max-model-len",
    )
