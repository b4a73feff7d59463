"""A command line is read as the release's own parser reads it."""

import gzip
import importlib.util
import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.domain import Problem
from vllm_triage.facts.flags import FlagSpec, table
from vllm_triage.facts.versions import KNOWN
from vllm_triage.readers.arguments import Arguments, Given, read_arguments

ROOT = Path(__file__).parent.parent.parent
RECORDED = ROOT / "tests" / "data" / "arguments"
SHARED = Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared"))


def differential() -> Any:
    """The script that compares with recorded answers."""
    spec = importlib.util.spec_from_file_location("differential_arguments", ROOT / "tools" / "differential_arguments.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(line: str, version: str = "0.32.0", entrypoint: str = "serve", config: dict[str, Any] | None = None) -> Arguments:
    return read_arguments(shlex.split(line), version, entrypoint, config)


def only(found: Arguments) -> Problem:
    assert len(found.problems) == 1, found.problems
    return found.problems[0]


def reading(found: Arguments, flag: str) -> Given:
    return next(given for given in found.given if given.flag == flag)


# --- Held to vLLM itself ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["0.18.0", "0.31.0", "0.32.0", "0.33.0"])
def test_every_recorded_answer_of_the_releases_own_parser_is_matched(version: str) -> None:
    compare = differential()
    answers = list(compare.lines(RECORDED / f"{version}.jsonl.gz"))
    assert len(answers) >= 3_000
    assert 0.3 < sum("x" in answer for answer in answers) / len(answers) < 0.7
    wrong = [(answer["a"], found) for answer in answers if (found := compare.differences(answer, version))]
    assert wrong == []


@pytest.mark.parametrize("version", ["0.18.0", "0.23.0", "0.31.0", "0.32.0", "0.33.0"])
def test_recorded_launches_are_accepted_and_refused_as_vllm_did(version: str) -> None:
    path = SHARED / "oracle" / "launches" / f"{version}.jsonl.gz"
    if not path.exists():
        pytest.skip("the recorded launches are not here")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        launches = [json.loads(line) for line in file]
    for launch in launches:
        found = read_arguments(shlex.split(launch["argv"])[1:], version)
        refused = [p for p in found.problems if p.severity == "fatal" and p.code != "out-of-range"]
        assert bool(refused) == (launch.get("stage") == "parse"), launch["argv"]
        assert not (launch["ok"] and any(p.code == "out-of-range" for p in found.problems)), launch["argv"]


# --- Options and their spellings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "dest", "value"),
    [
        ("--max-num-seqs 64", "max_num_seqs", 64),
        ("--max_num_seqs=64", "max_num_seqs", 64),
        ("-tp 4", "tensor_parallel_size", 4),
        ("-tp=4", "tensor_parallel_size", 4),
        ("--device-memory-utilization 0.8", "gpu_memory_utilization", 0.8),
        ("--max-num-batched-tokens 8_192", "max_num_batched_tokens", 8192),
        ("--max-num-batched-tokens 8k", "max_num_batched_tokens", 8000),
        ("--max-num-batched-tokens 8K", "max_num_batched_tokens", 8192),
        ("--max-model-len 25.6k", "max_model_len", 25600),
        ("--max-model-len auto", "max_model_len", -1),
        ("--max-model-len -1", "max_model_len", -1),
        ("--kv-cache-memory-bytes 10G", "kv_cache_memory_bytes", 10 * 2**30),
        ("--no-enable-chunked-prefill", "enable_chunked_prefill", False),
        ("--enable-prefix-caching", "enable_prefix_caching", True),
        ("-ep", "enable_expert_parallel", True),
        ("--kv-cache-memory-bytes None", "kv_cache_memory_bytes", None),
        ("-O3", "optimization_level", "3"),
        ("-O 2", "optimization_level", "2"),
        ("-O=1", "optimization_level", "1"),
        ("-cc.mode=3 -cc.cudagraph_mode=full", "compilation_config", {"mode": 3, "cudagraph_mode": "FULL"}),
        ("-sc.method ngram -sc.num_speculative_tokens 3", "speculative_config", {"method": "ngram", "num_speculative_tokens": 3}),
        ("--cudagraph-capture-sizes 1 2 4", "cudagraph_capture_sizes", [1, 2, 4]),
        ("--middleware a --middleware b", "middleware", ["a", "b"]),
        ("--lora-modules a=/x", "lora_modules", [{"name": "a", "path": "/x"}]),
        ("--moe-backend Deep-GEMM", "moe_backend", "deep_gemm"),
        ("--device-ids 0,2,GPU-1", "device_ids", [0, 2, "GPU-1"]),
    ],
)
def test_a_value_is_what_vllm_makes_of_it(typed: str, dest: str, value: object) -> None:
    found = read(f"m {typed}")
    assert found.accepted
    assert found.values == {dest: value, "model": "m"}


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("-tp2", "unknown-flag"),
        ("--tp 2", "other-engine"),
        ("--max-num-seqs 1k", "invalid-value"),
        ("--max-num-seqs 8192.0", "invalid-value"),
        ("--max-num-seqs", "missing-value"),
        ("--max-num-seqs=", "invalid-value"),
        ("--max-num-batched-tokens 1.5K", "invalid-value"),
        ("--enable-chunked-prefill True", "invalid-value"),
        ("--enable-chunked-prefill=False", "invalid-value"),
        ("--kv-cache-dtype fp9", "invalid-value"),
        ("--max-num 4", "ambiguous"),
        ("--compilation-config 3", "invalid-value"),
        ("--compilation-config {", "invalid-value"),
        ("--help", "help"),
        ("stray", "stray-word"),
    ],
)
def test_what_the_parser_refuses_is_a_fatal_problem_of_its_kind(typed: str, code: str) -> None:
    found = read(f"m {typed}")
    assert not found.accepted
    assert code in {problem.code for problem in found.problems}


