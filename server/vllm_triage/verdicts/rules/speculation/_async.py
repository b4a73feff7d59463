"""Which drafting methods run under async scheduling, by release."""

from ...context import Context

__all__ = ["supports_async"]


def supports_async(method: str, ctx: Context, *, explicit: bool) -> bool:
    """True when `method` keeps async scheduling on in this version.

    `explicit` is the answer for a user who gave ``--async-scheduling``: until 0.27 a draft model was accepted then,
    but switched async scheduling off when the flag was left to its default (vllm/config/vllm.py,
    VllmConfig.__post_init__: 0.18.0 lines 701-731, 0.31.0 lines 1560-1605).
    """
    if ctx.at_least(0, 33) and ctx.setting("model_runner") != "v1":
        return True  # the V2 model runner overlaps every method it has
    if method in ("eagle", "eagle3", "mtp", "extract_hidden_states"):
        return True
    if method == "ngram_gpu":
        return ctx.at_least(0, 18)
    if method == "draft_model":
        return ctx.at_least(0, 16) if explicit else ctx.at_least(0, 28)
    return (method == "dflash" and ctx.at_least(0, 20)) or (method == "dspark" and ctx.at_least(0, 25))
