"""Judgement: house rules, bottleneck, compatibility, advice."""
