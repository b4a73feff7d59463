from verdicts.harness import fires, quiet


def test_states_and_attention_are_two_kinds() -> None:
    fires("offload-with-cache-groups", "Qwen/Qwen3-Next-80B-A3B-Instruct -tp 4 --cpu-offload-gb 10", "0.16.0")


def test_windows_and_full_attention_are() -> None:
    fires("offload-with-cache-groups", "openai/gpt-oss-20b --cpu-offload-gb 10", "0.16.0")


def test_one_kind_needs_nothing_again() -> None:
    quiet("offload-with-cache-groups", "Qwen/Qwen3-8B --cpu-offload-gb 10", "0.16.0")


def test_later_releases_allow_it() -> None:
    quiet("offload-with-cache-groups", "openai/gpt-oss-20b --cpu-offload-gb 10", "0.20.0")
