"""Compact text: complete, one line per thing, nothing empty."""

from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.report.text import bullets, plain, row, section, sourced, value


def test_values_are_short_and_readable() -> None:
    assert [value(v) for v in (None, True, 12, 442368, 0.123456, 28.0, "a\n b", [1, "x"])] == [
        "unknown", "true", "12", "442,368", "0.1235", "28", "a b", "1, x",
    ]


def test_a_sourced_value_says_where_it_comes_from() -> None:
    assert sourced({"value": 8192, "origin": "default", "why": "70 GiB or more"}) == "8192 (default: 70 GiB or more)"
    assert sourced({"value": None, "origin": "assumed", "why": ""}) == "unknown (assumed)"


def test_a_row_leads_with_what_matters_and_leaves_out_what_is_empty() -> None:
    assert row({"kind": "full", "layers": 36, "note": ""}, ("kind",)) == "full; layers: 36"


def test_a_section_without_lines_is_not_there() -> None:
    assert section("Problems", []) == []
    assert section("Problems", bullets(["x"])) == ["Problems:", "- x"]


def test_plain_begins_with_the_summary_and_shows_every_field() -> None:
    text = plain({"summary": "All is well.", "count": 3, "rows": [{"a": 1}, {"a": 2}], "none": [],
                  "settings": {"x": {"value": 1, "origin": "given"}}})
    assert text.splitlines() == [
        "All is well.", "count: 3", "rows:", "- a: 1", "- a: 2", "settings:", "- x: 1 (given)",
    ]


WORDS = st.text("abcdefgh", min_size=1, max_size=8)


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(WORDS, st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3)), max_size=5))
def test_every_word_of_the_data_is_in_the_text(data: dict[str, object]) -> None:
    def leaves(item: object) -> list[str]:
        if isinstance(item, dict):
            return [leaf for part in item.values() for leaf in leaves(part)]
        return [leaf for part in item for leaf in leaves(part)] if isinstance(item, list) else [str(item)]

    text = plain({**data, "summary": "s"})
    assert all(leaf in text for leaf in leaves({k: v for k, v in data.items() if k != "summary"}))
