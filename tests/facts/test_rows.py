"""Entries read one at a time are those of the whole file, whatever they are called."""

import json
from pathlib import Path
from typing import Any

import pytest

from vllm_triage.facts import models, rows

DATA = Path(rows.__file__).parent / "data"


def whole(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["flag_knowledge.json", "flags_history.json", "flags_replaced.json"])
def test_every_entry_of_a_catalogue_is_found_by_its_key(name: str) -> None:
    assert {key: rows.entry(name, key) for key in whole(name)} == whole(name)


@pytest.mark.parametrize("section", ["classes", "fields", "names"])
def test_a_section_holds_its_own_entries_and_no_others(section: str) -> None:
    sections = whole("flags_configs.json")
    assert {key: rows.entry("flags_configs.json", key, section) for key in sections[section]} == sections[section]
    elsewhere = {key for other, held in sections.items() if other != section for key in held} - sections[section].keys()
    assert [key for key in elsewhere if rows.entry("flags_configs.json", key, section) is not None] == []


def test_every_model_is_found_by_its_id_as_in_the_whole_catalogue() -> None:
    listed = {row["id"]: row for row in whole("models.json")["models"]}
    assert {id_: rows.line("models.json", f'\n{{"id":{json.dumps(id_)},') for id_ in listed} == listed


def test_a_model_is_the_same_by_each_of_its_names_read_alone_or_with_all_others() -> None:
    told = [name for row in whole("models.json")["models"] for name in (row["id"], *row["aliases"])]
    assert len(told) > 200
    for name in told:
        alone, found = models.find(name), models.find(name.upper())
        assert alone is not None, name
        assert found == alone, name


@pytest.mark.parametrize("key", ["", "no_such", 'seed":', '"', "\n", 'seed": {"one_line', "seed\n", "one_line", "\ud800", "é" * 9])
def test_a_key_that_is_none_finds_nothing(key: str) -> None:
    assert rows.entry("flag_knowledge.json", key) is None
    assert rows.line("models.json", f'\n{{"id":{json.dumps(key)},') is None
