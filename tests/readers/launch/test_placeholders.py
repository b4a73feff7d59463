"""Words that only stand for a value, told from values."""

import pytest

from vllm_triage.readers.launch.placeholders import placeholder_in, placeholders_of


@pytest.mark.parametrize("word", [
    "<model>", "meta-llama/<model>", "REPLACE_WITH_MODEL", "/models/REPLACE_ENV_MODEL", "YOUR_MODEL", "your-org/your-model",
    "your_model_path", "xxx", "XXXX", "...", "CHANGEME", "[your-model]", "TODO", '{"model":"<draft>"}',
])  # fmt: skip
def test_a_word_that_stands_for_another_is_a_placeholder(word: str) -> None:
    assert placeholder_in(word) is not None


@pytest.mark.parametrize("word", [
    "Qwen/Qwen3-8B", "your-org/Qwen3-8B", "4", "auto", "xx", "exxxa", "/path/to/template.jinja", "MODEL", "[1,2]", "a<b", "yours",
    '{"method":"ngram"}', "myorg/my-model",
])  # fmt: skip
def test_a_value_is_none(word: str) -> None:
    assert placeholder_in(word) is None


@pytest.mark.parametrize("word", ["MODEL", "MODEL_NAME", "/path/to/model", "path/to/your_model/", "MODEL_PATH"])
def test_some_words_stand_for_a_model_only_where_the_model_does(word: str) -> None:
    assert placeholder_in(word) is None
    assert placeholders_of((word, "--port", "1")) == placeholders_of(("--model", word)) == (word,)
    assert placeholders_of(("m/x", "--served-model-name", word)) == ()
