from verdicts.planning.stand_in import asked, fleet
from vllm_triage.verdicts.planning.launches import Launch
from vllm_triage.verdicts.planning.prospects import Prospect, prospects, sized, with_replicas


def found(
    command: str, gpu: str, words: str = "64 users, 2000 in, 300 out", **slo: float
) -> dict[tuple[str, str], Prospect]:
    fits, _ = prospects(asked(command, words, **slo), fleet(gpu))
    return {(str(p.engine), p.variant.name): p for p in fits}


def test_everything_that_fits_is_there_and_what_does_not_is_named() -> None:
    fits, refused = prospects(asked("meta-llama/Llama-3.1-70B-Instruct"), fleet("8x H100-SXM"))
    assert {str(p.engine) for p in fits if p.variant.name == "BF16"} == {"TP2", "TP4", "TP8"}
    assert [str(r.engine) for r in refused if r.precision == "BF16"] == ["TP1"]


def test_the_context_is_what_the_traffic_needs_and_some_room() -> None:
    prospect = found("Qwen/Qwen3-32B", "8x H100-SXM", "64 users, 8000 in, 1000 out")["TP4", "BF16"]
    assert prospect.single.tuned["max_model_len"] == 11 * 1024


def test_a_context_the_user_gave_is_kept_where_it_is_long_enough() -> None:
    kept = found("vllm serve Qwen/Qwen3-32B --max-model-len 32000", "8x H100-SXM")["TP4", "BF16"]
    assert kept.single.deployment.setting("max_model_len") == 32000
    longer = found("vllm serve Qwen/Qwen3-32B --max-model-len 1000", "8x H100-SXM")["TP4", "BF16"]
    assert longer.single.deployment.setting("max_model_len") == 3072


def test_experts_stay_whole_where_ranks_would_split_their_scales() -> None:
    names = {engine for engine, precision in found("Qwen/Qwen3-235B-A22B-FP8", "8x H200-SXM") if precision == "FP8"}
    assert "TP8 + EP" in names
    assert "TP8" not in names


def test_a_model_too_large_for_a_machine_is_laid_over_several() -> None:
    names = {engine for engine, _ in found("meta-llama/Llama-3.1-405B-Instruct", "16x A100-80GB-SXM")}
    assert "TP8 x PP2" in names
    spanning = found("meta-llama/Llama-3.1-405B-Instruct", "16x A100-80GB-SXM")["TP8 x PP2", "BF16"]
    assert "--distributed-executor-backend ray" in spanning.single.text


def test_what_fits_one_machine_is_not() -> None:
    assert not [engine for engine, _ in found("Qwen/Qwen3-32B", "16x H100-SXM") if "PP" in engine]


def test_replicas_are_as_few_as_the_targets_allow() -> None:
    easy = found("Qwen/Qwen3-8B", "8x H100-SXM", "400 users, 2000 in, 300 out", tpot_ms_mean=1000)["TP1", "BF16"]
    hard = found("Qwen/Qwen3-8B", "8x H100-SXM", "400 users, 2000 in, 300 out", tpot_ms_mean=60)["TP1", "BF16"]
    hopeless = found("Qwen/Qwen3-8B", "8x H100-SXM", "400 users, 2000 in, 300 out", tpot_ms_mean=1)["TP1", "BF16"]
    assert easy.replicas < hard.replicas <= 8
    assert (easy.hope, hopeless.hope, hopeless.replicas) == (2, 0, 8)


def test_what_the_simulation_showed_moves_the_number() -> None:
    ask = asked("Qwen/Qwen3-8B", "400 users, 2000 in, 300 out", tpot_ms_mean=150)
    prospect = next(p for p in prospects(ask, fleet())[0] if str(p.engine) == "TP1" and p.variant.name == "BF16")
    assert sized(ask, prospect, {"tpot_ms_mean": 3.0}).replicas > prospect.replicas


def test_what_nearly_fits_gets_the_memory_left_unless_the_user_spoke_of_it() -> None:
    fits, _ = prospects(asked("openai/gpt-oss-120b", "4 users, 200 in, 200 out", "0.11.0"), fleet("1x H100-SXM"))
    assert [p.single.tuned.get("gpu_memory_utilization") for p in fits] == [0.95]
    told = "vllm serve openai/gpt-oss-120b --gpu-memory-utilization 0.9"
    assert prospects(asked(told, "4 users, 200 in, 200 out", "0.11.0"), fleet("1x H100-SXM"))[0] == []


def test_seats_are_no_more_than_the_pool_has_room_for() -> None:
    ask = asked("Qwen/Qwen3-8B", "30000 users, 600 in, 100 out")
    prospect = next(p for p in prospects(ask, fleet("1x A100-80GB-SXM"))[0] if str(p.engine) == "TP1")
    made = with_replicas(ask, prospect, 1)
    assert isinstance(made, Launch)
    seats = made.deployment.setting("max_num_seqs")
    assert isinstance(seats, int)
    assert 256 < seats <= prospect.outlook.seats + 16 < 1000


def test_seats_are_raised_only_where_the_release_has_too_few() -> None:
    ask = asked("Qwen/Qwen3-8B", "3000 users, 20 in, 20 out")
    prospect = next(p for p in prospects(ask, fleet("8x A100-80GB-SXM"))[0] if str(p.engine) == "TP1")
    one, eight = (with_replicas(ask, prospect, count) for count in (1, 8))
    assert isinstance(one, Launch)
    assert isinstance(eight, Launch)
    assert one.deployment.setting("max_num_seqs") == 3008
    assert one.deployment.setting("max_num_batched_tokens") == 4096
    assert eight.deployment.setting("max_num_seqs") == 384
