"""The reader itself: a config.json in, a :class:`ModelShape` out."""

from collections.abc import Mapping
from typing import Any, Literal

from ...domain import LayerRun, ModelShape
from .attention import attention_runs
from .experts import read_experts
from .families import POOLING
from .length import derived_max_model_len, yarn_max_model_len
from .parameters import active_parameters, count_parameters
from .quantization import read_quantization
from .towers import vision_heads
from .view import ConfigView, text_config

__all__ = ["read_model_config"]

WIDTHS = {"float32": 4.0, "float16": 2.0, "bfloat16": 2.0, "float": 4.0, "half": 2.0}
"""Bytes per element by ``torch_dtype``."""

TOWERS = ("vision_config", "visual", "vision_tower", "mm_vision_tower", "audio_config", "vision_encoder", "vit_config")
"""Keys that announce a vision or audio tower."""


def read_model_config(
    config: Mapping[str, Any],
    id: str,  # noqa: A002 - the noun calls it so
    *,
    params_total: float | None = None,
    params_active: float | None = None,
    source: Literal["catalogue", "config"] = "config",
) -> ModelShape:
    """Read a pasted or catalogued config.json.

    Args:
        config: the parsed config.json.
        id: hub id, or the name the user gave.
        params_total: all parameters, where they are known from elsewhere.
        params_active: parameters used per token, likewise.
        source: where the config came from.

    Raises:
        UnknownArchitecture: the attention of this architecture is not known.
        ValueError: a number sizing needs is missing or not usable.
    """
    view = ConfigView(config, text_config(config))
    dtype = read_dtype(view)
    width = WIDTHS.get(dtype or "", 2.0)
    served = 2.0 if width > 2 else width  # vLLM serves float32 checkpoints in 16 bits
    runs = attention_runs(view, int(served))
    moe, tied = read_experts(view), read_tied(view)
    parts = count_parameters(view, runs, moe, tied)
    return ModelShape(
        id=id,
        architecture=view.architecture or None,
        model_type=view.model_type or None,
        source=source,
        layers=view.layers,
        runs=runs,
        hidden=view.hidden,
        q_heads=view.integer("num_attention_heads", "n_head", "decoder_attention_heads") or 0,
        kv_heads=max((run.kv_heads for run in runs), default=0),
        head_dim=max((run.head_dim for run in runs if not run.block), default=0),
        intermediate=view.integer("intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size"),
        vocab=view.integer("vocab_size"),
        tie_word_embeddings=tied,
        max_position_embeddings=view.integer("max_position_embeddings", "n_positions", "max_target_positions"),
        derived_max_model_len=derived_max_model_len(view),
        yarn_max_model_len=yarn_max_model_len(view),
        state_chunk=next((run.state_chunk for run in runs if run.state_chunk), None),
        sliding_window=next((run.window for run in runs if run.kind == "sliding_window" and not run.block), None),
        moe=moe,
        quantization=read_quantization(view),
        dtype_bytes=width,
        dtype=dtype,
        params_total=params_total if params_total is not None else float(sum(part.params for part in parts)) or None,
        params_active=params_active if params_active is not None else active_parameters(parts, moe),
        weights=parts,
        is_encoder_decoder=any(run.kind == "cross" for run in runs),
        is_multimodal=any(view.whole.get(key) is not None for key in TOWERS),
        vision_heads=vision_heads(view),
        is_pooling=view.architecture.endswith(POOLING) or all(run.kind == "encoder_only" for run in runs),
        mtp_layers=view.integer("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules") or 0,
        notes=_notes(runs),
    )


def read_dtype(view: ConfigView) -> str | None:
    """``torch_dtype`` under either of its names, from the whole config or its text part."""
    for source in (view.whole, view.text):
        for key in ("dtype", "torch_dtype"):
            if isinstance(source.get(key), str):
                return str(source[key]).removeprefix("torch.")
    return None


ALWAYS = {
    **dict.fromkeys(("deepseek_v2", "deepseek_v3", "deepseek_v32", "gpt_oss"), False),
    **dict.fromkeys(("gemma", "gemma2", "cohere", "cohere2"), True),
}
"""Model types whose vLLM class ties, or does not tie, the output head whatever the config says."""


def read_tied(view: ConfigView) -> bool:
    """Whether input embedding and output head are one matrix; the config class's default where no config says.

    What a multimodal config says itself outranks its text part, as in the models vLLM builds.
    """
    if view.model_type in ALWAYS:
        return ALWAYS[view.model_type]
    for source in (view.whole, view.text):
        if isinstance(source.get("tie_word_embeddings"), bool):
            return bool(source["tie_word_embeddings"])
    return bool(view.default("tie_word_embeddings"))


def _notes(runs: tuple[LayerRun, ...]) -> tuple[str, ...]:
    """What a reader of the shape should know."""
    notes = []
    if any(run.beside and run.state for run in runs):
        notes.append("attention and recurrent state sit in the same layers")
    return tuple(notes)
