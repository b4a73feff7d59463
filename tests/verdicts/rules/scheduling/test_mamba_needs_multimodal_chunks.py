from verdicts.harness import fires, quiet


def test_an_image_must_be_cut_too() -> None:
    fires(
        "mamba-needs-multimodal-chunks",
        "Qwen/Qwen3.5-27B -tp 2 --enable-prefix-caching --mamba-cache-mode align --disable-chunked-mm-input",
        "0.31.0",
    )


def test_without_the_flag_it_is() -> None:
    quiet(
        "mamba-needs-multimodal-chunks",
        "Qwen/Qwen3.5-27B -tp 2 --enable-prefix-caching --mamba-cache-mode align",
        "0.31.0",
    )
