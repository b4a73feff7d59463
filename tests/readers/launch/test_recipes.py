"""Makefiles and justfiles."""

from vllm_triage.readers.launches import read_launches


def test_variables_of_a_makefile_are_filled_in() -> None:
    text = "MODEL ?= m/x\nFLAGS = --port $(PORT)\nFLAGS += -tp 2\nserve:\n\t@A=1 vllm serve $(MODEL) \\\n\t\t$(FLAGS) --n $$B\n"
    (launch,) = read_launches(text).launches
    assert launch.words == ("m/x", "--port", "$PORT", "-tp", "2", "--n", "$B")
    assert (launch.env, launch.unset) == ({"A": "1"}, ("PORT", "B"))


def test_variables_and_parameters_of_a_justfile_are_filled_in() -> None:
    text = 'model := "m/x"\nseqs := env("SEQS", "4")\n\nserve port="1":\n'
    text += "    @vllm serve {{model}} --max-num-seqs {{ seqs }} --port {{port}}\n"
    (launch,) = read_launches(text).launches
    assert launch.words == ("m/x", "--max-num-seqs", "4", "--port", "1")


def test_a_variable_that_names_itself_has_an_end() -> None:
    (launch,) = read_launches("A = $(A)\nserve:\n\tvllm serve m/x --port $(A)\n").launches
    assert launch.words[0] == "m/x"
