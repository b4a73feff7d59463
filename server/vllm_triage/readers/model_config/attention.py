"""What each layer caches. Attention that is not known is refused by name, never sized as if it were dense."""

from collections.abc import Iterable
from itertools import groupby

from ...domain import LayerRun
from .compressed import compressed_layers
from .families import LATENT, family_of
from .hybrids import hybrid_layers
from .latent import is_latent, latent_layers
from .layers import plain_layers, special_layers
from .view import ConfigView, UnknownArchitecture

__all__ = ["attention_runs", "merge"]

FOREIGN = (
    "linear_attn_config",
    "ssm_cfg",
    "hybrid_override_pattern",
    "layers_block_type",
    "linear_num_value_heads",
    "mamba_d_state",
    "ssm_state_size",
    "compress_ratios",
    "attn_layer_period",
    "sparse_attention_config",
    "mixer_types",
    "linear_attention",
    "attn_types",
    "recurrent_config",
    "retention_heads",
    "rwkv",
)
"""Keys that announce attention a plain model does not have."""

KNOWN_KINDS = frozenset(
    {
        "full_attention",
        "sliding_attention",
        "chunked_attention",
        "global_attention",
        "local_attention",
        "attention",
        "global",
        "local",
        "full",
        "sliding",
    }
)
"""What ``layer_types`` of a plain model may hold."""


def attention_runs(view: ConfigView, width: int) -> tuple[LayerRun, ...]:
    """Runs of layers with equal caches, in model order; two runs share layers where the second is `beside` the first.

    Args:
        view: the config.
        width: bytes per element of the type the model is served in.

    Raises:
        UnknownArchitecture: the architecture, or its attention, is not known.
    """
    family = known_family(view)
    if is_latent(view):
        return merge(latent_layers(view))
    if "Bidirectional" in view.architecture:
        family = "encoder"
    if family == "hybrid":
        return merge(hybrid_layers(view, width))
    if family == "compressed":
        return merge(compressed_layers(view))
    if family == "special":
        return merge(special_layers(view))
    if family == "encoder":  # nothing is kept between steps, whatever the layers are
        run = LayerRun(kind="encoder_only", count=view.layers, kv_heads=view.kv_heads, head_dim=view.head_dim)
        return (run,)
    refuse_foreign(view)
    return merge(plain_layers(view))


def known_family(view: ConfigView) -> str:
    """The family of the text part, else of the whole config.

    Raises:
        UnknownArchitecture: none of its names is known.
    """
    inner = view.text if view.text is not view.whole else {}
    architectures = inner.get("architectures")
    named = str(architectures[0]) if isinstance(architectures, list | tuple) and architectures else ""
    family = family_of(
        str(inner.get("model_type") or ""), named, view.architecture, str(view.whole.get("model_type") or "")
    )
    if family is not None:
        return family
    if view.model_type in LATENT and view.get("kv_lora_rank"):
        return "plain"
    name = view.architecture or view.model_type
    if not name:
        raise UnknownArchitecture(
            "config.json names neither 'architectures' nor 'model_type': its attention cannot be known"
        )
    told = f" (model_type {view.model_type})" if view.model_type and view.model_type != name else ""
    raise UnknownArchitecture(f"the attention of {name}{told} is not known here, and is not sized as if it were dense")


def refuse_foreign(view: ConfigView) -> None:
    """Refuse a plain architecture whose config describes something else than its name says."""
    name = view.architecture or view.model_type
    for key in FOREIGN:
        if view.text.get(key):
            raise UnknownArchitecture(f"{name} with {key!r} in its config: this attention is not known for it")
    kinds = view.text.get("layer_types")
    if isinstance(kinds, list):
        strange = sorted({str(kind) for kind in kinds} - KNOWN_KINDS)
        if strange:
            raise UnknownArchitecture(f"{name} has layers of type {strange[0]!r}: this attention is not known")


def merge(layers: Iterable[LayerRun]) -> tuple[LayerRun, ...]:
    """Neighbouring equal layers as one run."""
    runs = []
    for _, same in groupby(
        layers,
        key=lambda run: (
            run.kind,
            run.kv_heads,
            run.head_dim,
            run.head_dim_v,
            run.window,
            run.state,
            run.beside,
            run.index_dim,
            run.compress,
            run.index_pool,
            run.block,
        ),
    ):
        listed = list(same)
        count = sum(run.count for run in listed)
        runs.append(listed[0] if count == listed[0].count else listed[0].but(count=count))
    return tuple(runs)
