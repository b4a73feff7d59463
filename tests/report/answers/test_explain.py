"""explain: one term of any kind, for one version, or the nearest terms."""

import pytest

from vllm_triage.facts import flags, metrics
from vllm_triage.facts.versions import NEWEST
from vllm_triage.report.answers.explain import Arguments, run
from vllm_triage.report.arguments import BadArguments
from vllm_triage.report.glossary import CLASSES
from vllm_triage.verdicts.policy import RULES
from vllm_triage.verdicts.registry import rules
from vllm_triage.verdicts.thresholds import THRESHOLDS


@pytest.mark.parametrize(
    ("term", "kind", "canonical"),
    [
        ("--max-num-seqs", "flag", "--max-num-seqs"),
        ("max_num_seqs", "flag", "--max-num-seqs"),
        ("-tp", "flag", "--tensor-parallel-size"),
        ("`--max_num_batched_tokens`", "flag", "--max-num-batched-tokens"),
        ("vllm:num_requests_waiting", "metric", "vllm:num_requests_waiting"),
        ("num_preemptions", "metric", "vllm:num_preemptions_total"),
        ("vllm:time_to_first_token_seconds_bucket", "metric", "vllm:time_to_first_token_seconds"),
        ("kv_starvation", "bottleneck", "kv_starvation"),
        ("KV starvation", "bottleneck", "kv_starvation"),
        ("interconnect", "outside", "interconnect"),
        ("core-metrics", "house_rule", "core-metrics"),
        ("gpu_util_ignored", "house_rule", "gpu-util-ignored"),
        ("itl-spike", "threshold", "itl-spike"),
    ],
)
def test_a_term_is_found_however_it_is_written(term: str, kind: str, canonical: str) -> None:
    answer = run(Arguments(term=term))
    assert (answer.kind, answer.term, answer.vllm_version) == (kind, canonical, NEWEST)
    assert answer.exists
    assert answer.summary


def test_a_removed_flag_says_when_it_went() -> None:
    answer = run(Arguments(term="--swap-space", vllm_version="0.31.0"))
    assert not answer.exists
    assert "vLLM 0.31.0 does not have it" in answer.summary
    assert "0.17.1" in answer.summary
    assert run(Arguments(term="--swap-space", vllm_version="0.16.0")).exists


def test_a_flag_that_comes_later_says_when_it_comes() -> None:
    answer = run(Arguments(term="--spec-method", vllm_version="0.18.0"))
    assert not answer.exists
    assert "It comes with 0." in answer.summary


def test_a_flags_default_is_that_of_the_version() -> None:
    old, new = (run(Arguments(term="--gpu-memory-utilization", vllm_version=v)) for v in ("0.18.0", "0.31.0"))
    assert (old.details["default"], new.details["default"]) == (0.9, 0.92)
    assert old.sources == ("argument parser of vLLM 0.18.0",)


def test_a_renamed_metric_leads_to_todays_name() -> None:
    answer = run(Arguments(term="vllm:gpu_cache_usage_perc"))
    assert not answer.exists
    assert "vllm:kv_cache_usage_perc" in answer.summary
    assert run(Arguments(term="vllm:gpu_cache_usage_perc", vllm_version="0.10.2")).exists


def test_a_lifetime_counter_is_called_one() -> None:
    assert "lifetime counter" in run(Arguments(term="vllm:num_preemptions_total")).summary


def test_a_rule_that_does_not_hold_for_the_version_says_so() -> None:
    answer = run(Arguments(term="no-draft-chunked-0180", vllm_version="0.31.0"))
    assert answer.kind in ("house_rule", "rule")
    assert any("no-draft-chunked-0180" in text for text in (*answer.see_also, answer.term))


def test_every_rule_metric_class_threshold_house_rule_and_flag_is_explained() -> None:
    terms = [*CLASSES, *RULES, *THRESHOLDS, *(rule.id for rule in rules()), *(f"vllm:{n}" for n in metrics.names()),
             *flags.table(NEWEST).long_options]
    for term in terms:
        answer = run(Arguments(term=term))
        assert len(answer.summary) > 20
        assert answer.to_text().startswith(answer.summary)


@pytest.mark.parametrize(
    ("term", "near"),
    [
        ("--max-num-seq", "--max-num-seqs"), ("max_num_batch_tokens", "--max-num-batched-tokens"),
        ("kv_starving", "kv_starvation"), ("num_requests_wating", "vllm:num_requests_waiting"),
        ("core-metric", "core-metrics"), ("preempt", "vllm:"),
    ],
)
def test_an_unknown_term_is_answered_with_the_nearest(term: str, near: str) -> None:
    with pytest.raises(BadArguments, match="did you mean") as error:
        run(Arguments(term=term))
    assert near in str(error.value)


def test_nonsense_is_answered_with_what_is_expected() -> None:
    with pytest.raises(BadArguments, match="a vLLM flag, a vllm: metric, a rule id"):
        run(Arguments(term="qqqqqqqqqq"))
