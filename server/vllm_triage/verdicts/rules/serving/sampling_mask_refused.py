"""Returning sampling masks with what hides the distribution.

## What happens
The engine refuses to start.

## Why
A sampled token can be replayed only where the V2 runner samples from the plain model's distribution and the log
probabilities returned are those after processing.

## Versions
>=0.28

## Evidence
- vllm/config/vllm.py, VllmConfig._verify_sampling_replay_config (0.28.0 line 1027, 0.33.0 line 1304; speculative
  decoding is refused through 0.31)

## Fix
Give --logprobs-mode processed_logprobs, and leave out what is named.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, drop_env, put, rule


@rule(
    "fatal",
    flags=("--return-sampling-mask", "--logprobs-mode", "--logits-processors", "--speculative-config"),
)
def check(ctx: Context) -> Iterator[Hit]:
    if ctx.arg("return_sampling_mask") is not True:
        return
    effect = "vLLM stops before loading."
    if ctx.arg("logprobs_mode") != "processed_logprobs":
        yield Hit(
            message="--return-sampling-mask is given without --logprobs-mode processed_logprobs.", effect=effect,
            flags=("--return-sampling-mask", "--logprobs-mode"), steps=(put("--logprobs-mode", "processed_logprobs"),),
        )  # fmt: skip
    if ctx.arg("logits_processors"):
        yield Hit(
            message="--return-sampling-mask is given with --logits-processors.", effect=effect,
            flags=("--return-sampling-mask", "--logits-processors"), steps=(drop("--logits-processors"),),
        )  # fmt: skip
    if ctx.spec is not None and not ctx.at_least(0, 32):
        yield Hit(
            message="--return-sampling-mask is given with speculative decoding.", effect=effect,
            flags=("--return-sampling-mask", "--speculative-config"), steps=(drop("--speculative-config"),),
        )  # fmt: skip
    if ctx.env.get("VLLM_USE_V2_MODEL_RUNNER") == "0":
        yield Hit(
            message="--return-sampling-mask needs the V2 model runner, and VLLM_USE_V2_MODEL_RUNNER=0 is set.",
            effect=effect, flags=("--return-sampling-mask",), steps=(drop_env("VLLM_USE_V2_MODEL_RUNNER"),),
        )  # fmt: skip