def test_a_wrong_choice_lists_the_accepted_ones() -> None:
    assert "auto, bfloat16" in only(read("m --kv-cache-dtype fp9")).message


def test_a_binary_suffix_with_decimals_suggests_the_decimal_one() -> None:
    assert "1.5k is decimal" in only(read("m --max-model-len 1.5K")).message


def test_a_true_behind_a_switch_says_what_to_write() -> None:
    assert only(read("m --enable-chunked-prefill False")).fix == "write --no-enable-chunked-prefill"
    assert only(read("m --enable-chunked-prefill true")).fix == "write --enable-chunked-prefill"


def test_an_abbreviation_is_accepted_and_called_fragile() -> None:
    found = read("m --gpu-memory-util 0.5")
    assert found.values["gpu_memory_utilization"] == 0.5
    assert "abbreviation breaks" in reading(found, "--gpu-memory-utilization").note
    assert reading(found, "--gpu-memory-utilization").given_as == "--gpu-memory-util 0.5"


def test_an_abbreviation_that_later_became_ambiguous_is_refused_there() -> None:
    assert read("m --max-num-s 4", "0.18.0").accepted
    assert "--max-num-scheduled-tokens" in only(read("m --max-num-s 4", "0.26.0")).message


def test_the_last_of_two_wins_and_the_first_is_marked() -> None:
    found = read("m --max-num-seqs 4 --port 1 --max-num-seqs 8")
    assert found.values["max_num_seqs"] == 8
    assert [given.overridden for given in found.given] == [True, False, False]
    assert only(found).code == "given-twice"


def test_dotted_options_replace_a_json_whole_wherever_they_stand() -> None:
    found = read("""m -cc.mode=3 --compilation-config '{"cudagraph_mode": "NONE"}'""")
    assert found.values["compilation_config"] == {"mode": 3}
    assert only(found).code == "dotted-replaces-json"
    assert [given.overridden for given in found.given] == [False, True]


