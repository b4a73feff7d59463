from verdicts.harness import fires, quiet


def test_falcon_attends_in_every_layer() -> None:
    fires("turboquant-on-hybrid", "tiiuae/Falcon-H1-7B-Instruct --kv-cache-dtype turboquant_4bit_nc", "0.33.0")


def test_an_attention_model_has_layers_to_keep() -> None:
    quiet("turboquant-on-hybrid", "Qwen/Qwen3-8B --kv-cache-dtype turboquant_4bit_nc", "0.33.0")


def test_the_first_release_took_no_model_with_recurrent_states() -> None:
    command = "Qwen/Qwen3-Next-80B-A3B-Instruct -tp 4 --kv-cache-dtype turboquant_4bit_nc"
    fires("turboquant-on-hybrid", command, "0.20.2")
    quiet("turboquant-on-hybrid", command, "0.21.0")


def test_releases_that_take_either_transformers_are_not_judged() -> None:
    command = "tiiuae/Falcon-H1-7B-Instruct --kv-cache-dtype turboquant_4bit_nc"
    for version in ("0.21.0", "0.23.0"):
        quiet("turboquant-on-hybrid", command, version)
    fires("turboquant-on-hybrid", command, "0.24.0")
