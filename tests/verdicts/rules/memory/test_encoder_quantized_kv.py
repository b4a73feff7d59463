from verdicts.configs import BERT
from verdicts.harness import fires, not_checked, quiet


def test_an_encoder_keeps_nothing() -> None:
    fires("encoder-quantized-kv", "acme/bert --kv-cache-dtype fp8", "0.28.0", model_config=BERT)
    quiet("encoder-quantized-kv", "acme/bert", "0.28.0", model_config=BERT)
    quiet("encoder-quantized-kv", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.28.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("encoder-quantized-kv", "acme/nobody-knows --kv-cache-dtype fp8", "0.28.0") == ("model",)
