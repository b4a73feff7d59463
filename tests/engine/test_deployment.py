"""A pasted launch joined into one deployment."""

import json
import re
from typing import Any

import pytest

from captures import SERVED, capture
from vllm_triage.domain import Deployment, Problem
from vllm_triage.engine.deployment import UnreadableCommand, deploy, deploy_all, redeploy
from vllm_triage.facts.versions import NEWEST

SERVE = "vllm serve Qwen/Qwen3-8B"
TINY = {
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 128, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32, "intermediate_size": 256, "vocab_size": 2048,
    "max_position_embeddings": 8192, "torch_dtype": "bfloat16", "_name_or_path": "me/tiny",
}  # fmt: skip


def codes(deployment: Deployment) -> list[str]:
    return [problem.code for problem in deployment.problems]


def problem(deployment: Deployment, code: str) -> Problem:
    return next(p for p in deployment.problems if p.code == code)


def test_a_launch_is_joined_with_version_device_and_model() -> None:
    found = deploy(f"{SERVE} --max-num-seqs 64 -tp 2", "0.33.0", "8x H100")
    assert (found.version, found.catalogue_version, found.vllm_version.origin) == ("0.33.0", "0.33.0", "given")
    assert found.gpu is not None
    assert (found.gpu.name, found.gpu_count, found.gpu_origin) == ("H100-SXM", 8, "given")
    assert found.model is not None
    assert (found.model_id, found.model_origin, found.model.layers) == ("Qwen/Qwen3-8B", "derived", 36)
    assert found.args == {"model": "Qwen/Qwen3-8B", "max_num_seqs": 64, "tensor_parallel_size": 2}
    assert found.setting("max_num_batched_tokens") == 8192
    assert found.setting("max_model_len") == 40960


def test_each_flag_stands_beside_its_default_for_this_release_and_device() -> None:
    flags = {f.dest: f for f in deploy(f"{SERVE} --max-num-seqs 64 --block-size 16", "0.33.0", "A100").flags}
    seats, block = flags["max_num_seqs"], flags["block_size"]
    assert (seats.flag, seats.value, seats.default, seats.is_default) == ("--max-num-seqs", 64, 256, False)
    assert "A100" in seats.default_why
    assert (block.default, block.is_default) == (16, True)
    assert seats.controls


def test_the_default_of_a_flag_is_what_the_release_would_have_used() -> None:
    command = f"{SERVE} --gpu-memory-utilization 0.9"
    old, new = (deploy(command, version, "H100").flags[0] for version in ("0.19.1", "0.20.2"))
    assert (old.default, old.is_default) == (0.9, True)
    assert (new.default, new.is_default) == (0.92, False)


def test_without_a_version_the_newest_known_answers_and_says_so() -> None:
    found = deploy(SERVE)
    assert (found.version, found.vllm_version.origin) == (NEWEST, "assumed")
    assert problem(found, "version-assumed").severity == "info"


@pytest.mark.parametrize(
    ("asked", "version", "catalogue"),
    [("v0.18.0", "0.18.0", "0.18.0"), ("0.20.1", "0.20.1", "0.20.2"), ("0.32.0+cpu", "0.32.0+cpu", "0.32.0")],
)
def test_a_version_in_any_form_finds_its_flags(asked: str, version: str, catalogue: str) -> None:
    found = deploy(SERVE, asked)
    assert (found.version, found.vllm_version.origin) == (version, "given")
    assert found.catalogue_version[:4] == catalogue[:4]


def test_a_version_beyond_the_catalogue_is_answered_with_the_newest_and_says_so() -> None:
    found = deploy(SERVE, "0.99.0")
    assert found.catalogue_version == NEWEST
    assert "newer than the catalogue" in problem(found, "version-nearest").message


def test_the_version_of_an_image_tag_is_used_and_outranked_by_the_argument() -> None:
    command = "docker run --gpus all vllm/vllm-openai:v0.18.0 --model Qwen/Qwen3-8B"
    assert (deploy(command).version, deploy(command).vllm_version.origin) == ("0.18.0", "derived")
    assert deploy(command, "0.31.0").version == "0.31.0"


def test_a_version_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not a vLLM version"):
        deploy(SERVE, "banana")


def test_no_device_is_guessed() -> None:
    found = deploy(SERVE, "0.33.0")
    assert (found.gpu, found.gpu_count, found.gpu_origin) == (None, None, None)
    assert found.settings["max_num_seqs"].value is None
    assert found.settings["max_num_seqs"].origin == "assumed"


