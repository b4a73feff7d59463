"""AITER's attention asked for by name for what it does not serve.

## What happens
The worker refuses to start.

## Why
It attends in decoders alone. Its shuffled cache layout excludes windows, sinks and drafts.

## Versions
>=0.20

## Evidence
- vllm/v1/attention/backends/rocm_aiter_fa.py, AiterFlashAttentionImpl.__init__ and its metadata builder (0.20.0, 0.28.0,
  0.33.0)

## Fix
Leave the backend to vLLM, and the layout to its default.
"""

from ...context import Context
from ...rule import Hit, drop, drop_env, rule

SHUFFLED = "VLLM_ROCM_SHUFFLE_KV_CACHE_LAYOUT"


@rule("fatal", flags=("--attention-backend", "--speculative-config"), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("attention_backend") or ctx.mapping("attention_config").get("backend")
    if not isinstance(asked, str) or asked.upper() != "ROCM_AITER_FA" or ctx.need_gpu().vendor != "amd":
        return None
    model = ctx.need_model()
    if model.is_encoder_decoder:
        return Hit(
            message=f"ROCM_AITER_FA is asked for, and {model.id} crosses an encoder with a decoder.",
            effect="The worker stops while it sets up attention.",
            steps=(drop("--attention-backend"), drop("--attention-config")),
        )
    if ctx.env.get(SHUFFLED, "0") in ("0", "", "False", "false"):
        return None
    windows = any(run.kind == "sliding_window" for run in model.runs)
    why = "drafts" if ctx.spec is not None else "layers with a sliding window" if windows else None
    why = "attention sinks" if model.model_type == "gpt_oss" else why
    if why is None:
        return None
    return Hit(
        message=f"{SHUFFLED} is set with ROCM_AITER_FA, and {model.id} is served with {why}.",
        effect="The worker stops while it sets up attention.",
        steps=(drop_env(SHUFFLED),),
    )
