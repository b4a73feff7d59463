"""What a simulation cannot tell."""

from vllm_triage.facts.flags import table
from vllm_triage.facts.versions import KNOWN
from vllm_triage.verdicts.whatif import caveats_of
from vllm_triage.verdicts.whatif.caveats import CAVEATS, UNSHARED

from .cases import CROWD


def test_every_caveat_is_of_a_flag_that_some_release_has() -> None:
    known = {dest for version in KNOWN for dest in table(version).by_dest}
    assert [dest for dest in CAVEATS if dest not in known] == []


def test_a_cache_is_a_caveat_only_where_nothing_is_shared() -> None:
    assert caveats_of(["enable_prefix_caching"], CROWD) == (UNSHARED,)
    assert caveats_of(["enable_prefix_caching"], CROWD.but(shared_prefix_tokens=100)) == ()
    assert caveats_of(["max_num_seqs"], CROWD) == ()
