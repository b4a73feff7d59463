from verdicts.harness import fires, quiet


def test_spare_experts_need_the_balancer() -> None:
    found = fires(
        "redundant-experts-without-eplb",
        "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel --eplb-config '{\"num_redundant_experts\":4}'",
        "0.33.0",
    )
    assert "is 4" in found.message


def test_with_it_they_are_placed() -> None:
    quiet(
        "redundant-experts-without-eplb",
        "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel --enable-eplb --eplb-config '{\"num_redundant_experts\":4}'",
        "0.33.0",
    )


def test_the_flag_of_its_own_counts_while_there_is_one() -> None:
    command = "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel --num-redundant-experts 4"
    fires("redundant-experts-without-eplb", command, "0.10.2")
    quiet("redundant-experts-without-eplb", command, "0.10.1")
