import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from captures import capture
from vllm_triage.readers.logged_launch import command_of, non_default_args, resolved_settings


def test_a_printed_argument_dict_becomes_the_launch() -> None:
    line = next(line for line in capture("spec-draft", "startup.log").splitlines() if "non-default args" in line)
    args = non_default_args(line)
    assert args is not None
    words = shlex.split(command_of(args))
    assert words[:3] == ["vllm", "serve", "models/qwen3-tiny"]
    assert (
        words[words.index("--speculative-config") + 1] == '{"model": "models/llama-draft", "num_speculative_tokens": 3}'
    )
    assert "--enforce-eager" in words
    assert words[words.index("--served-model-name") + 1] == "tiny"


def test_false_none_and_lists_take_their_flag_forms() -> None:
    args = {
        "model": "m",
        "enable_prefix_caching": False,
        "quantization": None,
        "api_key": ["a b", "c"],
        "max_num_seqs": 4,
    }
    assert command_of(args) == "vllm serve m --no-enable-prefix-caching --api-key 'a b' c --max-num-seqs 4"


def test_a_dict_that_is_cut_off_or_holds_code_is_not_evaluated() -> None:
    assert non_default_args("non-default args: {'model': 'm', 'max_num_seqs': 4") is None
    assert non_default_args("non-default args: {'model': __import__('os').getcwd()}") is None
    assert non_default_args("nothing of the kind") is None


def test_an_object_printed_by_its_repr_is_kept_as_text() -> None:
    args = non_default_args("non-default args: {'model': 'm', 'mode': <Mode.NONE: 0>}")
    assert args == {"model": "m", "mode": "<Mode.NONE: 0>"}


def test_resolved_settings_are_typed() -> None:
    line = (
        "Initializing a V1 LLM engine (v0.32.0) with config: model='m', dtype=torch.bfloat16, max_seq_len=8192, "
        "quantization=None, enforce_eager=True,"
    )
    assert resolved_settings(line) == {
        "dtype": "bfloat16",
        "max_model_len": 8192,
        "quantization": None,
        "enforce_eager": True,
    }


@given(
    st.dictionaries(
        st.from_regex(r"\A[a-z]{1,8}(_[a-z]{1,6})?\Z"),
        st.none() | st.booleans() | st.integers(0, 10**9) | st.text("ab '\"$;\\", max_size=8),
        max_size=5,
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_python_prints_is_read_back(args: dict[str, object]) -> None:
    read = non_default_args(f"(APIServer pid=1) INFO [utils.py:1] non-default args: {args!r}")
    assert read == args
    shlex.split(command_of(read))
