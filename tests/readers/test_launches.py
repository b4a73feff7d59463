"""A paste as a whole: what it is taken for, its hints, its limits."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.domain import Problem
from vllm_triage.readers.launch.draft import MAX_LAUNCHES
from vllm_triage.readers.launches import MAX_CHARS, MAX_OPTIONS, Launch, read_launches

SHARED = Path(os.environ.get("VLLM_TRIAGE_SHARED", Path(__file__).parents[3] / "shared"))


@pytest.mark.parametrize(
    "text",
    [
        "Qwen/Qwen3-8B",
        "  meta-llama/Llama-3.1-8B-Instruct\n",
        "`org/m-7b`",
        "/models/llama",
        "./models/x",
        "~/m/x",
        "gpt-oss-120b",
        "s3://b/m",
    ],
)
def test_a_bare_model_is_a_launch(text: str) -> None:
    launch = read_launches(text).launches[0]
    assert (launch.source, launch.entrypoint, launch.words) == ("model-id", "serve", (text.strip().strip("`"),))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("org/m-7b --max-num-seqs 8", ("org/m-7b", "--max-num-seqs", "8")),
        ("serve org/m-7b --max-num-seqs 8", ("org/m-7b", "--max-num-seqs", "8")),
        ("org/m-7b on 2x H100", ("org/m-7b",)),
    ],
)
def test_a_model_with_flags_or_a_remark_behind_it_is_a_launch(text: str, words: tuple[str, ...]) -> None:
    assert read_launches(text).launches[0].words == words


@pytest.mark.parametrize("text", ["", "  \n\t", "\x00\x01", "\ufeff"])
def test_an_empty_paste_says_so(text: str) -> None:
    assert read_launches(text).unread == ("nothing was pasted",)


@pytest.mark.parametrize(
    "text",
    ["hello", "what is vllm", "my server is slow", "{}", "[]", "---", "<html></html>", "TTFT 3 s, vllm at 40 tok/s"],
)
def test_a_text_without_a_launch_says_what_it_was(text: str) -> None:
    paste = read_launches(text)
    assert paste.launches == ()
    assert any(text[:20] in line for line in paste.unread)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("pip install vllm==0.31.0\nvllm serve m/x", "0.31.0"),
        ("uv pip install 'vllm[flashinfer]==0.18.1'\nvllm serve m/x", "0.18.1"),
        ("INFO vLLM API server version 0.8.4\nvllm serve m/x", "0.8.4"),
        ("vLLM Version: 0.10.0\nvllm serve m/x", "0.10.0"),
        ("vllm serve m/x\nI use vLLM 0.18.0 on Linux", "0.18.0"),
        ("vllm serve m/x # vllm version: v0.9.2", "0.9.2"),
        ("Initializing a V1 LLM engine (v0.19.0rc1) with config: model='m/x'", "0.19.0rc1"),
        ("vllm-0.11.2+cpu installed\nvllm serve m/x", "0.11.2"),
        ("docker pull vllm/vllm-openai:v0.12.0\nvllm serve m/x", "0.12.0"),
        ("docker run vllm/vllm-openai:v0.13.0 m/x", "0.13.0"),
        ("vllm serve m/x", None),
        ("vllm serve m/x # needs vllm 0.14+", None),
        ("vllm serve m/x # vllm>=0.8", None),
        ("vllm serve org/vllm-0.5b", None),
        ("pip install vllm==0.1.dev123\nvllm serve m/x", None),
        ("vllm serve m/x # vllm 0.18.0 or newer", None),
    ],
)
def test_the_version_is_taken_from_where_it_is_stated(text: str, version: str | None) -> None:
    paste = read_launches(text)
    assert paste.version == version
    assert bool(paste.version_why) == (version is not None)


@pytest.mark.parametrize(
    ("text", "gpu", "count"),
    [
        ("# 8x H100\nvllm serve m/x", "H100", 8),
        ("# on 4 x A100 80GB\nvllm serve m/x", "A100 80GB", 4),
        ("vllm serve m/x\nGPU: RTX 4090", "RTX 4090", None),
        ("| NVIDIA H100 80GB HBM3 |\nvllm serve m/x", "NVIDIA H100 80GB HBM3", None),
        ("I run on a single L40S.\nvllm serve m/x", "L40S", None),
        ("CUDA_VISIBLE_DEVICES=0,1 vllm serve m/x", None, 2),
        ("HIP_VISIBLE_DEVICES=3 vllm serve m/x", None, 1),
        ("vllm serve m/x", None, None),
        ("# should fit on a single A100\nvllm serve m/x", None, None),
        ("# tested on H100 and on L4\nvllm serve m/x", None, None),
        ("# on H100\n# on L4\nvllm serve m/x", None, None),
        ("vllm serve org/model-A100-tuned", None, None),
        ("CUDA_VISIBLE_DEVICES=$IDS vllm serve m/x", None, None),
    ],
)
def test_the_accelerator_is_taken_from_where_it_is_stated_and_never_guessed(
    text: str, gpu: str | None, count: int | None
) -> None:
    paste = read_launches(text)
    assert (paste.gpu, paste.gpu_count) == (gpu, count)
    assert bool(paste.gpu_why) == (gpu is not None or count is not None)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("vllm serve m/x –max-num-seqs 8", ("m/x", "--max-num-seqs", "8")),
        ("vllm serve m/x —enforce-eager –tp 2", ("m/x", "--enforce-eager", "-tp", "2")),
        ("vllm serve m/x --a “one two”", ("m/x", "--a", "one two")),
        ("vllm serve m/x --j ‘{“k”: 1}’", ("m/x", "--j", '{"k": 1}')),
        ("vllm serve m/x --j '{ “k”： “v”， “n”： 3}'", ("m/x", "--j", '{ "k": "v", "n": 3}')),
        ("vllm\u00a0serve m/x\u200b --a\u00a01", ("m/x", "--a", "1")),
        ("\x1b[32mvllm serve m/x\x1b[0m --a 1", ("m/x", "--a", "1")),
        ("vllm serve m/x \\\r\n  --a 1\r\n", ("m/x", "--a", "1")),
    ],
)
def test_what_copying_does_to_a_text_is_undone_and_said(typed: str, words: tuple[str, ...]) -> None:
    launch = read_launches(typed).launches[0]
    assert launch.words == words
    assert bool(launch.notes) == any(mark in typed for mark in "–—“‘：")


def test_markdown_fences_hold_the_launches_and_the_text_around_them_the_hints() -> None:
    text = (
        "It's slow on 2x H100.\n\n```bash\nvllm serve m/x-1 --a 1\n"
        "```\n\nand also\n\n~~~\nvllm serve m/y-2\n~~~\n"
        "vLLM 0.18.0\n"
    )
    paste = read_launches(text)
    assert [launch.words for launch in paste.launches] == [("m/x-1", "--a", "1"), ("m/y-2",)]
    assert [launch.place for launch in paste.launches] == ["line 4", "line 10"]
    assert (paste.version, paste.gpu, paste.gpu_count) == ("0.18.0", "H100", 2)


def test_restructured_text_blocks_are_read_like_fences() -> None:
    assert [
        launch.words
        for launch in read_launches(
            "Run it:\n\n.. code-block:: bash\n\n   vllm serve m/x-1 \\\n     --a 1\n\nDon't.\n"
        ).launches
    ] == [("m/x-1", "--a", "1")]


def test_a_text_over_the_limit_is_cut_and_said() -> None:
    paste = read_launches("vllm serve m/x --a 1\n" + "x" * MAX_CHARS)
    assert paste.launches[0].words == ("m/x", "--a", "1")
    assert "cut" in paste.unread[0]


def test_one_line_of_a_mebibyte_is_answered() -> None:
    assert read_launches("a" * MAX_CHARS).launches == ()
    launch = read_launches("vllm serve m/x " + "--a 1 " * 10_000).launches[0]
    assert len(launch.words) == 1 + 2 * MAX_OPTIONS
    assert launch.unread == (f"line 1: only {MAX_OPTIONS} of 10,000 options are read",)


def test_a_text_of_nothing_but_marks_is_read_up_to_a_limit_and_says_where() -> None:
    paste = read_launches("vllm serve m/x --port 1\n" + "$A'b'\n" * 30_000)
    assert len(paste.launches) == 1
    (said,) = (line for line in paste.unread if "what follows is not read" in line)
    assert 1000 < int(said.removeprefix("line ").partition(":")[0]) < 30_000


def test_lines_that_start_nothing_cost_nothing_and_hide_nothing() -> None:
    output = "Collecting packages: done, 12 of 12 installed\n" * 20_000
    launch = read_launches(f"pip list\n{output}$ vllm serve m/x --port 1\n{output}").launches[0]
    assert (launch.words, launch.place) == (("m/x", "--port", "1"), "line 20002")


def test_a_paste_of_very_many_launches_is_read_up_to_a_limit_and_says_so() -> None:
    paste = read_launches("vllm serve m/x-1 --a 1\n" * 500)
    assert len(paste.launches) == MAX_LAUNCHES
    assert f"first {MAX_LAUNCHES}" in paste.unread[0]


def test_what_is_read_can_be_made_again_from_its_json() -> None:
    launch = read_launches("A=1 vllm serve m/x \\  \n --b $C").launches[0]
    assert Launch.model_validate_json(launch.model_dump_json()) == launch
    assert isinstance(launch.problems[0], Problem)


ALPHABET = st.text(
    st.sampled_from("vllm serve -='\"\\`${}()[]<>|&;#%!^~:,.\n\t /abAB01_\u2013\u201c\u00e9"), max_size=120
)
FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "vllm serve ",
            "m/x ",
            "--a ",
            "'",
            '"',
            "`",
            "$(",
            "${",
            "}",
            ")",
            "\\\n",
            "\n",
            "<<EOF\n",
            "EOF\n",
            "docker run ",
            "vllm/vllm-openai:v0.18.0 ",
            "LLM(",
            "model=",
            "args:\n",
            "- ",
            "command: [",
            "]",
            "ExecStart=",
            "[Service]\n",
            "```",
            "{{ x }}",
            "non-default args: {",
            "^\n",
            "set A=%B%\n",
            "kind: Pod\n",
            "services:\n",
            "FROM x\n",
            "CMD ",
            "A=",
            "export ",
            "if x; then\n",
            "fi\n",
            "bash -c '",
            "#SBATCH --gres=gpu:",
            "&a ",
            "*a ",
        ]
    ),
    max_size=30,
).map("".join)


@settings(max_examples=250, deadline=None)
@given(st.one_of(ALPHABET, FRAGMENTS, st.text(max_size=200)))
def test_any_text_gives_a_reading_or_says_what_was_not_understood(text: str) -> None:
    paste = read_launches(text)
    assert paste.launches or paste.unread
    assert all(len(line) <= 200 for launch in paste.launches for line in (*launch.unread, *launch.notes))


SAFE = st.text(
    st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters="$`"), min_size=1, max_size=15
)
FLAGS = st.sampled_from(["--max-num-seqs", "--served-model-name", "--chat-template", "-tp", "--seed", "--revision"])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(FLAGS, SAFE), max_size=6), st.sampled_from([" ", " \\\n  ", "  "]))
def test_a_quoted_command_line_comes_back_word_for_word(pairs: list[tuple[str, str]], gap: str) -> None:
    words = [
        "org/m-7b",
        *(word for flag, value in pairs for word in (flag, value.replace("eyJ", "x").replace("://", "-"))),
    ]
    quoted = [
        "'" + word.replace("'", "'\"'\"'") + "'" if index and not word.startswith("-") else word
        for index, word in enumerate(words)
    ]
    quoted = [f"'{word}'" if word.startswith("-") and word not in FLAGS_KNOWN else word for word in quoted]
    launch = read_launches(gap.join(["vllm serve", *quoted])).launches[0]
    if all("'" not in word for word in words):
        assert launch.words == tuple(words)


FLAGS_KNOWN = {"--max-num-seqs", "--served-model-name", "--chat-template", "-tp", "--seed", "--revision"}


@pytest.mark.skipif(not (SHARED / "corpus/commands.jsonl").exists(), reason="the shared pastes are not here")
def test_every_shared_public_paste_that_starts_a_server_is_read() -> None:
    import json  # noqa: PLC0415

    records = [
        json.loads(line)["text"] for line in (SHARED / "corpus/commands.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    started = time.process_time()
    without = [number for number, text in enumerate(records, 1) if not read_launches(text).launches]
    assert without == [35, 36, 37, 47, 73, 79, 126]  # none of these starts a server
    assert time.process_time() - started < 30


@pytest.mark.parametrize("depth", [900, 15_000])
@pytest.mark.parametrize(
    ("before", "again", "after"),
    [
        ('LLM("m/x", a=', "-", "1)"),
        ('LLM("m/x", a=', "x.", "y)"),
        ('LLM("m/x", a=', "1+", "1)"),
        ('LLM("m/x", a=', "f(", ""),
        ("non-default args: {'a': ", "[", ""),
        ("args: Namespace(a=", "-", "1)"),
        ("vllm serve ", "${A:-", "x"),
        ("vllm serve ", "$(", "x"),
        ("args: ", "{a: ", ""),
        ("FROM vllm/x\nCMD ", "[", ""),
        ("vllm serve x/y-1 ", 'bash -c "', ""),
        ("", "cat <<EOF\n", "vllm serve x/y-1"),
    ],
)
def test_a_text_nested_beyond_reason_is_answered(before: str, again: str, after: str, depth: int) -> None:
    paste = read_launches(f"{before}{again * depth}{after}")
    assert paste.launches or paste.unread


@pytest.mark.parametrize(("text", "entrypoint"), [
    ("# vllm==0.8.5\n--model m/x\n--max-model-len 10", "api_server"),
    ("pip install vllm==0.8.5\npython wrap.py --model m/x --max-model-len 10 --tensor-parallel-size 2", "api_server"),
    ("pip install vllm==0.20.0\npython wrap.py --model m/x --max-model-len 10 --tensor-parallel-size 2", "serve"),
    ("pip install vllm==0.8.5\nvllm serve --model m/x", "serve"),
])  # fmt: skip
def test_arguments_of_another_program_name_the_model_as_they_do(text: str, entrypoint: str) -> None:
    (launch,) = read_launches(text).launches
    assert launch.entrypoint == entrypoint
