"""Functions of a script."""

from vllm_triage.readers.launches import read_launches

TWO = """run() {
  local model=$1; shift
  CUDA_VISIBLE_DEVICES=$1 vllm serve "$model" --port "$2" -tp ${3:-1} &
}
run m/a 0 8001
run m/b 1 8002 4
"""


def test_a_function_is_read_once_for_each_call_with_its_arguments() -> None:
    first, second = read_launches(TWO).launches
    assert (first.words, first.env) == (("m/a", "--port", "8001", "-tp", "1"), {"CUDA_VISIBLE_DEVICES": "0"})
    assert (second.words, second.env) == (("m/b", "--port", "8002", "-tp", "4"), {"CUDA_VISIBLE_DEVICES": "1"})
    assert first.place == "line 3, called on line 5"


def test_the_arguments_left_after_a_shift_are_spread() -> None:
    text = 'run() {\n  M="$1"\n  shift 1\n  vllm serve "$M" "$@"\n}\nrun m/x --port 1\n'
    (launch,) = read_launches(text).launches
    assert launch.words == ("m/x", "--port", "1")


def test_a_function_called_by_another_is_read() -> None:
    text = 'main() {\n  one m/x 1\n}\none() {\n  vllm serve "$1" --port "$2"\n}\nmain "$@"\n'
    (launch,) = read_launches(text).launches
    assert launch.words == ("m/x", "--port", "1")


def test_a_function_that_nothing_calls_with_arguments_is_read_where_it_stands() -> None:
    (launch,) = read_launches("run() {\n  vllm serve m/x --port 1\n}\nrun\n").launches
    assert (launch.words, launch.place) == (("m/x", "--port", "1"), "line 2")


def test_a_function_that_calls_itself_has_an_end() -> None:
    (launch,) = read_launches("f() {\n  f a\n  f b\n  vllm serve $1\n}\nf m/x\n").launches
    assert launch.words == ("m/x",)
