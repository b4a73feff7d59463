"""What only the V2 model runner has."""

from ...context import Context

__all__ = ["needing_v2"]


def needing_v2(ctx: Context) -> list[str]:
    """What of this launch the V1 runner refuses.

    ``VllmConfig._get_v1_model_runner_unsupported_features`` (vllm/config/vllm.py, 0.29.0 to 0.33.0).
    """
    spec = ctx.spec
    needing = []
    if ctx.whole("prefill_context_parallel_size", 1) > 1:
        needing.append("prefill context parallelism")
    if spec is not None and spec.method == "dspark":
        needing.append("dspark speculation")
    if spec is not None and spec.raw.get("enable_adaptive_verification") is True:
        needing.append("adaptive verification")
    if ctx.arg("enable_batch_sharded_sampling") is True:
        needing.append("batch-sharded sampling")
    return needing
