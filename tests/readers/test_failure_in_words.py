import pytest

from vllm_triage.readers.evidence import read_evidence
from vllm_triage.readers.failure_in_words import failure_in_words


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("torch OOM in CUDA graph capture at startup", "oom_graphs"),
        ("CUDA OOM at startup; works with --enforce-eager", "oom_profile"),
        ("We get out of memory while loading the weights", "oom_load"),
        ("no KV cache left at startup after the update", "no_kv_memory"),
        ("it runs out-of-memory when warming up the sampler", "oom_sampler"),
        ("runtime OOM of 96 MiB after an hour of load", "oom_serving"),
        ("it is healthy, then dies with CUDA OOM on the first near-full prompt", "oom_serving"),
        ("out of memory while serving", "oom_serving"),
        ("the server refuses to start", None),
        ("vLLM won't start at 800K context", None),
    ],
)
def test_a_failed_start_told_in_words_is_read_with_them(text: str, kind: str | None) -> None:
    found = failure_in_words(text)
    assert found is not None
    assert found.error_kind == kind
    assert found.error
    assert found.error in text


@pytest.mark.parametrize(
    "text",
    [
        "I keep 0.85 to avoid OOM under load",
        "somebody had an OOM once",
        "no OOM at startup, TTFT 9 s",
        "there is never an out of memory at startup",
        "TTFT p99 9s, ITL 45ms at 64 users",
        "it starts within a minute",
        "",
    ],
)
def test_what_is_no_failed_start_is_not_taken_for_one(text: str) -> None:
    assert failure_in_words(text) is None


def test_a_log_that_shows_a_start_outranks_a_retelling() -> None:
    log = "INFO 01-01 00:00:00 [kv_cache_utils.py:1] GPU KV cache size: 100,000 tokens"
    seen = read_evidence([log, "last week it would OOM at startup"])
    assert seen.pool is not None
    assert (seen.pool.tokens, seen.pool.error) == (100_000, None)
    died = read_evidence([log, "then a runtime OOM on a long prompt"])
    assert died.pool is not None
    assert (died.pool.tokens, died.pool.error_kind) == (100_000, "oom_serving")
    told = read_evidence(["it OOMs at startup"])
    assert told.pool is not None
    assert told.pool.error
