import shlex

from verdicts.planning.stand_in import asked, fleet
from vllm_triage.domain import Deployment
from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.planning.launches import Launch, Refused, launch
from vllm_triage.verdicts.planning.layouts import Engine, Layout
from vllm_triage.verdicts.planning.variants import Variant

AS_IS = Variant("BF16", "Qwen/Qwen3-32B")
TP4 = Layout(Engine(4))


def launched(base: Deployment, variant: Variant = AS_IS, layout: Layout = TP4, **tuned: int | str) -> Launch:
    found = launch(base, fleet(), variant, layout, {"max_model_len": 8192, **tuned})
    assert isinstance(found, Launch), found
    return found


def test_what_is_printed_is_what_was_judged() -> None:
    found = launched(asked().base, max_num_seqs=512)
    assert found.text == (
        "vllm serve Qwen/Qwen3-32B --tensor-parallel-size 4 --max-model-len 8192 --max-num-seqs 512"
    )  # fmt: skip
    again = deploy(found.text, "0.33.0", "8x H100-SXM")
    assert again.settings == found.deployment.settings
    assert check(again) == found.report
    assert found.report.ok


def test_the_users_other_flags_and_variables_are_kept_and_their_sizes_are_not() -> None:
    base = deploy(
        "CUDA_VISIBLE_DEVICES=0 VLLM_LOGGING_LEVEL=DEBUG vllm serve Qwen/Qwen3-32B -tp 2 -pp 2 -dp 2 --nnodes 2 "
        "--trust-remote-code --served-model-name 'my model' --gpu-memory-utilization 0.85", "0.33.0",
    )  # fmt: skip
    words = shlex.split(launched(base).text)
    assert words[:2] == ["VLLM_LOGGING_LEVEL=DEBUG", "vllm"]
    assert words[words.index("--tensor-parallel-size") + 1] == "4"
    assert words[words.index("--served-model-name") + 1] == "my model"
    assert {"--trust-remote-code", "0.85"} <= set(words)
    assert not {"--pipeline-parallel-size", "--data-parallel-size", "--nnodes"} & set(words)


def test_an_object_given_as_a_flag_survives() -> None:
    config = {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 4}
    base = deploy(f"vllm serve Qwen/Qwen3-32B --speculative-config '{str(config).replace(chr(39), chr(34))}'", "0.33.0")
    assert launched(base).deployment.args["speculative_config"] == config


def test_weights_that_do_not_fit_are_refused_with_their_size() -> None:
    found = launch(asked("meta-llama/Llama-3.1-70B-Instruct").base, fleet(), Variant("BF16", "meta-llama/Llama-3.1-70B-Instruct"),
                   Layout(Engine(1)), {"max_model_len": 8192})  # fmt: skip
    assert isinstance(found, Refused)
    assert found.why == "weights 131 GiB per GPU do not fit 73 GiB usable of H100-SXM"


def test_a_pool_without_room_for_one_request_is_refused() -> None:
    found = launch(asked().base, fleet("1x H100-SXM"), AS_IS, Layout(Engine(1)), {"max_model_len": 40960})
    assert isinstance(found, Refused)
    assert "less than one request of 40,960 tokens" in found.why


def test_what_check_compat_stops_is_refused_by_its_rule() -> None:
    name = "Qwen/Qwen3-235B-A22B-FP8"
    base = asked(name, version="0.18.0").base
    found = launch(base, fleet("8x H200-SXM"), Variant("FP8", name), Layout(Engine(8)), {"max_model_len": 8192})
    assert isinstance(found, Refused)
    assert found.rule == "experts-split-blocks"


def test_a_release_that_loads_everything_first_needs_the_room_for_it() -> None:
    name = "meta-llama/Llama-3.1-70B-Instruct"
    on_load = Variant("FP8 on load", name, args={"quantization": "fp8"}, altered=1)
    early = launch(asked(name, version="0.15.1").base, fleet(), on_load, Layout(Engine(1)), {"max_model_len": 4096})
    assert isinstance(early, Refused)
    assert "loads the 16-bit weights" in early.why
    wide = launch(asked(name, version="0.15.1").base, fleet(), on_load, Layout(Engine(2)), {"max_model_len": 4096})
    assert isinstance(wide, Launch)


def test_a_checkpoint_whose_shape_is_not_known_is_refused() -> None:
    assumed = Variant("AWQ", "./nothing-like-it", altered=3, assumed="needs a checkpoint")
    found = launch(asked().base, fleet(), assumed, TP4, {"max_model_len": 8192})
    assert isinstance(found, Refused)
    assert "not known" in found.why


def test_a_narrower_cache_alters_the_numbers_too() -> None:
    assert launched(asked().base).altered == 0
    assert launched(asked().base, kv_cache_dtype="fp8").altered == 1
