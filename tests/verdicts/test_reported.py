"""The table of reported faults: every row can be asked, and names a thread."""

import pytest

from verdicts.harness import launch
from vllm_triage.facts.versions import KNOWN
from vllm_triage.verdicts.context import Context
from vllm_triage.verdicts.reported import AREAS, FEATURES, REPORTS, Report, matching
from vllm_triage.verdicts.reported.features import FEATURES as SHARED
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
        assert not list(matching(ctx))


def test_no_two_areas_give_one_feature_two_meanings() -> None:
    names = [name for area in AREAS for name in getattr(area, "FEATURES", {})] + list(SHARED)
    assert len(names) == len(set(names))
