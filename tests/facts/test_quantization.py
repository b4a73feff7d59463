from vllm_triage.facts.quantization import methods


def test_the_least_capability_is_that_of_the_release() -> None:
    assert methods("0.18.0")["mxfp4"].capability == 80
    assert methods("0.18.0")["modelopt"].capability == 89
    assert methods("0.33.0")["modelopt"].capability == 80


def test_methods_that_left_are_gone() -> None:
    assert "gguf" in methods("0.23.0")
    assert "gguf" not in methods("0.33.0")


def test_deprecation_is_that_of_the_release() -> None:
    assert not methods("0.13.0")["fbgemm_fp8"].deprecated
    assert methods("0.33.0")["fbgemm_fp8"].deprecated


def test_a_method_the_release_lists_without_a_class_of_its_own_is_known() -> None:
    assert methods("0.33.0")["fp8_per_tensor"].capability is None
