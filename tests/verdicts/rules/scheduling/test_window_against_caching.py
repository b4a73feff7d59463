from verdicts.configs import DENSE
from verdicts.harness import fires, quiet
from vllm_triage.domain import Json

WINDOW: dict[str, Json] = {**DENSE, "architectures": ["MistralForCausalLM"], "model_type": "mistral", "sliding_window": 4096}
STRETCHED: dict[str, Json] = {**WINDOW, "rope_scaling": {"type": "linear", "factor": 2.0}}
RULE = "window-against-caching"


def test_v0_does_not_cache_behind_a_window() -> None:
    fires(RULE, "a/b --enable-prefix-caching", "0.7.3", model_config=WINDOW)
    quiet(RULE, "a/b --enable-prefix-caching --disable-sliding-window", "0.7.3", model_config=WINDOW)
    quiet(RULE, "a/b --enable-prefix-caching", "0.9.0", model_config=WINDOW)


def test_a_window_is_not_turned_off_over_a_stretched_context() -> None:
    fires(RULE, "a/b --disable-sliding-window", "0.8.5", model_config=STRETCHED)


def test_interleaved_windows_are_not_held_against_a_model() -> None:
    quiet(RULE, "google/gemma-2-9b-it --enable-prefix-caching", "0.7.3")
