"""One replica as the roofline sees it: peak rates, bytes of weights, and how many of them one step reads.

Plain numbers, gathered once from a :class:`~vllm_triage.domain.Deployment` and its memory model, so that the arithmetic
of the other modules is arithmetic and nothing else.
"""

from dataclasses import dataclass

from ..domain import BYTES_PER_GIB, Accelerator, Deployment, Json, MemoryBudget, ModelShape
from .weights import counted, weights_of

__all__ = ["Machine", "draft_tokens", "machine", "whole"]

FP8_METHODS = frozenset({"fp8", "modelopt", "fbgemm_fp8", "compressed-tensors", "quark", "ptpc_fp8"})
"""Quantization methods whose 8-bit weights meet 8-bit activations, so that the FP8 rate is the ceiling."""

FP4_METHODS = frozenset({"mxfp4", "modelopt_fp4", "nvfp4", "petit_nvfp4", "gpt_oss_mxfp4"})


@dataclass(frozen=True, slots=True)
class Machine:
    """One replica: its `tp` x `pp` GPUs, and how many such replicas (`dp`) there are. None where not known."""

    tp: int
    pp: int
    dp: int
    experts_over: int
    """Replicas whose batches meet in one set of experts: `dp` with expert parallelism, else 1."""
    bandwidth: float | None
    """Bytes per second of one GPU, peak."""
    peak: float | None
    """FLOP per second of one GPU in the format the weights compute in, peak, dense."""
    link: float | None
    """Bytes per second of one GPU to its peers, one direction."""
    link_kind: str | None
    active: float | None
    """Parameters used per token."""
    weight_bytes: float | None
    """Bytes of weights on the GPUs that one token passes in turn: one per pipeline stage."""
    expert_share: float
    """Share of those bytes that lies in routed experts."""
    experts: int
    experts_active: int
    unread_share: float
    """Share of those bytes no step reads: an input embedding that is not also the output layer."""
    layers: int
    hidden: int
    attention_flops: float
    """FLOPs of attention per pair of tokens: 4 x heads x head size, over the layers that see the whole context."""
    drafts: int
    """Draft tokens verified per sequence and step; 0 without speculation."""

    @property
    def gpus(self) -> int:
        """All GPUs of all replicas."""
        return self.tp * self.pp * self.dp

    def weights_read(self, tokens: float) -> float | None:
        """Bytes of weights one step of `tokens` tokens reads on the GPUs a token passes.

        Each token picks `experts_active` of `experts` at random as far as anyone knows beforehand, so of the experts
        1 - (1 - k/E)^tokens are hit.
        """
        if self.weight_bytes is None:
            return None
        hit = 1.0
        if self.experts > self.experts_active > 0:
            hit = 1.0 - (1.0 - self.experts_active / self.experts) ** max(1.0, tokens)
        return self.weight_bytes * (1.0 - self.unread_share - self.expert_share * (1.0 - hit))


