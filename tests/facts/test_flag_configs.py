"""Configuration classes are described as each release's own schemas describe them."""

import pytest

from vllm_triage.facts.flag_configs import accepted_field, config_class, names
from vllm_triage.facts.flags import table
from vllm_triage.facts.versions import KNOWN, at_least


@pytest.mark.parametrize("version", [version for version in KNOWN if at_least(version, "0.10.0")])
def test_every_configuration_option_has_its_class(version: str) -> None:
    options = [spec for spec in table(version).specs if spec.type == "config"]
    assert options
    for spec in options:
        assert spec.config is not None
        cls = config_class(spec.config, version)
        assert cls is not None
        assert cls.fields
        assert {*cls.required} <= {*cls.fields}


def test_fields_follow_the_release() -> None:
    old, new = config_class("CompilationConfig", "0.10.2"), config_class("CompilationConfig", "0.33.0")
    assert old is not None
    assert new is not None
    assert "level" in old.fields
    assert "mode" not in old.fields
    assert "mode" in new.fields
    assert "level" not in new.fields


def test_unknown_keys_are_refused_from_the_release_that_closed_its_classes() -> None:
    closed = {version: config_class("KVTransferConfig", version).closed for version in ("0.12.0", "0.18.0")}  # type: ignore[union-attr]
    assert closed == {"0.12.0": False, "0.18.0": True}


def test_limits_of_plain_options_are_known() -> None:
    assert accepted_field("max_num_seqs", "0.32.0") == ["limits", "int", {"ge": 1}]
    assert accepted_field("gpu_memory_utilization", "0.32.0") == ["limits", "float", {"gt": 0, "le": 1}]
    assert accepted_field("port", "0.32.0") is None


def test_names_that_validators_look_up_are_known() -> None:
    assert "hermes" in names("tool_parsers", "0.18.0")
    assert "qwen3" in names("reasoning_parsers", "0.18.0")
    assert names("nothing", "0.18.0") == ()
    assert config_class("Nothing", "0.18.0") is None
