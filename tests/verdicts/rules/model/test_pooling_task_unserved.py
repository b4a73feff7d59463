from verdicts.harness import fires, quiet

ID = "pooling-task-unserved"
CLASSIFY = """--pooler-config '{"task": "classify", "use_activation": true}'"""


def test_a_model_that_embeds_classifies_nothing() -> None:
    fires(ID, f"Qwen/Qwen3-8B --runner pooling --convert embed {CLASSIFY}", "0.28.0")
    found = fires(ID, f"Qwen/Qwen3-8B --runner pooling {CLASSIFY}", "0.33.0")
    assert "embed and token_embed" in found.message


def test_the_task_is_served() -> None:
    quiet(ID, f"Qwen/Qwen3-8B --runner pooling --convert classify {CLASSIFY}", "0.28.0")
    quiet(ID, """Qwen/Qwen3-8B --runner pooling --pooler-config '{"task": "token_embed"}'""", "0.28.0")


def test_another_architecture_may_be_put_in_its_place() -> None:
    quiet(
        ID,
        """Qwen/Qwen3-8B --runner pooling --hf-overrides '{"architectures": ["Qwen3ForSequenceClassification"]}' """
        + CLASSIFY,
        "0.28.0",
    )


def test_0_18_does_not_compare_the_task() -> None:
    quiet(ID, f"Qwen/Qwen3-8B --runner pooling {CLASSIFY}", "0.18.0")
