"""Replayed state-space updates where they cannot run.

## What happens
The engine refuses to start.

## Why
Models opt in: Nemotron-H does. Its ring of updates is read by the Triton kernel (from 0.30 by FlashInfer's too), is not
moved by KV connectors and, before 0.30, does not hold drafts.

## Versions
>=0.27

## Evidence
- vllm/config/vllm.py, VllmConfig.validate_mamba_cached_kernel (0.27.0 line 2338, 0.29.0 line 2850, 0.33.0 line 3455)
- SupportsReplaySSM of vllm/model_executor/models/*.py: nemotron_h.py alone (0.27.0 to 0.33.0)

## Fix
Take --use-replayssm out.
"""

from ....domain import ModelShape
from ...context import Context
from ...rule import Hit, drop, rule

KDA = frozenset({"KimiLinearForCausalLM", "KimiK3ForConditionalGeneration"})
"""Served with replay when they draft, from 0.29."""


@rule(
    "fatal",
    flags=("--use-replayssm", "--mamba-backend", "--kv-transfer-config", "--speculative-config"),
    needs=("model",),
)  # fmt: skip
def check(ctx: Context) -> Hit | None:
    if ctx.arg("use_replayssm") is not True:
        return None
    why = _elsewhere(ctx) or _model(ctx, ctx.need_model())
    if why is None:
        return None
    return Hit(
        message=f"--use-replayssm is given {why}.",
        effect="vLLM stops before loading.",
        steps=(drop("--use-replayssm"),),
    )


def _elsewhere(ctx: Context) -> str | None:
    backend = str(ctx.arg("mamba_backend") or "triton").lower()
    if backend != "triton" and (backend != "flashinfer" or not ctx.at_least(0, 30)):
        return f"with --mamba-backend {backend}"
    if ctx.mapping("kv_transfer_config").get("kv_connector") and not (ctx.model and ctx.model.architecture in KDA):
        return "with a KV connector"
    if ctx.spec is not None and not ctx.at_least(0, 29):
        return "with speculative decoding"
    if ctx.arg("mamba_cache_mode") == "all" and not ctx.at_least(0, 32):
        return "with --mamba-cache-mode all"
    return None


def _model(ctx: Context, model: ModelShape) -> str | None:
    if model.architecture is None or model.architecture.startswith("NemotronH"):
        return None
    if model.architecture in KDA and ctx.at_least(0, 29):
        return None
    return f"for {model.id} ({model.architecture})"