def test_dotted_lists_grow_and_dotted_suffixes_count_from_020() -> None:
    grown = read("m -cc.custom_ops+ +a -cc.custom_ops+=-b,+c")
    assert grown.values["compilation_config"] == {"custom_ops": ["+a", "-b", "+c"]}
    words = "m --kv-transfer-config.kv_connector_extra_config.size 80g"
    assert read(words, "0.19.1").values["kv_transfer_config"] == {"kv_connector_extra_config": {"size": "80g"}}
    assert read(words, "0.20.0").values["kv_transfer_config"] == {"kv_connector_extra_config": {"size": 80 * 10**9}}


def test_enable_and_disable_are_inverses_from_033_and_an_error_with_a_way_out_before() -> None:
    assert read("m --disable-chunked-prefill", "0.33.0").values["enable_chunked_prefill"] is False
    assert read("m --enable-log-stats", "0.33.0").accepted is False
    before = only(read("m --disable-chunked-prefill", "0.32.0"))
    assert (before.severity, before.fix) == ("fatal", "write --no-enable-chunked-prefill")


def test_minus_o_means_the_compilation_level_up_to_011_and_a_level_of_its_own_since() -> None:
    assert read("m -O3", "0.10.2").values["compilation_config"] == {"level": 3}
    assert read("m -O3", "0.11.2").values["compilation_config"] == {"mode": 3}
    assert read("m -O3", "0.12.0").values["optimization_level"] == "3"
    assert read("m -O.mode=3", "0.11.2").values["compilation_config"] == {"mode": 3}
    assert read("m -O.mode=3", "0.32.0").values["optimization_level"] == ".mode=3"


def test_negative_numbers_and_double_dashes_follow_argparse() -> None:
    assert read("m --seed -1").values["seed"] == -1
    assert read("-- -m").model == "-m"
    assert read("m -- --port 1").accepted is False
    assert {problem.code for problem in read("m --port 1 -- x").problems} == {"stray-word"}
    assert read("m --ssl-ciphers=--").values["ssl_ciphers"] == []


# --- The model -------------------------------------------------------------------------------------------------------


def test_the_positional_model_may_stand_anywhere_it_cannot_be_taken_for_a_value() -> None:
    assert read("--port 1 m").model == "m"
    assert read("--served-model-name a m --port 1", "0.16.0").values == {"served_model_name": ["a", "m"], "port": 1}


@pytest.mark.parametrize(
    ("version", "accepted"), [("0.10.2", False), ("0.11.0", False), ("0.11.1", True), ("0.18.0", True), ("0.33.0", True)]
)
def test_model_as_an_option_under_serve_follows_the_release(version: str, accepted: bool) -> None:
    found = read("--port 1 --model m", version)
    assert found.accepted is accepted
    assert not accepted or found.model == "m"


def test_served_name_without_a_model_in_first_place_is_refused_from_017() -> None:
    assert read("--served-model-name a --port 1", "0.16.0").accepted
    assert only(read("--served-model-name a --port 1", "0.17.1")).code == "model-not-first"


def test_without_a_model_the_releases_default_is_named() -> None:
    problem = only(read("--port 1"))
    assert (problem.severity, problem.code) == ("info", "no-model")
    assert "Qwen/Qwen3-0.6B" in problem.message


def test_api_server_takes_the_model_as_an_option_and_ignores_a_word_by_itself() -> None:
    assert read("--model m --port 1", entrypoint="api_server").values == {"model": "m", "port": 1}
    found = read("m --port 1", entrypoint="api_server")
    assert (found.accepted, found.model, only(found).code) == (True, "m", "model-ignored")
    assert "model" not in found.values


# --- --config --------------------------------------------------------------------------------------------------------


def test_the_command_line_wins_over_the_config_file_wherever_it_stands() -> None:
    found = read("m --port 1 --config c.yaml", config={"port": 2, "max-num-seqs": 4})
    assert found.values == {"port": 1, "max_num_seqs": 4, "model": "m"}
    assert reading(found, "--config").value == "c.yaml"
    assert found.accepted