def whole(value: Json, otherwise: int = 1) -> int:
    """A setting that counts something; `otherwise` when it is not a positive whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else otherwise


def draft_tokens(deployment: Deployment) -> int:
    """Draft tokens verified per sequence and step: ``num_speculative_tokens``, 0 without speculation."""
    spec = deployment.setting("speculative_config")
    if not isinstance(spec, dict):
        spec = deployment.args.get("speculative_config")
    given = spec.get("num_speculative_tokens") if isinstance(spec, dict) else deployment.args.get("spec_tokens")
    return whole(given, 0)


def machine(deployment: Deployment, memory: MemoryBudget | None, engines: int = 1) -> Machine:
    """The replica a deployment describes, and how many there are: as configured, or as the measurements show."""
    model, gpu = deployment.model, deployment.gpu
    tp = whole(deployment.setting("tensor_parallel_size"))
    pp = whole(deployment.setting("pipeline_parallel_size"))
    dp = max(engines, whole(deployment.setting("data_parallel_size")))
    ep = bool(deployment.setting("enable_expert_parallel") or deployment.args.get("enable_expert_parallel"))
    if gpu is not None and gpu.vendor == "cpu":
        gpu = None
    total, active = _parameters(model)
    held = _held(deployment, model, memory, total, active)
    moe = None if model is None else model.moe
    return Machine(
        tp=tp,
        pp=pp,
        dp=dp,
        experts_over=dp if ep else 1,
        bandwidth=None if gpu is None or gpu.bandwidth_gb_s is None else gpu.bandwidth_gb_s * 1e9,
        peak=None if gpu is None else _peak(gpu, model, deployment),
        link=None if gpu is None or gpu.interconnect_gb_s is None else gpu.interconnect_gb_s * 1e9,
        link_kind=None if gpu is None else gpu.interconnect,
        active=active,
        weight_bytes=None if held is None else held.total * pp,
        expert_share=0.0 if held is None else held.experts / held.total,
        experts=0 if moe is None else moe.experts,
        experts_active=0 if moe is None else moe.active,
        unread_share=0.0 if held is None or model is None else min(0.5, _embedding_bytes(model, tp) / held.total),
        layers=0 if model is None else model.layers,
        hidden=0 if model is None else model.hidden,
        attention_flops=_attention_flops(model),
        drafts=draft_tokens(deployment),
    )


@dataclass(frozen=True, slots=True)
class Held:
    """Weights on one GPU, bytes: all of them, and those of routed experts."""

    total: float
    experts: float


def _held(
    deployment: Deployment,
    model: ModelShape | None,
    memory: MemoryBudget | None,
    total: float | None,
    active: float | None,
) -> Held | None:
    """What one GPU holds: the memory model's figure, measured where a log prints it, split by the model's own parts."""
    counted_parts = None if model is None else weights_of(deployment, model)
    share = 0.0
    if counted_parts is not None and counted_parts.total > 0 and counted_parts.experts > 0:
        share = counted_parts.experts / counted_parts.total
    elif model is not None:
        share = _expert_share(model, total, active)
    if memory is not None and memory.budget.weights_gib:
        size = memory.budget.weights_gib * BYTES_PER_GIB
    elif counted_parts is not None and counted_parts.total > 0:
        size = counted_parts.total
    else:
        return None
    return Held(size, size * share)


def _peak(gpu: Accelerator, model: ModelShape | None, deployment: Deployment) -> float | None:
    method = _method(deployment, model)
    rate = gpu.bf16_tflops or gpu.fp16_tflops
    bits = 16.0 if model is None or model.quantization is None else model.quantization.weight_bits or 16.0
    if method in FP8_METHODS and bits in (8.0, 16.0) and gpu.fp8_tflops:
        rate = gpu.fp8_tflops
    if method in FP4_METHODS and gpu.fp4_tflops:
        rate = gpu.fp4_tflops
    return None if rate is None else rate * 1e12


def _method(deployment: Deployment, model: ModelShape | None) -> str | None:
    """The quantization in force: asked for on the command line, else the checkpoint's own."""
    asked = deployment.args.get("quantization")
    if isinstance(asked, str):
        return asked.lower()
    return None if model is None or model.quantization is None else model.quantization.method.lower()


def _parameters(model: ModelShape | None) -> tuple[float | None, float | None]:
    """All parameters and those a token uses, counted from the shape where the catalogue has no figure."""
    if model is None:
        return None, None
    total = model.params_total or counted(model)
    if model.params_active or model.moe is None or total is None:
        return total, model.params_active or total
    moe = model.moe
    if not moe.intermediate:
        return total, None
    one = 3.0 * model.hidden * moe.intermediate * (moe.layers or model.layers)
    return total, total - (moe.experts - moe.active) * one


def _expert_share(model: ModelShape, total: float | None, active: float | None) -> float:
    """Share of the parameters in routed experts, from two totals: all = rest + E x one, used = rest + k x one."""
    moe = model.moe
    if moe is None or not total or not active or moe.experts <= moe.active:
        return 0.0
    one = (total - active) / (moe.experts - moe.active)
    return min(1.0, moe.experts * one / total)


def _embedding_bytes(model: ModelShape, tp: int) -> float:
    """Bytes of an input embedding of its own: a step looks rows up, and reads none of the rest."""
    if model.tie_word_embeddings is not False or not model.vocab:
        return 0.0
    return model.vocab * model.hidden * min(2.0, model.dtype_bytes) / tp


def _attention_flops(model: ModelShape | None) -> float:
    if model is None:
        return 0.0
    seeing_all = sum(run.count for run in model.runs if run.kind in ("full", "mla"))
    return 4.0 * model.q_heads * model.head_dim * seeing_all
