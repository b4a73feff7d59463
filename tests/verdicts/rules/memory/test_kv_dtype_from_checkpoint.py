from verdicts.harness import fires, quiet


def test_a_modelopt_checkpoint_names_its_cache() -> None:
    found = fires("kv-dtype-from-checkpoint", "nvidia/Llama-3.1-70B-Instruct-FP8 -tp 2", "0.33.0")
    assert [(change.asked, change.got) for change in found.changed] == [("auto", "fp8_e4m3")]


def test_any_other_checkpoint_leaves_auto_alone() -> None:
    quiet("kv-dtype-from-checkpoint", "Qwen/Qwen3-32B-FP8 --kv-cache-dtype auto", "0.33.0")
