from verdicts.harness import fires, quiet


def test_an_unheard_of_key_is_refused() -> None:
    found = fires("config-key-unknown", "Qwen/Qwen3-8B --diffusion-config '{\"unheard_of\":1}'", "0.33.0")
    assert "unheard_of" in found.message


def test_a_known_one_is_not() -> None:
    quiet("config-key-unknown", "Qwen/Qwen3-8B --diffusion-config '{\"canvas_length\":32}'", "0.33.0")
