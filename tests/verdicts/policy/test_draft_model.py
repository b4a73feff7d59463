import pytest

from engine.physics import deployment
from vllm_triage.domain import FlagReading
from vllm_triage.verdicts.policy import no_draft_chunked_0180

DRAFT = {"method": "draft_model", "model": "example/draft", "num_speculative_tokens": 3}


@pytest.mark.parametrize("version", ["0.18.0", "0.18.1", "v0.18.0"])
def test_the_recipe_is_refused_on_0_18_with_both_ways_out(version: str) -> None:
    refusal = no_draft_chunked_0180(deployment(version=version, speculative_config=DRAFT))
    assert refusal is not None
    assert "EAGLE-3" in refusal.message
    assert "ngram_gpu" in refusal.message


def test_policy_is_not_presented_as_fact() -> None:
    refusal = no_draft_chunked_0180(deployment(version="0.18.0", speculative_config=DRAFT))
    assert refusal is not None
    assert "policy" in refusal.message
    assert "no check that couples" in refusal.message
    assert "gone since 0.8.5" in refusal.message


def test_turning_chunked_prefill_off_is_never_the_way_out() -> None:
    refusal = no_draft_chunked_0180(deployment(version="0.18.0", speculative_config=DRAFT))
    assert refusal is not None
    said = " ".join((refusal.message, *refusal.ask))
    assert "no-enable-chunked-prefill" not in said
    assert "off" not in said.replace("off as", "")


def test_a_draft_without_a_method_is_a_draft_model() -> None:
    config = {"model": "example/draft", "num_speculative_tokens": 3}
    assert no_draft_chunked_0180(deployment(version="0.18.0", speculative_config=config)) is not None


def test_the_flag_that_is_gone_names_the_recipe_too() -> None:
    flag = FlagReading(
        flag="--speculative-model", given_as="--speculative-model", value="example/draft", status="removed"
    )
    assert no_draft_chunked_0180(deployment(version="0.18.0").but(flags=(flag,))) is not None


@pytest.mark.parametrize("config", [
    {"method": "eagle3", "model": "example/eagle", "num_speculative_tokens": 3},
    {"method": "ngram_gpu", "num_speculative_tokens": 3},
    {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 4},
    {"model": "example/EAGLE3-llama", "num_speculative_tokens": 3},
])  # fmt: skip
def test_other_methods_are_not_refused(config: dict[str, object]) -> None:
    assert no_draft_chunked_0180(deployment(version="0.18.0", speculative_config=config)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("version", ["0.17.1", "0.19.1", "0.33.0"])
def test_other_versions_are_not_refused(version: str) -> None:
    assert no_draft_chunked_0180(deployment(version=version, speculative_config=DRAFT)) is None
