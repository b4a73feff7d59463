"""``no-draft-chunked-0180``: a recipe refused as policy on vLLM 0.18.x, with what the source shows beside it."""

from ...domain import Deployment, Refusal
from ...facts.versions import between
from ..speculation import read_speculation

__all__ = ["SOURCE_SHOWS", "draft_model_recipe", "no_draft_chunked_0180"]


def draft_model_recipe(deployment: Deployment) -> bool:
    """True for vLLM 0.18.x with draft-model speculation while chunked prefill is on (its default)."""
    if not between(deployment.version, "0.18.0", "0.19.0"):
        return False
    if deployment.setting("enable_chunked_prefill") is False:
        return False
    if any(reading.flag == "--speculative-model" for reading in deployment.flags):
        return True
    args = deployment.args
    setting = deployment.setting("speculative_config")
    if "speculative_config" not in args and setting is not None:
        args = {**args, "speculative_config": setting}
    spec = read_speculation(args)
    return spec is not None and spec.uses_draft_model


SOURCE_SHOWS = (
    "Basis: policy. The 0.18 source shows no check that couples the two (config/speculative.py, config/vllm.py, "
    "engine/arg_utils.py), its feature matrix marks them compatible, and chunked prefill is on by default; "
    "--speculative-model itself is gone since 0.8.5."
)
"""The sentence that keeps policy apart from fact."""


def no_draft_chunked_0180(deployment: Deployment) -> Refusal | None:
    """Refuse the draft-model recipe on 0.18.x.

    Chunked prefill is never the thing to give up: without it a prompt longer than the budget that drafting leaves is
    never scheduled, and blocks the queue behind it.
    """
    if not draft_model_recipe(deployment):
        return None
    return Refusal(
        rule="no-draft-chunked-0180",
        message=f"Draft-model speculation with chunked prefill on vLLM {deployment.version} is a recipe this product "
        'refuses. Use EAGLE-3 ("method": "eagle3"), or N-gram GPU ("method": "ngram_gpu") as the documented exception '
        f"when both are wanted. {SOURCE_SHOWS}",
        ask=(
            'Change --speculative-config to "method": "eagle3" or "method": "ngram_gpu"',
            'Or acknowledge ["no-draft-chunked-0180"] to go on with a warning',
        ),
    )
