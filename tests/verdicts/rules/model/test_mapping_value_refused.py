import pytest

from verdicts.harness import fires, quiet


@pytest.mark.parametrize("flag", ["--media-io-kwargs", "--model-class-overrides", "--custom-histogram-buckets"])
def test_a_number_is_none_of_the_values_wanted(flag: str) -> None:
    found = fires("mapping-value-refused", f"Qwen/Qwen3-8B {flag} '{{\"unheard_of\":1}}'", "0.33.0")
    assert found.flags == (flag,)


def test_an_object_for_a_modality_is_taken() -> None:
    quiet("mapping-value-refused", 'Qwen/Qwen3-8B --media-io-kwargs \'{"video":{"num_frames":4}}\'', "0.33.0")