def test_a_device_that_is_not_known_is_named_with_suggestions() -> None:
    found = deploy(SERVE, "0.33.0", "H1000")
    assert found.gpu is None
    told = problem(found, "unknown-gpu")
    assert told.severity == "error"
    assert "H100-SXM" in told.fix


def test_a_family_name_is_taken_and_the_doubt_is_told() -> None:
    found = deploy(SERVE, "0.33.0", "A100")
    assert found.gpu is not None
    assert found.gpu.name == "A100-80GB-SXM"
    assert "A100-40GB-SXM" in problem(found, "ambiguous-gpu").message


def test_a_cpu_is_a_device_without_rates() -> None:
    found = deploy(SERVE, "0.32.0", "cpu")
    assert found.gpu is not None
    assert (found.gpu.vendor, found.gpu.bandwidth_gb_s) == ("cpu", None)
    assert found.setting("block_size") == 128


@pytest.mark.parametrize(
    ("command", "version"), [(SERVE, "0.32.0+cpu"), (f"VLLM_CPU_KVCACHE_SPACE=4 {SERVE}", "0.32.0")]
)
def test_a_launch_of_the_cpu_build_is_on_a_cpu(command: str, version: str) -> None:
    found = deploy(command, version)
    assert found.gpu is not None
    assert (found.gpu.name, found.gpu_origin) == ("CPU", "derived")


def test_a_given_config_outranks_the_catalogue() -> None:
    found = deploy(SERVE, "0.33.0", "H100", TINY)
    assert found.model is not None
    assert (found.model.layers, found.model_origin, found.model.source) == (2, "given", "config")
    assert found.setting("max_model_len") == 8192


def test_a_config_alone_describes_a_deployment() -> None:
    found = deploy(None, "0.33.0", "H100", TINY)
    assert (found.model_id, found.flags, found.args) == ("me/tiny", (), {})
    assert found.setting("max_num_seqs") == 1024


def test_an_unknown_model_is_answered_as_far_as_it_goes_and_asks_for_its_config() -> None:
    found = deploy("vllm serve nobody/nothing-7b --max-num-seqs 8", "0.33.0", "H100")
    assert found.model is None
    told = problem(found, "unknown-model")
    assert told.severity == "info"
    assert "config.json" in told.fix
    assert found.setting("max_model_len") is None
    assert found.setting("max_num_seqs") == 8


def test_an_architecture_that_is_not_known_is_a_problem_not_a_crash() -> None:
    found = deploy(SERVE, "0.33.0", "H100", {"architectures": ["NeverHeardOfIt"], "model_type": "nhi"})
    assert found.model is None
    assert "unknown-architecture" in codes(found)


def test_hf_overrides_change_the_model() -> None:
    found = deploy(f"""{SERVE} --hf-overrides '{{"max_position_embeddings": 5000}}'""", "0.33.0", "H100")
    assert found.setting("max_model_len") == 5000


def test_an_override_that_a_release_does_not_read_is_named() -> None:
    yarn = json.dumps({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}})
    old, new = (deploy(f"{SERVE} --hf-overrides '{yarn}'", version, "H100") for version in ("0.18.0", "0.29.0"))
    assert (old.setting("max_model_len"), new.setting("max_model_len")) == (40960, 131072)
    assert "override-idle" in codes(old)
    assert "override-idle" not in codes(new)


def test_nested_overrides_update_a_nested_model_and_replace_anything_else() -> None:
    vision = {"text_config": {**TINY, "model_type": "qwen3"}, **{k: TINY[k] for k in ("architectures", "model_type")}}
    nested = json.dumps({"text_config": {"max_position_embeddings": 6000}})
    found = deploy(f"{SERVE} --hf-overrides '{nested}'", "0.33.0", "H100", vision)
    assert found.setting("max_model_len") == 6000
    assert found.model is not None
    assert found.model.layers == 2


@pytest.mark.parametrize("text", ["", "   \n", "hello world", "rm -rf / ; curl example.com | sh", "\x00\x01"])
def test_text_without_a_launch_is_an_error_that_lists_what_is_accepted(text: str) -> None:
    with pytest.raises(UnreadableCommand, match="accepted are a `vllm serve"):
        deploy(text)


def test_every_launch_of_a_paste_is_resolved_in_order() -> None:
    paste = f"{SERVE} --port 8000 &\nvllm serve openai/gpt-oss-20b --port 8001"
    first, second = deploy_all(paste, "0.33.0", "H100")
    assert (first.model_id, second.model_id) == ("Qwen/Qwen3-8B", "openai/gpt-oss-20b")
    assert second.setting("max_cudagraph_capture_size") == 1024


