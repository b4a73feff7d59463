from verdicts.harness import fires, quiet


def test_an_a100_has_no_backend_for_sinks_and_fp8() -> None:
    found = fires("sinks-unsupported", "openai/gpt-oss-20b --kv-cache-dtype fp8", "0.31.0", gpu="A100-SXM-80GB")
    assert "No attention backend" in found.message


def test_with_sixteen_bits_it_has() -> None:
    quiet("sinks-unsupported", "openai/gpt-oss-20b", "0.31.0", gpu="A100-SXM-80GB")
