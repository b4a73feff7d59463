"""Keys of --speculative-config that do not go together, or a number out of what its method takes.

## What happens
The engine refuses to start.

## Why
The keys are checked together once each is valid alone: rates of a synthetic acceptance, limits of suffix decoding, a
vocabulary mapping that needs greedy drafts, options of one method given to another.

## Versions
>=0.11

## Evidence
- vllm/config/speculative.py, SpeculativeConfig._validate_suffix_decoding (0.11.1 to 0.33.0),
  _resolve_synthetic_acceptance_rates (0.20.0 to 0.33.0), __post_init__ and _verify_args (0.28.0, 0.33.0);
  vllm/v1/spec_decode/custom_class_proposer.py (0.22.0, 0.33.0)

## Fix
Take the key out, or give the one it goes with.
"""

from collections.abc import Iterator
from itertools import pairwise

from ....domain import Json
from ...context import Context
from ...rule import Hit, put, rule
from ...speculation import Speculation

Clash = tuple[str, dict[str, Json]]
"""What is wrong, and the keys to change; None takes a key out."""

SUFFIX_BOUNDS: dict[str, tuple[float, float, str]] = {
    "suffix_decoding_max_tree_depth": (1, float("inf"), "at least 1"),
    "suffix_decoding_max_cached_requests": (0, float("inf"), "at least 0"),
    "suffix_decoding_max_spec_factor": (0, float("inf"), "at least 0"),
    "suffix_decoding_min_token_prob": (0, 1, "within 0 and 1"),
}
"""Key -> least, most, those in words; looked at for `suffix` alone."""

ONE_METHOD: dict[str, tuple[tuple[int, int], frozenset[str]]] = {
    "dspark_draft_topk": ((0, 28), frozenset({"dspark"})),
    "index_share_for_mtp_iteration": ((0, 29), frozenset({"mtp"})),
    "draft_lm_head_quantization": ((0, 33), frozenset({"eagle", "eagle3", "mtp"})),
}
"""Key -> release it came with, the methods that take it."""


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Iterator[Hit]:
    spec = ctx.spec
    if spec is None:
        return
    for message, changes in (*_suffix(spec), *_synthetic(ctx, spec), *_vocabulary(ctx, spec), *_foreign(ctx, spec)):
        yield Hit(
            message=message,
            effect="vLLM stops before loading.",
            steps=(put("--speculative-config", spec.but(**changes)),),
        )


def _number(value: Json) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _suffix(spec: Speculation) -> Iterator[Clash]:
    for key, (least, most, words) in SUFFIX_BOUNDS.items() if spec.method == "suffix" else ():
        held = _number(spec.raw.get(key))
        if held is not None and not least <= held <= most:
            yield f'"{key}" is {held:g}; it must be {words}.', {key: None}


def _synthetic(ctx: Context, spec: Speculation) -> Iterator[Clash]:
    """Rates or a length, of the right size, and only where acceptance is made up."""
    if not ctx.at_least(0, 20):
        return
    rates, length = spec.raw.get("synthetic_acceptance_rates"), spec.raw.get("synthetic_acceptance_length")
    neither: dict[str, Json] = {"synthetic_acceptance_rates": None, "synthetic_acceptance_length": None}
    if spec.raw.get("rejection_sample_method") != "synthetic":
        if rates is not None or length is not None:
            yield 'Synthetic acceptance is described, but "rejection_sample_method" is not "synthetic".', neither
        return
    away: dict[str, Json] = {"rejection_sample_method": None, **neither}
    if (rates is None) == (length is None):
        yield 'Synthetic acceptance takes exactly one of "synthetic_acceptance_rates" and "synthetic_acceptance_length".', away
    elif rates is not None and (wrong := _rates_wrong(rates, spec.tokens)):
        yield f'"synthetic_acceptance_rates" {wrong}.', away
    elif (held := _number(length)) is not None and spec.tokens and not 1 <= held <= spec.tokens + 1:
        yield f'"synthetic_acceptance_length" is {held:g}; with {spec.tokens} tokens it lies within 1 and {spec.tokens + 1}.', away


def _rates_wrong(rates: Json, tokens: int | None) -> str | None:
    if not isinstance(rates, list):
        return None
    held = [rate for rate in map(_number, rates) if rate is not None]
    if tokens and len(rates) != tokens:
        return f"holds {len(rates)} rates for {tokens} tokens"
    if any(not 0 <= rate <= 1 for rate in held):
        return "must lie within 0 and 1"
    if any(later > earlier for earlier, later in pairwise(held)):
        return "must not rise from one position to the next"
    return None


def _vocabulary(ctx: Context, spec: Speculation) -> Iterator[Clash]:
    """A draft of another vocabulary is mapped token by token: greedily, from full logits (0.25 and 0.33)."""
    if spec.raw.get("use_heterogeneous_vocab") is not True or not ctx.at_least(0, 25):
        return
    sampled = spec.raw.get("draft_sample_method")
    if sampled not in (None, "greedy"):
        yield f'"use_heterogeneous_vocab" needs greedy drafts, not "{sampled}".', {"draft_sample_method": None}
    if spec.raw.get("use_local_argmax_reduction") is True and ctx.at_least(0, 33):
        yield '"use_heterogeneous_vocab" excludes "use_local_argmax_reduction".', {"use_local_argmax_reduction": None}


def _foreign(ctx: Context, spec: Speculation) -> Iterator[Clash]:
    """Options of one method given to another."""
    for key, (since, methods) in ONE_METHOD.items():
        if spec.raw.get(key) is not None and ctx.release >= since and spec.asked_method and spec.method not in methods:
            yield f'"{key}" goes with {" or ".join(sorted(methods))}, not with {spec.method}.', {key: None}
    if spec.method != "dspark" and spec.raw.get("enable_adaptive_verification") is True and ctx.within(">=0.28,<0.30"):
        yield f'"enable_adaptive_verification" goes with dspark, not with {spec.method}.', {"enable_adaptive_verification": None}
    if spec.method == "custom_class" and spec.model is not None and "." not in spec.model and ctx.at_least(0, 22):
        yield (
            f'"model" is {spec.model[:60]!r}; a proposer is named by its whole module path.',
            {"method": "ngram", "model": None, "prompt_lookup_max": 4},
        )
    fly = spec.raw.get("rejection_sample_method") == "fly" and ctx.at_least(0, 33) and spec.tokens
    window = _number(spec.raw.get("fly_window_size"))
    if fly and spec.tokens == 1:
        yield '"rejection_sample_method" "fly" needs 2 tokens or more.', {"num_speculative_tokens": 2}
    elif fly and spec.tokens and window is not None and window >= spec.tokens:
        yield f'"fly_window_size" must be below the {spec.tokens} tokens drafted.', {"fly_window_size": None}
