from verdicts.configs import BERT
from verdicts.harness import fires, not_checked, quiet


def test_an_embedding_model_does_not_generate() -> None:
    fires("runner-unsupported", "acme/bert --runner generate", "0.28.0", model_config=BERT)
    quiet("runner-unsupported", "acme/bert --runner pooling", "0.28.0", model_config=BERT)


def test_a_generating_model_pools_once_it_is_converted() -> None:
    fires("runner-unsupported", "Qwen/Qwen3-8B --runner pooling --convert none", "0.10.1")
    quiet("runner-unsupported", "Qwen/Qwen3-8B --runner pooling", "0.28.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("runner-unsupported", "acme/nobody-knows --runner generate") == ("model",)
