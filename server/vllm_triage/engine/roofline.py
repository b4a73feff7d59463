"""What the hardware and the configuration allow under the measured load: floors in ms, seats in requests.

The one entrance of the engine's performance side. Everything here is arithmetic on published peak rates; the few
measured efficiencies are in :mod:`.efficiency`. Where an input is missing the figure is None and `missing` names it;
on a CPU, or a device that is not known, no GPU figure is used at all.
"""

from typing import Literal

from ..domain import Deployment, MemoryBudget, Observation, Roofline
from .efficiency import decode_band, gemm_share
from .load import Load, read_load
from .machine import Machine, machine, whole
from .seats import seats_in_pool, tokens_held
from .step_time import DecodeStep, chunk_step_ms, decode_step, prefill_floor_ms, saturation_batch

__all__ = ["roofline"]

Bound = Literal["bandwidth", "compute", "kv_reads", "overhead"]


def roofline(deployment: Deployment | None, observation: Observation, memory: MemoryBudget | None) -> Roofline:
    """The physics of one deployment under one load.

    Args:
        deployment: the launch; None when only measurements were given, which leaves Little's law.
        observation: what was measured.
        memory: the memory model's answer for the same launch, measured or predicted.
    """
    load = read_load(observation)
    if deployment is None:
        return Roofline(
            running=load.running,
            in_system=load.in_system,
            seats_kv=_seats_in_log(observation, load),
            missing=(*_unmeasured(load), "command"),
            assumptions=load.notes,
        )
    box = machine(deployment, memory, observation.engines)
    model = deployment.model
    context = None if load.input_tokens is None else load.input_tokens + (load.output_tokens or 0.0) / 2
    step = decode_step(box, model, memory, load.running or load.concurrency or 1.0, context)
    tokens = _token_budget(deployment)
    seats = deployment.setting("max_num_seqs")
    return Roofline(
        running=load.running,
        in_system=load.in_system,
        seats_kv=None
        if load.input_tokens is None
        else seats_in_pool(memory, model, box.dp, load.input_tokens, load.output_tokens or 0.0),
        seats_scheduler=whole(seats, 0) * box.dp or None,
        token_budget=tokens,
        decode_floor_ms=step.floor,
        decode_bound=_bound(deployment, step, load, box),
        weights_ms=step.weights,
        kv_reads_ms=step.kv_reads,
        compute_ms=step.compute,
        collectives_ms=step.collectives,
        prefill_floor_ms=prefill_floor_ms(box, load.input_tokens, _cached(observation)),
        chunk_step_ms=chunk_step_ms(box, tokens, gemm_share(deployment.gpu, model)),
        saturation_batch=saturation_batch(box),
        mfu=_mfu(box, load),
        max_output_tok_s=_max_output(step, load, box, observation),
        missing=(*_unmeasured(load), *_unknown(deployment, memory, box)),
        assumptions=(*load.notes, *_assumptions(deployment, memory, box)),
    )


def _seats_in_log(seen: Observation, load: Load) -> float | None:
    """Seats of a pool that a log prints, where no launch is known to size one."""
    if seen.pool is None or seen.pool.tokens is None or load.input_tokens is None:
        return None
    return seen.engines * seen.pool.tokens / tokens_held(load.input_tokens, load.output_tokens or 0.0)


def _token_budget(deployment: Deployment) -> int | None:
    """Tokens one step may carry: vLLM 0.17 to 0.27 take the slots of a draft model off what was configured."""
    reduced = whole(deployment.setting("max_num_scheduled_tokens"), 0)
    return reduced or whole(deployment.setting("max_num_batched_tokens"), 0) or None


def _bound(deployment: Deployment, step: DecodeStep, load: Load, box: Machine) -> Bound | None:
    """What the decode step is bound by: its own floor, or overhead when the measured step is far above the floor."""
    if step.floor is None or step.bound is None:
        return None
    if load.tpot_ms is not None and load.tpot_ms > decode_band(deployment.gpu, deployment.model).high * step.floor:
        return "overhead" if box.drafts == 0 else step.bound
    return step.bound


def _max_output(step: DecodeStep, load: Load, box: Machine, seen: Observation) -> float | None:
    if step.floor is None or load.running is None:
        return None
    length = 1.0 if box.drafts == 0 or seen.acceptance_length is None else max(1.0, seen.acceptance_length.value)
    return 1000 * load.running * length / step.floor


def _mfu(box: Machine, load: Load) -> float | None:
    if load.total_tok_s is None or box.active is None or box.peak is None:
        return None
    return load.total_tok_s * 2 * box.active / (box.gpus * box.peak)


def _cached(seen: Observation) -> float:
    """Share of prompt tokens served from the prefix cache."""
    return 0.0 if seen.prefix_hit_rate is None else min(0.99, max(0.0, seen.prefix_hit_rate.value))


def _unmeasured(load: Load) -> tuple[str, ...]:
    wanted = (
        ("input_tokens", load.input_tokens),
        ("output_tokens", load.output_tokens),
        ("TPOT or mean ITL", load.tpot_ms),
        ("output token throughput", load.output_tok_s),
    )
    return tuple(name for name, value in wanted if value is None)


def _unknown(deployment: Deployment, memory: MemoryBudget | None, box: Machine) -> tuple[str, ...]:
    missing: list[str] = []
    gpu = deployment.gpu
    if gpu is None:
        missing.append("gpu: no floor, budget tier or FLOP figure without it")
    elif gpu.vendor == "cpu":
        missing.append("a CPU device: no GPU figure is used, so no floor, chunk time or MFU can be given")
    else:
        missing += [
            f"{name} of {gpu.name}"
            for name, value in (("bandwidth", box.bandwidth), ("peak FLOPs", box.peak))
            if value is None
        ]
    if deployment.model is None:
        missing.append("model: give a catalogue name or its config.json")
    elif box.active is None:
        missing.append("parameter count of the model")
    if memory is None or memory.pool is None or (memory.pool.tokens is None and memory.pool.blocks is None):
        missing.append("KV pool: paste the startup log, or give model and GPU")
    return tuple(missing)


def _assumptions(deployment: Deployment, memory: MemoryBudget | None, box: Machine) -> tuple[str, ...]:
    said: list[str] = []
    if deployment.gpu_origin == "assumed":
        said.append("the GPU is assumed")
    if deployment.vllm_version.origin == "assumed":
        said.append(f"vLLM {deployment.version} is assumed")
    if memory is not None and memory.pool is not None and memory.pool.basis == "predicted":
        said.append("the KV pool is predicted, not read from a startup log")
    if box.experts > box.experts_active > 0:
        said.append("experts are taken to be picked evenly: a skewed router reads fewer of them")
    return tuple(said)