def test_false_in_a_config_file_is_dropped_and_said() -> None:
    found = read("m --config c.yaml", config={"enable-chunked-prefill": False})
    assert "enable_chunked_prefill" not in found.values
    assert only(found).fix == "write `no-enable-chunked-prefill: true`"


def test_false_in_a_config_file_works_for_api_server_from_028() -> None:
    false = {"enable-chunked-prefill": False}
    assert read("--config c.yaml", "0.27.1", "api_server", false).values == {}
    assert read("--config c.yaml", "0.28.0", "api_server", false).values == {"enable_chunked_prefill": False}


def test_lists_and_mappings_in_a_config_file_become_values() -> None:
    content = {"cudagraph-capture-sizes": [1, 2], "compilation-config": {"mode": 3}, "enforce_eager": True}
    values = read("m --config c.yaml", config=content).values
    assert values["cudagraph_capture_sizes"] == [1, 2]
    assert values["compilation_config"] == {"mode": 3}
    assert values["enforce_eager"] is True


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("m --config=c.yaml", "config-ignored"),
        ("m --config c.yaml", "config-not-given"),
        ("m --config a.yaml --config b.yaml", "config-twice"),
        ("m --config c.json", "config-extension"),
        ("m --config", "missing-value"),
    ],
)
def test_traps_of_the_config_option_are_named(line: str, code: str) -> None:
    assert code in {problem.code for problem in read(line).problems}


def test_a_config_file_without_a_model_anywhere_is_refused() -> None:
    assert only(read("--config c.yaml", config={"port": 1})).code == "no-model"
    assert read("--config c.yaml", config={"model": "m"}).model == "m"


# --- Configuration JSON ----------------------------------------------------------------------------------------------


def test_a_key_the_class_does_not_have_is_named_with_the_nearest() -> None:
    message = only(read("""m --kv-transfer-config '{"kv_connecter": "x"}'""")).message
    assert "did you mean kv_connector?" in message


def test_old_releases_ignore_such_a_key_and_this_is_said() -> None:
    found = read("""m --kv-transfer-config '{"kv_connecter": "x"}'""", "0.12.0")
    assert (found.accepted, only(found).code) == (True, "key-ignored")
    assert found.values["kv_transfer_config"] == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("""--kv-transfer-config '{"kv_connector": "X"}'""", "kv_role"),
        ("""--compilation-config '{"mode": 9}'""", "mode"),
        ("""--compilation-config '{"cudagraph_mode": "SOME"}'""", "FULL_AND_PIECEWISE"),
        ("""--eplb-config '{"step_interval": 0}'""", "greater than 0"),
        ("""--profiler-config '{"profiler": "torch"}'""", "torch_profiler_dir"),
        ("-ac.backend=FLASHY", "FLASH_ATTN"),
    ],
)
def test_what_a_configuration_class_refuses_is_said_with_the_way_out(line: str, said: str) -> None:
    assert said in only(read(f"m {line}")).message


def test_bare_suffixes_in_json_are_numbers_from_020() -> None:
    line = """m --kv-transfer-config '{"kv_connector_extra_config": {"size": 80m}}'"""
    assert not read(line, "0.19.1").accepted
    assert read(line, "0.20.0").values["kv_transfer_config"] == {"kv_connector_extra_config": {"size": 80_000_000}}


@pytest.mark.parametrize(("line", "bound"), [("--max-num-seqs 0", "at least 1"), ("--gpu-memory-utilization 1.7", "at most 1")])
def test_values_the_engine_refuses_later_are_out_of_range_and_still_accepted_by_the_parser(line: str, bound: str) -> None:
    found = read(f"m {line}")
    assert found.accepted
    assert (only(found).severity, only(found).code) == ("fatal", "out-of-range")
    assert bound in only(found).message


