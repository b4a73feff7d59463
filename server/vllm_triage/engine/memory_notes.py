"""What the memory answer rests on, what it leaves out, and where a log and the prediction part."""

from collections.abc import Iterator

from ..domain import BYTES_PER_GIB, Deployment, ModelShape, PoolReading
from ..facts.versions import number
from .budget import Device, Terms, little_measured
from .capacity_notes import capacity_notes
from .drafts import draft_of
from .kv_dtype import is_cpu
from .open_values import still_open
from .setting_values import as_int
from .sizing import Sizing

__all__ = ["assumed", "differences", "unknowns"]


def assumed(deployment: Deployment, shape: ModelShape, sizing: Sizing, terms: Terms | None) -> Iterator[str]:
    """What was taken for granted."""
    for name, words in still_open(deployment.settings).items():
        yield f"{name} is not known ({words}): sized as if it were not set"
    if terms is not None:
        if terms.device.assumed:
            yield terms.device.assumed
        if not terms.graphs_subtracted and terms.cuda_graphs.gib:
            graphs = f"CUDA graphs (about {terms.cuda_graphs.gib:.1f} GiB)"
            yield f"{graphs} come after the pool in this version and are not taken out of it"
    yield from capacity_notes(deployment, sizing, terms)
    if shape.stored is not None:
        yield f"weights: {shape.stored.total_bytes / BYTES_PER_GIB:.2f} GiB in the checkpoint, by {shape.stored.source}"
    yield from (note for note in shape.notes if note.startswith(("read from", "weights not read")))
    if shape.unverified:
        yield "not verified of this model: " + "; ".join(shape.unverified)
    draft = draft_of(deployment, shape)
    if draft is not None and draft.assumed:
        yield draft.assumed
    if sizing.layout.cache_dtype != "auto" and deployment.args.get("kv_cache_dtype") in (None, "auto"):
        yield f"KV cache in {sizing.layout.cache_dtype}, as the checkpoint asks"
    if as_int(deployment.setting("data_parallel_size"), 1) > 1:
        yield f"each of the {deployment.setting('data_parallel_size')} data-parallel engines has a pool of this size"
    if any(run.kind in ("linear", "mamba") for run in shape.runs):
        mode, block = sizing.layout.mamba_mode, sizing.layout.block_size
        yield f"recurrent state takes part in prefix caching as '{mode}': blocks of {block} tokens"
    if is_cpu(deployment):
        yield "on the CPU platform: block sizes and state types of its own kernels; the state type assumes AVX-512 BF16"


def unknowns(
    deployment: Deployment, sizing: Sizing, device: Device | None, terms: Terms | None, *, known: bool
) -> Iterator[str]:
    """What could not be modelled; `known` when the bytes for KV were measured or pinned."""
    shape = sizing.shape
    if is_cpu(deployment):
        yield "a CPU: host memory, NUMA nodes and what else runs there are not known" + (
            "" if known else ", so no pool is predicted"
        )
    elif device is None and not known:
        what = "the GPU is not known" if deployment.gpu is None else f"the memory of {deployment.gpu.name} is not known"
        yield f"{what}: name it (gpu), or give available_kv_gib or the startup log"
    elif terms is None and device is not None:
        yield "the size of the weights is not known: its config does not give the sizes"
    gpu = deployment.gpu
    if gpu is not None and gpu.vendor not in ("nvidia", "cpu") and terms is not None:
        yield f"activation, runtime and graph memory were measured on NVIDIA GPUs; on {gpu.name} they may differ"
    if shape.is_encoder_decoder:
        yield "cross-attention cache: sized for max_num_batched_tokens of encoder output a request, as vLLM's planner does"
    if any(run.kind == "mla_sparse" and run.index_dim is None for run in shape.runs):
        yield "layers that share another layer's indexer are counted without one"
    if little_measured(shape):
        yield "DeepSeek-V4's steps: few public logs show their workspaces, so the activation may be off by half"
    if number(deployment.version) < (0, 10, 0) and any(run.state for run in shape.runs):
        yield "recurrent state: before 0.10 it lies beside the pool, as much as max_num_seqs sequences need"
    if number(deployment.version) < (0, 8, 0):
        yield "the V0 engine: its pool is modelled from a few logs only"
    if sizing.request.context_shards > 1 and number(deployment.version) >= (0, 26, 0):
        yield "prefill context parallelism is not counted from 0.26 on, as in vLLM's own check"


def differences(terms: Terms | None, read: PoolReading | None) -> Iterator[str]:
    """Terms a log printed that lie outside what was predicted."""
    if terms is None or read is None:
        return
    for name, term, seen in (
        ("weights", terms.weights, read.weights_gib),
        ("activation", terms.activation, read.activation_gib),
        ("non-torch memory", terms.non_torch, read.non_torch_gib),
        ("CUDA graphs", terms.cuda_graphs, read.cuda_graph_gib),
    ):
        if seen is None or abs(seen - term.gib) <= max(term.spread, 0.1):
            continue
        more = "more" if seen > term.gib else "less"
        yield f"{name}: the log says {seen:.2f} GiB, {abs(seen - term.gib):.2f} GiB {more} than predicted"
    if read.available_kv_gib is not None:
        bounds = terms.pool
        if not bounds.low <= read.available_kv_gib <= bounds.high:
            wanted = f"{bounds.mid:.2f} ({bounds.low:.2f} to {bounds.high:.2f})"
            yield f"KV pool: the log says {read.available_kv_gib:.2f} GiB, predicted were {wanted}"
