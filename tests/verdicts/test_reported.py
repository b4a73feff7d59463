"""The table of reported faults: every row can be asked, and names a thread."""

import pytest

from verdicts.harness import launch
from vllm_triage.facts.versions import KNOWN
from vllm_triage.verdicts.context import Context
from vllm_triage.verdicts.reported import FEATURES, REPORTS, Report, applies
from vllm_triage.verdicts.specifier import holds


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.source.rpartition("/")[2])
def test_a_report_names_known_features_a_thread_and_some_release(report: Report) -> None:
    assert set(report.features) <= set(FEATURES)
    assert report.source.startswith("https://github.com/")
    assert any(holds(report.versions, version) for version in KNOWN)


def test_every_feature_is_used() -> None:
    assert {name for report in REPORTS for name in report.features} == set(FEATURES)


def test_a_plain_launch_has_nothing_that_was_reported() -> None:
    for version in KNOWN:
        ctx = Context(launch("meta-llama/Llama-3.1-8B-Instruct", version, "H100-SXM"))
        assert not any(applies(report, ctx) for report in REPORTS)