# --- What this release does not have ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "version", "status", "meant", "said"),
    [
        ("--swap-space 4", "0.18.0", "removed", None, "0.17.1 was the last release with it"),
        ("--speculative-model x", "0.18.0", "removed", "--speculative-config", "gone"),
        ("--watermark 0.1", "0.18.0", "not_yet", None, "the first release with it is 0.24.0"),
        ("--max-model-length 4096", "0.32.0", "unknown", "--max-model-len", "has no option"),
        ("--enable-prefix-cache", "0.32.0", "unknown", "--enable-prefix-caching", "has no option"),
        ("--mem-fraction-static 0.8", "0.32.0", "unknown", "--gpu-memory-utilization", "SGLang"),
        ("--max_batch_size 8", "0.32.0", "unknown", "--max-num-seqs", "TensorRT-LLM"),
        ("--disable-log-requests", "0.20.0", "not_yet", "--no-enable-log-requests", "has no option"),
        ("--qqqq 1", "0.32.0", "unknown", None, "has no option"),
    ],
)
def test_an_option_of_elsewhere_is_named_with_its_status_and_what_was_meant(
    line: str, version: str, status: str, meant: str | None, said: str
) -> None:
    found = read(f"m {line}", version)
    assert (found.given[0].status, found.given[0].did_you_mean) == (status, meant)
    assert said in only(found).message
    assert found.given[0].given_as == line


def test_the_value_of_an_unknown_option_is_not_taken_for_the_model() -> None:
    found = read("--mem-fraction-static 0.8 m")
    assert (found.model, found.given[0].value) == ("m", "0.8")


def test_a_switch_of_another_release_takes_no_word() -> None:
    assert read("--calculate-kv-scales m", "0.33.0").model == "m"


def test_a_deprecated_option_says_what_to_use() -> None:
    problem = only(read("m --task embed", "0.12.0"))
    assert (problem.severity, problem.code) == ("warning", "deprecated")
    assert "--runner" in problem.fix
    assert read("m --task embed", "0.12.0").given[0].status == "deprecated"


def test_a_version_newer_than_the_catalogue_is_answered_by_the_newest() -> None:
    assert read("m --max-num-seqs 4", "0.99.0").version == KNOWN[-1]
    assert KNOWN[-1] in only(read("m --brand-new-thing 1", "0.99.0")).message


# --- Untrusted input -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "m --api-key sekret-value", "m --api-key=sekret-value", "m --api-k sekret-value", "m --api_key a sekret-value",
        """m --kv-transfer-config '{"kv_connector_extra_config": {"api_key": "sekret-value"}}'""",
        """m --speculative-config '{"hf_token": "sekret-value", "x": [""" + """"http://u:sekret-value@host/"]}'""",
        "m -sc.api_key sekret-value -sc.a 1", "m --port hf_sekretvalue123456", "hf_sekretvalue123456",
        "m --hf-token sekret-value", "m --unknown-token sekret-value", "m --otlp-traces-endpoint http://u:sekret-value@host",
    ],
)  # fmt: skip
def test_a_secret_never_reaches_what_is_kept(line: str) -> None:
    assert "sekret" not in repr(read(line))


def test_control_characters_are_not_kept() -> None:
    assert "\x1b" not in repr(read_arguments(["m\x1b[31m", "--chat-template", "\x1b]0;x\x07"], "0.32.0"))


HOSTILE: list[tuple[str, list[str]]] = [
    ("nothing", []),
    ("an empty word", [""]),
    ("64 KiB of one word", ["x" * 65536]),
    ("a very long option", ["--" + "a" * 65536, "1"]),
    ("many dots", ["-cc" + ".a" * 5000 + "=1"]),
    ("deep JSON", ["--speculative-config", "[" * 100_000]),
    ("deep JSON in a configuration", ["--compilation-config", '{"a":' * 100_000]),
    ("JSON as deep as it can be read, twice", ["-sc.a", '{"a":' * 900 + "1" + "}" * 900] * 2),
    ("deep JSON with a secret", ["--speculative-config", '{"a":' * 900 + '"hf_sekretvalue123"' + "}" * 900]),
    ("a huge number", ["--max-num-seqs", "9" * 10_000]),
    ("a huge human number", ["--max-model-len", "9" * 5_000 + "k"]),
    ("a huge dotted number", ["-cc.mode", "9" * 10_000]),
    ("an endless string", ["--kv-transfer-config", '{"a": "' + "\\" * 65536]),
    ("twenty thousand words", ["--max-num-seqs", "1"] * 10_000),
    ("ten thousand unknown options", [f"--unknown-{i}" for i in range(2_000)]),
]


