from verdicts.harness import fires, quiet


def test_a_method_on_its_way_out_is_refused() -> None:
    assert "fbgemm_fp8" in fires("quantization-deprecated", "Qwen/Qwen3-8B --quantization fbgemm_fp8", "0.33.0").message


def test_it_may_be_allowed() -> None:
    quiet(
        "quantization-deprecated", "Qwen/Qwen3-8B --quantization fbgemm_fp8 --allow-deprecated-quantization", "0.33.0"
    )
