from verdicts.harness import fires, quiet

BOUND = "Qwen/Qwen3-8B --numa-bind --numa-bind-cpus"


def test_ranges_of_processors_ascend() -> None:
    fires("numa-lists-malformed", f"{BOUND} 8-3", "0.28.0")
    fires("numa-lists-malformed", f"{BOUND} all", "0.28.0")
    quiet("numa-lists-malformed", f"{BOUND} 0-3 0,2,4-7", "0.28.0")
