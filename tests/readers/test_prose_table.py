import pytest

from vllm_triage.readers.prose_table import read_table

COLUMNS = """| concurrency | TTFT p99 (ms) | TPOT (ms) | output throughput |
|--|--|--|--|
| 64 | 9000 | 45 | 1,400 |
| 8 | 120 | 12 | 600 |
"""


def values(text: str) -> dict[str, float]:
    part = read_table(text)
    return {} if part is None else {r.name: r.value for r in part.readings}


def test_a_table_of_runs_is_read_at_its_highest_concurrency_whatever_the_order() -> None:
    wanted = {"concurrency": 64, "ttft_ms_p99": 9000, "tpot_ms_mean": 45, "output_tok_s": 1400}
    assert values(COLUMNS) == wanted
    lines = COLUMNS.splitlines()
    assert values("\n".join([*lines[:2], lines[3], lines[2]])) == wanted
    part = read_table(COLUMNS)
    assert part is not None
    assert part.unread == ["table: 2 rows; read was the row at concurrency 64"]


def test_a_table_of_metric_and_value_is_read_by_rows() -> None:
    assert values("| Metric | Value |\n|---|---|\n| TTFT p99 | 9 s |\n| ITL | 45 ms |\n| Concurrency | 64 |\n") == {
        "ttft_ms_p99": 9000, "itl_ms_mean": 45, "concurrency": 64,
    }  # fmt: skip


def test_the_unit_in_the_heading_counts_and_the_one_in_the_cell_more() -> None:
    assert values("| TTFT (s) | ITL (ms) |\n|--|--|\n| 9 | 45 |\n") == {"ttft_ms_mean": 9000, "itl_ms_mean": 45}
    assert values("| TTFT (s) | ITL (ms) |\n|--|--|\n| 350 ms | 45 |\n")["ttft_ms_mean"] == pytest.approx(350)


def test_a_time_column_without_any_unit_is_not_guessed() -> None:
    assert values("| TTFT | concurrency |\n|--|--|\n| 350 | 8 |\n") == {"concurrency": 8}


def test_comma_separated_columns_are_read() -> None:
    assert values("concurrency,mean_ttft_ms,mean_tpot_ms,output_throughput\n8,100,10,700\n32,300,12,2000\n") == {
        "concurrency": 32, "ttft_ms_mean": 300, "tpot_ms_mean": 12, "output_tok_s": 2000,
    }  # fmt: skip


def test_a_sentence_with_commas_is_no_table() -> None:
    assert read_table("TTFT 9s, ITL 45 ms at 64 users\nthroughput 850 tok/s, running 4\n") is None


@pytest.mark.parametrize("text", ["", "| a | b |\n|--|--|\n| 1 | 2 |", "x,y\n1,2", "words only"])
def test_other_tables_are_none(text: str) -> None:
    assert read_table(text) is None


def test_statistics_in_columns_and_metrics_in_rows_are_read_each() -> None:
    part = read_table(
        "| metric | mean | p50 | p90 | p99 |\n|---|---|---|---|---|\n| TTFT (ms) | 350 | 200 | 900 | 4000 |\n"
        "| ITL (ms) | 30 | 20 | 50 | 300 |\n| output tok/s | 1200 | | | |\n| concurrency | 32 | | | |"
    )
    assert part is not None
    assert {r.name: r.value for r in part.readings} == {
        "ttft_ms_mean": 350, "ttft_ms_p50": 200, "ttft_ms_p90": 900, "ttft_ms_p99": 4000, "itl_ms_mean": 30,
        "itl_ms_p50": 20, "itl_ms_p90": 50, "itl_ms_p99": 300, "output_tok_s": 1200, "concurrency": 32,
    }  # fmt: skip
