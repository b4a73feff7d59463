import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captures import capture, server
from vllm_triage.readers.exposition import looks_like_exposition, read_exposition

ONE = (
    'vllm:num_requests_running{engine="0",model_name="m"} 4.0\n'
    'vllm:num_requests_waiting{engine="0",model_name="m"} 2.0\n'
)


def test_a_real_scrape_is_one_scrape_with_every_sample() -> None:
    text = capture("default", "metrics_after.txt")
    scrapes, rest = read_exposition(text)
    assert len(scrapes) == 1
    assert not rest
    assert scrapes[0].malformed == 0
    assert len(scrapes[0]) == sum(1 for line in text.splitlines() if line and not line.startswith("#"))


def test_series_repeated_inside_one_scrape_do_not_start_another() -> None:
    scrapes, _ = read_exposition(server("kv_1"))  # it lists _count and _sum twice
    assert len(scrapes) == 1


@pytest.mark.parametrize("between", ["", "\n", "\n---- 30 s later ----\n", "# TYPE vllm:num_requests_running gauge\n"])
def test_scrapes_pasted_one_after_the_other_are_told_apart(between: str) -> None:
    scrapes, _ = read_exposition(ONE + between + ONE.replace("4.0", "5.0"))
    assert [next(iter(s.samples["vllm:num_requests_running"].values())) for s in scrapes] == [4.0, 5.0]


def test_label_values_may_hold_commas_braces_quotes_and_escapes() -> None:
    scrapes, _ = read_exposition('m_total{a="x,y",b="{z}",c="q\\"u\\\\e\\n"} 1 1700000000000\n')
    (series,) = scrapes[0].series("m_total")
    assert series.labels == {"a": "x,y", "b": "{z}", "c": 'q"u\\e\n'}
    assert scrapes[0].time == 1_700_000_000


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("# 2026-11-30T18:05:22Z", 1796061922),
        ("2026-11-30 18:05:22+00:00", 1796061922),
        ("# t=30s", 30),
        ("1796061922", 1796061922),
        ("date: Mon, 30 Nov 2026 18:05:22 GMT", 1796061922),
    ],
)
def test_a_line_that_says_when_dates_the_scrape_below_it(line: str, seconds: float) -> None:
    scrapes, _ = read_exposition(f"{line}\n{ONE}")
    assert scrapes[0].time == seconds


@pytest.mark.parametrize("line", ["64", "# of users is high", "2.5", "version 0.32.0"])
def test_a_number_that_is_no_time_dates_nothing(line: str) -> None:
    scrapes, _ = read_exposition(f"{line}\n{ONE}")
    assert scrapes[0].time is None


def test_the_headers_of_curl_date_the_scrape() -> None:
    headers = "HTTP/1.1 200 OK\ndate: Mon, 30 Nov 2026 18:05:22 GMT\nserver: uvicorn\ncontent-length: 53598\n\n"
    scrapes, rest = read_exposition(headers + ONE)
    assert scrapes[0].time == 1796061922
    assert "content-length: 53598" in rest


def test_one_date_above_two_scrapes_dates_only_the_first() -> None:
    scrapes, _ = read_exposition(f"# t=0\n{ONE}{ONE}")
    assert [s.time for s in scrapes] == [0, None]


def test_openmetrics_exemplars_and_eof_are_no_part_of_the_value() -> None:
    scrapes, _ = read_exposition('vllm:a_bucket{le="1.0"} 5 # {trace_id="abc"} 0.67 1700000000.1\nvllm:b 1\n# EOF\n')
    assert scrapes[0].samples == {"vllm:a_bucket": {'le="1.0"': 5.0}, "vllm:b": {"": 1.0}}


def test_a_grep_or_log_prefix_before_the_name_is_cut_off() -> None:
    scrapes, _ = read_exposition('metrics.txt:vllm:num_requests_running{engine="0"} 4\n')
    assert scrapes[0].samples == {"vllm:num_requests_running": {'engine="0"': 4.0}}


def test_broken_lines_are_counted_and_the_rest_is_read() -> None:
    scrapes, _ = read_exposition(
        ONE + 'vllm:e2e_request_latency_seconds_bucket{le="0.3"\nvllm:kv_cache_usage_perc{engine="0"} much\n'
    )
    assert len(scrapes[0]) == 2
    assert scrapes[0].malformed == 2
    assert scrapes[0].first_malformed.startswith("vllm:e2e")


def test_words_beside_the_scrape_are_handed_back() -> None:
    _, rest = read_exposition(f"TTFT is 9 s at 64 users\nconcurrency: 64\n{ONE}")
    assert rest == ["TTFT is 9 s at 64 users", "concurrency: 64"]


@pytest.mark.parametrize(
    "text", ["", "hello", '{"a": 1}', "TTFT p99 9s", "vllm serve m --max-num-seqs 4", "INFO vllm: starting {x}"]
)
def test_other_text_is_not_taken_for_a_scrape(text: str) -> None:
    assert not looks_like_exposition(text)


def test_a_truncated_scrape_is_read_as_far_as_it_goes() -> None:
    text = capture("default", "metrics_after.txt")
    for cut in range(100, len(text), 4999):
        scrapes, _ = read_exposition(text[:cut])
        assert sum(s.malformed for s in scrapes) <= 1


@given(st.text(max_size=400))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    scrapes, rest = read_exposition(text)
    assert all(len(scrape) or scrape.malformed for scrape in scrapes)
    words = [line for line in text.split("\n") if is_no_sample(line)]
    assert [line for line in rest if is_no_sample(line)] == words
    assert scrapes or not looks_like_exposition(text) or "#" in text


def is_no_sample(line: str) -> bool:
    """A line without a number, a comment or a fence: nothing but words, which must be handed on."""
    plain = line.strip()
    numbers = any(map(str.isnumeric, plain)) or "nan" in plain.casefold() or "inf" in plain.casefold()
    return bool(plain) and not numbers and not plain.startswith(("#", "```")) and "vllm:" not in plain


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["vllm:a_total", "x_b", "http_requests_total", "vllm:c_bucket", "d:e"]),
            st.dictionaries(st.sampled_from(["le", "engine", "a_b"]), st.text('ab,{} ="\\é', max_size=8), max_size=3),
            st.floats(allow_nan=False),
        ),
        min_size=1,
        max_size=12,
        unique_by=lambda s: (s[0], tuple(sorted(s[1].items()))),
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_is_written_in_the_format_is_read_back(samples: list[tuple[str, dict[str, str], float]]) -> None:
    def line(name: str, labels: dict[str, str], value: float) -> str:
        inside = ",".join(
            f'{k}="{v.replace(chr(92), chr(92) * 2).replace(chr(34), chr(92) + chr(34))}"' for k, v in labels.items()
        )
        return f"{name}{{{inside}}} {value!r}" if labels else f"{name} {value!r}"

    scrapes, rest = read_exposition("\n".join(line(*s) for s in samples))
    read = [(name, series.labels, series.value) for s in scrapes for name in s.samples for series in s.series(name)]
    assert not rest
    assert sorted(map(repr, read)) == sorted(map(repr, samples))
