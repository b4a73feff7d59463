import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.readers.tables import cell_number, delimited_rows, grid_rows


def test_a_markdown_table_gives_its_cells_without_rules() -> None:
    assert list(grid_rows("| a | b |\n|---|:-:|\n| 1 | 2 |\nwords\n")) == [["a", "b"], ["1", "2"]]


def test_a_label_wrapped_over_lines_is_joined() -> None:
    assert list(grid_rows("│ Time to First │ 20.0 │\n│    Token (ms) │      │\n")) == [
        ["Time to First Token (ms)", "20.0"]
    ]


def test_comma_and_tab_separated_text_is_read_with_quotes() -> None:
    assert delimited_rows('a,b\n"1,000",2\n') == [["a", "b"], ["1,000", "2"]]
    assert delimited_rows("a\tb\n1\t2\n") == [["a", "b"], ["1", "2"]]
    assert delimited_rows("just words") == []


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1,234.5", 1234.5), ("45 ms", 45.0), ("~9s", 9.0), ("-", None), ("N/A", None), ("", None), ("1e3", 1000.0)],
)
def test_a_cell_holds_a_number_or_none(cell: str, value: float | None) -> None:
    assert cell_number(cell) == value


@given(st.text('|│┃ \n-=ab1,.\t"', max_size=200))
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_a_table_reader(text: str) -> None:
    grid, rows = list(grid_rows(text)), delimited_rows(text)
    assert all(cell == cell.strip() for row in (*grid, *rows) for cell in row)
    barred = "".join(line for line in text.splitlines() if any(bar in line for bar in "|│┃"))
    assert letters(grid) == Counter(re.findall("[ab1]", barred))
    assert not rows or letters(rows) == Counter(re.findall("[ab1]", text))


def letters(rows: list[list[str]]) -> Counter[str]:
    """How often each letter stands in the cells."""
    return Counter(re.findall("[ab1]", "".join(cell for row in rows for cell in row)))
