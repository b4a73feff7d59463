"""Settings as each release resolves them: against vLLM's own answers, and rule by rule."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from vllm_triage.domain import Accelerator, Json, ModelShape, Setting
from vllm_triage.engine.accelerators import accelerator
from vllm_triage.engine.model_of import overrides_in_force, shape_of
from vllm_triage.engine.settings import resolution, resolve
from vllm_triage.facts import gpus
from vllm_triage.facts.versions import KNOWN
from vllm_triage.readers.arguments import read_arguments

RECORDED = Path(__file__).parent.parent / "data" / "settings" / "launches.json.gz"
NO_TRITON = {"VLLM_USE_V2_MODEL_RUNNER": "0"}
"""The recordings were made where Triton is not installed, which keeps vLLM on its V1 model runner."""


@cache
def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return found


def device(name: str) -> Accelerator:
    found = gpus.find(name)
    assert found is not None
    return accelerator(found)


def model(name: str, **overrides: Json) -> ModelShape:
    return shape_of(recorded()["models"][name], name, overrides)


def settle(
    version: str = "0.33.0",
    gpu: str | None = "H100",
    shape: ModelShape | None = None,
    usage: str = "server",
    **args: Json,
) -> dict[str, Setting]:
    shape = shape or model("qwen3-8b")
    return resolve(args, version, None if gpu is None else device(gpu), None, shape, usage=usage)


def value(name: str, version: str = "0.33.0", gpu: str | None = "H100", **args: Any) -> Json:
    return settle(version, gpu, **args)[name].value


def disagreements(version: str, launch: dict[str, Any]) -> list[str]:
    arguments = read_arguments((launch["model"], *launch["words"]), version)
    assert arguments.accepted
    overrides, _ = overrides_in_force(arguments.values, version)
    shape = model(launch["model"], **overrides)
    gpu = accelerator(gpus.CPU) if launch["gpu"] == "none" else device(launch["gpu"])
    usage = launch.get("usage", "server")
    have = resolve(arguments.values, version, gpu, None, shape, usage=usage, env=NO_TRITON)
    wrong = []
    for name, want in launch["settings"].items():
        if name == "speculative_config":
            draft = have[name].value
            found = None if not isinstance(draft, dict) else {key: draft.get(key) for key in want or {}}
        elif name not in have:
            assert name.startswith("mamba")
            continue
        else:
            found = have[name].value  # type: ignore[assignment]
        if found != want or isinstance(found, bool) != isinstance(want, bool):
            wrong.append(f"{name}: vLLM {want}, here {found}: {launch['gpu']} {launch['model']} {launch['words']}")
    return wrong


@pytest.mark.parametrize("version", sorted(recorded()["launches"]))
def test_settings_are_those_that_vllm_resolved(version: str) -> None:
    launches = recorded()["launches"][version]
    wrong = [line for launch in launches for line in disagreements(version, launch)]
    assert wrong == []
    assert len(launches) >= 50


@pytest.mark.parametrize(
    ("gpu", "version", "usage", "tokens", "seqs"),
    [
        ("H100", "0.8.5", "server", 8192, 1024),
        ("A100-80GB-SXM", "0.8.5", "server", 8192, 1024),
        ("A100-80GB-SXM", "0.10.2", "server", 2048, 256),
        ("A100-80GB-SXM", "0.33.0", "server", 2048, 256),
        ("A800", "0.33.0", "server", 8192, 1024),
        ("L4", "0.33.0", "server", 2048, 256),
        ("L4", "0.33.0", "llm", 8192, 256),
        ("H100", "0.33.0", "llm", 16384, 1024),
        ("B200", "0.27.1", "server", 8192, 1024),
        ("B200", "0.28.0", "server", 16384, 1024),
        ("MI300X", "0.28.0", "server", 16384, 1024),
        ("MI250X", "0.28.0", "server", 2048, 256),
        ("TPU v6e", "0.12.0", "server", 1024, 256),
        ("CPU", "0.33.0", "server", 2048, 128),
        ("CPU", "0.33.0", "llm", 4096, 256),
        ("CPU", "0.9.2", "server", 2048, 32),
    ],
)
def test_batch_defaults_follow_release_device_and_usage(
    gpu: str, version: str, usage: str, tokens: int, seqs: int
) -> None:
    found = settle(version, gpu, usage=usage)
    assert (found["max_num_batched_tokens"].value, found["max_num_seqs"].value) == (tokens, seqs)


def test_cpu_defaults_grow_with_the_ranks() -> None:
    found = settle(gpu="CPU", tensor_parallel_size=2)
    assert (found["max_num_batched_tokens"].value, found["max_num_seqs"].value) == (4096, 256)


def test_gb10_leaves_the_large_tier_in_0330() -> None:
    assert device("GB10").memory_mib is None  # sold with 128 GB, which tells the tier
    before, after = (value("max_num_seqs", version, "GB10") for version in ("0.32.0", "0.33.0"))
    assert (before, after) == (1024, 256)


def test_an_unknown_device_leaves_what_depends_on_it_open_and_says_what_decides() -> None:
    found = settle(gpu=None)
    for name in ("max_num_batched_tokens", "max_num_seqs"):
        assert found[name].value is None
        assert found[name].origin == "assumed"
        assert "device memory and name" in found[name].why
    assert found["gpu_memory_utilization"].value == 0.92
    assert found["max_cudagraph_capture_size"].value is None


def test_an_unknown_model_leaves_its_length_open_but_not_the_seats() -> None:
    found = resolve({}, "0.33.0", device("H100"))
    assert (found["max_model_len"].value, found["max_model_len"].origin) == (None, "assumed")
    assert found["max_num_seqs"].value == 1024
    assert found["max_num_batched_tokens"].origin == "assumed"


def test_throughput_mode_doubles_only_what_was_not_given() -> None:
    found = settle(performance_mode="throughput", max_num_seqs=100)
    assert (found["max_num_batched_tokens"].value, found["max_num_seqs"].value) == (16384, 100)


def test_without_chunking_the_budget_holds_one_whole_prompt() -> None:
    found = settle(enable_chunked_prefill=False)
    assert found["max_num_batched_tokens"].value == 40960
    assert "chunked prefill is off" in found["max_num_batched_tokens"].why


def test_few_seats_of_a_short_context_bound_the_budget_and_the_budget_bounds_the_seats() -> None:
    assert value("max_num_batched_tokens", max_num_seqs=2, max_model_len=1000) == 2000
    assert value("max_num_seqs", max_num_batched_tokens=300) == 300


@pytest.mark.parametrize(("version", "share"), [("0.19.1", 0.9), ("0.20.2", 0.92), ("0.33.0", 0.92)])
def test_the_memory_share_rose_in_0200(version: str, share: float) -> None:
    assert value("gpu_memory_utilization", version) == share


@pytest.mark.parametrize(("version", "on"), [("0.13.0", False), ("0.14.1", True), ("0.33.0", True)])
def test_async_scheduling_is_on_by_default_from_0140(version: str, on: bool) -> None:
    assert value("async_scheduling", version) is on


DRAFT = {"method": "draft_model", "model": "some/draft", "num_speculative_tokens": 3}
NGRAM = {"method": "ngram", "num_speculative_tokens": 3}


@pytest.mark.parametrize(
    ("version", "spec", "on"),
    [
        ("0.27.1", DRAFT, False),
        ("0.28.0", DRAFT, True),
        ("0.32.0", NGRAM, False),
        ("0.33.0", NGRAM, True),
        ("0.17.1", {"method": "ngram_gpu", "num_speculative_tokens": 3}, False),
        ("0.18.0", {"method": "ngram_gpu", "num_speculative_tokens": 3}, True),
        ("0.18.0", {"method": "eagle3", "model": "x/y", "num_speculative_tokens": 3}, True),
        ("0.31.0", {"method": "eagle3", "model": "x/y", "num_speculative_tokens": 3, "parallel_drafting": True}, True),
        ("0.33.0", {**DRAFT, "disable_padded_drafter_batch": True}, True),
        ("0.32.0", {**DRAFT, "disable_padded_drafter_batch": True}, False),
        ("0.33.0", {"method": "suffix"}, False),
    ],
)
def test_speculation_decides_async_scheduling_by_release(version: str, spec: Json, on: bool) -> None:
    assert value("async_scheduling", version, speculative_config=spec) is on


@pytest.mark.parametrize(
    ("version", "env", "on"),
    [("0.14.1", {}, False), ("0.15.1", {}, True), ("0.31.0", {}, True), ("0.31.0", NO_TRITON, False)],
)
def test_pipeline_parallelism_keeps_async_scheduling_except_on_the_v1_runner(
    version: str, env: dict[str, str], on: bool
) -> None:
    found = resolve({"pipeline_parallel_size": 2}, version, device("H100"), None, model("qwen3-8b"), env=env)
    assert found["async_scheduling"].value is on


@pytest.mark.parametrize(
    ("version", "args", "runner"),
    [
        ("0.29.0", {}, "v1"),
        ("0.30.0", {}, "v1"),
        ("0.30.0", {"watermark_config": {"key": 1}}, "v2"),
        ("0.33.0", {"watermark_config": {"key": 1}}, "v2"),
    ],
)
def test_watermarking_takes_the_v2_runner_whatever_the_variable_says(
    version: str, args: dict[str, Json], runner: str
) -> None:
    found = resolve(args, version, device("H100"), None, model("qwen3-8b"), env=NO_TRITON)
    assert found["model_runner"].value == runner


def test_halved_batches_by_size_take_the_v1_runner_as_those_by_flag_do() -> None:
    assert value("model_runner", "0.33.0", ubatch_size=2) == "v1"
    assert value("model_runner", "0.33.0", enable_dbo=True) == "v1"
    assert value("model_runner", "0.33.0") == "v2"


@pytest.mark.parametrize(("version", "on"), [("0.19.1", False), ("0.20.2", False), ("0.22.1", True), ("0.33.0", True)])
def test_ray_keeps_async_scheduling_since_its_second_executor(version: str, on: bool) -> None:
    assert value("async_scheduling", version, distributed_executor_backend="ray") is on


@pytest.mark.parametrize(
    ("version", "budget"), [("0.16.0", None), ("0.17.1", 8192 - 1024), ("0.27.1", 8192 - 1024), ("0.28.0", 8192)]
)
def test_a_draft_model_took_slots_out_of_the_budget_from_017_to_027(version: str, budget: int | None) -> None:
    assert value("max_num_scheduled_tokens", version, speculative_config=DRAFT) == budget


def test_the_drafting_method_is_read_from_the_models_name_where_vllm_reads_it() -> None:
    eagle = {"model": "yuhuili/EAGLE-LLaMA3.1-Instruct-8B", "num_speculative_tokens": 2}
    found = settle(speculative_config=eagle)["speculative_config"]
    assert isinstance(found.value, dict)
    assert found.value["method"] == "eagle"
    assert found.why == "method read as eagle"


def test_the_short_speculation_flags_make_a_configuration() -> None:
    found = settle(spec_method="ngram", spec_tokens=4)["speculative_config"].value
    assert isinstance(found, dict)
    assert (found["method"], found["num_speculative_tokens"], found["prompt_lookup_max"]) == ("ngram", 4, 5)


def test_the_flags_of_the_first_speculative_releases_make_a_configuration_too() -> None:
    found = settle("0.7.3", speculative_model="[ngram]", num_speculative_tokens=4, ngram_prompt_lookup_max=3)
    assert found["speculative_config"].value == {
        "model": "[ngram]", "method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 3,
        "prompt_lookup_min": 3,
    }  # fmt: skip


@pytest.mark.parametrize(("version", "on"), [("0.25.1", False), ("0.27.1", False), ("0.28.0", True)])
def test_hybrid_models_cache_prefixes_by_default_from_0280(version: str, on: bool) -> None:
    assert value("enable_prefix_caching", version, shape=model("falcon-h1-tiny")) is on


def test_before_0800_the_v0_scheduler_chunks_only_long_contexts() -> None:
    short = settle("0.7.3", shape=model("qwen3-8b"), max_model_len=8192)
    long = settle("0.7.3", shape=model("qwen3-8b"))
    assert (short["enable_chunked_prefill"].value, short["max_num_batched_tokens"].value) == (False, 8192)
    assert (long["enable_chunked_prefill"].value, long["max_num_batched_tokens"].value) == (True, 2048)
    assert short["enable_prefix_caching"].value is False


def test_the_v0_engine_could_be_asked_for_until_it_was_gone() -> None:
    env = {"VLLM_USE_V1": "0"}
    seats = [
        resolve({}, v, device("H100"), None, model("qwen3-8b"), env=env)["max_num_seqs"].value
        for v in ("0.10.2", "0.11.2")
    ]
    assert seats == [256, 1024]


def test_an_encoder_decoder_runs_without_chunking_whatever_was_asked() -> None:
    shape = model("qwen3-8b").but(is_encoder_decoder=True)
    found = settle(shape=shape, enable_chunked_prefill=True, enable_prefix_caching=True)
    assert found["enable_chunked_prefill"].value is False
    assert found["enable_prefix_caching"].value is False
    assert found["cudagraph_mode"].value == "FULL_DECODE_ONLY"


@pytest.mark.parametrize(
    ("args", "length"),
    [({}, 40960), ({"max_model_len": 9000}, 9000), ({"max_model_len": -1}, 40960)],
)
def test_the_length_is_the_one_given_or_what_the_config_allows(args: dict[str, Json], length: int) -> None:
    assert value("max_model_len", **args) == length


@pytest.mark.parametrize(("version", "length"), [("0.29.0", 131072), ("0.30.0", 40960), ("0.33.0", 40960)])
def test_yarn_lengthens_the_context_by_itself_only_before_0300(version: str, length: int) -> None:
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    assert value("max_model_len", version, shape=model("qwen3-8b", rope_scaling=yarn)) == length


def test_eager_mode_has_no_graphs_and_optimization_levels_choose_them() -> None:
    assert value("cudagraph_mode", enforce_eager=True) == "NONE"
    assert value("cudagraph_capture_sizes", enforce_eager=True) == []
    assert value("cudagraph_mode", optimization_level=1) == "PIECEWISE"
    assert value("cudagraph_mode", optimization_level=0) == "NONE"


def test_the_capture_ceiling_is_twice_the_seats_and_higher_on_datacenter_blackwell() -> None:
    assert value("max_cudagraph_capture_size", max_num_seqs=8) == 16
    assert value("max_cudagraph_capture_size") == 512
    assert value("max_cudagraph_capture_size", gpu="B200") == 1024
    assert value("max_cudagraph_capture_size", version="0.27.1", gpu="B200") == 512
    assert value("max_cudagraph_capture_size", shape=model("gpt-oss-20b")) == 1024


def test_a_cpu_has_blocks_of_128_no_graphs_and_no_async_scheduling() -> None:
    found = settle("0.32.0", "CPU", async_scheduling=True)
    assert found["block_size"].value == 128
    assert found["async_scheduling"].value is False
    assert found["cudagraph_mode"].value == "NONE"
    assert found["distributed_executor_backend"].value == "mp"


def test_a_cpu_runs_latent_attention_on_whole_prompts_and_adapters_uncompiled() -> None:
    asked = {"enable_chunked_prefill": True, "enable_prefix_caching": True, "max_num_batched_tokens": 512}
    found = settle("0.33.0", "CPU", model("dsv2-lite"), enable_lora=True, **asked)
    assert found["enable_chunked_prefill"].value is False
    assert found["enable_prefix_caching"].value is False
    assert found["max_num_batched_tokens"].value == found["max_model_len"].value == 163840
    assert found["block_size"].value == 16
    assert found["compilation_mode"].value == 0
    assert value("enable_prefix_caching", "0.27.1", "CPU", shape=model("dsv2-lite")) is True


@pytest.mark.parametrize(
    ("version", "given", "size"),
    [("0.17.1", None, 400), ("0.18.0", None, 128), ("0.18.0", 64, 400), ("0.20.0", None, 128)],
)
def test_a_cpu_sets_the_block_of_a_hybrid_model_after_the_model_did(version: str, given: int | None, size: int) -> None:
    args = {} if given is None else {"block_size": given}
    assert value("block_size", version, "CPU", shape=model("falcon-h1-tiny"), **args) == size


def test_the_cpu_pool_is_read_from_its_environment_variable() -> None:
    env = {"VLLM_CPU_KVCACHE_SPACE": "4"}
    found = resolve({}, "0.32.0", device("CPU"), None, model("qwen3-tiny"), env=env)
    assert found["kv_cache_memory_bytes"].value == 4 << 30


@pytest.mark.parametrize(
    ("version", "connector", "off"),
    [
        ("0.18.0", "NixlConnector", True),
        ("0.22.1", "NixlConnector", False),
        ("0.33.0", "LMCacheConnectorV1", True),
        ("0.29.0", "MoRIIOConnector", True),
        ("0.30.0", "MoRIIOConnector", False),
    ],
)
def test_a_kv_connector_turns_the_hybrid_manager_off_unless_it_supports_it(
    version: str, connector: str, off: bool
) -> None:
    transfer = {"kv_connector": connector, "kv_role": "kv_both"}
    assert value("disable_hybrid_kv_cache_manager", version, kv_transfer_config=transfer) is off


def test_a_device_without_bfloat16_runs_float16_except_models_that_cannot() -> None:
    assert value("dtype", gpu="T4") == "float16"
    assert value("dtype", gpu="T4", shape=model("gemma3-1b")) == "float32"
    assert value("dtype", gpu="L4") == "bfloat16"


def test_what_a_flag_would_be_without_itself_is_resolved_with_all_else_as_given() -> None:
    args: dict[str, Json] = {
        "max_num_seqs": 2,
        "max_num_batched_tokens": 300,
        "max_model_len": 1000,
        "stream_interval": 2,
    }
    found = resolution(args, "0.33.0", device("H100"), None, model("qwen3-8b"))
    assert found.without("max_num_seqs").value == 300
    assert found.without("max_num_batched_tokens").value == 2000
    assert found.without("max_model_len").value == 40960
    assert found.settings["max_num_seqs"] == Setting(value=2, origin="given")


@given(
    version=st.sampled_from((*KNOWN, "0.7.3", "0.34.0")),
    gpu=st.sampled_from((*(g.name for g in gpus.catalogue()), None)),
    shape=st.sampled_from((*sorted(recorded()["models"]), None)),
    args=st.fixed_dictionaries(
        {},
        optional={
            "max_num_seqs": st.integers(1, 2000),
            "max_num_batched_tokens": st.integers(1, 100_000),
            "max_model_len": st.integers(-1, 200_000),
            "enable_chunked_prefill": st.booleans(),
            "enforce_eager": st.booleans(),
            "performance_mode": st.sampled_from(("throughput", "interactivity", "balanced")),
            "speculative_config": st.sampled_from((DRAFT, NGRAM)),
            "pipeline_parallel_size": st.integers(1, 4),
        },
    ),
)
@limits(max_examples=100, deadline=None)
def test_every_setting_has_an_origin_and_is_given_exactly_when_it_was(
    version: str, gpu: str | None, shape: str | None, args: dict[str, Json]
) -> None:
    found = resolve(args, version, None if gpu is None else device(gpu), None, None if shape is None else model(shape))
    for name in ("max_num_batched_tokens", "max_num_seqs"):
        setting = found[name]
        if setting.origin == "given":
            assert setting.value == args[name]
        else:  # not given, or changed by the engine, which then says why
            assert name not in args or setting.why
        assert setting.value is not None or setting.origin == "assumed"
    for name, item in found.items():
        assert item.value is not None or item.origin in ("default", "assumed", "derived", "given"), name
        assert item.origin != "log"
    sizes = found["cudagraph_capture_sizes"].value if "cudagraph_capture_sizes" in found else None
    if isinstance(sizes, list) and sizes:
        assert sizes == sorted(set(sizes))  # type: ignore[type-var]
        assert found["max_cudagraph_capture_size"].value == sizes[-1]
