"""Which quantization method a launch runs with."""

from ....domain import ModelShape
from ....facts.quantization import QuantizationMethod, methods
from ...context import Context

__all__ = ["claimed_by_loader", "effective"]

_MARLIN = {"awq": "awq_marlin", "gptq": "gptq_marlin"}
_ONLINE_SINCE = {"mxfp8": (0, 22), "mxfp4": (0, 28)}
"""Names of checkpoint formats that quantize 16-bit weights on load as well (_ONLINE_SHORTHANDS, config/quantization.py)."""


def claimed_by_loader(ctx: Context, model: ModelShape) -> bool:
    """True when a loader claims the checkpoint whatever --quantization says.

    ``override_quantization_method`` of ModelOpt, INC (AutoRound) and, from 0.20, of MXFP4 for gpt-oss looks at the
    checkpoint alone (vllm/model_executor/layers/quantization/{modelopt,inc,mxfp4}.py).
    """
    if model.quantization is None:
        return False
    own = model.quantization.method.replace("-", "_")
    if own.startswith("modelopt") or own in ("auto_round", "inc"):
        return True
    return own == "mxfp4" and model.model_type == "gpt_oss" and ctx.at_least(0, 20)


def effective(ctx: Context) -> QuantizationMethod | None:
    """The method in force, from the flag or the checkpoint; None without one, or when this release does not know it.

    AWQ and GPTQ checkpoints run on the Marlin kernels where the release and the device have them, which accept more;
    not where --quantization names the plain method (``override_quantization_method`` of
    vllm/model_executor/layers/quantization/{awq,gptq}_marlin.py, 0.11.0). A name that quantizes 16-bit weights on load is
    ``online`` for a checkpoint without quantization (get_quant_config, model_loader/weight_utils.py 0.22.0, 0.33.0).
    """
    asked = ctx.arg("quantization")
    claimed = ctx.model is not None and claimed_by_loader(ctx, ctx.model)
    name = asked if isinstance(asked, str) and not claimed else None
    if name is None:
        quantization = ctx.need_model().quantization
        if quantization is None:
            return None
        name = quantization.method
    known = methods(ctx.version)
    since = _ONLINE_SINCE.get(name)
    if since is not None and ctx.at_least(*since) and ctx.need_model().quantization is None and "online" in known:
        return known["online"]
    if name == "mxfp4" and ctx.model is not None and ctx.model.model_type == "gpt_oss" and "gpt_oss_mxfp4" in known:
        name = "gpt_oss_mxfp4"
    marlin = known.get(_MARLIN.get(name, name)) if asked != name else None
    return known.get(name) if marlin is None or _too_old(ctx, marlin) else marlin


def _too_old(ctx: Context, method: QuantizationMethod) -> bool:
    """Whether the device is known to lack what the method needs."""
    capability = ctx.need_capability() if ctx.gpu is not None else None
    return capability is not None and capability[0] * 10 + capability[1] < (method.capability or 0)
