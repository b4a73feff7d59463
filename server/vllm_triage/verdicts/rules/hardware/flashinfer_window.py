"""FlashInfer asked for by name for a model with sliding windows on Hopper.

## What happens
The worker refuses to start.

## Why
Its prefill on compute capability 9.0 crashed with windows, so these releases refuse it.

## Versions
>=0.25,<0.30

## Evidence
- vllm/v1/attention/backends/flashinfer.py, FlashInferMetadataBuilder.__init__ (0.25.0, 0.28.0 line 884, 0.29.0)

## Fix
Leave the backend to vLLM.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--attention-backend",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("attention_backend") or ctx.mapping("attention_config").get("backend")
    if not isinstance(asked, str) or asked.upper() != "FLASHINFER" or ctx.arg("disable_sliding_window") is True:
        return None
    model = ctx.need_model()
    if ctx.need_capability() != (9, 0) or not any(run.kind == "sliding_window" for run in model.runs):
        return None
    return Hit(
        message=f"FLASHINFER is asked for on {ctx.need_gpu().name}, and {model.id} has layers with a sliding window.",
        effect="The worker stops while it sets up attention.",
        steps=(drop("--attention-backend"), drop("--attention-config")),
        fix="Leave the attention backend to vLLM: remove `--attention-backend`.",
    )
