import pytest

from verdicts.harness import fires, quiet, spec

DRAFT = "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=5)
RULE = "no-draft-chunked-0180"


@pytest.mark.parametrize("version", ["0.18.0", "0.18.1"])
@pytest.mark.parametrize("flag", ["", " --enable-chunked-prefill"])
def test_a_draft_model_with_chunked_prefill_is_refused_on_0_18_as_policy(version: str, flag: str) -> None:
    found = fires(RULE, DRAFT + flag, version)
    assert found.severity == "fatal"
    assert found.basis == "policy"
    assert "no such check" in found.message
    assert "0.8.5" in found.message


def test_the_ways_out_are_eagle_3_and_ngram_gpu_and_never_chunked_prefill_off() -> None:
    found = fires(RULE, DRAFT, "0.18.0")
    assert "EAGLE-3" in found.fix
    assert '"method":"ngram_gpu"' in found.fix
    assert "no-enable-chunked-prefill" not in found.fix
    assert "Keep chunked prefill on" in found.fix


@pytest.mark.parametrize("version", ["0.17.1", "0.19.1", "0.33.0"])
def test_no_other_release_is_refused(version: str) -> None:
    quiet(RULE, DRAFT + " --enable-chunked-prefill", version)


def test_ngram_on_the_gpu_is_the_exception() -> None:
    quiet(RULE, "Qwen/Qwen3-8B " + spec(method="ngram_gpu", num_speculative_tokens=5), "0.18.0")


def test_eagle_3_is_not_refused() -> None:
    quiet(RULE, "Qwen/Qwen3-8B " + spec(method="eagle3", model="x/e3", num_speculative_tokens=5), "0.18.0")
