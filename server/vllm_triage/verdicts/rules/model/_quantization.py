"""Which quantization method a launch runs with."""

from ....facts.quantization import QuantizationMethod, methods
from ...context import Context

__all__ = ["effective"]

_MARLIN = {"awq": "awq_marlin", "gptq": "gptq_marlin"}


def effective(ctx: Context) -> QuantizationMethod | None:
    """The method in force, from the flag or the checkpoint; None without one, or when this release does not know it.

    AWQ and GPTQ checkpoints run on the Marlin kernels where the release has them, which accept more.
    """
    asked = ctx.arg("quantization")
    name = asked if isinstance(asked, str) else None
    if name is None:
        quantization = ctx.need_model().quantization
        if quantization is None:
            return None
        name = quantization.method
    known = methods(ctx.version)
    if name == "mxfp4" and ctx.model is not None and ctx.model.model_type == "gpt_oss" and "gpt_oss_mxfp4" in known:
        name = "gpt_oss_mxfp4"
    return known.get(_MARLIN.get(name, name)) or known.get(name)
