from verdicts.harness import fires, quiet


def test_uva_does_not_prefetch() -> None:
    fires("prefetch-ignored", "Qwen/Qwen3-8B --offload-backend uva --offload-group-size 4", "0.33.0")


def test_prefetch_does() -> None:
    quiet("prefetch-ignored", "Qwen/Qwen3-8B --offload-backend prefetch --offload-group-size 4", "0.33.0")
