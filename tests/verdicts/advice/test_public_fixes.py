"""Public cases with a confirmed fix: it is among the first three actions (needs the shared corpus, which is not shipped)."""

import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CASES = Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared")) / "corpus" / "diagnosis.jsonl"


@pytest.mark.skipif(not CASES.exists(), reason="the corpus of public cases is not here")
def test_the_confirmed_fix_is_among_the_first_three_in_four_of_five_cases_that_classify(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = ROOT / "tools" / "measure_recommendations.py"
    spec = importlib.util.spec_from_file_location("measure_recommendations", tool)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr("sys.argv", ["measure_recommendations.py", str(CASES)])
    assert module.main() == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("classified:"))
    hits, cases = (int(number) for number in line.rpartition(" ")[2].split("/"))
    assert hits >= 0.8 * cases
