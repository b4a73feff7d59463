from verdicts.harness import fires, quiet


def test_mxfp4_computes_in_bfloat16_alone() -> None:
    assert "bfloat16" in fires("quantization-dtype", "openai/gpt-oss-20b --dtype half", "0.33.0").message


def test_bfloat16_is_accepted() -> None:
    quiet("quantization-dtype", "openai/gpt-oss-20b --dtype bfloat16", "0.33.0")


def test_what_float16_overflows_runs_unquantized_before_ampere() -> None:
    found = fires("quantization-dtype", "google/gemma-3-1b-it --quantization fp8", "0.33.0", "t4")
    assert "float32" in found.message


def test_gguf_does_not_compute_in_bfloat16_on_blackwell() -> None:
    fires("quantization-dtype", "Qwen/Qwen3-8B --quantization gguf", "0.18.0", "b200")
    quiet("quantization-dtype", "Qwen/Qwen3-8B --quantization gguf", "0.18.0", "h100")
