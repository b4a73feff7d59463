"""The routed experts a config describes."""

from ...domain import MixtureOfExperts
from .view import ConfigView

__all__ = ["read_experts"]


WIDTHS = (
    "moe_intermediate_size", "expert_intermediate_size", "expert_ffn_hidden_size", "ffn_hidden_size", "intermediate_size",
)  # fmt: skip
"""Names of an expert's inner size, in the order they count."""


def read_experts(view: ConfigView) -> MixtureOfExperts | None:
    """Experts, active per token, inner size and routed layers; None for a dense model."""
    experts = view.integer("num_experts", "moe_num_experts", "n_routed_experts", "num_local_experts")
    if not experts or experts < 2:
        return None
    if view.model_type.startswith("nemotron_h") and not _pattern_routes(view):
        return None
    active = (
        view.integer(
            "num_experts_per_tok",
            "num_experts_per_token",
            "top_k_experts",
            "moe_topk",
            "moe_top_k",
            "experts_per_token",
            "moe_k",
        )
        or 1
    )
    inner = view.integer(*WIDTHS)
    shared = view.integer("n_shared_experts", "num_shared_experts", "moe_num_shared_experts") or 0
    shared_inner = view.integer(
        "shared_expert_intermediate_size", "shared_intermediate_size", "moe_shared_expert_intermediate_size"
    )
    if not shared and shared_inner and inner:
        shared = max(1, round(shared_inner / inner))
    return MixtureOfExperts(
        experts=experts, active=active, shared=shared, intermediate=inner, layers=routed_layers(view)
    )


def _pattern_routes(view: ConfigView) -> bool:
    """Nemotron-H: whether any layer of the pattern is an expert layer."""
    blocks = view.get("layers_block_type")
    return "E" in str(view.get("hybrid_override_pattern", default="")) or (isinstance(blocks, list) and "moe" in blocks)


def routed_layers(view: ConfigView) -> int:
    """How many layers route: all, less the dense ones the config names."""
    layers = view.layers
    pattern = view.get("hybrid_override_pattern", "layers_block_type")
    if view.model_type.startswith("nemotron_h") and pattern is not None:
        return sum(1 for layer in pattern if layer in ("E", "moe"))
    named = view.get("mlp_layer_types")
    if isinstance(named, list) and named:
        return sum(1 for kind in named[:layers] if str(kind) == "sparse")
    listed = view.get("moe_layers_enum")  # Step3: "4,5,6"
    if isinstance(listed, str | list) and listed:
        return len(listed.split(",") if isinstance(listed, str) else listed)
    frequency = view.get("moe_layer_freq")
    if isinstance(frequency, list):
        return sum(1 for flag in frequency[:layers] if flag)
    dense = view.integer("first_k_dense_replace", "moe_layer_start_index", "num_dense_layers", "dense_mlp_idx") or 0
    step = (
        view.integer("moe_layer_freq", "decoder_sparse_step", "interleave_moe_layer_step", "expert_layer_period") or 1
    )
    only = view.get("mlp_only_layers")
    skipped = set(only) if isinstance(only, list) else set()
    offset = view.integer("expert_layer_offset")
    if offset is not None:
        return sum(1 for i in range(layers) if i % step == offset)
    return sum(
        1
        for i in range(dense, layers)
        if i not in skipped and (step == 1 or (i + 1) % step == 0 or (dense and i % step == 0))
    )
