"""The memory of one GPU before the first request: what the device has, what the engine may use, what it spends.

    usable = device total x gpu_memory_utilization
    pool   = usable - weights - activation peak - non-torch [- CUDA graphs, from 0.20]

Every term carries how far it may be off; the pool's bounds are their root of squares.
"""

from collections.abc import Mapping
from math import isfinite, sqrt
from typing import NamedTuple

from ..domain import BYTES_PER_GIB, Deployment, Interval, ModelShape
from ..facts.versions import number
from .activation import peak_bytes
from .drafts import draft_of
from .setting_values import as_int
from .weights import Weights, weights_of

__all__ = ["Device", "Terms", "activation_term", "device_of", "little_measured", "predict"]

Release = tuple[int, int, int]


class Term(NamedTuple):
    """A quantity in GiB and how far it may be off."""

    gib: float
    spread: float

    def widened(self, factor: float) -> "Term":
        """The same quantity, that much further off."""
        return Term(self.gib, self.spread * factor)


class Device(NamedTuple):
    """Memory of one device as vLLM sees it, GiB."""

    total: float
    usable: float
    assumed: str = ""
    """What was assumed to get it; empty when the figure is known."""


class Terms(NamedTuple):
    """Where one GPU's memory goes, predicted, GiB."""

    device: Device
    weights: Term
    activation: Term
    non_torch: Term
    cuda_graphs: Term
    graphs_subtracted: bool
    """Whether this version takes the graphs out of the pool (from 0.20)."""

    @property
    def pool(self) -> Interval:
        """What is left for KV; negative where nothing is."""
        taken = [self.weights, self.activation, self.non_torch] + ([self.cuda_graphs] if self.graphs_subtracted else [])
        mid = self.device.usable - sum(term.gib for term in taken)
        spread = sqrt(sum(term.spread**2 for term in taken))
        return Interval(low=mid - spread, mid=mid, high=mid + spread)


def device_of(deployment: Deployment) -> Device | None:
    """The device's memory; None on a CPU, and where the device or its memory is not known."""
    gpu = deployment.gpu
    if gpu is None or gpu.vendor == "cpu":
        return None
    utilization = deployment.setting("gpu_memory_utilization")
    told = isinstance(utilization, int | float) and not isinstance(utilization, bool) and isfinite(utilization)
    share = float(utilization) if told and isinstance(utilization, int | float) else 0.9
    if gpu.torch_total_gib is not None:
        return Device(gpu.torch_total_gib, gpu.torch_total_gib * share)
    if gpu.memory_mib is None:
        return None
    # what torch reports of an NVIDIA card lies 0.4 to 0.6 GiB under what the driver does
    total = (gpu.memory_mib / 1024 - 0.15) * 0.996
    return Device(
        total, total * share, f"{gpu.name}: torch is assumed to see {total:.2f} GiB of {gpu.memory_mib:,} MiB"
    )


def predict(deployment: Deployment, shape: ModelShape, device: Device) -> Terms | None:
    """Every term of the budget; None where the weights cannot be sized."""
    release = number(deployment.version)
    weights = weights_of(deployment, shape)
    if weights is None:
        return None
    tp = max(as_int(deployment.setting("tensor_parallel_size"), 1), 1)
    pp = max(as_int(deployment.setting("pipeline_parallel_size"), 1), 1)
    wider = 1.0 if measured_on(deployment) else ELSEWHERE
    return Terms(
        device,
        weight_term(deployment, shape, weights, tp),
        activation_term(deployment, shape).widened(wider),
        non_torch_term(deployment, release, tp, pp).widened(wider),
        graph_term(deployment, shape, tp).widened(wider),
        release >= (0, 20, 0) and env(deployment).get("VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS") != "0",
    )


ELSEWHERE = 2.5
"""How much further off the terms of one step may be on a device whose logs their constants were not read from."""


def measured_on(deployment: Deployment) -> bool:
    """Whether the constants were read from logs of this kind of device: datacenter Hopper."""
    gpu = deployment.gpu
    return gpu is not None and str(gpu.compute_capability).startswith("9.") and gpu.vendor == "nvidia"


def weight_term(deployment: Deployment, shape: ModelShape, weights: Weights, tp: int) -> Term:
    """Weights, a draft head's or draft model's with them, less what ``--cpu-offload-gb`` keeps in host memory."""
    draft = draft_of(deployment, shape)
    gib = (weights.total + (draft.weight_bytes / tp if draft else 0.0)) / BYTES_PER_GIB
    gib += lora_gib(deployment, shape, tp)
    gib = max(gib - offloaded(deployment), 0.0)
    unsure = 0.01 if weights.quantization is None else 0.03
    if shape.stored is not None and shape.stored.by_role:
        unsure = 0.005  # what is left: how ranks pad it, and what is made while loading
    if draft is not None and draft.assumed:
        unsure += 0.02
    return Term(gib, gib * unsure + 0.05)


