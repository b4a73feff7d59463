"""Arguments: forgiving about form, strict about names, and never repeating what was pasted."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from vllm_triage.report.arguments import (
    BadArguments,
    DeploymentArguments,
    MetricsArguments,
    OptionalDeploymentArguments,
    Texts,
    read_arguments,
)


class Everything(MetricsArguments, OptionalDeploymentArguments):
    """Both shared groups, as the measuring tools have them."""

    acknowledge: Texts = ()
    slo: dict[str, float] | None = Field(None)


def test_numbers_may_be_texts_and_null_means_not_given() -> None:
    read = read_arguments(Everything, {"ttft_ms_mean": "12.5", "gpu": None, "command": "Qwen/Qwen3-8B"})
    assert read.given() == {"ttft_ms_mean": 12.5}
    assert read.deployment() == {"command": "Qwen/Qwen3-8B", "vllm_version": None, "gpu": None, "model_config": None}


def test_a_json_text_stays_text_where_text_is_wanted() -> None:
    manifest = '{"kind": "Deployment"}'
    assert read_arguments(Everything, {"command": manifest}).command == manifest
    assert read_arguments(DeploymentArguments, {"command": manifest, "gpu": "{}"}).gpu == "{}"


def test_a_json_text_is_an_object_where_an_object_is_wanted() -> None:
    read = read_arguments(Everything, {"model_config": '{"num_hidden_layers": 2}', "slo": ' {"ttft_ms_p99": 5}'})
    assert read.deployment()["model_config"] == {"num_hidden_layers": 2}
    assert read.slo == {"ttft_ms_p99": 5}


@pytest.mark.parametrize(
    ("pasted", "read_as"),
    [
        ("log line", ("log line",)),
        (["a", "b"], ("a", "b")),
        ('["a", "b"]', ("a", "b")),
        ('{"mean_ttft_ms": 1}', ('{"mean_ttft_ms": 1}',)),
        ([{"mean_ttft_ms": 1}], ('{"mean_ttft_ms": 1}',)),
        ("[1.5] is how a log line may begin", ("[1.5] is how a log line may begin",)),
        ("[1, 2]", ("[1, 2]",)),
    ],
)
def test_evidence_is_a_list_of_texts_however_it_is_sent(pasted: object, read_as: tuple[str, ...]) -> None:
    assert read_arguments(Everything, {"evidence": pasted}).evidence == read_as


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("commnd", "did you mean command?"),
        ("ttft", "did you mean ttft_ms_mean?"),
        ("ttft_ms_p95", "did you mean ttft_ms_p99?"),
        ("TTFT-MS-MEAN", "did you mean ttft_ms_mean?"),
        ("model", "did you mean command?"),
        ("hf_config", "did you mean model_config?"),
        ("logs", "did you mean evidence?"),
        ("max_model_len", "configuration is written as flags, add --max-model-len to command."),
        ("zzz", "accepted: "),
    ],
)
def test_an_unknown_argument_is_named_with_its_nearest_match(name: str, hint: str) -> None:
    with pytest.raises(BadArguments) as error:
        read_arguments(Everything, {name: 1})
    assert name in str(error.value)
    assert hint in str(error.value)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"ttft_ms_mean": "fast"}, "ttft_ms_mean: expected a number."),
        ({"ttft_ms_mean": -1}, "ttft_ms_mean: must be at least 0"),
        ({"ttft_ms_mean": "nan"}, "ttft_ms_mean: must be a finite number."),
        ({"model_config": "text"}, "model_config: expected a JSON object."),
        ({"evidence": [1]}, "evidence.0: expected text."),
        ({"command": 7}, "command: expected text."),
        ({"gpu": "x" * 500}, "gpu: longer than 200 characters; paste only the part that matters."),
    ],
)
def test_a_value_that_does_not_fit_is_answered_with_what_is_accepted(given_: dict[str, object], said: str) -> None:
    with pytest.raises(BadArguments) as error:
        read_arguments(Everything, given_)
    assert said in str(error.value)


def test_a_missing_command_is_asked_for() -> None:
    with pytest.raises(BadArguments, match="command: required, and missing"):
        read_arguments(DeploymentArguments, {})


def test_a_rejected_value_is_not_repeated() -> None:
    with pytest.raises(BadArguments) as error:
        read_arguments(Everything, {"ttft_ms_mean": "hf_abcdefghijklmnop", "slo": "hf_abcdefghijklmnop"})
    assert "hf_" not in str(error.value)
    assert error.value.__cause__ is None


def test_an_unknown_name_cannot_forge_lines() -> None:
    with pytest.raises(BadArguments) as error:
        read_arguments(Everything, {"x\n\x1b[31mforged" * 50: 1})
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 600


NAMES = st.sampled_from(["command", "evidence", "ttft_ms_mean", "model_config", "slo", "acknowledge", "nope", "", "\n"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=3), SCALARS, max_size=2)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(NAMES, VALUES, max_size=3))
def test_any_json_object_is_read_or_refused_in_words(arguments: dict[str, object]) -> None:
    with suppress(BadArguments):
        assert isinstance(read_arguments(Everything, arguments), Everything)