@pytest.mark.parametrize("words", [words for _, words in HOSTILE], ids=[name for name, _ in HOSTILE])
def test_hostile_input_gives_a_reading(words: list[str]) -> None:
    for version in ("0.8.5", "0.18.0", KNOWN[-1]):
        found = read_arguments(["m", *words], version)
        assert found.model == "m" or found.problems[0].code == "too-deep"
        assert all(len(problem.message) < 4_000 for problem in found.problems)


PIECES = st.sampled_from(
    ["--", "-", "", "m", "--port", "--port=1", "1", "-1", "-cc.mode", "-cc.mode=3", "--config", "c.yaml", "-O3", "-tp", "--help",
     "--model", "--model=x", "--max-num", "--enable-lora", "--compilation-config", "{}", "--lora-modules", "a=b", "-x.y", "--.x"]
)  # fmt: skip
CONFIGS = st.dictionaries(
    st.sampled_from(["port", "model", "enforce_eager", "compilation-config", "a b", ""]),
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2),
)


@settings(max_examples=150, deadline=None)
@given(
    words=st.lists(PIECES | st.text(max_size=12), max_size=12),
    version=st.sampled_from(KNOWN),
    entrypoint=st.sampled_from(["serve", "api_server", "llm"]),
    config=st.none() | CONFIGS,
)
def test_any_words_give_a_reading_in_which_every_word_is_accounted_for(
    words: list[str], version: str, entrypoint: str, config: dict[str, Any] | None
) -> None:
    found = read_arguments(words, version, entrypoint, config)
    assert found.version in KNOWN
    assert all(given.spec is None or given.spec.dest in table(version).by_dest for given in found.given)
    assert {*found.values} <= {*table(version).by_dest}
    if not found.accepted:
        assert any(problem.severity == "fatal" for problem in found.problems)


def values_for(spec: FlagSpec) -> st.SearchStrategy[tuple[str, Any]] | None:
    """(as typed, as read) pairs for an option, or None where they would need a class of JSON."""
    if spec.action != "store" or spec.nargs is not None or spec.dest in {"model", "config"}:
        return None
    if spec.choices:
        return st.sampled_from(spec.choices).filter(lambda c: c not in (None, "None")).map(lambda c: (str(c), c))
    kinds: dict[str, Callable[[], st.SearchStrategy[tuple[str, Any]]]] = {
        "int": lambda: st.integers(1, 10**6).map(lambda n: (str(n), n)),
        "human": lambda: st.integers(1, 512).map(lambda n: (f"{n}K", n * 1024)),
        "human_auto": lambda: st.integers(1, 512).map(lambda n: (f"{n}k", n * 1000)),
        "float": lambda: st.floats(0.1, 0.9).map(lambda x: (repr(x), x)),
        "str": lambda: st.from_regex(r"[a-z][a-z0-9/]{1,12}", fullmatch=True).map(lambda t: (t, t)),
    }
    make = kinds.get(spec.type)
    return make() if make else None


