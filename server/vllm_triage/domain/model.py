"""The shape of a model: what its config.json says, in one vocabulary."""

from typing import Literal

from .base import Noun, Words

__all__ = ["AttentionKind", "LayerRun", "MixtureOfExperts", "ModelShape", "Quantization", "StateTensor",
           "StoredWeights", "WeightPart", "WeightRole"]  # fmt: skip

AttentionKind = Literal[
    "full", "sliding_window", "chunked_local", "mla", "mla_sparse", "mla_compressed", "mla_window", "mamba", "linear",
    "cross", "encoder_only", "none"
]
"""What a layer keeps per token (or per sequence) in the KV cache."""


class StateTensor(Noun):
    """One tensor of recurrent state kept per sequence by a mamba or linear-attention layer, before TP division."""

    shape: tuple[int, ...]
    dtype_bytes: int
    role: Literal["conv", "temporal"] = "temporal"
    """Which cache dtype setting governs it: the convolution window, or the recurrent (SSM) state."""
    tp_axis: int | None = None
    """Axis that tensor parallelism divides; None when every rank keeps the whole tensor."""
    spec_axis: int | None = None
    """Axis that grows by one per speculative token; None when it does not."""
    groups: int | None = None
    """Mamba-2 B/C groups: where TP does not divide them they are extended to TP before the division."""
    group_width: int = 0
    """Elements of `tp_axis` one such group adds."""


class LayerRun(Noun):
    """`count` layers with the same cache. Layer order is that of the model; runs may repeat a kind."""

    kind: AttentionKind
    count: int
    kv_heads: int = 0
    """KV heads of the whole model (before TP). 1 for MLA, 0 for state layers."""
    head_dim: int = 0
    """K head size; for MLA kv_lora_rank + qk_rope_head_dim."""
    head_dim_v: int | None = None
    """V head size where it differs from K."""
    window: int | None = None
    """Sliding window or local chunk, tokens; for cross attention the longest encoder input."""
    state: tuple[StateTensor, ...] = ()
    mixer: Literal["mamba1", "mamba2", "gated_delta", "kimi_delta", "lightning", "short_conv"] | None = None
    """What computes the recurrent state."""
    state_chunk: int | None = None
    """Tokens its prefill kernel works on at a time."""
    beside: bool = False
    """True when these caches sit in the same layers as the run before (Falcon-H1: attention and state in each layer)."""
    index_dim: int | None = None
    """Sparse MLA: head size of the indexer's own key cache in these layers; None where a layer has none."""
    index_pool: int | None = None
    """Tokens one key of the indexer stands for (GLM-5.3); raw rows of the unfinished ones are kept beside it. None: one."""
    block: int | None = None
    """Tokens of a block of its own, where it does not take the model's (Inkling's convolution windows)."""
    compress: int | None = None
    """Tokens one stored latent covers (DeepSeek-V4); None is one."""


class MixtureOfExperts(Noun):
    """Experts of the routed layers."""

    experts: int
    active: int
    """Experts per token."""
    shared: int = 0
    intermediate: int | None = None
    """Inner size of one expert."""
    layers: int | None = None
    """Layers that are routed."""


WeightRole = Literal[
    "embedding",
    "head",
    "attention",
    "kv",
    "latent",
    "mlp",
    "expert",
    "shared_expert",
    "router",
    "state",
    "norm",
    "tower",
    "draft",
]
"""What a group of weights does; it decides how they divide over ranks and whether a quantization reaches them."""


class Quantization(Noun):
    """The checkpoint's own quantization, from ``quantization_config``."""

    method: str
    weight_bits: float | None = None
    by_role: tuple[tuple[WeightRole, float], ...] = ()
    """Bits of each role it reaches, scales included; roles that are not listed keep the model's type."""
    kv_cache: str | None = None
    """KV-cache scheme stored with the checkpoint, if any."""
    block: tuple[int, int] | None = None
    """Outputs and inputs of a weight matrix that share one scale, for scales by block."""
    group: int | None = None
    """Inputs of a weight matrix that share one scale, for scales by group."""


class WeightPart(Noun):
    """Parameters of one role over the whole model."""

    role: WeightRole
    params: int
    layers: int = 0
    """Layers they are spread over; 0 outside the stack (embedding, head, towers)."""


class StoredWeights(Noun):
    """What a checkpoint's own files say its tensors take, whole model.

    Bytes are those a 16-bit engine holds: the tensors of a float32 checkpoint count half.
    """

    total_bytes: int
    by_role: tuple[tuple[WeightRole, int], ...] = ()
    """Empty where only the total is told."""
    source: str
    """Which files said so, in a few words."""


class ModelShape(Noun):
    """Everything sizing, settings and rules need of a model. None means the source does not say."""

    id: str
    """Hub id, or the name the user gave."""
    architecture: str | None = None
    """First entry of ``architectures``."""
    model_type: str | None = None
    source: Literal["catalogue", "config"]
    layers: int
    runs: tuple[LayerRun, ...]
    hidden: int
    q_heads: int
    kv_heads: int
    head_dim: int
    intermediate: int | None = None
    vocab: int | None = None
    tie_word_embeddings: bool | None = None
    max_position_embeddings: int | None = None
    derived_max_model_len: int | None = None
    """Longest context vLLM derives from the config (rope scaling applied), tokens."""
    yarn_max_model_len: int | None = None
    """With YaRN, the context releases before 0.30 derive instead: original_max_position_embeddings x factor, tokens."""
    sliding_window: int | None = None
    moe: MixtureOfExperts | None = None
    quantization: Quantization | None = None
    weights: tuple[WeightPart, ...] = ()
    """Parameters by role, counted from the config; empty when the config does not say enough."""
    stored: StoredWeights | None = None
    """What the checkpoint's files themselves say of the weights, where they were read."""
    dtype_bytes: float = 2.0
    """Bytes per element of the checkpoint's float type (torch_dtype)."""
    dtype: str | None = None
    params_total: float | None = None
    """All parameters, count."""
    params_active: float | None = None
    """Parameters used per token, count."""
    is_encoder_decoder: bool = False
    is_multimodal: bool = False
    vision_heads: int | None = None
    """Attention heads of the vision encoder, where its config gives them."""
    is_pooling: bool = False
    mtp_layers: int = 0
    state_chunk: int | None = None
    """Tokens the recurrent kernel works on at once (``mamba_chunk_size``); blocks that cache states are multiples of it."""
    notes: Words = ()
    unverified: Words = ()

    @property
    def uses_mla(self) -> bool:
        """True when any layer caches a latent instead of K and V."""
        return any(run.kind in ("mla", "mla_sparse", "mla_compressed", "mla_window") for run in self.runs)

    @property
    def is_hybrid(self) -> bool:
        """True when attention layers sit beside recurrent-state layers (vLLM's ``is_hybrid``)."""
        kinds = {run.kind for run in self.runs}
        return bool(kinds & {"mamba", "linear"}) and bool(kinds - {"mamba", "linear", "none"})
