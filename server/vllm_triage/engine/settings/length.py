"""max_model_len.

Source: ``_get_and_verify_max_len`` (config/model.py), ``_limit_max_model_len_to_draft`` (config/vllm.py, 0.33).
"""

from .case import Case

__all__ = ["max_model_len"]

UNNAMED = 2048
"""What vLLM assumes when the config names no length."""


def max_model_len(case: Case) -> None:
    """The length given; else, and for ``auto``, what the model's config allows."""
    given = case.whole("max_model_len")
    if given is not None and given >= 0:
        case.put("max_model_len", given, "given")
        return
    if case.model is None:
        case.put("max_model_len", None, "assumed", "derived from the model's config, which is not known")
        return
    length, why = case.model.derived_max_model_len, "from the model's config"
    if case.model.yarn_max_model_len is not None and case.release < (0, 30, 0):
        length, why = (
            case.model.yarn_max_model_len,
            "from the model's config: YaRN's original length x factor before 0.30",
        )
    if length is None:
        length, why = UNNAMED, "the model's config names no length: vLLM assumes 2048"
    window = case.model.sliding_window
    by_yarn = length == case.model.yarn_max_model_len and case.release < (0, 30, 0)
    if case.given("disable_sliding_window") is True and window is not None and window < length and not by_yarn:
        length, why = window, "the sliding window, because --disable-sliding-window"
    if case.model.architecture == "EmbeddingGemma2Model" and length > 8192 and case.release >= (0, 32, 0):
        length, why = 8192, "8192 for this architecture unless a length is given"
    if given == -1:
        why += "; auto: the engine lowers it at start where the KV pool cannot hold one such request"
    case.put("max_model_len", length, "derived", why)
