from verdicts.harness import fires, quiet


def test_v0_drafts_in_one_stage() -> None:
    fires(
        "v0-pipeline-with-speculation",
        "Qwen/Qwen2.5-7B-Instruct -pp 2 --speculative-model Qwen/Qwen2.5-0.5B-Instruct --num-speculative-tokens 3",
        "0.7.3",
    )


def test_one_stage_is_fine() -> None:
    quiet(
        "v0-pipeline-with-speculation",
        "Qwen/Qwen2.5-7B-Instruct --speculative-model Qwen/Qwen2.5-0.5B-Instruct --num-speculative-tokens 3",
        "0.7.3",
    )
