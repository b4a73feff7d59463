from verdicts.harness import fires, quiet


def test_falcon_attends_in_every_layer() -> None:
    fires("turboquant-on-hybrid", "tiiuae/Falcon-H1-7B-Instruct --kv-cache-dtype turboquant_4bit_nc", "0.33.0")


def test_an_attention_model_has_layers_to_keep() -> None:
    quiet("turboquant-on-hybrid", "Qwen/Qwen3-8B --kv-cache-dtype turboquant_4bit_nc", "0.33.0")
