import pytest

from verdicts.planning.stand_in import fleet
from vllm_triage.domain import ModelShape
from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.planning.layouts import Engine, engines, indivisible, laid_out, most_replicas


def shape(name: str) -> ModelShape:
    found = deploy(name, "0.33.0").model
    assert found is not None
    return found


def names(model: str, gpu: str, version: str = "0.33.0") -> list[str]:
    return [str(engine) for engine in engines(shape(model), fleet(gpu), version)]


def test_a_dense_model_on_linked_gpus_is_split_by_tensor_parallelism_alone() -> None:
    assert names("Qwen/Qwen3-32B", "8x H100-SXM") == ["TP1", "TP2", "TP4", "TP8"]


def test_without_a_link_stages_are_tried_beside_it() -> None:
    found = names("Qwen/Qwen3-32B", "8x L40S")
    assert {"TP4", "PP4", "TP2 x PP2"} <= set(found)


def test_experts_may_be_shared_by_data_parallel_ranks() -> None:
    assert {"DP8 + EP", "TP8"} <= set(names("deepseek-ai/DeepSeek-V3", "8x H200-SXM"))


def test_not_before_the_release_that_has_the_flag() -> None:
    assert not [name for name in names("deepseek-ai/DeepSeek-V3", "8x H200-SXM", "0.6.6.post1") if "EP" in name]


def test_six_gpus_are_all_used_by_two_ranks_of_three_stages() -> None:
    assert "TP2 x PP3" in names("Qwen/Qwen3-32B", "6x H100-SXM")


def test_stages_span_machines_only_where_there_are_several() -> None:
    assert "TP8 x PP2" in names("deepseek-ai/DeepSeek-V3", "16x H100-SXM")
    assert "TP8 x PP2" not in names("deepseek-ai/DeepSeek-V3", "8x H100-SXM")


def test_heads_that_do_not_divide_are_said() -> None:
    assert indivisible(shape("microsoft/phi-4"), fleet("8x H100-SXM")) == (
        "TP4, TP8: 10 KV heads do not divide so"
    )
    assert indivisible(shape("Qwen/Qwen3-32B"), fleet("8x H100-SXM")) == ""


@pytest.mark.parametrize(
    ("engine", "gpu", "most"),
    [
        (Engine(2), "8x H100-SXM", 4), (Engine(8), "20x H100-SXM", 2), (Engine(4), "20x H100-SXM", 5),
        (Engine(8, 2, spans=True), "32x H100-SXM", 2), (Engine(4), "2x H100-SXM", 0),
    ],
)  # fmt: skip
def test_an_engine_never_lies_on_two_machines_but_by_its_stages(engine: Engine, gpu: str, most: int) -> None:
    assert most_replicas(engine, fleet(gpu)) == most


def test_replicas_of_a_dense_model_are_one_launch_on_each_machine() -> None:
    model = shape("Qwen/Qwen3-32B")
    one = laid_out(Engine(2), 4, fleet(), model, "0.33.0")
    assert (str(one), one.args) == ("4 x TP2", {"tensor_parallel_size": 2, "data_parallel_size": 4})
    two = laid_out(Engine(2), 8, fleet("16x H100-SXM"), model, "0.33.0")
    assert (str(two), two.gpus, two.replicas) == ("2 servers of 4 x TP2", 16, 8)


def test_replicas_that_would_wait_for_each_other_are_servers_of_their_own() -> None:
    layout = laid_out(Engine(2), 3, fleet(), shape("Qwen/Qwen3-30B-A3B"), "0.33.0")
    assert (layout.dp, layout.servers, layout.gpus) == (1, 3, 6)


def test_so_are_those_of_a_release_without_the_flag() -> None:
    assert laid_out(Engine(2), 3, fleet(), shape("Qwen/Qwen3-32B"), "0.6.6.post1").servers == 3
