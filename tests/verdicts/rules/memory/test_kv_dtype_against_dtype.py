from verdicts.harness import fires, quiet


def test_bfloat16_kv_needs_a_bfloat16_model() -> None:
    found = fires("kv-dtype-against-dtype", "Qwen/Qwen3-8B --dtype float16 --kv-cache-dtype bfloat16", "0.33.0")
    assert "float16" in found.message


def test_equal_types_are_fine() -> None:
    quiet("kv-dtype-against-dtype", "Qwen/Qwen3-8B --dtype bfloat16 --kv-cache-dtype bfloat16", "0.33.0")


def test_the_release_before_takes_it() -> None:
    quiet("kv-dtype-against-dtype", "Qwen/Qwen3-8B --dtype float16 --kv-cache-dtype bfloat16", "0.32.0")