def offloaded(deployment: Deployment) -> float:
    """GiB of weights ``--cpu-offload-gb`` keeps in host memory."""
    asked = deployment.args.get("cpu_offload_gb")
    return float(asked) if isinstance(asked, int | float) and not isinstance(asked, bool) else 0.0


def staged_layer_gib(shape: ModelShape, tp: int) -> float:
    """One layer's weights: what an offloaded layer is copied into while it runs."""
    return (
        sum(part.params / part.layers for part in shape.weights if part.layers) * shape.dtype_bytes / tp / BYTES_PER_GIB
    )


def lora_gib(deployment: Deployment, shape: ModelShape, tp: int) -> float:
    """LoRA slots: two factors of ``max_lora_rank`` for every projection of every layer, ``max_loras`` times."""
    if deployment.args.get("enable_lora") is not True:
        return 0.0
    rank = as_int(deployment.args.get("max_lora_rank"), 16)
    slots = as_int(deployment.args.get("max_loras"), 1)
    heads = (shape.q_heads + 2 * shape.kv_heads) * shape.head_dim
    widths = 7 * shape.hidden + heads + 3 * (shape.intermediate or 4 * shape.hidden)
    return 2 * rank * slots * shape.layers * widths / tp / BYTES_PER_GIB


def activation_term(deployment: Deployment, shape: ModelShape) -> Term:
    """The peak of the profile run."""
    release = number(deployment.version)
    tp = max(as_int(deployment.setting("tensor_parallel_size"), 1), 1)
    pp = max(as_int(deployment.setting("pipeline_parallel_size"), 1), 1)
    tokens = as_int(deployment.setting("max_num_batched_tokens"), 0) or 8192
    seqs = as_int(deployment.setting("max_num_seqs"), 0) or 256
    gib = peak_bytes(shape, tokens, seqs, release, tp=tp, pp=pp) / BYTES_PER_GIB
    if shape.is_multimodal and deployment.args.get("language_model_only") is not True:
        gib += MULTIMODAL_GIB
    if offloaded(deployment):
        gib += staged_layer_gib(shape, tp)
    return Term(gib, (0.5 if little_measured(shape) else 0.12) * gib + 0.05)


def little_measured(shape: ModelShape) -> bool:
    """DeepSeek-V4: its steps keep several residual streams and workspaces that few public logs show."""
    return any(run.kind == "mla_compressed" for run in shape.runs)


MULTIMODAL_GIB = 0.12
"""Encoder outputs and the encoder cache of the profile run, beside what the language model peaks at."""


def non_torch_term(deployment: Deployment, release: Release, tp: int, pp: int) -> Term:
    """CUDA context and libraries, and the buffers of NCCL and custom all-reduce where ranks talk.

    Read from startup logs: 0.13 GiB on one GPU until 0.17 and 0.25 after; with tensor parallelism 0.55 until 0.17 and
    2.1 after it where ranks talk over NVLink on Hopper and later (symmetric memory, and NCCL's multicast buffers, which
    older and consumer cards do not have), about 0.9 elsewhere from 0.18 and 0.2 before; 0.1 with pipeline parallelism
    alone.
    """
    recent = release >= (0, 18, 0)
    if tp > 1:
        linked = multicasts(deployment)
        gib = (2.1 if linked else 0.9) if recent else (0.55 if linked else 0.2)
        return Term(gib, 0.3)
    if pp > 1:
        return Term(0.1, 0.1)
    return Term(0.25 if recent else 0.13, 0.1)


def multicasts(deployment: Deployment) -> bool:
    """Whether ranks of one node share memory over an NVLink switch: Hopper, datacenter Blackwell; MI300's fabric."""
    gpu = deployment.gpu
    if gpu is None or gpu.interconnect not in ("nvlink", "infinity_fabric"):
        return False
    major = str(gpu.compute_capability or "").partition(".")[0]
    return not major.isdigit() or int(major) >= 9


def graph_term(deployment: Deployment, shape: ModelShape, tp: int) -> Term:
    """Captured CUDA graphs: a pool as large as the largest batch, and per captured size a little for every layer."""
    largest = as_int(deployment.setting("max_cudagraph_capture_size"), 512)
    listed = deployment.setting("cudagraph_capture_sizes")
    sizes = len(listed) if isinstance(listed, list) else min(51, 3 + largest // 8)
    if deployment.args.get("enforce_eager") is True or largest == 0:
        return Term(0.0, 0.0)
    gib = GRAPH_POOL_GIB * largest / 512 + GRAPH_LAYER_GIB * shape.layers * sizes / 51
    if shape.moe is not None:
        gib += 0.35 * largest / 512
    return Term(gib * (0.9 if tp >= 4 else 1.0), 0.35 * gib)


GRAPH_POOL_GIB = 0.35
"""Shared graph pool at a largest captured batch of 512."""

GRAPH_LAYER_GIB = 0.0135
"""Per layer, over the 51 sizes captured by default."""


def env(deployment: Deployment) -> Mapping[str, str]:
    """Environment variables of the launch."""
    return {reading.name: reading.value for reading in deployment.env}
