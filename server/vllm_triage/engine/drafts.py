"""What a drafter adds to a GPU: its weights, and the caches of its layers."""

from collections.abc import Mapping
from typing import NamedTuple

from ..domain import Deployment, Json, LayerRun, ModelShape
from .model_of import known_shape
from .weights import counted, weight_bytes

__all__ = ["Draft", "draft_of", "draft_runs"]

ATTENDING = ("full", "mla", "mla_sparse", "mla_window")
"""What a drafter's own layer may keep: DeepSeek-V4's MTP layer has the window alone."""

HEADS = frozenset({"eagle", "eagle3", "dflash", "dspark", "peagle"})
"""Methods whose drafter is one or a few full-attention layers beside the target's."""


class Draft(NamedTuple):
    """A drafter: bytes of its weights over all ranks, and the caches that join the target's."""

    method: str
    weight_bytes: float
    runs: tuple[LayerRun, ...]
    assumed: str = ""


def draft_of(deployment: Deployment, shape: ModelShape) -> Draft | None:
    """The drafter of this deployment; None where there is none, or where it has no weights (n-gram, suffix)."""
    spec = deployment.setting("speculative_config")
    if not isinstance(spec, Mapping):
        return None
    method = str(spec.get("method") or ("draft_model" if spec.get("model") else ""))
    if method.endswith("mtp"):
        layers = max(shape.mtp_layers, 1)
        return Draft(method, layers * _one_layer(shape), _attending(shape, layers))
    if method in HEADS:
        return Draft(
            method, _one_layer(shape), _attending(shape, 1), f"the {method} head is sized as one layer of the target"
        )
    if method == "draft_model":
        return _other_model(method, spec.get("model"))
    return None


def draft_runs(deployment: Deployment, shape: ModelShape) -> tuple[LayerRun, ...]:
    """Runs of cache the drafter adds after the target's own layers."""
    draft = draft_of(deployment, shape)
    return () if draft is None else draft.runs


def _other_model(method: str, name: Json) -> Draft:
    """A second model; where the catalogue does not know it, nothing is added and that is said."""
    try:
        found = known_shape(name, {}) if isinstance(name, str) else None
    except ValueError:
        found = None
    if found is None:
        return Draft(
            method, 0.0, (), f"draft model {name}: not in the catalogue, its weights and cache are not counted"
        )
    return Draft(method, weight_bytes(found) or 0.0, found.runs)


def _attending(shape: ModelShape, layers: int) -> tuple[LayerRun, ...]:
    """`layers` more of the target's last kind of full attention."""
    last = next((run for run in reversed(shape.runs) if run.head_dim and run.kind in ATTENDING), None)
    return () if last is None else (last.but(count=layers, beside=False),)


def _one_layer(shape: ModelShape) -> float:
    """Bytes of one average layer of the target, with the projection that joins embedding and hidden state."""
    total = weight_bytes(shape) or 2.0 * (counted(shape) or 0.0)
    outside = sum(part.params for part in shape.weights if part.layers == 0) * shape.dtype_bytes
    return max(total - outside, 0.0) / max(shape.layers, 1) + 4.0 * shape.hidden * shape.hidden
