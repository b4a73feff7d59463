from verdicts.harness import fires, quiet


def test_a_list_alone_binds_nothing() -> None:
    fires("numa-without-binding", "Qwen/Qwen3-8B --numa-bind-nodes 0", "0.33.0")


def test_with_the_switch_it_binds() -> None:
    quiet("numa-without-binding", "Qwen/Qwen3-8B --numa-bind --numa-bind-nodes 0", "0.33.0")
