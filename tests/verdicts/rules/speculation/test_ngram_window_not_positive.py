from verdicts.harness import fires, quiet, spec

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"
FLAGS = f"{LLAMA} --speculative-model [ngram] --num-speculative-tokens 3"


def test_a_match_is_of_one_token_or_more() -> None:
    fires("ngram-window-not-positive", f"{FLAGS} --ngram-prompt-lookup-max 0", "0.7.3")
    fires("ngram-window-not-positive", f"{LLAMA} {spec(method='ngram', num_speculative_tokens=3, prompt_lookup_max=-1)}", "0.9.0")


def test_early_releases_need_the_largest_window() -> None:
    fires("ngram-window-not-positive", FLAGS, "0.7.3")
    quiet("ngram-window-not-positive", f"{FLAGS} --ngram-prompt-lookup-max 4", "0.7.3")
    fires("ngram-window-not-positive", FLAGS, "0.8.1")
    quiet("ngram-window-not-positive", FLAGS, "0.8.2")
