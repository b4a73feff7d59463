from verdicts.harness import fires, quiet


def test_five_does_not_divide_sixty_four() -> None:
    fires(
        "dcp-interleave",
        "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 2 --block-size 64 "
        "--cp-kv-cache-interleave-size 5",
        "0.18.0",
    )


def test_sixteen_does() -> None:
    quiet(
        "dcp-interleave",
        "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 2 --block-size 64 "
        "--cp-kv-cache-interleave-size 16",
        "0.18.0",
    )


def test_the_older_name_of_the_flag_outranks_the_newer() -> None:
    fires("dcp-interleave", "deepseek-ai/DeepSeek-V3 -tp 8 -dcp 2 --block-size 64 --dcp-kv-cache-interleave-size 48", "0.28.0")
