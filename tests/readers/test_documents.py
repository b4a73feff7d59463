import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.readers.documents import MAX_ATTEMPTS, log_text, split_json


@pytest.mark.parametrize(
    ("text", "documents", "rest"),
    [
        ('{"a": 1}', [{"a": 1}], ""),
        ('{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}], ""),
        ('```json\n{"a": 1}\n```', [{"a": 1}], "``````"),
        ('my result:\n{"a": 1}\nthanks', [{"a": 1}], "myresult:thanks"),
        ("[1, 2]", [[1, 2]], ""),
        ("no json", [], "nojson"),
    ],
)
def test_documents_are_taken_out_and_the_words_stay(text: str, documents: list[object], rest: str) -> None:
    found, left, broken = split_json(text)
    assert found == documents
    assert "".join(left.split()).replace("json", "", 1 if "```json" in text else 0) == rest
    assert not broken


def test_json_that_is_cut_off_is_said_to_be() -> None:
    found, _, broken = split_json('{"mean_ttft_ms": 3, "p99_ttft')
    assert not found
    assert "does not parse" in broken[0]


def test_nesting_without_end_is_refused_in_bounded_time() -> None:
    found, _, broken = split_json("[" * 200_000)
    assert not found
    assert broken


def test_log_lines_of_a_container_runtime_become_their_log() -> None:
    documents = [{"log": "line 1\n", "stream": "stderr"}, {"log": "line 2\n", "stream": "stderr"}]
    assert log_text(documents) == "line 1\nline 2"
    assert log_text([{"mean_ttft_ms": 3}]) is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=3), x, max_size=3),
        max_leaves=8,
    )
)
@settings(max_examples=60, deadline=None)
def test_every_object_or_array_is_read_back(document: object) -> None:
    if isinstance(document, dict | list):
        assert split_json(json.dumps(document, indent=1))[0] == [document]


@given(st.text('{}[]",:1a \n', max_size=60))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_the_splitter(text: str) -> None:
    documents, rest, broken = split_json(text)
    assert all(isinstance(document, dict | list) for document in documents)
    assert (rest == text) is not bool(documents)
    left = iter(text)
    assert all(character in left for character in rest)  # what is no document is left, in order
    assert len(broken) <= MAX_ATTEMPTS
