"""YAML's structure without its types."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vllm_triage.readers.launch.yaml_tree import MAX_EVENTS, TOO_DEEP, load


@pytest.mark.parametrize(("text", "found"), [
    ("a: 1\nb: [x, {c: ~}]", [{"a": "1", "b": ["x", {"c": "~"}]}]),
    ("---\na\n---\n- b", ["a", ["b"]]),
    ("a: &x [1]\nb: *x", [{"a": ["1"], "b": ["1"]}]),
    ("", []),
])  # fmt: skip
def test_documents_are_texts_lists_and_mappings(text: str, found: object) -> None:
    assert load(text, 10) == (found, None, None)


@pytest.mark.parametrize("text", ["a: [", "a: *x", "a: &x [*x]", "? [a]\n: b", "a: b: c"])
def test_what_cannot_be_read_says_why(text: str) -> None:
    found, error, _ = load(text, 10)
    assert (found, bool(error)) == ([], True)


def test_a_text_of_too_many_events_ends_there_and_says_so() -> None:
    (root,), error, left_out = load("a:\n" + "- b\n" * MAX_EVENTS, 10)
    assert error is None
    assert 0 < len(root["a"]) < MAX_EVENTS
    assert left_out is not None


def test_deep_nesting_is_refused() -> None:
    assert load("[" * 1000, 10)[1] == TOO_DEEP


@given(st.text(alphabet="ab:-[]{}&*?|>'\" \n", max_size=40))
def test_the_trees_are_those_of_the_base_loader(text: str) -> None:
    yaml = pytest.importorskip("yaml")
    found, error, _ = load(text, 200)
    try:
        wanted = list(yaml.load_all(text, Loader=yaml.BaseLoader))
    except yaml.YAMLError:
        return
    assert error is not None or found == wanted
