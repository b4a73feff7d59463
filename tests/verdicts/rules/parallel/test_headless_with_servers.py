from verdicts.harness import fires, quiet


def test_a_headless_node_serves_nobody() -> None:
    fires("headless-with-servers", "Qwen/Qwen3-30B-A3B -dp 2 --headless --api-server-count 2", "0.33.0")


def test_without_a_count_it_starts() -> None:
    quiet("headless-with-servers", "Qwen/Qwen3-30B-A3B -dp 2 --headless", "0.33.0")
