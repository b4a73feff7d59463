from verdicts.harness import fires, quiet


def test_windows_are_kept_whole() -> None:
    found = fires("window-layers-full", "google/gemma-3-27b-it --disable-hybrid-kv-cache-manager", "0.33.0")
    assert "52 of 62" in found.message


def test_a_model_without_windows_loses_nothing() -> None:
    quiet("window-layers-full", "Qwen/Qwen3-8B --disable-hybrid-kv-cache-manager", "0.33.0")
