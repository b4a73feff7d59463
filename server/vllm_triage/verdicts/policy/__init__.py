"""The house rules: what this product refuses to do even where the engine would let you.

A rule is data (:data:`RULES`) and, where it has a condition, one function that answers with a
:class:`~vllm_triage.domain.Refusal` or nothing. Policies are never presented as facts: where evidence contradicts a
rule's usual justification, the refusal says so in a sentence.
"""

from .ceiling import PoolGain, default_utilization, pool_gain, raise_ceiling_first
from .draft_model import SOURCE_SHOWS, draft_model_recipe, no_draft_chunked_0180
from .inputs import core_metrics, gpu_utilization_ignored
from .not_vllm_first import h100_class, not_vllm_first
from .rules import RULES, HouseRule
from .ruling import Ruling, judge, unknown_acknowledgements

__all__ = [
    "RULES",
    "SOURCE_SHOWS",
    "HouseRule",
    "PoolGain",
    "Ruling",
    "core_metrics",
    "default_utilization",
    "draft_model_recipe",
    "gpu_utilization_ignored",
    "h100_class",
    "judge",
    "no_draft_chunked_0180",
    "not_vllm_first",
    "pool_gain",
    "raise_ceiling_first",
    "unknown_acknowledgements",
]
