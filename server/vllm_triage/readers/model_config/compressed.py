"""DeepSeek-V4's attention: a window over latents in every layer, and beside it one latent for 4 or for 128 tokens."""

from collections.abc import Mapping

from ...domain import LayerRun
from .view import ConfigView, UnknownArchitecture, as_int

__all__ = ["compressed_layers", "compressor_projections", "compressor_width", "window_projections"]

RATIOS = (4, 128)
"""Tokens one latent stands for in the layers vLLM knows."""


def compressed_layers(view: ConfigView) -> list[LayerRun]:
    """One run per cache: the compressed latents first, where a layer has them, then the window.

    Raises:
        UnknownArchitecture: a layer compresses by another ratio than vLLM knows.
    """
    window = LayerRun(
        kind="mla_window", count=1, kv_heads=1, head_dim=view.need("head_dim"), window=view.need("sliding_window")
    )
    runs = []
    for ratio in ratios(view):
        if ratio <= 1:
            runs.append(window)
            continue
        if ratio not in RATIOS:
            raise UnknownArchitecture(
                f"{view.architecture} compresses {ratio} tokens into one latent: only 4 and 128 are known"
            )
        index = view.need("index_head_dim") if ratio == RATIOS[0] else None
        runs.append(
            LayerRun(
                kind="mla_compressed", count=1, kv_heads=1, head_dim=window.head_dim, compress=ratio, index_dim=index
            )
        )
        runs.append(window.but(beside=True))
    return runs


def ratios(view: ConfigView) -> list[int]:
    """Tokens per latent of each layer; 0 where a layer has the window alone."""
    listed = view.get("compress_ratios")
    if not isinstance(listed, list):
        kinds, rates = view.get("layer_types"), view.get("compress_rates")
        if not isinstance(kinds, list) or not isinstance(rates, Mapping):
            raise UnknownArchitecture(f"{view.architecture} without 'compress_ratios': its caches are not known")
        listed = [rates.get(kind, 0) for kind in kinds]
    found = [as_int(ratio) or 0 for ratio in listed[: view.layers]]
    return found + [0] * (view.layers - len(found))


def compressor_width(ratio: int, head_dim: int) -> int:
    """Values a compressor keeps per token: two of each output, twice that where neighbouring latents overlap (4)."""
    return 2 * (2 if ratio == RATIOS[0] else 1) * head_dim


def window_projections(view: ConfigView) -> tuple[int, int]:
    """Parameters of attention in one layer: what every rank holds, and what divides over heads."""
    queries, outputs = view.need("q_lora_rank"), view.need("o_lora_rank")
    inner = view.heads * view.need("head_dim")
    split = queries * inner + inner * outputs + (view.integer("o_groups") or 1) * outputs * view.hidden
    return view.hidden * (queries + view.need("head_dim")), split


def compressor_projections(view: ConfigView, run: LayerRun) -> tuple[int, int]:
    """Parameters of the compressors and of the indexer's queries in one layer; every rank holds them all.

    Compressors keep the model's type under any quantization; the indexer's queries do not.
    """
    ratio = run.compress or RATIOS[1]
    plain = view.hidden * compressor_width(ratio, run.head_dim)
    if not run.index_dim:
        return plain, 0
    heads = view.integer("index_n_heads") or 0
    plain += view.hidden * (compressor_width(ratio, run.index_dim) + heads)
    return plain, view.need("q_lora_rank") * heads * run.index_dim
