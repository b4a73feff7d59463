"""Speculative decoding as one release reads its configuration.

Source: ``SpeculativeConfig.__post_init__`` and ``max_num_new_slots_for_drafting`` (config/speculative.py),
``create_speculative_config`` (engine/arg_utils.py).
"""


from typing import NamedTuple

from ...domain import Json
from .case import Case

__all__ = ["EAGLE_LIKE", "Drafting", "read_drafting", "speculative_config"]

OWN_METHODS = frozenset({"eagle", "eagle3", "dflash", "dspark"})
"""Methods that are never guessed again from the draft's name."""
EAGLE_LIKE = frozenset({"eagle", "eagle3", "mtp", "extract_hidden_states", "dflash"})
"""vLLM's ``EagleModelTypes`` after the MTP aliases became ``mtp``."""
NEEDS_NO_MODEL = frozenset({"mtp", "ngram", "ngram_gpu", "suffix", "extract_hidden_states", "dspark"})


SINGLE_FLAGS = (
    ("spec_method", "method"),
    ("spec_model", "model"),
    ("spec_tokens", "num_speculative_tokens"),
    ("speculative_model", "model"),
    ("num_speculative_tokens", "num_speculative_tokens"),
    ("ngram_prompt_lookup_max", "prompt_lookup_max"),
    ("ngram_prompt_lookup_min", "prompt_lookup_min"),
    ("speculative_draft_tensor_parallel_size", "draft_tensor_parallel_size"),
)
"""Flags that give one key of the configuration each."""


class Drafting(NamedTuple):
    """A speculative configuration in force."""

    method: str
    tokens: int | None
    """num_speculative_tokens; None when it comes from a draft config that is not known."""
    parallel: bool
    unpadded: bool
    """``disable_padded_drafter_batch``."""
    dynamic: bool
    """The number of draft tokens follows the batch size."""
    slots_per_request: int | None
    """Slots the drafter adds to a batch for each request (``max_num_new_slots_for_drafting``)."""
    config: dict[str, Json]
    """The configuration with what vLLM fills in."""


def read_drafting(case: Case) -> Drafting | None:
    """The speculative configuration of the launch, None without one."""
    given = _merged(case)
    if not given:
        return None
    method = _method(given, case)
    tokens = given.get("num_speculative_tokens")
    count = tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None
    if count is None and method == "suffix":
        depth = given.get("suffix_decoding_max_tree_depth", 24)
        count = depth if isinstance(depth, int) else 24
    parallel = given.get("parallel_drafting") is True or method in ("dflash", "dspark")
    config: dict[str, Json] = {**given, "method": method, "num_speculative_tokens": count}
    if "model" not in given and method in NEEDS_NO_MODEL:
        config["model"] = case.model.id if method in ("mtp", "dspark") and case.model else method
    if method in ("ngram", "ngram_gpu"):
        low, high = given.get("prompt_lookup_min"), given.get("prompt_lookup_max")
        config["prompt_lookup_min"] = low if low is not None else high if high is not None else 5
        config["prompt_lookup_max"] = high if high is not None else low if low is not None else 5
    return Drafting(
        method, count, parallel, given.get("disable_padded_drafter_batch") is True,
        given.get("num_speculative_tokens_per_batch_size") is not None, _slots(method, count, parallel, case), config,
    )  # fmt: skip


def _merged(case: Case) -> dict[str, Json]:
    """--speculative-config with the flags beside it: --spec-* from 0.22, --speculative-model and its kin to 0.8.2."""
    given = dict(case.mapping("speculative_config"))
    for flag, key in SINGLE_FLAGS:
        value = case.given(flag)
        if value is not None:
            given.setdefault(key, value)
    return given if case.mapping("speculative_config") or "model" in given or "method" in given else {}


def _method(given: dict[str, Json], case: Case) -> str:
    method, model = given.get("method"), given.get("model")
    name = model.lower() if isinstance(model, str) else ""
    if not isinstance(method, str):
        method = "ngram" if model in ("ngram", "[ngram]") else "draft_model"
    if method == "[ngram]":
        return "ngram"
    if method == "mtp" or method.endswith("_mtp"):
        return "mtp"
    if method in OWN_METHODS or method in NEEDS_NO_MODEL or method in ("medusa", "custom_class"):
        return method
    if "eagle-" in name:
        return "eagle"
    if "eagle3" in name:
        return "eagle3"
    if "dflash" in name and case.release >= (0, 20, 0):
        return "dflash"
    if "dspark" in name and case.release >= (0, 25, 0):
        return "dspark"
    draft = case.draft
    if draft is not None and draft.model_type:
        if draft.model_type in ("medusa", "mlp_speculator"):
            return draft.model_type
        if draft.model_type.endswith("_mtp"):
            return "mtp"
    return method


def _slots(method: str, count: int | None, parallel: bool, case: Case) -> int | None:
    if method == "dflash" and case.release >= (0, 28, 0):
        return 0 if case.release >= (0, 33, 0) else count
    if method == "dspark" and case.release >= (0, 33, 0):
        return 0
    draft_model = method == "draft_model"
    if parallel:
        return None if count is None else count if draft_model else count - 1
    return 1 if draft_model else 0


def speculative_config(case: Case, drafting: Drafting | None) -> None:
    """The configuration in force, with what was filled in."""
    if drafting is None:
        case.put("speculative_config", None, "default", "no speculative decoding")
        return
    asked = case.mapping("speculative_config").get("method")
    why = "" if asked == drafting.method else f"method read as {drafting.method}"
    case.put("speculative_config", drafting.config, "given", why)
