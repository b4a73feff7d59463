from verdicts.configs import DENSE
from verdicts.harness import fires, not_checked, quiet

QWEN = {**DENSE, "architectures": ["Qwen2_5_VLForConditionalGeneration"], "model_type": "qwen2_5_vl"}
PRUNED = "acme/video --video-pruning-rate 0.5 --video-pruning-method"


def test_a_model_prunes_in_its_own_way() -> None:
    fires("video-pruning-method", f"{PRUNED} vidcom2", "0.28.0", model_config=QWEN)
    quiet("video-pruning-method", f"{PRUNED} evs", "0.28.0", model_config=QWEN)


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("video-pruning-method", f"{PRUNED} vidcom2", "0.28.0") == ("model",)
