from verdicts.configs import MTP_OF_TWO
from verdicts.harness import fires, quiet, spec


def test_three_tokens_from_a_module_of_two_are_refused() -> None:
    found = fires(
        "mtp-indivisible",
        "example/mtp2 " + spec(method="mtp", num_speculative_tokens=3),
        "0.33.0",
        model_config=MTP_OF_TWO,
    )
    assert "predicts 2" in found.message


def test_four_are_two_passes() -> None:
    quiet(
        "mtp-indivisible",
        "example/mtp2 " + spec(method="mtp", num_speculative_tokens=4),
        "0.33.0",
        model_config=MTP_OF_TWO,
    )
