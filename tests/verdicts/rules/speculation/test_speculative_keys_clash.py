import pytest

from verdicts.harness import fires, quiet, spec
from vllm_triage.domain import Json

SYNTHETIC: dict[str, Json] = {
    "method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 4, "rejection_sample_method": "synthetic",
}  # fmt: skip
SUFFIX: dict[str, Json] = {"method": "suffix", "num_speculative_tokens": 8}
DRAFT: dict[str, Json] = {"model": "Qwen/Qwen3-0.6B", "method": "draft_model", "num_speculative_tokens": 3}


@pytest.mark.parametrize(
    ("config", "version"),
    [
        (SYNTHETIC, "0.28.0"),
        ({**SYNTHETIC, "synthetic_acceptance_length": 9}, "0.28.0"),
        ({**SYNTHETIC, "synthetic_acceptance_rates": [0.5, 0.2]}, "0.20.0"),
        ({**SYNTHETIC, "synthetic_acceptance_rates": [1.4, 0.5, 0.2]}, "0.28.0"),
        ({**SYNTHETIC, "synthetic_acceptance_rates": [0.2, 0.5, 0.1]}, "0.33.0"),
        ({**SYNTHETIC, "rejection_sample_method": "standard", "synthetic_acceptance_length": 2}, "0.28.0"),
        ({**SUFFIX, "suffix_decoding_max_tree_depth": 0}, "0.12.0"),
        ({**SUFFIX, "suffix_decoding_min_token_prob": 1.5}, "0.28.0"),
        ({**DRAFT, "use_heterogeneous_vocab": True, "draft_sample_method": "probabilistic"}, "0.28.0"),
        ({**DRAFT, "use_heterogeneous_vocab": True, "use_local_argmax_reduction": True}, "0.33.0"),
        ({**DRAFT, "dspark_draft_topk": 8}, "0.28.0"),
        ({**DRAFT, "rejection_sample_method": "fly", "fly_window_size": 3}, "0.33.0"),
    ],
)
def test_keys_that_do_not_go_together_are_refused(config: dict[str, Json], version: str) -> None:
    fires("speculative-keys-clash", f"Qwen/Qwen3-8B {spec(**config)}", version)


@pytest.mark.parametrize(
    "config",
    [
        {**SYNTHETIC, "synthetic_acceptance_rates": [0.9, 0.5, 0.1]},
        {**SYNTHETIC, "synthetic_acceptance_length": 4},
        {**SUFFIX, "suffix_decoding_max_tree_depth": 24, "suffix_decoding_min_token_prob": 0.1},
        {**DRAFT, "suffix_decoding_max_tree_depth": 0},
        {**DRAFT, "use_heterogeneous_vocab": True},
    ],
)
def test_keys_that_do_are_not(config: dict[str, Json]) -> None:
    quiet("speculative-keys-clash", f"Qwen/Qwen3-8B {spec(**config)}", "0.28.0")


def test_a_proposer_is_named_by_its_whole_path() -> None:
    named = spec(method="custom_class", model="proposer", num_speculative_tokens=3)
    fires("speculative-keys-clash", f"Qwen/Qwen3-8B {named}", "0.28.0")
