from verdicts.harness import fires, quiet

SCOUT = "meta-llama/Llama-4-Scout-17B-16E-Instruct -tp 8"


def test_a_chunk_is_whole_blocks() -> None:
    fires("local-chunk-block", f"{SCOUT} --block-size 48", "0.19.0")
    quiet("local-chunk-block", f"{SCOUT} --block-size 32", "0.19.0")
