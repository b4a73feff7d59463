import pytest

from verdicts.harness import fires, quiet, spec
from vllm_triage.domain import Json

NGRAM: dict[str, Json] = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 4}


@pytest.mark.parametrize("schedule", [[], [[1, 8]], [[2, 8, 3]], [[1, 8, 3], [8, 16, 2]], [[8, 1, 3]]])
def test_a_schedule_starts_at_one_and_does_not_overlap(schedule: Json) -> None:
    config = {**NGRAM, "num_speculative_tokens_per_batch_size": schedule}
    fires("dynamic-schedule-malformed", f"Qwen/Qwen3-8B {spec(**config)}", "0.28.0")


def test_triples_that_do_are_taken() -> None:
    config = {**NGRAM, "num_speculative_tokens_per_batch_size": [[1, 8, 3], [16, 64, 1]]}
    quiet("dynamic-schedule-malformed", f"Qwen/Qwen3-8B {spec(**config)}", "0.28.0")
