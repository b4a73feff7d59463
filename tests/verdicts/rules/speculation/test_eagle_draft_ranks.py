from verdicts.harness import fires, quiet, spec

HEAD = "yuhuili/EAGLE-LLaMA3-Instruct-8B"
LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


def test_v0_runs_the_head_on_one_rank() -> None:
    fires("eagle-draft-ranks", f"{LLAMA} -tp 2 --speculative-model {HEAD} --num-speculative-tokens 3", "0.6.6")
    fires("eagle-draft-ranks", f"{LLAMA} -tp 2 {spec(model=HEAD, num_speculative_tokens=3)}", "0.8.5")


def test_one_rank_is_asked_for() -> None:
    quiet("eagle-draft-ranks", f"{LLAMA} -tp 2 {spec(model=HEAD, num_speculative_tokens=3, draft_tensor_parallel_size=1)}", "0.8.5")