@settings(max_examples=60, deadline=None)
@given(data=st.data(), version=st.sampled_from(KNOWN))
def test_generated_valid_command_lines_come_back_as_given(data: st.DataObject, version: str) -> None:
    usable = [(spec, values) for spec in table(version).specs if spec.option_strings and (values := values_for(spec)) is not None]
    chosen = data.draw(st.lists(st.sampled_from(usable), unique_by=lambda pair: pair[0].dest, max_size=8))
    words, want = ["m"], {}
    for spec, values in chosen:
        typed, value = data.draw(values)
        words += data.draw(st.sampled_from([[spec.flag, typed], [f"{spec.flag}={typed}"]]))
        want[spec.dest] = value
    found = read_arguments(words, version)
    assert found.accepted
    secret = {"api_key", "hf_token"}
    assert {dest: value for dest, value in found.values.items() if dest not in secret} == {
        dest: value for dest, value in {**want, "model": "m"}.items() if dest not in secret
    }


@pytest.mark.parametrize("text", ['{"level": 3, "use_cudagraph": true}', "{'level': 3", "nonsense", "[" * 3000])
def test_the_compilation_configuration_was_a_python_literal_before_090(text: str) -> None:
    refused = read_arguments(["m", "--compilation-config", text], "0.8.5")
    assert [p.code for p in refused.problems if p.severity == "fatal"] == ["invalid-value"]
    assert ("write True" in refused.problems[0].message) == ("true" in text)
    given = read_arguments(["m", "--compilation-config", "{'level': 3, 'use_cudagraph': True}"], "0.8.5")
    assert (given.accepted, given.values["compilation_config"]) == (True, {"level": 3, "use_cudagraph": True})
    assert not read_arguments(["m", "--compilation-config", "{'level': 3, 'use_cudagraph': True}"], "0.9.2").accepted


def test_python_gives_the_compilation_configuration_as_it_is() -> None:
    words = ["--model", "m", "--compilation-config", '{"level": 3, "use_cudagraph": true}']
    assert read_arguments(words, "0.8.5", "llm").values["compilation_config"] == {"level": 3, "use_cudagraph": True}


# --- configuration classes of early releases ---------------------------------------------------------------------------


@pytest.mark.parametrize(("version", "words", "accepted"), [
    # Pydantic models up to 0.8.5 check types and pass over unknown keys; dataclasses (all of 0.9.0) do the opposite.
    ("0.8.5", """--kv-transfer-config '{"kv_rank": "a"}'""", False),
    ("0.8.5", """--kv-transfer-config '{"nope": 1}'""", True),
    ("0.9.0", """--kv-transfer-config '{"kv_rank": "a"}'""", True),
    ("0.9.0", """--kv-transfer-config '{"nope": 1}'""", False),
    ("0.9.0", """--kv-transfer-config '{"kv_role": ["kv_both"]}'""", False),
    ("0.8.5", """--kv-transfer-config '{"kv_connector": "X"}'""", False),
    ("0.8.5", """--kv-transfer-config '{"kv_connector": "X", "kv_role": "kv_both"}'""", True),
    ("0.6.6.post1", """--kv-transfer-config '{"kv_connector": "X", "kv_role": "kv_both"}'""", False),
    ("0.7.3", """--compilation-config '{"cudagraph_capture_sizes": "a"}'""", False),
    ("0.7.3", """--compilation-config '{"custom_ops": ["all", "none"]}'""", False),
    ("0.9.0", """--compilation-config '{"cudagraph_capture_sizes": "a"}'""", True),
    ("0.9.0", """--compilation-config '{"max_capture_size": 1}'""", False),
    ("0.9.0", """--compilation-config '{"pass_config": {"nope": 1}}'""", False),
    ("0.9.0", """--compilation-config '{"pass_config": 3}'""", True),
    ("0.8.5", """--override-pooler-config '{"nope": 1}'""", False),
    ("0.8.5", """--override-pooler-config '{"softmax": "x"}'""", True),
    ("0.9.0", """--kv-events-config '{"publisher": 1}'""", True),
])  # fmt: skip
def test_an_early_release_refuses_what_its_classes_refuse(version: str, words: str, accepted: bool) -> None:
    assert ([problem for problem in read(f"m {words}", version).problems if problem.severity == "fatal"] == []) is accepted
