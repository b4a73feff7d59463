from verdicts.configs import BERT
from verdicts.harness import fires, quiet


def test_an_encoder_sees_whole_prompts() -> None:
    fires("pooling-unsupported", "example/bert --enable-prefix-caching", "0.33.0", model_config=BERT)


def test_a_decoder_may_cache() -> None:
    quiet("pooling-unsupported", "Qwen/Qwen3-8B --enable-prefix-caching", "0.33.0")
