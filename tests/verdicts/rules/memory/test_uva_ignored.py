from verdicts.harness import fires, quiet


def test_prefetch_wins_over_uva() -> None:
    fires("uva-ignored", "Qwen/Qwen3-8B --cpu-offload-gb 4 --offload-group-size 4", "0.33.0")


def test_uva_alone_offloads() -> None:
    quiet("uva-ignored", "Qwen/Qwen3-8B --cpu-offload-gb 4", "0.33.0")
