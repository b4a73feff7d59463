from verdicts.harness import fires, quiet


def test_safetensors_does_not_stream() -> None:
    fires("object-storage-loader", "s3://bucket/model --load-format safetensors", "0.33.0")


def test_the_streamer_does() -> None:
    quiet("object-storage-loader", "s3://bucket/model --load-format runai_streamer", "0.33.0")
