"""Settings vLLM's own configuration refuses are refused."""

from typing import Any

import pytest

from engine.scheduler.test_scheduler import limits
from vllm_triage.engine.scheduler import CannotSchedule


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"max_num_seqs": 0}, "max_num_seqs"),
        ({"num_blocks": 1}, "null block"),
        ({"max_num_batched_tokens": 1}, "below max_num_seqs"),
        ({"enable_chunked_prefill": False, "max_model_len": 100}, "below max_model_len"),
        ({"watermark": 1.0}, "watermark"),
        ({"long_prefill_token_threshold": -1}, "not negative"),
        ({"accepted_tokens": 1.0}, "accepted_tokens"),
        ({"max_num_active_seqs": 3}, "at most max_num_seqs"),
    ],
)
def test_a_setting_out_of_range_is_named(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(CannotSchedule, match=says):
        limits(**changes)


def test_the_watermark_is_a_share_of_all_blocks_rounded_down() -> None:
    assert limits(watermark=0.01, num_blocks=199).watermark_blocks == 1
