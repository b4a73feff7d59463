import pytest

from verdicts.harness import launch
from vllm_triage.verdicts.ranks import divides, fitting, holds_weights, sizes


@pytest.mark.parametrize(
    ("command", "gpu", "asked", "most", "ranks"),
    [
        ("deepseek-ai/DeepSeek-V3", "8x H200", 3, 8, (8, 1)),  # two or four ranks divide the heads, and do not hold 628 GiB
        ("deepseek-ai/DeepSeek-V3", "6x H200", 6, 6, (2, 3)),
        ("meta-llama/Llama-3.1-70B-Instruct", "8x H100", 3, 8, (2, 1)),
        ("meta-llama/Llama-3.1-70B-Instruct", "8x L40S", 3, 8, (4, 1)),
        ("meta-llama/Llama-3.1-70B-Instruct", "3x H100", 3, 3, (2, 1)),
        ("Qwen/Qwen3-8B", "8x H100", 3, 8, (2, 1)),
        ("Qwen/Qwen3-8B", None, 3, None, (2, 1)),
    ],
)
def test_the_nearest_size_that_divides_the_model_and_holds_its_weights(
    command: str, gpu: str | None, asked: int, most: int | None, ranks: tuple[int, int]
) -> None:
    assert fitting(launch(command, "0.33.0", gpu), asked, 1, most) == ranks


def test_when_nothing_holds_the_weights_the_largest_size_is_named() -> None:
    assert fitting(launch("deepseek-ai/DeepSeek-V3", "0.33.0", "2x H100"), 3, 1, 2) == (2, 1)


def test_an_unknown_model_is_left_as_it_is() -> None:
    assert fitting(launch("nobody/unheard-of", "0.33.0", "8x H100"), 3, 2) == (3, 2)


def test_kv_heads_divide_or_are_copied_evenly() -> None:
    model = launch("microsoft/phi-4", "0.33.0", None).model
    assert model is not None
    assert (model.q_heads, model.kv_heads) == (40, 10)
    assert sizes(model, 8) == [1, 2]
    assert not divides(model, 4)
    roomy = model.but(vocab=model.vocab * 5)
    assert sizes(roomy, 8) == [1, 2, 5]
    assert divides(roomy, 10)
    assert divides(roomy, 20)


def test_the_vocabulary_and_the_mlp_divide_too() -> None:
    model = launch("Qwen/Qwen3-8B", "0.33.0", None).model
    assert model is not None
    odd = model.but(q_heads=24, kv_heads=24)
    assert not divides(odd, 3)  # a vocabulary padded to 64 has no thirds
    assert divides(odd.but(vocab=64 * 3, intermediate=300), 3)
    assert not divides(odd.but(vocab=64 * 3, intermediate=301), 3)


def test_weights_are_weighed_with_the_quantization_in_force() -> None:
    plain, small = (
        launch(f"Qwen/Qwen2.5-72B-Instruct{flag}", "0.33.0", "H200") for flag in ("", " --quantization fp8")
    )
    assert holds_weights(plain, 1, 1) is False
    assert holds_weights(small, 1, 1) is True
    assert holds_weights(launch("Qwen/Qwen3-8B", "0.33.0", None), 1, 1) is None


def test_a_size_no_machine_has_is_answered_like_any_other() -> None:
    model = launch("Qwen/Qwen3-8B", "0.33.0", "H100-SXM").model
    assert model is not None
    assert sizes(model, 10**21) == sizes(model, model.q_heads)
    assert len(sizes(model.but(q_heads=0, vocab=None, intermediate=None), 10**21)) <= 1024
    assert fitting(launch(f"Qwen/Qwen3-8B -tp {10**21 - 1}", "0.33.0", "H100-SXM"), 10**21 - 1)[0] <= model.q_heads
