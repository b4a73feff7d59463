"""Python: engine objects as words, read from the syntax tree and never run."""

from collections.abc import Callable

import pytest

from vllm_triage.readers.launches import Launch, read_launches

One = Callable[[str], Launch]


def test_keyword_arguments_become_words(one: One) -> None:
    launch = one(
        'from vllm import LLM\nllm = LLM(model="m/x", tensor_parallel_size=2, enforce_eager=True,'
        " max_model_len=30_000,\n"
        '  enable_prefix_caching=False, quantization=None, compilation_config={"mode": 3, "custom_ops": ["all"]},\n'
        "  gpu_memory_utilization=0.95,  # a comment\n)\n"
    )
    assert (launch.source, launch.entrypoint) == ("python", "llm")
    assert launch.words == (
        "--model",
        "m/x",
        "--tensor-parallel-size",
        "2",
        "--enforce-eager",
        "--max-model-len",
        "30000",
        "--no-enable-prefix-caching",
        "--compilation-config",
        '{"mode": 3, "custom_ops": ["all"]}',
        "--gpu-memory-utilization",
        "0.95",
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('LLM("m/x", seed=-1)', ("--model", "m/x", "--seed", "-1")),
        ('vllm.LLM(model="m/x", dtype=torch.bfloat16)', ("--model", "m/x", "--dtype", "bfloat16")),
        ('MODEL = "m/x"\nLLM(model=MODEL)', ("--model", "m/x")),
        ('KW = dict(max_num_seqs=8)\nLLM("m/x", **KW)', ("--model", "m/x", "--max-num-seqs", "8")),
        ('KW = {\n  "max_num_seqs": 8,\n}\nLLM("m/x", **KW)', ("--model", "m/x", "--max-num-seqs", "8")),
        ('LLM("m/x", max_num_seqs=int("8"))', ("--model", "m/x", "--max-num-seqs", "8")),
        ('LLM(model=os.environ.get("M", "m/x"))', ("--model", "m/x")),
        (
            'LLM("m/x", speculative_config=SpeculativeConfig(method="ngram"))',
            ("--model", "m/x", "--speculative-config", '{"method": "ngram"}'),
        ),
        ('llm = LLM(\n    model=”m/x”,\n    kv_cache_dtype="fp8")', ("--model", "m/x", "--kv-cache-dtype", "fp8")),
        ('>>> llm = LLM(model="m/x",\n...           seed=1)', ("--model", "m/x", "--seed", "1")),
    ],
)
def test_literals_and_names_of_literals_are_read(one: One, call: str, words: tuple[str, ...]) -> None:
    assert one(call).words == words


@pytest.mark.parametrize("name", ["EngineArgs", "AsyncEngineArgs"])
def test_engine_arguments_are_a_server_without_its_own_flags(one: One, name: str) -> None:
    launch = one(f'engine = X.from_engine_args({name}(model="m/x", max_num_seqs=8))')
    assert (launch.entrypoint, launch.words) == ("serve", ("m/x", "--max-num-seqs", "8"))


@pytest.mark.parametrize(
    "value",
    [
        "args.model",
        "get()",
        "1024 * 8",
        "f'{x}/y'",
        "[f() for f in g]",
        "__import__('os').system('true')",
        "x if y else z",
        "lambda: 1",
    ],
)
def test_what_would_have_to_be_computed_is_reported_and_left_out(one: One, value: str) -> None:
    launch = one(f'LLM("m/x", max_num_seqs={value})')
    assert launch.words == ("--model", "m/x")
    assert any("max_num_seqs" in line for line in launch.unread)


def test_several_engines_are_read_in_order_with_the_environment_set_before_them() -> None:
    paste = read_launches('os.environ["VLLM_USE_V1"] = "0"\na = LLM(model="m/x")\nb = LLM(model="m/y")\n')
    assert [launch.words[1] for launch in paste.launches] == ["m/x", "m/y"]
    assert [launch.place for launch in paste.launches] == ["line 2", "line 3"]
    assert paste.launches[0].env == {"VLLM_USE_V1": "0"}


@pytest.mark.parametrize(
    "text",
    [
        'subprocess.Popen(["vllm", "serve", "m/x", "--a", "1"])',
        'subprocess.run("vllm serve m/x --a 1", shell=True)',
        'os.system(f"vllm serve m/x --a 1")',
        'cmd = ["python", "-m", "vllm.entrypoints.cli.main", "serve", "m/x", "--a", "1"]\nsubprocess.Popen(cmd)',
        "!vllm serve m/x --a 1",
    ],
)
def test_a_server_started_from_python_is_read(one: One, text: str) -> None:
    assert one(text).words == ("m/x", "--a", "1")


def test_rays_configuration_object_reads_as_its_yaml(one: One) -> None:
    launch = one(
        'LLMConfig(model_loading_config=dict(model_id="n", model_source="org/m-7b"), accelerator_type="A10G",'
        ' engine_kwargs={"max_model_len": 8192})'
    )
    assert launch.words == ("org/m-7b", "--max-model-len", "8192", "--served-model-name", "n")
    assert launch.gpu == "A10G"


@pytest.mark.parametrize(
    "text", ["class LLM(Base):\n  pass", "from x import LLM (a)", "LLM(model=", "an LLM(see below)", "LLM()"]
)
def test_what_is_no_engine_object_is_none(text: str) -> None:
    assert read_launches(text).launches == ()


def test_pythons_own_remarks_on_the_source_are_not_passed_on(one: One) -> None:
    assert one('x = 1if y else 2\nLLM("m/x", seed=0x1for)\nLLM("m/y", tokenizer="\\d")').words[:2] == ("--model", "m/y")


def test_a_command_kept_in_pieces_of_text_is_read(one: One) -> None:
    source = 'return (\n  "python -m vllm.entrypoints.openai.api_server "\n  f"--model {m} --port 1"\n)'
    assert one(source).words == ("--model", "$m", "--port", "1")


def test_the_default_of_a_variable_of_the_environment_is_used_and_said(one: One) -> None:
    source = 'M = os.environ.get("M", "m/x")\nenv["A"] = "1"\nsubprocess.Popen(["vllm", "serve", M, "--port", str(P)], env=env)'
    launch = one(source)
    assert launch.words == ("m/x", "--port", "$P")
    assert any("its default is used" in note for note in launch.notes)


def test_a_list_of_words_under_any_name_is_read(one: One) -> None:
    assert one('sys.argv = ["vllm", "serve", "m/x", "--port", "1"]').words == ("m/x", "--port", "1")


def test_a_model_of_bentoml_is_read_where_its_command_names_it(one: One) -> None:
    source = """class V:
    model = bentoml.models.HuggingFaceModel("m/x")
    def __command__(self):
        return ["vllm", "serve", self.model, "--port", "1"]
"""
    assert one(source).words == ("m/x", "--port", "1")
