from verdicts.configs import MOTIF
from verdicts.harness import quiet, tells


def test_an_architecture_that_was_removed_names_its_last_release() -> None:
    assert "until 0.1" in tells("architecture-gone", "example/motif", "0.33.0", model_config=MOTIF).message


def test_a_known_architecture_is_served() -> None:
    quiet("architecture-gone", "Qwen/Qwen3-8B", "0.33.0")