def test_the_offline_class_has_its_own_batch_defaults() -> None:
    found = deploy('llm = LLM(model="Qwen/Qwen3-8B", tensor_parallel_size=2)', "0.33.0", "H100")
    assert (found.usage, found.setting("max_num_batched_tokens")) == ("llm", 16384)


def test_a_flag_the_release_does_not_have_is_fatal_and_leaves_the_rest_answered() -> None:
    found = deploy(f"{SERVE} --swap-space 4 --max-num-seqs 32", "0.18.0", "H100")
    assert any(p.severity == "fatal" for p in found.problems)
    assert found.setting("max_num_seqs") == 32
    statuses = {f.flag: f.status for f in found.flags}
    assert statuses["--swap-space"] == "removed"


def test_the_environment_of_the_launch_decides_too() -> None:
    command = f"VLLM_USE_V2_MODEL_RUNNER=0 {SERVE} -pp 2"
    found = deploy(command, "0.33.0", "H100")
    assert [(e.name, e.value, e.note) for e in found.env] == [
        ("VLLM_USE_V2_MODEL_RUNNER", "0", "chooses the model runner")
    ]
    assert found.setting("async_scheduling") is False


def test_secrets_do_not_reach_the_deployment() -> None:
    secret = "hf_" + "abcdefghijklmnopqrstuvwxyz0123456789"[:34]
    found = deploy(f"HF_TOKEN={secret} {SERVE} --api-key {secret}", "0.33.0", "H100")
    assert secret not in json.dumps(found.to_json())
    assert found.redacted >= 1


def test_a_change_is_read_again_as_the_command_line_it_would_be() -> None:
    before = deploy(f"{SERVE} --max-num-seqs 64 -tp 2 --no-enable-prefix-caching", "0.33.0", "H100")
    after = redeploy(before, {"max_num_seqs": None, "enforce_eager": True, "max_model_len": 4096})
    assert after.args == {
        "model": "Qwen/Qwen3-8B", "tensor_parallel_size": 2, "enable_prefix_caching": False, "enforce_eager": True,
        "max_model_len": 4096,
    }  # fmt: skip
    assert after.setting("max_num_seqs") == 1024
    assert (after.model, after.gpu, after.model_id) == (before.model, before.gpu, before.model_id)


def test_a_change_that_the_release_refuses_is_refused() -> None:
    before = deploy(SERVE, "0.33.0", "H100")
    after = redeploy(before, {"kv_cache_dtype": "fp8", "max_num_seqs": "many"})
    assert any(p.severity == "fatal" for p in after.problems)


@pytest.mark.parametrize(
    "arguments",
    [
        "--max-num-seqs 64 --enable-chunked-prefill -tp 2",
        "--no-enable-prefix-caching --cudagraph-capture-sizes 1 2 4 8",
        """--speculative-config '{"method": "ngram", "num_speculative_tokens": 3}' --max-model-len 32k""",
        "-cc.mode=0 -O1 --served-model-name a b --dtype bfloat16 --kv-cache-dtype fp8",
        "--api-server-count 2 --enable-auto-tool-choice --tool-call-parser hermes --max-model-len auto",
    ],
)
def test_nothing_changed_reads_the_same_again(arguments: str) -> None:
    before = deploy(f"{SERVE} {arguments}", "0.33.0", "H100")
    after = redeploy(before, {})
    assert (after.args, after.settings) == (before.args, before.settings)


@pytest.mark.parametrize("run", [r for r in SERVED if "qwen3-tiny" in capture(r, "command.txt")])
def test_a_real_server_ran_with_the_settings_resolved_here(run: str) -> None:
    """Runs of vLLM 0.32 and 0.18 on a CPU print what they resolved."""
    log = capture(run, "startup.log")
    command = capture(run, "command.txt").replace("vllm18", "vllm")
    found = deploy(command, "0.18.0" if run.startswith("v018") else "0.32.0", "cpu", TINY)
    printed = dict(re.findall(r"\b(max_seq_len|enforce_eager|enable_prefix_caching|enable_chunked_prefill)=(\w+)", log))
    assert printed == {
        "max_seq_len": str(found.setting("max_model_len")),
        **{name: str(found.setting(name)) for name in printed if name != "max_seq_len"},
    }
    assert re.search(rf"'mode': <CompilationMode\.\w+: {found.setting('compilation_mode')}>", log)
    graphs = re.search(r"'cudagraph_mode': <CUDAGraphMode\.(\w+)", log)
    assert graphs is None or graphs[1] == found.setting("cudagraph_mode")


def test_the_whole_is_json() -> None:
    found: dict[str, Any] = deploy(f"{SERVE} -tp 2", "0.33.0", "H100").to_json()
    assert json.loads(json.dumps(found)) == found
